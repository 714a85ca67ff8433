"""Drawing: a beam search in the tree of all sentences, and the greedy choice beside it."""

from collections.abc import Mapping
from dataclasses import dataclass

from headway.figures.gallery.decoding.beam_tree import in_order
from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 60, 172, 64  # before the first column, from column to column, after the last
TOP, ROW, BOX, WIDE = 34, 31, 24, 116  # the heads' height, from row to row, and a box's two sides
MOST_SENTENCES, MOST_WORDS, MOST_LETTERS = 16, 4, 10
GREEDY, LIVES, FOUND = "ink", "query", "value"

Beginning = tuple[str, ...]


@dataclass(frozen=True)
class Tree:
    """All beginnings of some sentences: where each is, and the share of sentences it begins.

    Attributes:
        shares: P of each beginning; that of the empty one is 1.
        rows: where it is from top to bottom, in rows.
        sentences: those that are whole.
    """

    shares: dict[Beginning, float]
    rows: dict[Beginning, float]
    sentences: list[Beginning]

    def after(self, beginning: Beginning) -> list[Beginning]:
        """A beginning and one word more, the likeliest first."""
        longer = [b for b in self.shares if b[:-1] == beginning and b]
        return sorted(longer, key=lambda b: -self.shares[b])


@dataclass(frozen=True)
class Step:
    """One word of a search: what competes and what stays, the likeliest first."""

    candidates: list[Beginning]
    kept: list[Beginning]


def grown(sentences: Mapping[str, int]) -> Tree:
    """The tree of some sentences, from how often each is written."""
    ordered, total = in_order(sentences), sum(sentences.values())
    shares, places = {}, {}
    for row, (words, count) in enumerate(ordered):
        for length in range(len(words) + 1):
            beginning = tuple(words[:length])
            shares[beginning] = shares.get(beginning, 0) + count / total
            places.setdefault(beginning, []).append(row)
    rows = {beginning: (found[0] + found[-1]) / 2 for beginning, found in places.items()}
    return Tree(shares, rows, [tuple(words) for words, _ in ordered])


def searched(tree: Tree, beams: int) -> list[Step]:
    """Beam search for the likeliest sentence, word by word; one that is whole waits where it is."""
    steps, living, whole = [], [()], set(tree.sentences)
    while not whole.issuperset(living):
        candidates = [b for one in living for b in ([one] if one in whole else tree.after(one))]
        candidates.sort(key=lambda b: -tree.shares[b])
        living = candidates[:beams]
        steps.append(Step(candidates, living))
    return steps


