"""Build: images cut into patches, and put together again."""

import numpy as np

from headway.tasks.chapters.masked_model.mistakes import (
    BATCH_MIXED,
    CHANNELS_APART,
    COLUMNS_FIRST,
    HEIGHT_AND_WIDTH_SWAPPED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.calls import use, use_then_look
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task


class Patches:
    """Cuts images (B, h, w, c) into patches of p × q pixels, and joins them."""

    def __init__(self, p, q):
        self.p, self.q = p, q

    def cut(self, images):
        B, h, w, c = images.shape
        if h % self.p or w % self.q:
            raise ValueError(f"{h} × {w} pixels do not divide into {self.p} × {self.q}")
        T = (h // self.p) * (w // self.q)
        cells = images.reshape(B, h // self.p, self.p, w // self.q, self.q, c)
        return cells.transpose(0, 1, 3, 2, 4, 5).reshape(B, T, self.p * self.q * c)

    def join(self, patches, h, w):
        B, c = len(patches), patches.shape[2] // (self.p * self.q)
        parts = patches.reshape(B, h // self.p, w // self.q, self.p, self.q, c)
        return parts.transpose(0, 1, 3, 2, 4, 5).reshape(B, h, w, c)


def cases(rng: np.random.Generator) -> list[Case]:
    def images(*shape):
        return rng.integers(0, 1000, shape)

    def cut(label, size, shape, **options):
        return Case(label, size, ("cut", images(*shape)), **options)

    def join(label, size, shape, **options):
        B, h, w, c = shape
        p, q = size
        patches = images(B, (h // p) * (w // q), p * q * c)
        return Case(label, size, ("join", patches, h, w), **options)

    other = {"path": "other sizes"}
    return [
        cut("wide images, flat patches", (2, 3), (2, 6, 12, 3), core=True),
        join("back to tall images", (4, 2), (3, 12, 4, 2), core=True),
        cut("tall images, narrow patches", (4, 2), (1, 12, 4, 2)),
        cut("square images, square patches", (3, 3), (2, 6, 6, 3), **other),
        cut("one channel", (2, 4), (2, 4, 12, 1), **other),
        cut("one patch, the whole image", (4, 6), (2, 4, 6, 3), **other),
        cut("patches of one pixel", (1, 1), (2, 3, 2, 4), **other),
        join("back to wide images", (2, 3), (2, 6, 12, 3)),
        join("back to square images", (3, 3), (1, 6, 6, 1)),
        cut("a height that does not divide", (4, 2), (1, 6, 4, 2), **other),
        cut("a width that does not divide", (2, 4), (2, 4, 6, 3), **other),
        arguments_kept(
            (2, 3),
            ("cut", images(2, 4, 6, 3)),
            ("join", images(2, 4, 18), 4, 6),
            verb=use_then_look,
        ),
    ]


CELLS = "images.reshape(B, h // self.p, self.p, w // self.q, self.q, c)"
CUT = "cells.transpose(0, 1, 3, 2, 4, 5).reshape(B, T, self.p * self.q * c)"
PARTS = "patches.reshape(B, h // self.p, w // self.q, self.p, self.q, c)"
JOIN = "parts.transpose(0, 1, 3, 2, 4, 5).reshape(B, h, w, c)"
CHECK = "h % self.p or w % self.q"


def both(cut: str, join: str, parts: str = PARTS):
    """Cut and joined in another order, so that the way back is right."""
    (wrong,) = changed(Patches, CUT, cut)
    (wrong,) = changed(wrong, JOIN, join)
    return wrong if parts == PARTS else changed(wrong, PARTS, parts)


DOWN = "cells.transpose(0, 3, 1, 2, 4, 5).reshape(B, -1, self.p * self.q * c)"
TURNED = "cells.transpose(0, 1, 3, 4, 2, 5).reshape(B, -1, self.p * self.q * c)"
APART = "cells.transpose(0, 1, 3, 5, 2, 4).reshape(B, -1, self.p * self.q * c)"
RUNS = "images.reshape(B, -1, self.p * self.q * c)"

patchify_task = Task(
    id="12-masked-model/patchify",
    title="Into patches and back",
    kind="build",
    points=3,
    minutes=20,
    answer="Patches",
    verb=use,
    cases=cases,
    reference=Patches,
    misconceptions=(
        COLUMNS_FIRST.by(
            changed(
                Patches,
                CUT,
                DOWN,
                TURNED,
                "cells.transpose(0, 3, 1, 4, 2, 5).reshape(B, -1, self.p * self.q * c)",
            ),
            both(
                DOWN,
                "parts.transpose(0, 2, 3, 1, 4, 5).reshape(B, h, w, -1)",
                "patches.reshape(B, w // self.q, h // self.p, self.p, self.q, -1)",
            ),
            both(
                TURNED,
                "parts.transpose(0, 1, 4, 2, 3, 5).reshape(B, h, w, -1)",
                "patches.reshape(B, h // self.p, w // self.q, self.q, self.p, -1)",
            ),
            changed(
                Patches,
                PARTS,
                "patches.reshape(B, w // self.q, h // self.p, self.p, self.q, -1)"
                ".transpose(0, 2, 1, 3, 4, 5)",
                "patches.reshape(B, h // self.p, w // self.q, self.q, self.p, -1)"
                ".transpose(0, 1, 2, 4, 3, 5)",
            ),
        ),
        CHANNELS_APART.by(
            changed(Patches, CUT, APART),
            both(
                APART,
                "parts.transpose(0, 1, 4, 2, 5, 3).reshape(B, h, w, -1)",
                "patches.reshape(B, h // self.p, w // self.q, -1, self.p, self.q)",
            ),
            changed(
                Patches,
                PARTS,
                "patches.reshape(B, h // self.p, w // self.q, -1, self.p, self.q)"
                ".transpose(0, 1, 2, 4, 5, 3)",
            ),
            changed(Patches, "B, h, w, c = images.shape", "B, c, h, w = images.shape"),
            changed(Patches, JOIN, JOIN + ".transpose(0, 3, 1, 2)"),
            changed(
                Patches,
                CUT,
                "cells.transpose(0, 5, 1, 3, 2, 4).reshape(B, -1, self.p * self.q * c)",
                "cells.transpose(0, 5, 1, 3, 2, 4).reshape(B, -1, self.p * self.q)",
            ),
        ),
        HEIGHT_AND_WIDTH_SWAPPED.by(
            changed(Patches, "self.p, self.q = p, q", "self.p, self.q = q, p"),
            changed(
                Patches, CELLS, "images.reshape(B, w // self.q, self.p, h // self.p, self.q, c)"
            ),
            changed(
                Patches, PARTS, "patches.reshape(B, w // self.q, h // self.p, self.p, self.q, -1)"
            ),
            changed(Patches, JOIN, "parts.transpose(0, 1, 3, 2, 4, 5).reshape(B, w, h, -1)"),
            changed(Patches, "p, q):", "p, q):\n        q = p"),
            changed(Patches, "p, q):", "p, q):\n        p = q"),
        ),
        Misconception(
            "cut-into-runs",
            any_of(
                changed(Patches, CUT, RUNS),
                both(RUNS, "patches.reshape(B, h, w, -1)"),
                changed(Patches, CUT, "cells.reshape(B, -1, self.p * self.q * c)"),
            ),
            "Your patches are runs of the image that go on in the same row of pixels, over the "
            "edge of the patch. Which pixel follows the last one of a patch's first row?",
        ),
        Misconception(
            "joined-without-reordering",
            changed(
                Patches,
                JOIN,
                "patches.reshape(B, h, w, -1)",
                "parts.transpose(0, 2, 1, 3, 4, 5).reshape(B, h, w, -1)",
                "parts.reshape(B, h, w, -1)",
                "parts.transpose(0, 1, 4, 2, 3, 5).reshape(B, h, w, -1)",
            ),
            "You cut rightly, and the way back puts pixels elsewhere. Between which two steps of "
            "cutting does their order change, and has the way back such a step?",
        ),
        Misconception(
            "axes-left-apart",
            changed(
                Patches,
                CUT,
                "cells.transpose(0, 1, 3, 2, 4, 5)",
                "cells.transpose(0, 1, 3, 2, 4, 5).reshape(B, -1, self.p, self.q, c)",
                "cells.transpose(0, 1, 3, 2, 4, 5).reshape(B, h // self.p, w // self.q, -1)",
                "cells.transpose(0, 1, 3, 2, 4, 5).reshape(B, -1, self.p * self.q, c)",
                "cells.transpose(0, 1, 3, 2, 4, 5).reshape(-1, self.p * self.q * c)",
            ),
            "The numbers are in the right order, but on other axes than asked. What is one row of "
            "the result, and how many axes does it have with the batch?",
        ),
        Misconception(
            "remainder-dropped",
            any_of(
                *(
                    changed(
                        *changed(Patches, CHECK, checked),
                        CELLS,
                        "images[:, : h // self.p * self.p, : w // self.q * self.q].reshape("
                        "B, h // self.p, self.p, w // self.q, self.q, c)",
                    )
                    for checked in ("False", "h % self.p", "w % self.q")
                )
            ),
            "Where patches do not fill the image, the pixels that are left over are dropped. What "
            "does the text ask for then?",
        ),
        BATCH_MIXED.by(
            changed(
                Patches,
                CUT,
                "cells.transpose(1, 0, 3, 2, 4, 5).reshape(B, -1, self.p * self.q * c)",
                "cells.transpose(1, 3, 0, 2, 4, 5).reshape(B, -1, self.p * self.q * c)",
            ),
        ),
    ),
    compare=equal(),
)
