"""Right answers to assignment 10 that are written in other ways than the reference."""

VARIANTS = {
    "10-block/parameters": {},
    "10-block/normed": {},
    "10-block/share": {},
    "10-block/layer-norm": {},
    "10-block/feed-forward": {},
    "10-block/block": {},
    "10-block/cost": {},
    "10-block/faulty-line": {},
    "10-block/repair": {},
    "10-block/deep": {},
    "10-block/gated": {},
}
