"""`headway class roster`: a platform's class list, put into the gradebook."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from headway.commands.console import note, say
from headway.commands.options import CourseFolder
from headway.errors import PASSED, UserError, needs_extra
from headway.grading.safe_text import visible, with_name
from headway.grading.slow_imports import skip_slow_imports

NAMES = {"lms_user_id": "platform's id", "email": "e-mail address"}


def roster(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="What the platform exported.")],
    folder: CourseFolder = None,
    id_column: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="The column with the students' ids."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, but change nothing.")
    ] = False,
) -> int:
    """Import the class list from a file of Canvas or Moodle."""
    skip_slow_imports()
    with needs_extra("grade", "headway class roster"):
        from headway.grading.desk.course import open_course
        from headway.grading.platforms.people import full_name, has_test_student, people
        from headway.grading.platforms.roster import apply, names_of, plan
        from headway.grading.platforms.sections import read_sections
        from headway.grading.platforms.tables import read_table
    table = read_table(file)
    found = people(table, id_column)
    if not found:
        raise UserError(f"{file} lists no students.")
    course = open_course(folder, may_be_empty=True, dry_run=dry_run)
    sections = read_sections(course.files.folder)
    if not dry_run:
        with course.at_work():
            course.gradebook.back_up()
            with course.gradebook.opened() as gradebook:
                changes = plan(found, gradebook.students, sections)
                names = names_of(gradebook)
                apply(changes, gradebook, sections, course.files.folder)
    elif course.gradebook.exists():
        with course.gradebook.opened() as gradebook:
            changes, names = plan(found, gradebook.students, sections), names_of(gradebook)
    else:
        changes, names = plan(found, (), sections), {}
    for name, person in changes.added.items():
        say(f"new: {with_name(name, {name: full_name(person)})}")
    for name, differing in changes.changed.items():
        parts = [
            f"{NAMES.get(field, field.replace('_', ' '))} {before or 'none'!r} → {now!r}"
            for field, (before, now) in differing.items()
        ]
        say(f"changed: {with_name(name, names)}: {', '.join(parts)}")
    verb = "would be added" if dry_run else "added"
    say(
        f"{len(changes.added)} {verb}, {len(changes.changed)} changed, "
        f"{changes.unchanged} as they were."
    )
    counts = Counter(person.section for person in found if person.section)
    if len(counts) > 1:
        say(f"Sections: {', '.join(f'{visible(one)} ({n})' for one, n in counts.items())}.")
    if has_test_student(table):
        note("Left out: Canvas's Test Student.")
    if changes.others:
        others = ", ".join(with_name(name, names) for name in changes.others)
        note(f"In the gradebook but not in the list, and left as they are: {others}")
        if not (changes.changed or changes.unchanged):
            note("Nobody is in both. If the ids are in another column, name it with --id.")
    return PASSED
