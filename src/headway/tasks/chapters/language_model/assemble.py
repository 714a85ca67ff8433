"""Build: a language model put together from tables, blocks and a norm."""

from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.nn.block import Block, PreNorm
from headway.nn.feed_forward import FeedForward
from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.language_model.mistakes import (
    LAST_NORM_MISPLACED,
    POSITIONS_MISSING,
    SOFTMAX_TOO_EARLY,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.probe.calls import forward, use
from headway.tasks.engine.task import Case, Task

SPREAD, NEAR = 0.02, 0.15  # the standard deviation of the tables, and how far off it may be
LOUD = 0.5  # more than that, as a standard deviation, no untrained logits should have


def new_block(width, heads):
    """A pre-norm block of chapter 10, as the notebook hands it out."""
    attention = MultiHeadAttention(width, heads)
    return Block(attention, FeedForward(width, 4 * width, functional.gelu), partial(PreNorm, width))


class LanguageModel(nn.Module):
    """Tables, blocks, a norm, and the first table once more: ids (B, T) → logits (B, T, V)."""

    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(context, width)
        for table in (self.embedding, self.positions):
            nn.init.normal_(table.weight, std=0.02)
        self.blocks = nn.ModuleList(new_block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        T, N = ids.shape[1], self.positions.num_embeddings
        if T > N:
            raise ValueError(f"{T} tokens do not fit into a context of {N}")
        x = self.embedding(ids) + self.positions.weight[:T]
        for block in self.blocks:
            x = block(x, causal=True)
        return self.norm(x) @ self.embedding.weight.T


def weights(rng: np.random.Generator, *sizes: int) -> dict[str, torch.Tensor]:
    """Gaussian numbers for all parameters of a model, by their names; norms around one."""
    drawn = {}
    for name, value in LanguageModel(*sizes).state_dict().items():
        around = 1.0 if "norm" in name and name.endswith("weight") else 0.0
        numbers = around + 0.4 * rng.normal(size=tuple(value.shape))
        drawn[name] = torch.from_numpy(np.round(numbers, 2)).float()
    return drawn


def quiet(got, expected, case) -> Difference | None:
    """None where both answers' untrained logits are small, or both answers' are not."""
    mine, theirs = (next(iter(result.values())) for result in (got, expected))
    if not isinstance(mine, np.ndarray) or mine.shape != theirs.shape:
        return Difference(f"expected logits of shape {theirs.shape}.")
    spread = float(mine.std())
    if (spread <= LOUD) == (float(theirs.std()) <= LOUD):
        return None
    V = mine.shape[-1]
    return Difference(
        f"before any training, the logits have a standard deviation of {spread:.2f}; at most "
        f"{LOUD} is asked, so that the first loss is about ln {V}, that of a guess."
    )


def as_drawn(got, expected, case) -> Difference | None:
    """None where both answers' tables are drawn as the text says, or are off in the same ones."""
    mine, theirs = (
        next(iter(result.values())) if isinstance(result, dict) else {}
        for result in (got, expected)
    )
    spreads = {}
    for name in ("embedding.weight", "positions.weight"):
        missing = [not isinstance(tables.get(name), np.ndarray) for tables in (mine, theirs)]
        if any(missing) and not all(missing):
            return Difference(f"the state_dict has no {name}.")
        if not any(missing):
            spreads[name] = mine[name].std(), theirs[name].std()
    for name, found in spreads.items():
        off, other = (abs(float(spread) / SPREAD - 1) > NEAR for spread in found)
        if off != other:
            return Difference(
                f"before any training, the numbers of {name} have a standard deviation of "
                f"{found[0]:.3g}; {SPREAD} is asked."
            )
    return None


def cases(rng: np.random.Generator) -> list[Case]:
    def run(label, B, T, *sizes, **options):
        ids = torch.from_numpy(rng.integers(0, sizes[0], (B, T)))
        return Case(label, sizes, weights(rng, *sizes), (ids,), **options)

    def untrained(B, T, *sizes):
        ids = torch.from_numpy(rng.integers(0, sizes[0], (B, T)))
        return Case(
            "before any training", sizes, ("forward", ids), verb=use, compare=quiet, path=UNTRAINED
        )

    def tables(*sizes):
        look = ("state_dict",)
        return Case(
            "the two tables as drawn", sizes, look, verb=use, compare=as_drawn, path=UNTRAINED
        )

    return [
        run("two blocks", 2, 5, 11, 8, 6, 2, 2, core=True),
        run("a text as long as the context", 2, 7, 9, 7, 8, 4, 1),
        run("one token", 3, 1, 7, 5, 6, 3, 2),
        run("three blocks, one head", 2, 4, 8, 9, 5, 1, 3),
        run("no block at all", 2, 4, 8, 6, 6, 2, 0),
        run("a token too many for the context", 1, 7, 8, 6, 6, 2, 1),
        untrained(4, 8, 50, 12, 64, 4, 2),
        tables(60, 40, 64, 4, 1),
    ]


UNTRAINED = "before any training"
READ = "self.embedding(ids) + self.positions.weight[:T]"
SCORED = "self.norm(x) @ self.embedding.weight.T"
CHECKED = "T > N"
BLOCK = "x = block(x, causal=True)"
MADE = "nn.ModuleList(new_block(width, heads) for _ in range(layers))"
DRAWN = "nn.init.normal_(table.weight, std=0.02)"


class Quiet(LanguageModel):
    """Right, and with numbers in its two tables that are drawn as a mistake has it."""

    std = (0.02, 0.02)

    def __init__(self, *sizes):
        super().__init__(*sizes)
        nn.init.normal_(self.embedding.weight, std=self.std[0])
        nn.init.normal_(self.positions.weight, std=self.std[1])


def drawn(*spreads: tuple[float, float]) -> AnyOf:
    """Models whose tables begin with other standard deviations."""
    return AnyOf(type("LanguageModel", (Quiet,), {"std": std}) for std in spreads)


# Ways to go on where the context ends.
places_stay, places_wrap = (
    changed(
        *changed(LanguageModel, CHECKED, "False"),
        "self.positions.weight[:T]",
        f"self.positions(torch.arange(T){how})",
    )
    for how in (".clamp(max=N - 1)", " % N")
)
oldest_dropped = changed(
    *changed(LanguageModel, CHECKED, "False"),
    "x = self.embedding",
    "ids = ids[:, -N:]\n        T = ids.shape[1]\n        x = self.embedding",
)


def without_positions(*sizes):
    """A model that knows positions in another way, as on the page, and has no table of them."""
    model = LanguageModel(*sizes)
    model.forward = lambda ids: model.norm(model.embedding(ids)) @ model.embedding.weight.T
    del model.positions
    return model


# The page's `forward` has no table of positions and no end of a context.
(unending,) = changed(LanguageModel, CHECKED, "False")
(one_table,) = changed(LanguageModel, "(self.embedding, self.positions)", "(self.embedding,)")
forward_of_the_page = [
    version
    for model in (unending, *changed(one_table, CHECKED, "False"))
    for version in changed(model, READ, "self.embedding(ids)")
]

assemble_task = Task(
    id="11-language-model/assemble",
    title="Assemble the model",
    kind="build",
    points=3,
    minutes=20,
    answer="LanguageModel",
    verb=forward,
    cases=cases,
    reference=LanguageModel,
    misconceptions=(
        Misconception(
            "other-parts",
            without_positions,
            "The check's weights do not fit into your model: it has other modules than asked, or "
            "gives them other names or shapes. Which ones does the text list?",
        ),
        POSITIONS_MISSING.by(
            changed(LanguageModel, READ, "self.embedding(ids)"),
            *forward_of_the_page,
            *(changed(model, "causal=True", "causal=False") for model in forward_of_the_page),
        ),
        Misconception(
            "another-position",
            any_of(
                changed(
                    LanguageModel,
                    "self.positions.weight[:T]",
                    "self.positions.weight[N - T :]",
                    "self.positions.weight[:T].flip(0)",
                    "self.positions.weight[T - 1]",
                    "self.positions.weight[0]",
                    "self.positions((1 + torch.arange(T)) % N)",
                    "self.positions(ids % N)",
                    "self.positions(ids)",
                ),
                changed(LanguageModel, READ, "self.embedding(ids) * self.positions.weight[:T]"),
            ),
            "Your tokens get the vectors of other positions, or get them in another way. Which "
            "row belongs to each token, and what is done with a token's two rows?",
        ),
        LAST_NORM_MISPLACED.by(
            changed(LanguageModel, SCORED, "x @ self.embedding.weight.T"),
            changed(LanguageModel, BLOCK, "x = self.norm(block(x, causal=True))"),
            changed(
                *changed(LanguageModel, BLOCK, "x = self.norm(block(x, causal=True))"),
                SCORED,
                "x @ self.embedding.weight.T",
            ),
            changed(
                *changed(LanguageModel, READ, f"self.norm({READ})"),
                SCORED,
                "x @ self.embedding.weight.T",
            ),
            changed(LanguageModel, READ, f"self.norm({READ})"),
            changed(LanguageModel, BLOCK, "x = block(self.norm(x), causal=True)"),
        ),
        Misconception(
            "future-visible",
            any_of(
                changed(LanguageModel, "causal=True", "causal=False"),
                *(changed(model, "causal=True", "causal=False") for model in (unending, one_table)),
                changed(*changed(one_table, CHECKED, "False"), "causal=True", "causal=False"),
            ),
            "Your logits change when a later token does. In training, what would a position look "
            "up instead of learning to guess it?",
        ),
        Misconception(
            "one-block-for-all",
            any_of(
                changed(LanguageModel, MADE, "nn.ModuleList([new_block(width, heads)] * layers)"),
                changed(
                    LanguageModel,
                    "in self.blocks",
                    "in [self.blocks[0]] * len(self.blocks)",
                    *(f"in self.blocks[{part}]" for part in (":1", "-1:", "::-1")),
                ),
                changed(LanguageModel, BLOCK, "h = x; x = block(h, causal=True)\n        x = h"),
            ),
            "Not every block of yours has weights of its own and reads what the one before it has "
            "written. What does each of them read?",
        ),
        SOFTMAX_TOO_EARLY.by(
            changed(
                LanguageModel, SCORED, f"({SCORED}).softmax(-1)", f"({SCORED}).log_softmax(-1)"
            ),
        ),
        Misconception(
            "last-position-only",
            changed(LanguageModel, SCORED, f"({SCORED})[:, -1]", f"({SCORED})[:, -1:]"),
            "You give the logits of one position. How many positions predict something when a "
            "model is trained on a text?",
        ),
        Misconception(
            "context-not-checked",
            any_of(
                changed(LanguageModel, CHECKED, "T >= N"),
                places_stay,
                places_wrap,
                oldest_dropped,
                changed(LanguageModel, CHECKED, "T > N + 1"),
            ),
            "Yours refuses a text that just fits, or takes one that does not. How many positions "
            "have a row in the table?",
        ),
        Misconception(
            "tables-drawn-otherwise",
            any_of(
                drawn((1.0, 1.0), (1.0, 0.02), (0.2, 0.2), (64**-0.5, 0.02), (0.3, 0.02)),
                drawn((0.02, 1.0), (0.02, 0.0), (0.02, 0.1), (0.02, 0.2)),
                drawn((0.05, 0.02), (0.05, 0.05), (0.01, 0.01), (0.0, 0.0)),
                changed(LanguageModel, DRAWN, "pass"),
            ),
            "Before any training, one of your two tables or each holds numbers of another size "
            "than asked. With which standard deviation is each of them drawn?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
