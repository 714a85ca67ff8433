"""Drawing: a sentence as a graph, one word that listens, and the same words with fewer edges."""

import numpy as np

from headway.figures.gallery.outlook.everybody_talks_forms import UPRIGHT, WIDE, draw
from headway.figures.gallery.outlook.talk import Talk, check
from headway.figures.gallery.shared.stepped import Stepped, stepped


def everybody_talks(talk: Talk, title: str, caption: str) -> Stepped:
    """The drawing: all edges, those into one word, what it makes of them, and fewer edges.

    Args:
        talk: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the numbers do not fit each other, or there is too much to read.
    """
    check(talk)
    T, few = len(talk.words), len(talk.window)
    asker, most = talk.words[talk.asks], talk.words[int(np.argmax(talk.weights))]
    share, (said, p) = float(np.max(talk.weights)), talk.answer
    heard = abs(int(np.argmax(talk.weights)) - talk.asks) <= talk.reach
    alt = (
        f"Two circles of the words “{' '.join(talk.words)}”. In the first, all {T * T} edges; "
        f"“{asker}” listens to "
        + ", ".join(f"{w} {x:.0%}" for w, x in zip(talk.words, talk.weights, strict=True))
        + f". The mixed row leads to “{said}” with {p:.0%}. In the second circle a word hears "
        f"{talk.reach} words on each side and itself; {few} edges are left."
    )
    return stepped(
        draw(talk, alt, WIDE),
        steps=[
            f"{T} words, written in a circle. Each of them is a node.",
            "Everybody talks to everybody, and a word hears itself as well: "
            f"{T} times {T}, that’s {T * T} edges.",
            f"Now listen with “{asker}”. One edge comes in from each word, and attention says how "
            f"thick it is: {share:.0%} of the weight comes from “{most}”.",
            "The messages are the values. Each is multiplied by its weight, and their sum is what "
            f"arrives. From it the model says “{said}”, with {p:.0%}.",
            f"The same words, but each hears only itself and {talk.reach} neighbors on either "
            f"side: {few} of {T * T} edges, "
            + (f"“{most}” to “{asker}” among them." if heard else "and the thickest one is gone."),
        ],
        title=title,
        caption=caption,
        alt=alt,
        upright=draw(talk, alt, UPRIGHT),
        header=[
            "word",
            f"weight for “{asker}”",
            *(f"value {i + 1}" for i in range(len(talk.mixed))),
        ],
        rows=[
            [word, f"{talk.weights[t]:.2f}", *(f"{x:.2f}" for x in talk.values[t])]
            for t, word in enumerate(talk.words)
        ]
        + [["what arrives", f"{np.sum(talk.weights):.2f}", *(f"{x:.2f}" for x in talk.mixed)]],
    )
