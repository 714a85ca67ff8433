"""Figure: beam search in a tree of sentences, one word a step."""

from collections import Counter
from collections.abc import Mapping

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

END, MOST_WORDS, MOST_SENTENCES, MOST_BEAMS = "(end)", 5, 16, 4


def beam_tree(
    sentences: Mapping[str, int], title: str, caption: str, beams: int = 2, steps: int = 2
) -> Interactive:
    """All sentences that may be written, as a tree; a search goes through it word by word.

    The probability of a beginning is the share of the sentences that begin with it, so that of the
    next word is the share among these. The reader chooses how many beams there are, and whether a
    beam may have several children, as in beam search, or keeps only its best.

    Args:
        sentences: how often each is written; one to five words, parted by spaces.
        title, caption: as printed.
        beams: K at first, at most four.
        steps: how many steps are taken at first.

    Raises:
        ValueError: if there are fewer than two sentences, or they do not fit the page, a count is
            below 1, or `beams` or `steps` is not possible.
    """
    lengths = [len(sentence.split()) for sentence in sentences]
    if not 2 <= len(sentences) <= MOST_SENTENCES or not all(
        1 <= length <= MOST_WORDS for length in lengths
    ):
        raise ValueError(
            f"the tree is legible for 2 to {MOST_SENTENCES} sentences of 1 to {MOST_WORDS} words, "
            f"got {len(sentences)} of {sorted(set(lengths))} words"
        )
    if min(sentences.values()) < 1:
        raise ValueError(f"each sentence must be written once at least, got {dict(sentences)}")
    if not 1 <= beams <= MOST_BEAMS or not 0 <= steps <= max(lengths) + 1:
        raise ValueError(
            f"beams are 1 to {MOST_BEAMS} and steps 0 to {max(lengths) + 1}, got {beams}, {steps}"
        )
    rows = in_order(sentences)
    total = sum(sentences.values())
    best = max(rows, key=lambda row: row[1])
    told = [f"“{' '.join(words)}” {number(count / total, 2)}" for words, count in rows]
    return Interactive(
        script="beam_tree",
        data={
            "end": END,
            "rows": [{"words": words, "count": count} for words, count in rows],
            "most": MOST_BEAMS,
            "beams": beams,
            "steps": steps,
        },
        title=title,
        caption=caption,
        alt="A tree of sentences and their probabilities, the likeliest beginnings on top: "
        + ", ".join(told)
        + ".",
        header=["sentence", "probability", "of each beginning"],
        rows=[
            [
                " ".join(words),
                number(count / total, 2),
                ", ".join(number(share / total, 2) for share in beginnings_of(words, rows)),
            ]
            for words, count in rows
        ],
        draw=lambda ax: draw_tree(ax, rows, total, best[0]),
        width=6.4,
        height=0.3 + 0.28 * len(rows),
    )


def in_order(sentences: Mapping[str, int]) -> list[tuple[list[str], int]]:
    """Words and count of each sentence; what begins alike stands together, the frequent first."""
    rows = [(sentence.split(), count) for sentence, count in sentences.items()]
    begins = Counter()
    for words, count in rows:
        for length in range(1, len(words) + 1):
            begins[tuple(words[:length])] += count
    return sorted(
        rows,
        key=lambda row: [
            (-begins[tuple(row[0][:length])], row[0][length - 1])
            for length in range(1, len(row[0]) + 1)
        ],
    )


def beginnings_of(words: list[str], rows: list[tuple[list[str], int]]) -> list[int]:
    """How many sentences begin with the first word, with the first two, and so on."""
    return [
        sum(count for others, count in rows if others[:length] == words[:length])
        for length in range(1, len(words) + 1)
    ]


def draw_tree(ax, rows: list[tuple[list[str], int]], total: int, best: list[str]) -> None:
    """The tree from left to right, each beginning with its probability; the best one in color."""
    ax.set(xlim=(0, MOST_WORDS), ylim=(len(rows) - 0.4, -0.7))
    ax.axis("off")
    drawn = set()
    for y, (words, _) in enumerate(rows):
        for x, share in enumerate(beginnings_of(words, rows)):
            beginning = tuple(words[: x + 1])
            if beginning in drawn:
                continue
            drawn.add(beginning)
            lit = list(beginning) == best[: x + 1]
            ax.text(
                *(x, y, f"{words[x]} {number(share / total, 2)}"),
                size=8.5, va="center", color="C1" if lit else None,
                weight="bold" if lit else None,
            )  # fmt: skip
