"""Build: blocks with the norm before or after, and a stack of them."""

import numpy as np
import torch
from torch import nn

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.block.layer_norm import draw
from headway.tasks.chapters.block.mistakes import CURVE_MISPLACED, MASK_IGNORED, MASK_INVERTED
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.probe import forward
from headway.tasks.engine.task import Case, Task


class Block(nn.Module):
    """Attention, then feed-forward, each with a way around it: (B, T, C) → (B, T, C)."""

    def __init__(self, width, heads, hidden, pre=True):
        super().__init__()
        self.attention = MultiHeadAttention(width, heads)
        self.expand = nn.Linear(width, hidden)
        self.contract = nn.Linear(hidden, width)
        self.attention_norm = nn.LayerNorm(width)
        self.feed_forward_norm = nn.LayerNorm(width)
        self.pre = pre

    def feed_forward(self, x):
        return self.contract(self.expand(x).relu())

    def forward(self, x, mask=None):
        if self.pre:
            x = x + self.attention(self.attention_norm(x), mask=mask)
            return x + self.feed_forward(self.feed_forward_norm(x))
        y = self.attention_norm(x + self.attention(x, mask=mask))
        return self.feed_forward_norm(y + self.feed_forward(y))


class Stack(nn.Module):
    """`depth` blocks one after the other; with pre-norm, a norm at the end."""

    block = Block

    def __init__(self, width, heads, hidden, depth, pre=True):
        super().__init__()
        self.blocks = nn.ModuleList(self.block(width, heads, hidden, pre) for _ in range(depth))
        self.norm = nn.LayerNorm(width) if pre else nn.Identity()

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x)


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


PRE_ATTENTION = "x = x + self.attention(self.attention_norm(x), mask=mask)"
PRE_FEED = "x + self.feed_forward(self.feed_forward_norm(x))"
POST_ATTENTION = "self.attention_norm(x + self.attention(x, mask=mask))"
POST_FEED = "self.feed_forward_norm(y + self.feed_forward(y))"


def stacked(blocks: AnyOf) -> AnyOf:
    """Stacks of wrong blocks."""
    return AnyOf(type("Stack", (Stack,), {"block": block}) for block in blocks)


def other(**becomes: str) -> AnyOf:
    """Stacks of blocks with other code in one place or several."""
    wrong = AnyOf([Block])
    for place, text in becomes.items():
        wrong = changed(*wrong, globals()[place.upper()], text)
    return stacked(wrong)


def each_and_all(**becomes: str) -> AnyOf:
    """Stacks of blocks with other code in one of these places, and in all of them."""
    single = [other(**{place: text}) for place, text in becomes.items()]
    return any_of(*single, other(**becomes))


NO_SKIP_BEFORE = {
    "pre_attention": PRE_ATTENTION.replace("x + self", "self"),
    "pre_feed": PRE_FEED.replace("x + self", "self"),
}
NO_SKIP_AFTER = {
    "post_attention": POST_ATTENTION.replace("x + ", ""),
    "post_feed": POST_FEED.replace("y + ", ""),
}
UPDATE_NORMED_BEFORE = {
    "pre_attention": "x = x + self.attention_norm(self.attention(x, mask=mask))",
    "pre_feed": "x + self.feed_forward_norm(self.feed_forward(x))",
}
UPDATE_NORMED_AFTER = {
    "post_attention": "x + self.attention_norm(self.attention(x, mask=mask))",
    "post_feed": "y + self.feed_forward_norm(self.feed_forward(y))",
}
FEED_BESIDE = {
    "pre_attention": PRE_ATTENTION.replace("x = ", "h = "),
    "pre_feed": PRE_FEED.replace("norm(x)", "norm(h)"),
}
FEED_ON_THE_FIRST = POST_FEED.replace("y + ", "x + ")
MADE = "nn.ModuleList(self.block(width, heads, hidden, pre) for _ in range(depth))"

