"""Right answers to assignment 16 that are written in other ways than the reference."""

VARIANTS = {
    "16-outlook/friends": {},
    "16-outlook/crossing": {},
    "16-outlook/memory": {},
    "16-outlook/graph-attention": {},
    "16-outlook/block-sparse": {},
    "16-outlook/cost": {},
    "16-outlook/faulty-line": {},
    "16-outlook/repair": {},
    "16-outlook/nodes": {},
    "16-outlook/recurrent": {},
}
