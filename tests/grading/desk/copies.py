"""How high the shares of `headway class similar` are of honest pairs, and of copies with changes;
and how long the right answers are that honest students wrote just as the published solution.

    python -m tests.grading.desk.copies [SEED]

The classes are the sample classes of all assignments. Each student with enough code is then
copied, and the copy changed in one way after the other.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest import mock

from headway.chapters import ASSIGNMENTS, Chapter
from headway.grading.desk import published
from headway.grading.desk import resemblance as measured
from headway.grading.desk.answers import ClassAnswers, read_answers
from headway.grading.desk.resemblance import SHOWN_FROM, Pair, resemblance
from headway.grading.desk.tokens import OWN_NAME, tokens_of
from tests.assignments.sample_class import students_of

BUILTINS = ["max", "min", "sum", "id", "map", "zip", "all", "any", "abs", "set", "iter", "next"]
Change = Callable[[str, random.Random, frozenset[str]], str]
ALONE = re.compile(r"(?<=[=(,+*/-] )(\w+)(?=[ ,)\n])(?! for\b)")


def renamed(
    code: str, drawn: random.Random, known: frozenset[str], names: list[str] | None = None
) -> str:
    """The code with other names for all that are the student's own."""
    given: dict[str, str] = {}
    new, end = [], 0
    for token in tokens_of(code, known):
        if token.kind == OWN_NAME:
            old = code[token.start : token.end]
            other = names[len(given)] if names and len(given) < len(names) else f"n{len(given)}"
            new += [code[end : token.start], given.setdefault(old, other)]
            end = token.end
    return "".join([*new, code[end:]])


def builtin_names(code: str, drawn: random.Random, known: frozenset[str]) -> str:
    """With names of Python's for the first twelve."""
    unused = [name for name in BUILTINS if not re.search(rf"\b{name}\b", code)]
    return renamed(code, drawn, known, unused)


def lines_changed(part: float) -> Change:
    """Other names; of ten lines so many dropped, and as many new ones."""

    def change(code: str, drawn: random.Random, known: frozenset[str]) -> str:
        lines = [line for line in renamed(code, drawn, known).split("\n") if drawn.random() >= part]
        return _with_new(lines, part, drawn)

    return change


def dead_code(code: str, drawn: random.Random, known: frozenset[str]) -> str:
    """Other names, and three times as many lines that do nothing behind the answer."""
    lines = renamed(code, drawn, known).split("\n")
    dead = [_new_line("    ", drawn) for _ in range(3 * len(lines))]
    return "\n".join([*lines, "def unused(a, b, c):", *dead, ""])


def doubled_brackets(code: str, drawn: random.Random, known: frozenset[str]) -> str:
    """Other names, and brackets around each number, name and call's argument that take one."""
    return ALONE.sub(r"((\1))", renamed(code, drawn, known))


def _with_new(lines: list[str], part: float, drawn: random.Random) -> str:
    new = []
    for line in lines:
        new.append(line)
        if drawn.random() < part:
            new.append(_new_line(re.match(r"\s*", line)[0], drawn))
    return "\n".join(new)


def _new_line(indent: str, drawn: random.Random) -> str:
    a, b, c = drawn.sample("abcdefgh", 3)
    forms = [
        f"{a} = {b} + {c} * {drawn.randrange(99)}",
        f"{a}, {b} = {c}[{drawn.randrange(9)}], {drawn.random():.2f}",
        f"if {a} > {drawn.randrange(9)}: {b} = len({c})",
        f"{a} = [{b} - {drawn.randrange(9)} for {b} in {c}]",
        f"{a}.append({b} / ({c} or {drawn.randrange(9)}))",
    ]
    return indent + drawn.choice(forms)


CHANGES: dict[str, Change] = {
    "nothing but names": renamed,
    "names of Python's own": builtin_names,
    "doubled brackets": doubled_brackets,
    "one line of ten": lines_changed(0.1),
    "one line of five": lines_changed(0.2),
    "three lines of ten": lines_changed(0.3),
    "dead code, three times": dead_code,
}


def all_pairs(of_class: ClassAnswers) -> list[Pair]:
    """Each pair that is compared, whatever its share."""
    with mock.patch.multiple(measured, SHOWN_FROM=-1.0, MOST_PAIRS=10**9):
        return list(resemblance(of_class).pairs)


def sample_classes() -> Iterator[tuple[Chapter, ClassAnswers]]:
    """The sample class of each assignment."""
    for chapter in ASSIGNMENTS:
        with TemporaryDirectory() as folder:
            for student in students_of(chapter.name).values():
                student.hand_in(Path(folder))
            yield chapter, read_answers(Path(folder), chapter)


def shares_of_copies(of_class: ClassAnswers, change: Change, drawn: random.Random) -> list[float]:
    """The share of each student with a changed copy of theirs, in the class beside them."""
    enough = {name for pair in all_pairs(of_class) for name in (pair.one, pair.other)}
    shares = []
    for student in sorted(enough):
        own = of_class.answers[student]
        copy = {name: change(code, drawn, of_class.known) for name, code in own.items()}
        answers = {**of_class.answers, "copy": copy}
        with_copy = ClassAnswers(None, answers, of_class.shared, of_class.known)
        pairs = {(pair.one, pair.other): pair.share for pair in all_pairs(with_copy)}
        shares.append(pairs.get((student, "copy"), 0.0))
    return shares


def lengths_of_equal(chapter: Chapter, of_class: ClassAnswers) -> tuple[int, list[int]]:
    """How many right answers the students wrote themselves, and the lengths of those that are equal
    to the solution, in tokens that it adds to the starter code."""
    with mock.patch.multiple(published, LEAST_OF_ANSWER=1, LEAST_OF_STUDENT=1):
        equal = published.equal_to_solution(of_class)
    own, lengths = 0, []
    for name, student in students_of(chapter.name).items():
        for task, answer in student.answers.items() if name in of_class.answers else ():
            if answer.text and answer.misconception is None and answer.score is None:
                own += 1
                if task in equal.get(name, ()):
                    (solution,) = of_class.published[task]
                    lengths.append(published.added(solution, of_class.given[task]))
    return own, lengths


def main(seed: int) -> None:
    """Print the table."""
    classes = list(sample_classes())
    pairs = [(pair, chapter.name) for chapter, of_class in classes for pair in all_pairs(of_class)]
    for pair, name in pairs:
        if pair.share > SHOWN_FROM / 2:
            print(f"  {pair.share:.0%} {name} {pair.one} {pair.other} {pair.pieces}")
    honest = sorted(pair.share for pair, _ in pairs)
    highest = " ".join(f"{share:.0%}" for share in honest[-12:])
    print(f"sample classes: {len(honest)} pairs, median {median(honest):.1%}, highest {highest}")
    counted = [lengths_of_equal(chapter, of_class) for chapter, of_class in classes]
    lengths = sorted(length for _, some in counted for length in some)
    print(f"{sum(own for own, _ in counted)} right answers; lengths of equal ones: {lengths}")
    for what, change in CHANGES.items():
        drawn = random.Random(seed)
        shares = [s for _, of_class in classes for s in shares_of_copies(of_class, change, drawn)]
        found = sum(share >= SHOWN_FROM for share in shares) / len(shares)
        print(
            f"{what}: {len(shares)} copies, lowest {min(shares):.0%}, median {median(shares):.0%}, "
            f"{found:.0%} shown"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
