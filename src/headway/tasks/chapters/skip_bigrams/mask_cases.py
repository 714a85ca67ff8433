"""What shares of the votes behind a mask are asked for, and when two answers are the same."""

import numpy as np

from headway.tasks.chapters.skip_bigrams.agreement import made_up_words, parts
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.task import Case
from headway.text.corpus.commands import RUN, RUN_DOWN, check_logs

CLOSE = close(atol=1e-6)
SHARE_AT_LEAST = 0.85  # the mean share of the right word


def mask_cases(rng: np.random.Generator) -> list[Case]:
    nouns = [*RUN_DOWN, *RUN]
    ten = [half[i] for half in (RUN_DOWN, RUN) for i in rng.permutation(len(half))[:5]]
    new = nouns[rng.integers(len(nouns))]
    others = [noun for noun in nouns if noun != new]
    cases = []
    for label, made_up, rare, known, asked in (
        ("new sentences", False, 0.36, nouns, nouns),
        ("ten nouns, and made-up words", True, 0.36, ten, ten),
        ("the other kind rarer", True, 0.64, nouns, nouns),
        ("a noun that was never counted", True, 0.36, others, nouns),
    ):
        texts = _about(known, check_logs(rng, 1000, rare, slips=0.02))[:600]
        held_out = _about(asked, check_logs(rng, 200, rare, slips=0.02))[:100]
        sentences, prefixes, truth, choices = parts(rng, texts, held_out, made_up)
        if asked != known:
            truth = [
                word if set(text.split()) & set(known) else None
                for word, text in zip(truth, held_out, strict=True)
            ]
        cases.append(Case(label, sentences, prefixes, choices, truth=truth, core=not made_up))
    return [*cases, _few(rng)]


def _few(rng: np.random.Generator) -> Case:
    """A small corpus whose gap is wide, and the shares that its words have by any limit in it."""
    first, second, third, filler, latest, one, other = made_up_words(rng, 7)
    sentences = []
    for voter, ones, others in ((first, 8, 2), (second, 2, 18), (third, 16, 4)):
        sentences += [[filler, voter, latest, one] for _ in range(ones)]
        # The last of these come several times in their sentences.
        often = 3 if voter == first else 1
        sentences += [[filler, *[voter] * often, latest, other] for _ in range(others)]
    sentences = [sentences[place] for place in rng.permutation(len(sentences))]
    voters = [
        *([first], [second], [first, filler, second], [first, filler, first, second]),
        *([third, first], [filler]),
    ]
    return Case(
        "a small corpus, and words that come several times",
        sentences,
        [[*some, latest] for some in voters],
        [one, other],
        compare=CLOSE,
    )


def _about(nouns: list[str], texts: list[str]) -> list[str]:
    return [text for text in texts if set(nouns) & set(text.split())]


def mean_share(shares: np.ndarray, case: Case) -> float:
    """Mean share of the word that really came, where a noun is known."""
    asked = [(row, word) for row, word in zip(shares, case.truth, strict=True) if word]
    return float(np.mean([row[case.inputs[2].index(word)] for row, word in asked]))


def share_enough(got, expected, case) -> Difference | None:
    """Rows of shares, on average enough of them for the word that came."""
    shares = np.asarray(got) if isinstance(got, (list, np.ndarray)) else np.zeros(())
    if shares.shape != expected.shape or shares.dtype.kind not in "iuf":
        return Difference(f"the shape is {shares.shape}, expected {expected.shape}.")
    sums = shares.sum(axis=1)
    if not np.isfinite(sums).all() or (shares < 0).any() or not np.allclose(sums, 1, atol=1e-6):
        row = int(np.argmax(~(np.abs(sums - 1) < 1e-6) | (shares < 0).any(axis=1)))
        return Difference(f"row {row} is {np.round(shares[row], 3).tolist()}: shares sum to one.")
    reached, even = mean_share(shares, case), int(np.isclose(shares, 0.5).all(axis=1).sum())
    if reached < SHARE_AT_LEAST:
        return Difference(
            f"the right word has a mean share of {reached:.3f}; {SHARE_AT_LEAST} is asked. "
            f"In {even} of {len(shares)} rows both shares are one half."
        )
    if np.isin(shares, (0, 0.5, 1)).all():
        return Difference("one word gets everything in each row, where shares are asked.")
    for row, word in enumerate(case.truth):
        if word is None and not np.allclose(shares[row], 0.5, atol=1e-6):
            return Difference(
                f"row {row} is {np.round(shares[row], 3).tolist()}: no word before knows "
                "anything, so both get one half."
            )
    return None


def does_the_same(got, wrong, case) -> Difference | None:
    """The same shares; where both are good enough, the same kind of row where nobody votes."""
    mine, theirs = (_where_nobody_votes(value, case) for value in (got, wrong))
    if mine is None or theirs is None:
        return CLOSE(got, wrong)
    return None if mine == theirs else Difference("the rows where nobody votes differ.")


def _where_nobody_votes(value, case) -> set[str] | None:
    """What stands in the rows of nouns never counted; None if the other rows are not right."""
    shares = np.asarray(value) if isinstance(value, (list, np.ndarray)) else np.zeros(())
    asked = [row for row, word in enumerate(case.truth) if word]
    if shares.shape != (len(case.truth), 2) or shares.dtype.kind != "f":
        return None
    sums = np.allclose(shares[asked].sum(axis=1), 1, atol=1e-6)
    winners = np.isin(shares[asked], (0, 0.5, 1)).all()
    if not sums or winners or not mean_share(shares, case) >= SHARE_AT_LEAST:
        return None
    others = [row for row, word in zip(shares, case.truth, strict=True) if not word]
    kinds = {
        "half" if np.allclose(row, 0.5) else "some" if abs(row.sum() - 1) < 1e-6 else "nothing"
        for row in others
    }
    alike = len(others) > 1 and all(np.allclose(row, others[0]) for row in others)
    return {"the same"} if alike and kinds == {"some"} else kinds
