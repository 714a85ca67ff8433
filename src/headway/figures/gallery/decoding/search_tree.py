"""Drawing: a beam search in the tree of all sentences, and the greedy choice beside it."""

from collections.abc import Mapping

from headway.figures.gallery.decoding.branches import NARROW, WIDE, branches
from headway.figures.gallery.decoding.sentences import Beginning, Step, Tree, grown, searched
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_SENTENCES, MOST_WORDS, MOST_LETTERS = 16, 4, 10


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
        branches(tree, greedy, steps, WIDE, alt).svg(),
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
        upright=branches(tree, greedy, steps, NARROW, alt).svg(upright=True),
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
