"""The blocks and the stack that assignment 10 asks for, and stacks of wrong blocks."""

from torch import nn

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.engine.mistakes import AnyOf, any_of, changed


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
