"""The listing of a debug task, and the same lines in the cell with the function to repair."""

from typing import NamedTuple

from headway.tasks.engine.variation import Changes


class Listing(NamedTuple):
    """Lines of a function with a fault.

    Attributes:
        first: number of the first of these lines in the listing.
        before: the lines before the solution region, each ending in a newline; may be empty.
        right, wrong: the lines in the region, as the solution has them and as they are given.
        after: the lines after the region; may be empty.
        line: number of the faulty line.
    """

    first: int
    before: str
    right: str
    wrong: str
    after: str
    line: int

    def numbered(self, form: str) -> str:
        """The faulty lines as the question shows them."""
        lines = f"{self.before}{self.wrong}{self.after}".splitlines()
        return "".join(form.format(n, line) + "\n" for n, line in enumerate(lines, self.first))

    def with_solution(self) -> str:
        """The lines as the cell has them, with both versions of the region."""
        indent = self.right[: len(self.right) - len(self.right.lstrip())]
        given = (
            f"{line[: len(line) - len(line.lstrip())]}# {line.lstrip()}"
            for line in self.wrong.splitlines(keepends=True)
        )
        return (
            f"{self.before}{indent}### BEGIN SOLUTION\n{self.right}{indent}### GIVEN\n"
            f"{''.join(given)}{indent}### END SOLUTION\n{self.after}"
        )


def spoiled(
    code: str, at: str, becomes: str, first: int, region: tuple[int, int] | None = None
) -> Listing:
    """A listing of right lines of which one is spoiled.

    Args:
        code: the right lines.
        at, becomes: the part of a line to replace, which occurs exactly once, and its replacement.
        first: number of the first line in the listing.
        region: numbers of the first and the last line of the solution region; by default the
            faulty line alone.

    Raises:
        ValueError: if the code does not have the part exactly once.
    """
    if code.count(at) != 1:
        raise ValueError(f"Expected {at!r} once, but it is there {code.count(at)} times:\n{code}")
    line = first + code[: code.index(at)].count("\n")
    start, end = region or (line, line)
    right, wrong = (text.splitlines(keepends=True) for text in (code, code.replace(at, becomes, 1)))
    inside = slice(start - first, end - first + 1)
    before, after = right[: inside.start], right[inside.stop :]
    return Listing(first, *map("".join, (before, right[inside], wrong[inside], after)), line)


def another_listing(
    old: Listing,
    new: Listing,
    cell: str,
    ask: str = "ask-faulty-line",
    form: str = "{:2d}  {}",
) -> Changes:
    """Changes that replace the listing, the number of its faulty line and the function to repair.

    Args:
        old, new: the lines that the notebook has, and those it gets.
        cell: name of the cell with the function to repair.
        ask: name of the cell with the listing.
        form: of a line in the listing, with its number and its text.
    """
    return {
        ask: [(old.numbered(form), new.numbered(form))],
        "faulty-line": [(f"    {old.line}\n", f"    {new.line}\n")],
        cell: [(old.with_solution(), new.with_solution())],
    }