def search_tree(sentences: Mapping[str, int], beams: int, title: str, caption: str) -> Stepped:
    """The drawing: the tree, the greedy path, a step for each word of the search, what it found.

    Args:
        sentences: how often each is written; words are parted by spaces.
        beams: K.
        title, caption: as printed.

    Raises:
        ValueError: if the sentences do not fit the page, one of them begins another, a count is
            below 1, or there is no beam.
    """
    lengths = {len(sentence.split()) for sentence in sentences}
    if not 2 <= len(sentences) <= MOST_SENTENCES or not lengths <= set(range(1, MOST_WORDS + 1)):
        raise ValueError(
            f"one can read 2 to {MOST_SENTENCES} sentences of 1 to {MOST_WORDS} words, got "
            f"{len(sentences)} of {sorted(lengths)} words"
        )
    if longest := [w for text in sentences for w in text.split() if len(w) > MOST_LETTERS]:
        raise ValueError(f"a word has up to {MOST_LETTERS} letters, got {longest[0]!r}")
    if min(sentences.values()) < 1 or beams < 1:
        raise ValueError(f"counts and beams are 1 at least, got {dict(sentences)} and {beams}")
    tree = grown(sentences)
    for sentence in tree.sentences:
        if tree.after(sentence):
            raise ValueError(f"“{' '.join(sentence)}” begins another sentence; its end has no box")
    greedy, steps = searched(tree, 1)[-1].kept[0], searched(tree, beams)
    found = steps[-1].kept[0]
    alt = (
        f"A tree of {len(tree.sentences)} sentences. Greedy: {spell(greedy)} "
        f"{tree.shares[greedy]:.2f}. With {beams} beams stay: "
        + "; ".join(", ".join(f"{spell(b)} {tree.shares[b]:.2f}" for b in s.kept) for s in steps)
        + f". Found: {spell(found)} {tree.shares[found]:.2f}."
    )
    return stepped(
        draw(tree, greedy, steps, alt),
        steps=[
            f"All {len(tree.sentences)} sentences, read from left to right. A thick line is a "
            "likely beginning.",
            f"Greedy takes the likeliest word each time: {factors(tree, greedy)} = "
            f"{tree.shares[greedy]:.2f}.",
            *(told(tree, number, step, beams) for number, step in enumerate(steps, 1)),
            f"The likeliest that is left is {spell(found)}: {factors(tree, found)} = "
            f"{tree.shares[found]:.2f}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "what stays", "P", "what is dropped"],
        rows=[
            [str(number), spell(b), f"{tree.shares[b]:.2f}", "" if i else dropped(tree, step)]
            for number, step in enumerate(steps, 1)
            for i, b in enumerate(step.kept)
        ],
    )


def spell(beginning: Beginning) -> str:
    """A beginning in quotation marks."""
    return f"“{' '.join(beginning)}”"


def factor(tree: Tree, beginning: Beginning) -> float:
    """The probability of a beginning's last word after the words before it."""
    return tree.shares[beginning] / tree.shares[beginning[:-1]]


def factors(tree: Tree, sentence: Beginning) -> str:
    """The probability of each word of a sentence, as a product."""
    parts = (factor(tree, sentence[:length]) for length in range(1, len(sentence) + 1))
    return " · ".join(short(part) for part in parts)


def short(share: float) -> str:
    """A share with two digits at most."""
    return f"{share:.2f}".rstrip("0").rstrip(".")


def told(tree: Tree, number: int, step: Step, beams: int) -> str:
    """What one word of the search does, in a sentence."""
    kept = ", ".join(f"{spell(b)} {tree.shares[b]:.2f}" for b in step.kept)
    if len(step.candidates) <= beams:
        return f"Word {number}: nothing has to go. Still there: {kept}."
    return f"Word {number}: of {len(step.candidates)} beginnings the best {beams} stay: {kept}."


def dropped(tree: Tree, step: Step) -> str:
    """What competed in vain, with its probabilities."""
    lost = step.candidates[len(step.kept) :]
    return ", ".join(f"{' '.join(b)} {tree.shares[b]:.2f}" for b in lost) or "–"


def draw(tree: Tree, greedy: Beginning, steps: list[Step], alt: str) -> str:
    """The drawing as SVG."""
    most = max(map(len, tree.sentences))
    height = TOP + ROW * len(tree.sentences) + 6
    canvas = Canvas(LEFT + most * COLUMN + RIGHT, height, alt)
    path = [greedy[:length] for length in range(1, len(greedy) + 1)]
    found = steps[-1].kept[0]

    def y(beginning: Beginning) -> float:
        return TOP + (tree.rows[beginning] + 0.5) * ROW

    def left(beginning: Beginning) -> float:  # of its box
        return LEFT + len(beginning) * COLUMN - WIDE

    def line(beginning: Beginning, tone: str, width: float | None = None, down: float = 0) -> None:
        begins = LEFT - 20 if len(beginning) == 1 else left(beginning) - COLUMN + WIDE
        start, end = y(beginning[:-1]) + down, y(beginning) + down
        bend = (begins + left(beginning)) / 2
        points = [(begins, start), (bend, start), (bend, end), (left(beginning), end)]
        canvas.line(points, tone, max(1, 14 * tree.shares[beginning]) if width is None else width)

    def label(beginning: Beginning, *kinds: str) -> None:
        canvas.write(left(beginning) + 8, y(beginning), beginning[-1], "start", *kinds)
        share = f"{tree.shares[beginning]:.2f}"
        canvas.write(left(beginning) + WIDE - 7, y(beginning), share, "end", *kinds)

    def box(beginning: Beginning, tone: str = "") -> None:
        canvas.box(left(beginning), y(beginning) - BOX / 2, WIDE, BOX, tone)
        label(beginning)

    def times(beginning: Beginning) -> None:
        said = f"× {short(factor(tree, beginning))}"
        side = 10 if y(beginning) > y(beginning[:-1]) else -9  # away from the line that arrives
        canvas.write(left(beginning) - 7, y(beginning) + side, said, "note", "end")

    with canvas.step(1):
        for number in range(1, most + 1):
            canvas.write(LEFT + number * COLUMN - WIDE / 2, 16, f"word {number}", "note")
        for beginning in filter(None, tree.shares):
            line(beginning, "faint")
            label(beginning, "note")
        canvas.write(LEFT - 26, y(()), "start", "end")
    with canvas.step(2):
        for beginning in path:
            line(beginning, GREEDY, 1.5, down=9)
            canvas.box(left(beginning) - 4, y(beginning) - BOX / 2 - 3, WIDE + 8, BOX + 6, GREEDY)
            label(beginning)
        canvas.write(left(greedy) + WIDE + 10, y(greedy), "greedy", "start", tone=GREEDY)
    for number, step in enumerate(steps, 1):
        fresh = [b for b in step.candidates if len(b) == number]
        with canvas.step(2 + number):
            for beginning in (b for b in fresh if b in step.kept):
                line(beginning, LIVES)
                box(beginning, LIVES)
                times(beginning)
        lost = [b for b in step.candidates if b not in step.kept]
        with canvas.step(2 + number, until=3 + number):
            for beginning in lost:
                times(beginning)
                at, start, end = y(beginning), left(beginning), left(beginning) + WIDE
                high, low = at - BOX / 2, at + BOX / 2
                canvas.line([(start, at), (end, at)], "ink", 1.2)
                corners = [(start, high), (end, high), (end, low), (start, low), (start, high)]
                canvas.line(corners, "ink", 1)
    with canvas.step(3 + len(steps)):
        for length in range(1, len(found) + 1):
            line(found[:length], FOUND)
            box(found[:length], FOUND)
        canvas.write(left(found) + WIDE + 10, y(found), "found", "start", tone=FOUND)
    return canvas.svg()
