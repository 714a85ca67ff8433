"""A self-check: questions in a row, each with a folded answer that the page has computed.

self_check(
    ("How many votes does “please” get?", f"{votes:g}: one from each pair that knows.", "3"),
    ...
)
"""

from dataclasses import dataclass

from headway.figures.core.page import in_book, new_id, require_sentence, text, with_style


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        ask: as the reader sees it at first.
        answer: what unfolds.
        chapter: where it is explained, "02-markov"; the name of a page beside this one.
    """

    ask: str
    answer: str
    chapter: str


@dataclass(frozen=True)
class SelfCheck:
    """Questions with their answers; shows itself as a list. Made by `self_check`."""

    questions: tuple[Question, ...]

    def html(self) -> str:
        """The list as HTML: native folds, which work from the keyboard and without scripts."""
        name = new_id("self-check")
        items = "\n".join(
            f'<li><details class="hw-predict"><summary>{text(q.ask)}</summary>\n'
            f'<div class="hw-predict-answer"><p>{text(q.answer)} {_link(q.chapter)}</p></div>'
            "</details></li>"
            for q in self.questions
        )
        return (
            f'<section class="hw-self-check" aria-labelledby="{name}">\n'
            f'<p class="hw-label" id="{name}">Answer first, then unfold</p>\n<ol>{items}</ol>\n'
            "</section>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        lines = [f"{i}. {q.ask}\n   {q.answer}" for i, q in enumerate(self.questions, 1)]
        return {"text/html": with_style(self.html()), "text/plain": "\n".join(lines)}


def _link(chapter: str) -> str:
    where = f"Chapter {int(chapter[:2])}"
    return f'(<a href="{text(chapter)}.html">{where}</a>)' if in_book() else f"({where})"


def self_check(*questions: tuple[str, str, str]) -> SelfCheck:
    """Ask the reader.

    Args:
        *questions: triples of question, answer and the chapter that explains it, "02-markov".

    Raises:
        ValueError: if there is no question, a text is empty, or a question comes twice.
    """
    made = tuple(
        Question(
            require_sentence("a question", ask),
            require_sentence(f"the answer to {ask!r}", answer),
            require_sentence(f"the chapter of {ask!r}", chapter),
        )
        for ask, answer, chapter in questions
    )
    if not made:
        raise ValueError("a self-check needs at least one question")
    asked = [question.ask for question in made]
    if repeated := sorted({ask for ask in asked if asked.count(ask) > 1}):
        raise ValueError(f"the self-check asks twice: {repeated[0]!r}")
    return SelfCheck(made)
