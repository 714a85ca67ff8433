"""Honest submissions, among which the others stand; what they get must not change by that."""

from tests.hostile.submissions.submission import ALL, Submission, after_setup, also, answer, changed

WRONG_LOOKUP = "def look_up(ids, table):\n    return table[ids]"


def honest(more: str = "") -> tuple[Submission, ...]:
    """The submissions of five honest students, whose names end as is said."""
    return (
        changed(f"honest-solved{more}", "the solution"),
        changed(f"honest-untouched{more}", "as handed out", base="release", lost=ALL),
        changed(
            f"honest-half{more}",
            "a few answers in a notebook as handed out",
            answer("dot", "dot = 2"),
            answer("shapes", "shapes = ((4, 7, 50), (16, 30), (4, 7, 30))"),
            answer("one-hot", "def one_hot(ids, size):\n    return np.eye(size)[ids]"),
            base="release",
            lost=ALL - {"dot", "shapes", "one-hot"},
        ),
        changed(
            f"honest-mistaken{more}",
            "a known mistake",
            answer("lookup", WRONG_LOOKUP),
            answer("dot", "dot = 7"),
            tasks={"lookup": 1.75, "dot": 0},
            words=("negative",),
        ),
        changed(
            f"honest-loud{more}",
            "warnings, standard error and random numbers",
            after_setup(
                "import sys, warnings\n"
                "warnings.warn('deprecated')\n"
                "print('to standard error', file=sys.stderr)\n"
                "print(np.random.rand())"
            ),
            also("dot", "print('working', file=sys.stderr); warnings.warn('again')"),
        ),
    )


HONEST = honest()