block_task = Task(
    id="10-block/block",
    title="Blocks, stacked",
    kind="build",
    points=3,
    minutes=25,
    answer="Stack",
    probe=forward,
    cases=cases,
    reference=Stack,
    misconceptions=(
        Misconception(
            "skip-missing",
            any_of(
                each_and_all(**NO_SKIP_BEFORE),
                each_and_all(**NO_SKIP_AFTER),
                other(**NO_SKIP_BEFORE, **NO_SKIP_AFTER),
            ),
            "One of your sub-layers has no way around it, or none has: what it reads is gone, and "
            "only its result goes on. What should its result be added to?",
        ),
        Misconception(
            "skip-of-the-normed",
            each_and_all(
                pre_attention="x = self.attention_norm(x)\n"
                "            x = x + self.attention(x, mask=mask)",
                pre_feed="(self.feed_forward_norm(x)"
                " + self.feed_forward(self.feed_forward_norm(x)))",
            ),
            "With pre-norm, your update is added to what the sub-layer has read, and that was "
            "normalized. What should pass by a sub-layer as it is?",
        ),
        Misconception(
            "skip-doubled",
            each_and_all(
                pre_attention=PRE_ATTENTION.replace("x + self", "x + x + self"),
                pre_feed=PRE_FEED.replace("x + self", "x + x + self"),
            ),
            "What passes by one of your sub-layers is counted twice. How often is a token added to "
            "its update?",
        ),
        Misconception(
            "attention-passed-over",
            any_of(
                any_of(
                    other(**FEED_BESIDE),
                    other(post_feed=FEED_ON_THE_FIRST),
                    other(**FEED_BESIDE, post_feed=FEED_ON_THE_FIRST),
                ),
                any_of(
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
            ),
            "What attention has brought does not get everywhere: your feed-forward does not read "
            "it, or it is not in what passes by the feed-forward. What stands in the stream when "
            "the second sub-layer begins?",
        ),
        Misconception(
            "one-norm-for-both",
            any_of(
                each_and_all(
                    pre_feed=PRE_FEED.replace("feed_forward_norm", "attention_norm"),
                    post_feed=POST_FEED.replace("feed_forward_norm", "attention_norm"),
                ),
                other(
                    pre_feed=PRE_FEED.replace("feed_forward_norm", "attention_norm"),
                    pre_attention=PRE_ATTENTION.replace("attention_norm", "feed_forward_norm"),
                ),
            ),
            "One norm does the work of the other. A block has two: which gain and which shift "
            "belong to which sub-layer?",
        ),
        Misconception(
            "norm-of-the-update",
            any_of(
                other(**UPDATE_NORMED_BEFORE),
                other(**UPDATE_NORMED_AFTER),
                other(**UPDATE_NORMED_BEFORE, **UPDATE_NORMED_AFTER),
            ),
            "You normalize the update alone, before it is added. What does a sub-layer read in a "
            "pre-norm block, and what is normalized in a post-norm block?",
        ),
        Misconception(
            "norm-left-out",
            any_of(
                each_and_all(
                    pre_attention="x = x + self.attention(x, mask=mask)",
                    pre_feed="x + self.feed_forward(x)",
                ),
                other(post_attention="x + self.attention(x, mask=mask)"),
                other(post_feed="y + self.feed_forward(y)"),
            ),
            "One of your sub-layers has no norm, or neither has. How many norms has a block, and "
            "does each of them have work in both orders?",
        ),
        Misconception(
            "one-order-only",
            stacked(changed(Block, "if self.pre", "if True", "if False", "if not self.pre")),
            "Your stack does not follow the argument pre: it is right for one of its values, or "
            "each value gives what belongs to the other. Which norm stands where?",
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
            any_of(
                stacked(
                    changed(
                        *changed(Block, PRE_ATTENTION, PRE_ATTENTION.replace(", mask=mask", "")),
                        POST_ATTENTION,
                        POST_ATTENTION.replace(", mask=mask", ""),
                    )
                ),
                other(pre_attention=PRE_ATTENTION.replace(", mask=mask", "")),
                other(post_attention=POST_ATTENTION.replace(", mask=mask", "")),
                changed(Stack, "x = block(x, mask)", "x, mask = block(x, mask), None"),
            )
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
            "This is right for a single block. With more, all of yours have the same weights. How "
            "many times is a block made?",
        ),
        Misconception(
            "blocks-not-registered",
            any_of(
                changed(
                    Stack, MADE, "[self.block(width, heads, hidden, pre) for _ in range(depth)]"
                ),
            ),
            "Only a stack without blocks can take its weights: your module does not know its "
            "blocks by the names that are asked for. Does an ordinary list tell a module what it "
            "holds? And what are the blocks and the final norm to be called?",
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
            "Your blocks do not work one after the other: some are left out, all read what the "
            "stack was given, or the last of them works first. Which one should read what the "
            "first has written?",
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
            "The norm at the end is missing or finds no weights, stands elsewhere, in several "
            "places, or where there should be none. What has normalized the stream itself, in "
            "each of the two orders, when the last block is done?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
