"""Claims, tested: a sentence that people repeat, what happened when it was tried, a verdict.

    claim(
        "dot-is-cosine",
        "The dot product is the cosine similarity.",
        [
            ("both vectors of length one", np.isclose(u @ v, cosine(u, v)), "0.82 and 0.82"),
            ("one of them three times as long", np.isclose(3 * u @ v, cosine(3 * u, v)), "…"),
        ],
        says="always",
        otherwise="With the long vector, both numbers would be 0.82.",
        beside=[("how far apart they are", "0.4 in the median")],
        because="The cosine divides by both lengths.",
    )

The box shows the sentence, the verdict, one sentence of evidence and a picture of the seeds; what
was tried is folded. The verdict is computed from the cases and from how often the sentence says
that it is so (`says`), never written down. A test that could end in one way only is none, so each
claim says what would have been seen had it come out otherwise. What is good to know and tests
nothing has no vote.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import new_id, real_minus, require_sentence, text, with_style
from headway.figures.core.styles import part_style
from headway.figures.parts.quantifier import FAILS, HOLDS, QUANTIFIERS, Quantifier
from headway.figures.parts.seeds import Seeds
from headway.figures.parts.spread import spread

MIME = "application/vnd.headway.claim+json"


@dataclass(frozen=True)
class Case:
    """One thing that was tried.

    Attributes:
        tried: what.
        result: whether what the sentence speaks of was so, in one go or over many seeds.
        detail: the numbers.
    """

    tried: str
    result: bool | Seeds
    detail: str

    @property
    def share(self) -> float:
        """In what part of the tries it was so: 0 or 1, or a share of the seeds."""
        return self.result.share if isinstance(self.result, Seeds) else float(self.result)

    @property
    def told(self) -> str:
        """The numbers, and those of the seeds before them."""
        seeds = self.result.told() if isinstance(self.result, Seeds) else ""
        return "; ".join(filter(None, (seeds, self.detail)))


@dataclass(frozen=True)
class Claim:
    """A statement, its evidence and the verdict; shows itself as a box. Made by `claim`."""

    id: str
    statement: str
    evidence: tuple[Case, ...]
    says: str
    otherwise: str
    because: str = ""
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def quantifier(self) -> Quantifier:
        """How often the sentence says that it is so."""
        return QUANTIFIERS[self.says]

    @property
    def was_so(self) -> tuple[bool, ...]:
        """For each case, whether what the sentence speaks of was so there.

        Over seeds it was so if it was so in as many as the sentence says, and where it says never,
        if it was so in any.
        """
        never = self.says == "never"
        return tuple(self.quantifier.agrees(case.share) != never for case in self.evidence)

    @property
    def verdict(self) -> str:
        """What follows from the cases and from what the sentence says of them."""
        share = sum(self.was_so) / len(self.was_so)
        return self.quantifier.verdict(share, any(case.share > 0 for case in self.evidence))

    def html(self) -> str:
        """The box as HTML."""
        name = new_id("claim")
        rows = "\n".join(map(self._row, self.evidence, self.was_so))
        because = f'<p class="hw-because">{text(self.because)}</p>\n' if self.because else ""
        kind = {HOLDS: "yes", FAILS: "no"}.get(self.verdict, "partly")
        seeds = [(c.tried, c.result) for c in self.evidence if isinstance(c.result, Seeds)]
        return (
            f'<section class="hw-claim" data-claim="{text(self.id)}" aria-labelledby="{name}">\n'
            f'<p class="hw-label">Claim, tested</p>\n'
            f'<p class="hw-statement" id="{name}">“{text(self.statement)}”</p>\n'
            f'<p class="hw-verdict hw-{kind}"><strong>{self.verdict.capitalize()}.</strong></p>\n'
            f"{because}{spread(seeds)}"
            '<details class="hw-tests"><summary>How it was tested</summary>\n'
            f'<p class="hw-says">We read it as <em>{self.says}</em>: {self.quantifier.takes}.</p>\n'
            f"<ul>{rows}</ul>\n"
            f'<p class="hw-otherwise">What we would have seen otherwise: '
            f"{text(self.otherwise)}</p>\n"
            f"{self._beside()}</details>\n</section>"
        )

    def _row(self, case: Case, was_so: bool) -> str:
        supports = was_so != (self.says == "never")
        kind, mark = ("yes", "✓") if supports else ("no", "✗")
        word = self.quantifier.words[0 if supports else 1]
        detail = f' <span class="hw-detail">({text(case.told)})</span>' if case.told else ""
        return (
            f'<li class="hw-{kind}"><span class="hw-mark" aria-hidden="true">{mark}</span>'
            f'<div><span class="hw-word">{word}:</span> {text(case.tried)}{detail}</div></li>'
        )

    def _beside(self) -> str:
        if not self.beside:
            return ""
        rows = "".join(f"<li>{text(what)}: {text(numbers)}</li>" for what, numbers in self.beside)
        return f'<div class="hw-beside"><p>Good to know, without a vote:</p><ul>{rows}</ul></div>\n'

    def _repr_mimebundle_(self, include=None, exclude=None):
        evidence = [
            {"tried": case.tried, "result": so, "detail": case.told}
            for case, so in zip(self.evidence, self.was_so, strict=True)
        ]
        supports = [so != (self.says == "never") for so in self.was_so]
        plain = [
            f"Claim: {self.statement} (Read as {self.says}: {self.quantifier.takes}.)",
            *(
                f"{'✓' if support else '✗'} {case.tried}. {case.told}"
                for case, support in zip(self.evidence, supports, strict=True)
            ),
            f"What we would have seen otherwise: {self.otherwise}",
            *(f"· {what}: {numbers}" for what, numbers in self.beside),
            f"Verdict: {self.verdict}. {self.because}",
        ]
        data = {"id": self.id, "says": self.says, "verdict": self.verdict, "evidence": evidence}
        return {
            "text/html": with_style(self.html(), part_style("claim")),
            "text/plain": "\n".join(plain),
            MIME: data,
        }


def claim(
    id: str,
    statement: str,
    evidence: Sequence[tuple[str, bool | Seeds, str]],
    *,
    says: str,
    otherwise: str,
    because: str = "",
    beside: Sequence[tuple[str, str]] = (),
) -> Claim:
    """Hold a statement against evidence.

    Args:
        id: a short name, unique on the page, "dot-is-cosine".
        statement: the claim, in the words in which people make it.
        evidence: rows of (what was tried, whether what the claim speaks of was so there, the
            numbers). Each tests the claim. In place of a bool stands `over_seeds` for what was
            tried with many seeds.
        says: how often people mean that it is so: always, usually, sometimes or never. A tendency
            ("more data helps") is *usually*; *always* is for what has its "every" or "must" in the
            sentence, or calls two things one.
        otherwise: what we would have seen if the verdict were another, in a sentence. Where nothing
            can be said here, the sentence is true or false by definition, and no claim.
        because: why the verdict is what it is, in a sentence.
        beside: rows of (what, the numbers) that are good to know and test nothing.

    Raises:
        ValueError: if there is no evidence, a text is empty, two rows have the same label, or
            `says` is none of the four.
        TypeError: if a row is no triple, or its result is neither a bool nor over seeds.
    """
    require_sentence("id", id)
    require_sentence("statement", statement)
    require_sentence("otherwise", otherwise)
    if says not in QUANTIFIERS:
        raise ValueError(f"claim {id!r} says {says!r}; it can say {', '.join(QUANTIFIERS)}")
    rows = [checked_row(id, row) for row in evidence]
    if not rows:
        raise ValueError(f"claim {id!r} has no evidence; give at least one thing that was tried")
    observed = [
        (require_sentence("what was observed", what), real_minus(str(numbers)))
        for what, numbers in beside
    ]
    labels = [case.tried for case in rows] + [what for what, _ in observed]
    if repeated := sorted({label for label in labels if labels.count(label) > 1}):
        raise ValueError(f"claim {id!r} says {repeated[0]!r} twice; name what differs")
    because = real_minus(because.strip())
    otherwise = real_minus(otherwise.strip())
    return Claim(id, statement.strip(), tuple(rows), says, otherwise, because, tuple(observed))


def checked_row(id: str, row) -> Case:
    """One row of evidence, its bool a Python bool."""
    if not isinstance(row, tuple | list) or len(row) != 3:
        raise TypeError(
            f"evidence of claim {id!r} must be triples (what was tried, bool, detail), got {row!r}"
        )
    label, result, detail = row
    if not isinstance(result, bool | np.bool_ | Seeds):
        raise TypeError(
            f"the result of {label!r} in claim {id!r} must be a bool or over_seeds(…), got "
            f"{result!r} ({type(result).__name__}); compare it with what the claim says"
        )
    result = result if isinstance(result, Seeds) else bool(result)
    return Case(require_sentence("what was tried", label), result, real_minus(str(detail)))
