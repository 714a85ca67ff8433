"""Repair a submitted notebook: take the release's cells, and insert the student's answers.

The result depends only on the text of the student's cells. Locked cells, order, names, points and
flags come from the release. An answer cell gets the text of the submitted cell with the same name.
Cells that the student added stay after the cell that they followed. Repairing the result again
changes nothing.
"""

import copy
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from headway.grading.intake.submitted_cells import SetAside, SubmittedCell, read_cells
from headway.grading.notebooks.check_calls import asked_in, checked_task
from headway.grading.notebooks.nodes import new_cell, new_notebook
from headway.grading.safe_text import listed

__all__ = ["Repaired", "SetAside", "choose_release", "repair"]

CELL_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
LISTED = 5
CHECK = "check-"  # begins the name of a task's check
BY_VALUE = ("predict", "debug")  # kinds of tasks whose texts have numbers that the answer rests on
ASK = "ask-"  # begins the name of a task's text
OTHER_QUESTIONS = "Questions are others than those it is graded by"
KEPT = ("kernelspec", "language_info")
SENTENCES = {
    ("solution", "missing"): "Answer cells are missing",
    ("solution", "twice"): "Answers stood there more than once; the last edited one counts",
    ("locked", "missing"): "Cells of the assignment were deleted, and were put back",
    ("locked", "changed"): "Cells of the assignment were changed; those handed out are used",
    ("locked", "twice"): "Cells of the assignment stood there more than once; one is used",
    "questions": OTHER_QUESTIONS,
    "flags": "Points or flags of cells were changed; those handed out are used",
    "unknown": "Cells with unknown ids were taken as the student's own",
}


@dataclass(frozen=True)
class Repaired:
    """A notebook that can be run and scored, and sentences on what was repaired."""

    notebook: NotebookNode
    notes: tuple[str, ...]


def repair(raw: bytes, release: NotebookNode) -> Repaired:
    """The release's notebook with a submission's answers.

    Args:
        raw: the submitted file.
        release: the released notebook, with nbgrader's ids.

    Raises:
        SetAside: if the file cannot be read, has none of the release's cells, or is another
            assignment's.
    """
    cells, notes = read_cells(raw)
    places = _places_by_name(cells, release)
    if _is_of_another(cells, places):
        raise SetAside(
            "The notebook is another assignment's: most of its checks are not this one's. Ask for "
            "the right one."
        )
    if set(places) <= {None}:
        places = _places_by_text(cells, release)
        if set(places) <= {None}:
            raise SetAside(
                "The notebook has none of the assignment's cells. Start from a fresh copy."
            )
        notes.append("nbgrader's data was lost; cells were recognized by their text.")
    copies: dict[int, list[SubmittedCell]] = defaultdict(list)
    added: dict[int, list[SubmittedCell]] = defaultdict(list)
    nameless = {_key(c): n for n, c in enumerate(release.cells) if not _metadata(c).get("grade_id")}
    anchor = -1
    for cell, place in zip(cells, places, strict=True):
        if place is None and _key(cell) not in nameless:
            added[anchor].append(cell)
        else:
            anchor = nameless[_key(cell)] if place is None else place
            copies[anchor].append(cell)
    result = [_own(cell) for cell in added[-1]]
    for place, released in enumerate(release.cells):
        source = released.source
        if is_answer(released):
            *earlier, last = _edits(copies[place], released) or [None]
            source = last.source if last else ""
            result += [_own(cell) for cell in earlier if _key(cell) not in nameless]
        result.append(_released(released, source))
        result += [_own(cell) for cell in added[place]]
    _name_all(result)
    metadata = {k: copy.deepcopy(v) for k, v in release.metadata.items() if k in KEPT}
    notebook = new_notebook(result, metadata)
    return Repaired(notebook, (*notes, *_notes(cells, places, copies, release)))


def choose_release(raw: bytes, releases: Sequence[NotebookNode]) -> NotebookNode:
    """The release that a submission was most likely made from; in doubt the newest.

    Releases are compared by nbgrader's checksums of released cells, then by names, then by texts.

    Args:
        raw: the submitted file.
        releases: the releases, oldest first; at least one.

    Raises:
        SetAside: if there are several releases, and the file cannot be read.
    """
    if len(releases) == 1:
        return releases[0]
    cells, _ = read_cells(raw)
    sums = {(cell.name, str(cell.nbgrader_metadata.get("checksum"))) for cell in cells if cell.name}
    names = {cell.name for cell in cells if cell.name}
    texts = {_key(cell) for cell in cells}

    def fit(number: int) -> tuple[int, ...]:
        found = [(_metadata(cell), _key(cell)) for cell in releases[number].cells]
        return (
            sum((m.get("grade_id"), str(m.get("checksum"))) in sums for m, _ in found),
            sum(m.get("grade_id") in names for m, _ in found),
            sum(key in texts for _, key in found),
            number,
        )

    return releases[max(range(len(releases)), key=fit)]


def _metadata(cell: NotebookNode) -> dict:
    return cell.metadata.get("nbgrader", {})


def is_answer(cell: NotebookNode) -> bool:
    """Whether students should write in a cell: a solution cell, or a named and unlocked one."""
    metadata = _metadata(cell)
    return bool(
        metadata.get("solution") or (metadata.get("locked") is False and not metadata.get("grade"))
    )


