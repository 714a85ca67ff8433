"""Variants of assignment 03: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.variation import Changes

SENTENCES = """\
> today it rains we stay
>
> today it snows we go
>
> now it snows we go
>
> now it rains we go
"""
ORDERS = {4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def count_features(rng: np.random.Generator) -> Changes:
    """Another prefix, with another number of different words before the latest."""
    # The published prefix has one of these three, which makes five words.
    start, kind, then = draw_until(lambda has: sum(has) != 1, lambda: rng.integers(2, size=3))
    verb = rng.choice(["check", "find", "show"])
    first, latest = rng.permutation(["clock", "screen", "printer", "camera"])[:2]
    before = [
        *(["please"] if start else []),
        *(verb, "the", *(["old"] if kind else []), first),
        *("and", *(["then"] if then else []), verb, "the"),
    ]
    words = ", ".join(f'"{word}"' for word in dict.fromkeys(before))
    return {
        "ask-count-features": [
            ("check the battery log and check the clock", " ".join([*before, latest]))
        ],
        "count-features": [('"check", "the", "battery", "log", "and"', words)],
    }


def count_rows(rng: np.random.Generator) -> Changes:
    """Another vocabulary, and another order."""
    size, order = draw_until(
        lambda drawn: drawn != (10, 8),
        lambda: (int(rng.choice([10, 20, 100])), int(rng.integers(4, 10))),
    )
    return {
        "ask-count-rows": [
            ("$V = 10$", f"$V = {size}$"),
            ("of order 8", f"of order {order}"),
            ("context of eight", f"context of {ORDERS[order]}"),
            ("up to eight", f"up to {ORDERS[order]}"),
        ],
        "count-rows": [("[10**8, 10**2]", f"[{size}**{order}, {size}**2]")],
    }


def add_votes(rng: np.random.Generator) -> Changes:
    """Other endings of the four sentences, and another of their beginnings is asked about."""

    def votes(stays, day, weather):
        """How many of how many sentences stay, for each of the three voters."""
        return [(stays[day].sum(), 2), (stays.sum(), 4), (stays[:, weather].sum(), 2)]

    def suits(drawn) -> bool:
        stay = sum(count / of for count, of in votes(*drawn))
        return 0 < drawn[0].sum() < 4 and stay not in (0.75, 1.5)

    stays, day, weather = draw_until(
        suits, lambda: (rng.integers(2, size=(2, 2)), *rng.integers(2, size=2))
    )
    days, kinds, ends = ("today", "now"), ("rains", "snows"), ("go", "stay")
    lines = [
        f"> {days[i]} it {kinds[j]} we {ends[stays[i, j]]}\n"
        for i, j in ((0, 0), (0, 1), (1, 1), (1, 0))
    ]
    voters = votes(stays, day, weather)
    stay = " + ".join(f"{count} / {of}" for count, of in voters)
    go = " + ".join(f"{of - count} / {of}" for count, of in voters)
    return {
        "ask-add-votes": [
            (SENTENCES, ">\n".join(lines)),
            ("*today it snows we*", f"*{days[day]} it {kinds[weather]} we*"),
        ],
        "add-votes": [("[1 / 2 + 1 / 4 + 0, 1 / 2 + 3 / 4 + 1]", f"[{stay}, {go}]")],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another faulty line: it divides by another total, or remembers another word."""
    return (_another_total, _another_word)[rng.integers(2)]()


def _another_total() -> Changes:
    return {
        "part-debug": [
            (
                SYMPTOM,
                "Here it does so as well, whichever command is learned first. But\nif the "
                "program's command is learned twice and the battery's once, it gives 4 and 10, "
                "which is more than nine words have to give. One line is faulty.",
            )
        ],
        "ask-faulty-line": [
            (DIVISION, REPAIRED_DIVISION.format("len(row)")),
            (
                "Take the two commands, and",
                "Take the program's command twice and the other once, and",
            ),
        ],
        "faulty-line": [("    18\n", "    17\n")],
        "ask-voter": [
            (
                "whichever command is learned first.",
                "and about 2.67 and 6.33 if the program's command is learned twice.",
            )
        ],
        "voter": [
            (
                REGION,
                f"""\
        ### BEGIN SOLUTION
        total = row.total()
        ### GIVEN
        # total = len(row)
        ### END SOLUTION
{DIVIDED}""",
            ),
            (
                'print(vote(commands[::-1], commands[0][:10]), "with the commands in the other '
                'order")',
                'print(vote([*commands, commands[0]], commands[0][:10]), "with the first one '
                'learned twice")',
            ),
        ],
    }


def _another_word() -> Changes:
    return {
        "part-debug": [
            (
                SYMPTOM,
                "Here it gives 3.5 and 4.5, whichever command is learned\nfirst. One line is "
                "faulty.",
            )
        ],
        "ask-faulty-line": [
            (" 8              earlier.add(latest)\n", " 8              earlier.add(following)\n"),
            (DIVISION, REPAIRED_DIVISION.format("row.total()")),
            (
                "follow one pair through both functions, number by number.",
                "work out the vote of each word of the prefix by itself.",
            ),
        ],
        "faulty-line": [("    18\n", "    8\n")],
        "voter": [
            (
                "            earlier.add(latest)\n",
                """\
            ### BEGIN SOLUTION
            earlier.add(latest)
            ### GIVEN
            # earlier.add(following)
            ### END SOLUTION
""",
            ),
            (REGION, f"        total = row.total()\n{DIVIDED}"),
        ],
    }


SYMPTOM = """\
Here it gives 5.33 and 5, so *down* wins. And if you swap the two commands
before learning, it gives 4 and 6.33. One line is faulty."""
DIVISION = """\
17          for following in row:
18              row[following] /= row.total()
19          votes.update(row)
20      return dict(votes)
"""
REPAIRED_DIVISION = """\
17          total = {}
18          for following in row:
19              row[following] /= total
20          votes.update(row)
21      return dict(votes)
"""
DIVIDED = """\
        for following in row:
            row[following] /= total
"""
REGION = f"""\
        ### BEGIN SOLUTION
        total = row.total()
{DIVIDED}        ### GIVEN
        # for following in row:
        #     row[following] /= row.total()
        ### END SOLUTION
"""

VARIANTS = (count_features, count_rows, add_votes, debug)
