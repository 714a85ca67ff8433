"""Right answers to assignment 05 that are written in other ways than the reference."""

VARIANTS = {
    "05-tokens/pair-count": {},
    "05-tokens/sizes": {},
    "05-tokens/byte-length": {},
    "05-tokens/count-pairs": {},
    "05-tokens/merge": {},
    "05-tokens/train": {},
    "05-tokens/encode": {},
    "05-tokens/decode": {},
    "05-tokens/faulty-line": {},
    "05-tokens/repair": {},
    "05-tokens/vocabulary-size": {},
    "05-tokens/best-split": {},
}
