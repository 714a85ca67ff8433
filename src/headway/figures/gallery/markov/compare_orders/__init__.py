"""Figure: real sentences, predicted word by word by models that look back by different lengths."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

END = "(end)"


def compare_orders(
    sentences: Sequence[Sequence[str]],
    orders: Sequence[int],
    distributions: Sequence[Sequence[np.ndarray]],
    seen: Sequence[Sequence[np.ndarray]],
    symbols: Sequence[str],
    start: tuple[int, int] = (0, 0),
    top: int = 5,
    title: str = "A longer memory helps where it remembers, and fails where it does not",
    caption: str = (
        "Find a word where two words of context beat one, and a word where they lose: what does "
        "“seen” say about both?"
    ),
) -> Interactive:
    """The probabilities that several models give to each next word of some sentences.

    Args:
        sentences: the words of each, T of them; the end comes after the last one.
        orders: of the K models: by how many words each looks back.
        distributions: for each model, for each sentence: (T+1, W) rows that sum to one.
        seen: for each model, for each sentence: (T+1,), how often its context was counted.
        symbols: W names of the columns; a sentence ends with the last one.
        start: sentence and place that are shown at first.
        top: how many likely words are shown.
        title, caption: as printed.

    Raises:
        ValueError: if a shape does not fit, or the start is no place in a sentence.
    """
    names = [f"order {n}" for n in orders]
    symbols = [*map(str, symbols[:-1]), END]
    ids = {symbol: i for i, symbol in enumerate(symbols)}
    shown = []
    for s, words in enumerate(sentences):
        targets = [ids[word] for word in (*words, END)]
        models = []
        for k, name in enumerate(names):
            rows, counts = np.asarray(distributions[k][s]), np.asarray(seen[k][s])
            if rows.shape != (len(targets), len(symbols)) or counts.shape != (len(targets),):
                raise ValueError(
                    f"sentence {s} has {len(targets)} predictions over {len(symbols)} words; "
                    f"{name!r} gives {rows.shape} and contexts {counts.shape}"
                )
            models.append(
                [
                    predicted(*given, symbols, top)
                    for given in zip(rows, targets, counts, strict=True)
                ]
            )
        shown.append({"words": [*words, END], "models": models})
    if not (0 <= start[0] < len(shown) and 0 <= start[1] < len(shown[start[0]]["words"])):
        raise ValueError(f"start {start} is no place in a sentence")
    first = shown[start[0]]
    word = first["words"][start[1]]
    said = "; ".join(
        f"{name} gives it {chance(model[start[1]]['p'], 4)}"
        for name, model in zip(names, first["models"], strict=True)
    )
    return Interactive(
        script="compare_orders",
        data={"orders": list(orders), "names": names, "sentences": shown, "start": list(start)},
        title=title,
        caption=caption,
        alt=f"The sentence “{' '.join(first['words'][:-1])}”. At “{word}”, {said}.",
        header=[
            "word",
            *(f"{name}: {what}" for name in names for what in ("probability", "context seen")),
        ],
        rows=[
            [
                here,
                *(x for m in first["models"] for x in (chance(m[t]["p"], 5), str(m[t]["seen"]))),
            ]
            for t, here in enumerate(first["words"])
        ],
        draw=lambda fig: draw_probabilities(fig, names, first),
        width=6.4,
        height=0.8 + 0.28 * len(first["words"]),
    )


def predicted(row, target, count, symbols, top) -> dict:
    """What one model says at one place: its likeliest words, and what it gives to the true one."""
    best = np.argsort(-row, kind="stable")[:top]
    return {
        "p": float(f"{row[target]:.4g}"),  # however small: the page takes its logarithm
        "seen": int(count),
        "top": [[symbols[j], round(float(row[j]), 6)] for j in best],
    }


def chance(p: float, digits: int) -> str:
    """A probability as a reader writes it; what is not zero never looks like zero."""
    return number(p, digits) if p == 0 or round(p, digits) else f"< {number(10**-digits, digits)}"


def draw_probabilities(fig, names, sentence) -> None:
    """The static picture: what each model gave to the words that came."""
    ax = fig.add_subplot()
    words = sentence["words"]
    given = np.array([[step["p"] for step in model] for model in sentence["models"]])  # (K, T+1)
    ax.hlines(range(len(words)), given.min(axis=0), given.max(axis=0), color="0.6", lw=1)
    for k, (name, mark) in enumerate(zip(names, "os^Dv", strict=False)):
        ax.plot(given[k], range(len(words)), mark, color=f"C{k}", label=name)
    ax.set_yticks(range(len(words)), words)
    ax.set_ylim(len(words) - 0.4, -0.6)
    ax.set_xlabel("probability of the word that came")
    ax.set_xscale("log")
    ax.minorticks_off()
    ax.grid(axis="y", visible=False)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(names))
