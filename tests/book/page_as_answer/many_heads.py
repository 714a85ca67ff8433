"""What a student makes of the lines of chapter 9, and what is then still missing."""

import torch
from torch import nn


def with_heads(file, x, W_Q, W_K, W_V, W_O, G=None):
    """The file's class after chapter 9, with weights (C, C), and without its turning."""
    file["turn"] = lambda x, t, base: x
    attention = file["Attention"](x.shape[-1], G, G, 10_000.0)
    for name, W in {"query": W_Q, "key": W_K, "value": W_V, "out": W_O}.items():
        getattr(attention, name).weight = nn.Parameter(W.T)
    return attention(x).detach()


def split_rows(file):
    """The line that shares out a projection, for each of the three."""

    def answer(qkv, heads):
        C = qkv.shape[-1] // 3
        parts = qkv.split(C, dim=-1)
        return [part.unflatten(-1, (-1, C // heads)).transpose(1, 2) for part in parts]

    return answer


def merged(file):
    return lambda x, off: x.transpose(1, 2).flatten(2)


def multi_head(file):
    """The page's class, with the task's names and biases in its layers."""

    class MultiHead(file["Attention"]):
        def __init__(self, width, heads):
            super().__init__(width, heads, heads, 10_000.0)
            del self.out
            for name in ("query", "key", "value", "output"):
                setattr(self, name, nn.Linear(width, width))

        def forward(self, x, memory=None, mask=None):
            self.out = self.output
            return super().forward(x)

    return MultiHead


def multi_head_unturned(file):
    file["turn"] = lambda x, t, base: x
    return multi_head(file)


def rotary(file, base=10_000.0):
    """The file's `turn` in the task's order of arguments; its speeds come from a base."""
    return lambda query, key, p, s, speeds: (
        file["turn"](query, p, base) @ file["turn"](key, s, base).mT
    )


def rotary_by_speeds(file):
    """The lines of `turn` with the speeds that are given."""

    def turned(x, t, speeds):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        angles = t[:, None] * speeds
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    return lambda query, key, p, s, speeds: turned(query, p, speeds) @ turned(key, s, speeds).mT


def reader(file):
    """The page's listener, for tokens: as wide, and trained as long."""

    def answer(x, y, new_x):
        torch.manual_seed(0)
        attention = file["Attention"](12, 3, 3, 100.0)
        model = nn.Sequential(nn.Linear(x.shape[-1], 12), attention, nn.Linear(12, y.shape[-1]))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
        for _ in range(300):
            rows = torch.randint(len(x), (64,))
            loss = nn.functional.mse_loss(model(x[rows])[:, -1], y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            return model(new_x)[:, -1]

    return answer


def repaired(file):
    """The page's lines for one text, in the place of the faulty one."""

    def answer(x, W_Q, W_K, W_V, W_O, heads):
        return with_heads(file, x, W_Q, W_K, W_V, W_O, heads)

    return answer


ANSWERS = [
    ("09-many-heads/split", split_rows, "width-not-checked"),
    ("09-many-heads/merge", merged, "heads-not-silenced"),
    ("09-many-heads/attention", multi_head, "further-than-asked"),
    ("09-many-heads/attention", multi_head_unturned, "mask-ignored"),
    ("09-many-heads/rotary", rotary, "other-speeds"),
    ("09-many-heads/rotary", rotary_by_speeds, "another-layout"),
    ("09-many-heads/repair", repaired, "mask-ignored"),
    ("09-many-heads/learn", reader, "half-trained"),
]
NO_ANSWER = {
    # Matrices of a certain shape by hand, and a measure: the page shows nothing of the kind.
    "09-many-heads/look-back",
    "09-many-heads/r-squared",
}
