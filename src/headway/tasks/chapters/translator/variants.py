"""Variants of assignment 13: other numbers and words in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def weights_shape(rng: np.random.Generator) -> Changes:
    """Other sizes, all of which differ; one token more or less makes none of them another."""

    def draw() -> tuple[int, ...]:
        return tuple(map(int, rng.integers((2, 4, 8, 8), (7, 9, 15, 15))))

    def suits(sizes: tuple[int, ...]) -> bool:
        B, H, T, S = sizes
        return B != H and abs(T - S) > 2 and sizes != (3, 6, 9, 13)

    B, H, T, S = draw_until(suits, draw)
    C = H * int(rng.choice([16, 20, 24]))
    return {
        "ask-weights-shape": [
            ("A batch of 3 sentence pairs", f"A batch of {B} sentence pairs"),
            (
                "The longest source has 13 words, the longest target 9.",
                f"The longest source has {S} words, the longest target {T}.",
            ),
            ("$C = 48$ and $H = 6$", f"$C = {C}$ and $H = {H}$"),
        ],
        "weights-shape": [("[3, 6, 10, 14]", f"[{B}, {H}, {T + 1}, {S + 1}]")],
    }


def what_is_read(rng: np.random.Generator) -> Changes:
    """Another sentence."""
    source, target, wrong = SENTENCES[rng.integers(len(SENTENCES))]
    first = target.split()[0]
    return {
        "ask-what-is-read": [
            (
                "*she loves cats*, and the right translation is *elle aime les chats*",
                f"*{source}*, and the right translation is *{target}*",
            ),
            (
                "its best guess for the first place is *il*",
                f"its best guess for the first place is *{wrong}*",
            ),
        ],
        "what-is-read": [
            (
                '[["<start>", "elle"], ["<start>", "il"]]',
                f'[["<start>", "{first}"], ["<start>", "{wrong}"]]',
            )
        ],
    }


SENTENCES = (  # a source, its translation, and a wrong first word
    ("the cat sleeps", "le chat dort", "la"),
    ("the moon shines tonight", "la lune brille ce soir", "le"),
    ("we sing well", "nous chantons bien", "vous"),
    ("you read two books", "vous lisez deux livres", "nous"),
    ("I see the sea", "je vois la mer", "tu"),
    ("a bird sings", "un oiseau chante", "une"),
    ("this house is old", "cette maison est vieille", "ce"),
    ("my dog runs fast", "mon chien court vite", "ma"),
    ("your sister dances", "ta sœur danse", "ton"),
    ("our school is big", "notre école est grande", "nos"),
)


def shares(rng: np.random.Generator) -> Changes:
    """Another vocabulary, and another share of each symbol in it."""
    V, hundredths = draw_until(
        lambda drawn: 10 <= drawn[0] * drawn[1] <= 40 and drawn != (8, 4),
        lambda: (int(rng.choice([5, 6, 8, 10, 12])), int(rng.integers(2, 7))),
    )
    away = (V - 1) * hundredths / 100
    return {
        "ask-shares": [
            ("$V = 8$ symbols", f"$V = {V}$ symbols"),
            ("a share of 0.72", f"a share of {1 - away:.2f}"),
        ],
        "shares": [("[0.28 * 8 / 7, 0.28 / 7]", f"[{away} * {V} / {V - 1}, {away} / {V - 1}]")],
    }


def debug(rng: np.random.Generator) -> Changes:
    """The target itself is embedded, or the old fault is in another line."""
    given = spoiled(CODE, *WIDER, first=3, region=(3, 8))
    if rng.integers(2):
        new = spoiled(CODE, "embedding[read]", "embedding[target]", first=3)
        explained = [("tell what the numbers in their brackets do", "tell more")]
    else:
        new = spoiled(f"{MASK}{CODE.replace(MASK, '')}", *WIDER, first=3)
        explained = []
    changes = another_listing(given, new, "leak")
    changes["ask-faulty-line"] += explained
    return changes


MASK = "    mask = torch.ones(T, T).tril().bool()\n"
CODE = f"""\
    read = target.roll(1, dims=1)
    read[:, 0] = start
    x = embedding[read]
{MASK}\
    x = x + attend(x, x, x, mask)[0]
    x = x + attend(x, memory, memory, memory_mask[:, None, :])[0]
"""
WIDER = (".tril()", ".tril(1)")

VARIANTS = (weights_shape, what_is_read, shares, debug)
