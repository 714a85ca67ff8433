"""Claims, tested: a sentence that people repeat, what happened when it was tried, a verdict.

    claim(
        "dot-is-cosine",
        "The dot product is the cosine similarity.",
        [
            ("both vectors of length one", np.isclose(u @ v, cosine(u, v)), "0.82 and 0.82"),
            ("one of them three times as long", np.isclose(3 * u @ v, cosine(3 * u, v)), "…"),
        ],
        because="The cosine divides by both lengths.",
    )

The verdict is computed from the evidence, never written down.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import new_id, require_sentence, text, with_style
from headway.figures.core.styles import part_style

MIME = "application/vnd.headway.claim+json"
HOLDS, CAVEAT = "holds", "holds with a caveat"
MOSTLY_FAILS, FAILS = "mostly does not hold", "does not hold"


@dataclass(frozen=True)
class Claim:
    """A statement, its evidence and the verdict; shows itself as a box. Made by `claim`."""

    id: str
    statement: str
    evidence: tuple[tuple[str, bool, str], ...]
    because: str = ""

    @property
    def verdict(self) -> str:
        """What part of the evidence is for it: all, half or more, less than half, or nothing."""
        held, tried = sum(result for _, result, _ in self.evidence), len(self.evidence)
        if held in (0, tried):
            return HOLDS if held else FAILS
        return CAVEAT if 2 * held >= tried else MOSTLY_FAILS

    def html(self) -> str:
        """The box as HTML."""
        name = new_id("claim")
        rows = "\n".join(
            f'<li class="hw-{"yes" if result else "no"}"><span class="hw-mark" '
            f'aria-hidden="true">{"✓" if result else "✗"}</span><span><span class="hw-word">'
            f"{'holds' if result else 'fails'}:</span> {text(label)}"
            + (f' <span class="hw-detail">({text(detail)})</span>' if detail else "")
            + "</span></li>"
            for label, result, detail in self.evidence
        )
        because = f'\n<p class="hw-because">{text(self.because)}</p>' if self.because else ""
        kind = {HOLDS: "yes", FAILS: "no"}.get(self.verdict, "partly")
        held = sum(result for _, result, _ in self.evidence)
        share = f": held in {held} of {len(self.evidence)} cases" if kind == "partly" else ""
        return (
            f'<section class="hw-claim" aria-labelledby="{name}">\n'
            f'<p class="hw-label" id="{name}">Claim, tested</p>\n'
            f'<p class="hw-statement">{text(self.statement)}</p>\n<ul>{rows}</ul>\n'
            f'<p class="hw-verdict hw-{kind}">Verdict: <strong>{self.verdict}</strong>{share}</p>'
            f"{because}\n</section>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        evidence = [
            {"tried": label, "result": result, "detail": detail}
            for label, result, detail in self.evidence
        ]
        lines = [f"{'✓' if r else '✗'} {label}. {detail}" for label, r, detail in self.evidence]
        plain = [f"Claim: {self.statement}", *lines, f"Verdict: {self.verdict}. {self.because}"]
        return {
            "text/html": with_style(self.html(), part_style("claim")),
            "text/plain": "\n".join(plain),
            MIME: {"id": self.id, "verdict": self.verdict, "evidence": evidence},
        }


def claim(
    id: str,
    statement: str,
    evidence: Sequence[tuple[str, bool, str]],
    because: str = "",
) -> Claim:
    """Hold a statement against evidence.

    Args:
        id: a short name, unique on the page, "dot-is-cosine".
        statement: the claim, in the words in which people make it.
        evidence: rows of (what was tried, whether the claim held there, the numbers).
        because: why the verdict is what it is, in a sentence.

    Raises:
        ValueError: if there is no evidence, a text is empty, or two rows have the same label.
        TypeError: if a row is no triple, or its result is not a bool.
    """
    require_sentence("id", id)
    require_sentence("statement", statement)
    rows = [checked_row(id, row) for row in evidence]
    if not rows:
        raise ValueError(f"claim {id!r} has no evidence; give at least one thing that was tried")
    labels = [label for label, _, _ in rows]
    if repeated := sorted({label for label in labels if labels.count(label) > 1}):
        raise ValueError(f"claim {id!r} says {repeated[0]!r} twice; name what differs")
    return Claim(id, statement.strip(), tuple(rows), because.strip())


def checked_row(id: str, row) -> tuple[str, bool, str]:
    """One row of evidence, its bool a Python bool."""
    if not isinstance(row, tuple | list) or len(row) != 3:
        raise TypeError(
            f"evidence of claim {id!r} must be triples (what was tried, bool, detail), got {row!r}"
        )
    label, result, detail = row
    if not isinstance(result, bool | np.bool_):
        raise TypeError(
            f"the result of {label!r} in claim {id!r} must be a bool, got {result!r} "
            f"({type(result).__name__}); compare it with what the claim says"
        )
    return require_sentence("what was tried", label), bool(result), str(detail)
