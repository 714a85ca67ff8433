"""Build: blocks with the norm before or after, and a stack of them."""

import numpy as np
import torch

from headway.tasks.chapters.block.blocks import (
    FEED_BESIDE,
    FEED_ON_THE_FIRST,
    NO_SKIP_AFTER,
    NO_SKIP_BEFORE,
    POST_ATTENTION,
    POST_FEED,
    PRE_ATTENTION,
    PRE_FEED,
    UPDATE_NORMED_AFTER,
    UPDATE_NORMED_BEFORE,
    Block,
    Stack,
    each_and_all,
    other,
    stacked,
)
from headway.tasks.chapters.block.layer_norm import draw
from headway.tasks.chapters.block.mistakes import (
    CURVE_MISPLACED,
    EXTRA_SKIP,
    MASK_IGNORED,
    MASK_INVERTED,
    SKIP_MISSING,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.calls import forward
from headway.tasks.engine.task import Case, Task


def weights(rng: np.random.Generator, *arguments) -> dict[str, torch.Tensor]:
    """Gaussian numbers for all parameters of a stack, by their names."""
    drawn = {}
    for name, value in Stack(*arguments).state_dict().items():
        around = 1.0 if "norm" in name and name.endswith("weight") else 0.0
        drawn[name] = around + 0.5 * draw(rng, *value.shape)
    return drawn


def cases(rng: np.random.Generator) -> list[Case]:
    def stack(label, C, H, M, depth, pre, *given, **options):
        arguments = C, H, M, depth, pre
        return Case(label, arguments, weights(rng, *arguments), given, **options)

    def x(*shape):
        return 1 + 2 * draw(rng, *shape)

    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    padded = torch.arange(4) < torch.tensor([[4], [2], [3]])
    return [
        stack("two blocks, pre-norm", 6, 2, 9, 2, True, x(2, 4, 6), core=True),
        stack("one block, pre-norm", 8, 2, 12, 1, True, x(2, 3, 8), path="fewer blocks, one token"),
        stack("one block, post-norm", 8, 4, 10, 1, False, x(2, 3, 8), path="post-norm"),
        stack("three blocks, post-norm", 4, 1, 16, 3, False, x(2, 5, 4), path="post-norm"),
        stack("a causal mask", 6, 3, 8, 2, True, x(2, 5, 6), causal, path="a mask"),
        stack(
            "padding hidden, post-norm",
            *(6, 2, 8, 2, False),
            x(3, 4, 6),
            padded[:, None, None],
            path="a mask",
        ),
        stack("one token", 6, 2, 5, 2, True, x(3, 1, 6), path="fewer blocks, one token"),
        stack("no block at all", 6, 2, 5, 0, True, x(2, 3, 6), path="fewer blocks, one token"),
    ]


MADE = "nn.ModuleList(self.block(width, heads, hidden, pre) for _ in range(depth))"

block_task = Task(
    id="10-block/block",
    title="Blocks, stacked",
    kind="build",
    points=3,
    minutes=25,
    answer="Stack",
    verb=forward,
    cases=cases,
    reference=Stack,
    misconceptions=(
        SKIP_MISSING.by(
            each_and_all(**NO_SKIP_BEFORE),
            each_and_all(**NO_SKIP_AFTER),
            other(**NO_SKIP_BEFORE, **NO_SKIP_AFTER),
        ),
        EXTRA_SKIP.by(
            each_and_all(
                pre_attention=PRE_ATTENTION.replace("x + self", "x + x + self"),
                pre_feed=PRE_FEED.replace("x + self", "x + x + self"),
            )
        ),
        Misconception(
            "attention-passed-over",
            any_of(
                other(**FEED_BESIDE),
                other(post_feed=FEED_ON_THE_FIRST),
                other(**FEED_BESIDE, post_feed=FEED_ON_THE_FIRST),
                other(
                    pre_attention=f"h = x\n            {PRE_ATTENTION}",
                    pre_feed=FEED_BESIDE["pre_feed"],
                ),
                other(
                    pre_attention="h = self.attention_norm(x)\n"
                    "            x = x + self.attention(h, mask=mask)",
                    pre_feed="x + self.feed_forward(h)",
                ),
            ),
            "What attention has brought is missing in what your feed-forward reads, or in what its "
            "result is added to. What is in the stream when the second sub-layer begins?",
        ),
        Misconception(
            "norm-missing-or-shared",
            any_of(
                each_and_all(
                    pre_feed=PRE_FEED.replace("feed_forward_norm", "attention_norm"),
                    post_feed=POST_FEED.replace("feed_forward_norm", "attention_norm"),
                ),
                other(
                    pre_feed=PRE_FEED.replace("feed_forward_norm", "attention_norm"),
                    pre_attention=PRE_ATTENTION.replace("attention_norm", "feed_forward_norm"),
                ),
                each_and_all(
                    pre_attention="x = x + self.attention(x, mask=mask)",
                    pre_feed="x + self.feed_forward(x)",
                ),
                other(post_attention="x + self.attention(x, mask=mask)"),
                other(post_feed="y + self.feed_forward(y)"),
            ),
            "One of your sub-layers has no norm, or uses that of the other. How many norms has a "
            "block, and what is each of them for?",
        ),
        Misconception(
            "norm-misplaced",
            any_of(
                each_and_all(
                    pre_attention="x = self.attention_norm(x)\n"
                    "            x = x + self.attention(x, mask=mask)",
                    pre_feed="(self.feed_forward_norm(x)"
                    " + self.feed_forward(self.feed_forward_norm(x)))",
                ),
                other(**UPDATE_NORMED_BEFORE),
                other(**UPDATE_NORMED_AFTER),
                other(**UPDATE_NORMED_BEFORE, **UPDATE_NORMED_AFTER),
            ),
            "Your norm works on the update alone, or on what should pass by a sub-layer as it is. "
            "What goes through a norm in each of the two orders?",
        ),
        Misconception(
            "one-order-only",
            any_of(
                stacked(changed(Block, "if self.pre", "if True", "if False", "if not self.pre")),
                # … and without the mask, as a block that is causal by itself.
                stacked(
                    changed(
                        *changed(Block, "if self.pre", "if True"),
                        PRE_ATTENTION,
                        PRE_ATTENTION.replace(", mask=mask", ""),
                    )
                ),
            ),
            "Your stack does not follow the argument pre: it is right for one value at most. "
            "Which norm comes when, in each of the two orders?",
        ),
        CURVE_MISPLACED.by(
            stacked(
                changed(
                    Block,
                    "self.contract(self.expand(x).relu())",
                    "self.contract(self.expand(x))",
                    "self.contract(self.expand(x)).relu()",
                    "self.contract(self.expand(x).relu()).relu()",
                    "self.contract(nn.functional.gelu(self.expand(x)))",
                    "self.contract(nn.functional.silu(self.expand(x)))",
                )
            )
        ),
        MASK_IGNORED.by(
            other(
                pre_attention=PRE_ATTENTION.replace(", mask=mask", ""),
                post_attention=POST_ATTENTION.replace(", mask=mask", ""),
            ),
            other(pre_attention=PRE_ATTENTION.replace(", mask=mask", "")),
            other(post_attention=POST_ATTENTION.replace(", mask=mask", "")),
            changed(Stack, "x = block(x, mask)", "x, mask = block(x, mask), None"),
        ),
        MASK_INVERTED.by(
            changed(Stack, "block(x, mask)", "block(x, None if mask is None else ~mask)")
        ),
        Misconception(
            "one-block-again-and-again",
            any_of(
                changed(
                    Stack, MADE, "nn.ModuleList([self.block(width, heads, hidden, pre)] * depth)"
                ),
                changed(
                    Stack,
                    "for block in self.blocks",
                    "for block in [self.blocks[0] if self.blocks else None] * len(self.blocks)",
                    "for block in [self.blocks[-1] if self.blocks else None] * len(self.blocks)",
                ),
            ),
            "This is right for a single block. With more, all of yours have the same weights: how "
            "many times is a block made?",
        ),
        Misconception(
            "blocks-not-registered",
            changed(Stack, MADE, "[self.block(width, heads, hidden, pre) for _ in range(depth)]"),
            "Only a stack without blocks can take its weights, because your module does not know "
            "its blocks. How does a module learn what it holds, and by which names?",
        ),
        Misconception(
            "blocks-not-in-turn",
            any_of(
                changed(
                    Stack,
                    "in self.blocks",
                    "in self.blocks[:1]",
                    "in self.blocks[-1:]",
                    "in self.blocks[1:]",
                    "in self.blocks[:-1]",
                ),
                changed(
                    Stack,
                    "        for block in self.blocks:\n            x = block(x, mask)\n",
                    "        x = sum((block(x, mask) for block in self.blocks), 0 * x)"
                    " if self.blocks else x\n",
                    "        x = x + sum(block(x, mask) - x for block in self.blocks)\n",
                    "        first = x\n        for block in self.blocks:\n"
                    "            x = block(first, mask)\n",
                ),
                changed(Stack, "in self.blocks", "in reversed(self.blocks)"),
            ),
            "Your blocks do not work one after the other: some are left out, or read something "
            "else. Which one should read what the first has written?",
        ),
        Misconception(
            "final-norm-misplaced",
            any_of(
                changed(Stack, "return self.norm(x)", "return x"),
                changed(
                    Stack, "= nn.LayerNorm(width) if pre else nn.Identity()", "= nn.Identity()"
                ),
                changed(
                    Stack,
                    "return self.norm(x)",
                    "return self.norm(x) if len(self.blocks) else x",
                ),
                changed(
                    Stack,
                    "            x = block(x, mask)\n        return self.norm(x)",
                    "            x = self.norm(block(x, mask))\n        return x",
                    "            x = block(self.norm(x), mask)\n        return x",
                ),
                changed(
                    Stack,
                    "            x = block(x, mask)\n",
                    "            x = self.norm(block(x, mask))\n",
                ),
                changed(Stack, "for block", "x = self.norm(x)\n        for block"),
                changed(
                    Stack, "nn.LayerNorm(width) if pre else nn.Identity()", "nn.LayerNorm(width)"
                ),
            ),
            "The norm at the end is missing, is in another place or in several, or comes where "
            "none is asked for. What normalizes the stream itself, in each of the two orders?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
