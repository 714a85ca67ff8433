"""Right answers to assignment 14 that are written in other ways than the reference."""

VARIANTS = {
    "14-decoding/sequence": {},
    "14-decoding/support": {},
    "14-decoding/beams": {},
    "14-decoding/top-k": {},
    "14-decoding/top-p": {},
    "14-decoding/sample": {},
    "14-decoding/beam": {},
    "14-decoding/faulty-line": {},
    "14-decoding/repair": {},
    "14-decoding/strategy": {},
    "14-decoding/exact": {},
}
