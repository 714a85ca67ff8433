"""Drawing: the tokens of a line come to a router, which sends each to a few of many experts."""

import numpy as np

from headway.figures.gallery.experts.routed import NARROW, WIDE, Routed, draw
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_WORDS, MOST_EXPERTS = 12, 8


def at_the_desk(routed: Routed, title: str, caption: str) -> Stepped:
    """The drawing: tokens, scores, the way of one token, the ways of all, and who was asked.

    Args:
        routed: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there is too much to read.
    """
    check(routed)
    T, E = routed.shares.shape
    k = routed.chosen.shape[1]
    first = ways(routed, routed.asks)
    counts = [len(routed.readers(e)) for e in range(E)]
    busiest, idle = int(np.argmax(counts)), counts.count(0)
    unasked = f" Nobody asked {idle} of them." if idle else ""
    alt = f"{T} tokens come to a router, and each is sent to {k} of {E} experts. " + "; ".join(
        f"“{word}” to {ways(routed, place)}" for place, word in enumerate(routed.words)
    )
    alt += "."
    return stepped(
        draw(routed, WIDE, alt).svg(),
        steps=[
            f"{T} tokens of a line, and {E} experts. Beside each expert: what it is usually asked.",
            f"The router gives each token {E} scores, one for each expert. The deeper the color, "
            "the larger the score after a softmax.",
            f"“{routed.words[routed.asks]}” goes to the {k} with the largest scores: {first}.",
            f"So does every token. The {E - k} other experts do nothing for it.",
            f"Expert {busiest + 1} has been asked by {counts[busiest]} of the {T} tokens.{unasked} "
            f"All experts are kept, but each token has met {k} of {E}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["token", *(f"expert {e + 1}" for e in range(E)), "weights of the chosen"],
        rows=[
            [word, *(f"{x:.2f}" for x in routed.shares[place]), ways(routed, place)]
            for place, word in enumerate(routed.words)
        ],
        upright=draw(routed, NARROW, alt).svg(upright=True),
    )


def ways(routed: Routed, place: int) -> str:
    """The experts of a token and their weights, in words."""
    parts = zip(routed.chosen[place], routed.weights[place], strict=True)
    return " and ".join(f"expert {e + 1} ({weight:.0%})" for e, weight in parts)


def check(routed: Routed) -> None:
    """Raise ValueError as `at_the_desk` says."""
    T, E = len(routed.words), len(routed.typical)
    given = (np.shape(routed.shares), np.shape(routed.chosen), np.shape(routed.weights))
    k = given[1][-1]
    if given != ((T, E), (T, k), (T, k)) or not 0 <= routed.asks < T:
        raise ValueError(
            f"{T} tokens and {E} experts need shares ({T}, {E}), and as many weights as chosen "
            f"experts; got {given}, and token {routed.asks} goes first"
        )
    if not ((routed.chosen >= 0) & (routed.chosen < E)).all():
        raise ValueError(f"there are experts 0 to {E - 1}, got {routed.chosen.tolist()}")
    if T > MOST_WORDS or E > MOST_EXPERTS:
        raise ValueError(
            f"one can read up to {MOST_WORDS} tokens and {MOST_EXPERTS} experts, got {T} and {E}"
        )
