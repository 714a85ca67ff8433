"""Update the gradebook, and the file of sections, from a platform's class list: all or nothing.

Nobody is removed from the gradebook, and an empty field deletes nothing.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from nbgrader.api import Gradebook, Student

from headway.errors import UserError
from headway.grading.platforms.people import (
    LONGEST,
    Person,
    folded,
    full_name,
    is_folder_name,
    same_but_capitals,
)
from headway.grading.platforms.sections import write_sections
from headway.grading.safe_text import one_line

MOST_TOLD = 12
SPELLED = ("first_name", "last_name")  # invisible characters in them are dropped on reading
READ = tuple(field.name for field in fields(Person) if field.name != "id")
KEPT = tuple(name for name in READ if name != "section")  # in the gradebook


@dataclass(frozen=True)
class Changes:
    """The changes from a class list to a gradebook.

    Attributes:
        added: new students.
        changed: student → {field: (old, new)}, for fields that differ.
        unchanged: how many students stay unchanged.
        others: students who are in the gradebook but not in the list.
    """

    added: dict[str, Person]
    changed: dict[str, dict[str, tuple[str, str]]]
    unchanged: int
    others: list[str]


def plan(
    people: Iterable[Person], students: Iterable[Student], sections: Mapping[str, str]
) -> Changes:
    """Compare a class list with the gradebook's students and their sections.

    Raises:
        UserError: if a row matches two students, or two rows match one; it names all such rows.
    """
    people = list(people)
    known = {student.id: student for student in students}
    if wrong := [*_unfit(people), *_ambiguous(people, known)]:
        more = f"\n… and {len(wrong) - MOST_TOLD} more" if len(wrong) > MOST_TOLD else ""
        raise UserError(
            "Nothing was changed, because the list is ambiguous:\n"
            + "\n".join(wrong[:MOST_TOLD])
            + more
        )
    added, changed = {}, {}
    for person in people:
        if person.id not in known:
            added[person.id] = person
        elif differing := _differing(person, known[person.id], sections):
            changed[person.id] = differing
    others = sorted(known.keys() - {person.id for person in people})
    return Changes(added, changed, len(people) - len(added) - len(changed), others)


def apply(
    changes: Changes, gradebook: Gradebook, sections: Mapping[str, str], folder: Path
) -> None:
    """Apply the changes to the gradebook, and to the sections in the course folder."""
    for name, person in changes.added.items():
        own = {field: getattr(person, field) for field in KEPT if getattr(person, field)}
        gradebook.update_or_create_student(name, **own)
    for name, differing in changes.changed.items():
        own = {field: now for field, (_, now) in differing.items() if field in KEPT}
        gradebook.update_or_create_student(name, **own)
    new = {name: person.section for name, person in changes.added.items() if person.section}
    new |= {name: of["section"][1] for name, of in changes.changed.items() if "section" in of}
    if new:
        write_sections(folder, {**sections, **new})


def names_of(gradebook: Gradebook) -> dict[str, str]:
    """The names of the gradebook's students, by id; empty for students without a name."""
    return {student.id: full_name(student) for student in gradebook.students}


def _differing(
    person: Person, student: Student, sections: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    before = {field: getattr(student, field) or "" for field in KEPT}
    before["section"] = sections.get(student.id, "")
    pairs = {field: (before[field], getattr(person, field)) for field in READ}
    return {field: pair for field, pair in pairs.items() if pair[1] and pair[0] != pair[1]}


def _unfit(people: list[Person]) -> list[str]:
    """Sentences on rows without an id, and on ids that cannot be names of nbgrader's folders."""
    wrong = []
    for person in people:
        name = full_name(person) or person.lms_user_id
        if not person.id:
            wrong.append(f"{one_line(name)!r} has no id. Take another column, with --id.")
        elif not is_folder_name(person.id):
            wrong.append(f"{one_line(person.id, 60)!r} cannot be the id of a student.")
        for field in READ:
            own = getattr(person, field)
            if len(own) > LONGEST or not (own.isprintable() or field in SPELLED):
                wrong.append(
                    f"The {field.replace('_', ' ')} of {one_line(person.id, 60)!r} is longer than "
                    f"{LONGEST} characters or has some that are not seen: {one_line(own, 60)!r}."
                )
    return wrong


def _ambiguous(people: list[Person], known: dict[str, object]) -> list[str]:
    ids = Counter(person.id for person in people if person.id)
    spelled = Counter(map(folded, ids))
    numbers = Counter(person.lms_user_id for person in people if person.lms_user_id)
    wrong = [f"Two rows have the id {name!r}." for name, times in ids.items() if times > 1]
    wrong += [
        f"{name!r} and another id differ in capitals only."
        for name in ids
        if spelled[folded(name)] > 1
    ]
    wrong += [
        f"{name!r} and {other!r}, which is in the gradebook, differ in capitals only. If it is "
        "the same person, take one of them away: change the list, or remove the other with "
        f"`nbgrader db student remove {shlex.quote(other)}` in the course folder."
        for name in ids
        if name not in known and (other := same_but_capitals(name, known))
    ]
    wrong += [
        f"Two rows have the platform's id {name!r}." for name, times in numbers.items() if times > 1
    ]
    owners = {student.lms_user_id: name for name, student in known.items() if student.lms_user_id}
    for person in filter(lambda one: one.id, people):
        owner = owners.get(person.lms_user_id, person.id)
        if owner != person.id:
            wrong.append(
                f"{person.id!r} has the platform's id {person.lms_user_id!r}, which the gradebook "
                f"has for {owner!r}."
            )
        before = person.id in known and known[person.id].lms_user_id
        if before and person.lms_user_id not in ("", before):
            wrong.append(
                f"{person.id!r} has the platform's id {person.lms_user_id!r}, and in the gradebook "
                f"it has {before!r}. Is it the same person?"
            )
    return wrong
