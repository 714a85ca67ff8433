"""Right answers to assignment 12 that are written in other ways than the reference."""

VARIANTS = {
    "12-masked-model/drawn": {},
    "12-masked-model/labels": {},
    "12-masked-model/patches": {},
    "12-masked-model/mask-tokens": {},
    "12-masked-model/classify": {},
    "12-masked-model/patchify": {},
    "12-masked-model/faulty-line": {},
    "12-masked-model/repair": {},
    "12-masked-model/sentiment": {},
    "12-masked-model/span": {},
}