def _key(cell: SubmittedCell | NotebookNode) -> tuple[bool, str]:
    """A key that is equal for cells which differ only in white space."""
    is_code = cell.is_code if isinstance(cell, SubmittedCell) else cell.cell_type == "code"
    return is_code, "".join(cell.source.split())


def _differs(cell: SubmittedCell, released: NotebookNode) -> bool:
    """Whether a cell differs in more than white space and the right value that a check brings."""
    if _key(cell)[1] == _key(released)[1]:
        return False
    return asked_in(cell.source) != asked_in(released.source)


def _places_by_name(cells: list[SubmittedCell], release: NotebookNode) -> list[int | None]:
    """For each cell, the index of the released cell with its name; None for added cells."""
    names = {
        name: place
        for place, cell in enumerate(release.cells)
        if (name := _metadata(cell).get("grade_id"))
    }
    return [names.get(cell.name) for cell in cells]


def _is_of_another(cells: list[SubmittedCell], places: list[int | None]) -> bool:
    """Whether most checks that a notebook names are unknown; assignments share less than half."""
    pairs = zip(cells, places, strict=True)
    checks = {cell.name: place for cell, place in pairs if (cell.name or "").startswith(CHECK)}
    return 2 * sum(place is None for place in checks.values()) > len(checks)


def _places_by_text(cells: list[SubmittedCell], release: NotebookNode) -> list[int | None]:
    """The same if names were lost: match cells by text, and answers by their neighbors."""
    released = [_key(cell) for cell in release.cells]
    handed_in = [_key(cell) for cell in cells]
    often = Counter(released), Counter(handed_in)
    found = {
        place: handed_in.index(key)
        for place, key in enumerate(released)
        if key[1] and often[0][key] == often[1][key] == 1
    }
    for place, cell in enumerate(release.cells):
        around = found.get(place - 1), found.get(place + 1)
        if place not in found and is_answer(cell) and None not in around:
            is_code, between = cell.cell_type == "code", range(around[0] + 1, around[1])
            answers = [n for n in between if cells[n].is_code == is_code]
            if len(answers) == 1:
                found[place] = answers[0]
    places = {number: place for place, number in found.items()}
    return [places.get(number) for number in range(len(cells))]


def _edits(copies: list[SubmittedCell], released: NotebookNode) -> list[SubmittedCell]:
    """The copies of a solution cell that the student changed; if none, one of the copies.

    The last one counts. Earlier ones stay before it, since splitting a cell in two duplicates its
    name.
    """
    untouched = "", _key(released)[1]
    return [cell for cell in copies if _key(cell)[1] not in untouched] or copies[-1:]


def _own(cell: SubmittedCell) -> NotebookNode:
    return new_cell(cell.is_code, cell.source)


def _released(cell: NotebookNode, source: str) -> NotebookNode:
    return new_cell(cell.cell_type == "code", source, cell.metadata)


def _name_all(cells: list[NotebookNode]) -> None:
    """Give each cell an id that is the same in every repair of the notebook."""
    taken = {_metadata(cell).get("grade_id") for cell in cells}
    for number, cell in enumerate(cells, 1):
        name = _metadata(cell).get("grade_id") or ""
        if not CELL_ID.fullmatch(name):
            name = f"cell-{number}"
            while name in taken:
                name += "-"
        cell.id = name


def _asking_for_values(release: NotebookNode) -> set[str]:
    """The names of the cells with the questions to which a value is the answer."""
    tasks = filter(None, map(checked_task, release.cells))
    return {f"{ASK}{task.id.partition('/')[2]}" for task in tasks if task.kind in BY_VALUE}


def _is_of_other_release(cell: SubmittedCell, released: NotebookNode) -> bool:
    """Whether nbgrader's checksum of a cell is another one: not the student changed its text."""
    own = cell.nbgrader_metadata.get("checksum")
    return isinstance(own, str) and own != _metadata(released).get("checksum")


def _notes(
    cells: list[SubmittedCell],
    places: list[int | None],
    copies: dict[int, list[SubmittedCell]],
    release: NotebookNode,
) -> list[str]:
    """Sentences on changes to cells that the student should not have changed."""
    said, asks = defaultdict(list), _asking_for_values(release)
    for place, released in enumerate(release.cells):
        metadata = _metadata(released)
        name, same = metadata.get("grade_id"), copies[place]
        kind = "solution" if is_answer(released) else "locked"
        if not name:
            continue
        if not same:
            said[kind, "missing"].append(name)
        elif kind == "locked" and any(_differs(cell, released) for cell in same):
            said["locked", "changed"].append(name)
            if name in asks and any(_is_of_other_release(cell, released) for cell in same):
                said["questions"].append(name.removeprefix(ASK))
        if len(same) > 1:
            said[kind, "twice"].append(name)
        flags = ("grade", "points", "solution", "locked")
        if any(
            f in c.nbgrader_metadata and c.nbgrader_metadata[f] != metadata.get(f)
            for c in same
            for f in flags
        ):
            said["flags"].append(name)
    said["unknown"] = [
        repr(c.name)[:40] for c, p in zip(cells, places, strict=True) if c.name and p is None
    ]
    notes = [
        f"{SENTENCES[what]}: {listed(said[what], LISTED)}." for what in SENTENCES if said[what]
    ]
    first = list(dict.fromkeys(place for place in places if place is not None))
    if first != sorted(first):
        notes.append("Cells were moved; they are back in the order in which they were handed out.")
    return notes
