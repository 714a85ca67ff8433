"""Multi-head attention, one method for each step."""

from torch import nn

from headway.nn.attention import attend
from headway.tasks.chapters.many_heads.heads import into_heads, out_of_heads


class MultiHead(nn.Module):
    """Heads (B, H, T, D) from projections, mixed by `look`, and merged through W_O.

    The wrong answers are this with one of its methods changed.
    """

    def __init__(self, width, heads):
        super().__init__()
        self.check(width, heads)
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def check(self, width, heads):
        if width % heads:
            raise ValueError(f"a width of {width} does not divide into {heads} heads")

    def forward(self, x, memory=None, mask=None):
        asked = x if memory is None else memory
        query, key, value = self.project(x, asked)
        return self.finish(self.look(query, key, value, self.spread(mask)))

    def project(self, x, asked):
        parts = self.query(x), self.key(asked), self.value(asked)
        return tuple(self.split(part) for part in parts)

    def split(self, x):
        return into_heads(x, self.heads)

    def spread(self, mask):
        return None if mask is None else mask[:, None]

    def look(self, query, key, value, mask):
        return attend(query, key, value, mask)[0]

    def finish(self, mixed):
        return self.output(out_of_heads(mixed))


def changed(**methods):
    """The module with other methods."""
    return type("Changed", (MultiHead,), methods)
