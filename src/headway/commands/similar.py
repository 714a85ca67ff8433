"""`headway class similar`: answers that resemble each other, side by side on a page."""

from rich.table import Table
from rich.text import Text

from headway.chapters import find_chapter
from headway.commands.console import err, note, out, say
from headway.commands.options import CourseFolder, Number
from headway.errors import PASSED, needs_extra

FOLDER = "similar"


def similar(number: Number, folder: CourseFolder = None) -> int:
    """Show answers to an assignment that resemble each other, side by side."""
    chapter = find_chapter(number)
    with needs_extra("grade", "headway class similar"):
        from headway.grading.desk.answers import read_answers
        from headway.grading.desk.published import equal_to_solution
        from headway.grading.desk.resemblance import resemblance, why_nothing
        from headway.grading.desk.resemblance_page import resemblance_page
        from headway.grading.files import write_text
        from headway.grading.safe_text import visible, with_name
    with err.status("reading and comparing answers"):
        of_class = read_answers(folder, chapter)
        found, equal = resemblance(of_class), equal_to_solution(of_class)
    page = of_class.folder / FOLDER / f"{chapter.name}.html"
    write_text(page, resemblance_page(chapter, of_class, found, equal))
    median = f", median share {found.median:.0%}" if found.compared else ""
    say(f"{len(of_class.answers)} students, {found.compared} pairs compared{median}.")
    if found.pairs:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("share", justify="right")
        table.add_column("students", overflow="fold")
        for pair in found.pairs:
            students = [with_name(one, of_class.names) for one in (pair.one, pair.other)]
            table.add_row(f"{pair.share:.0%}", Text(", ".join(students)))
        out.print(table, soft_wrap=False)
        note("A high share says that two answers resemble each other, not why. Read both.")
    elif found.compared:
        say("No two answers resemble each other much.")
    else:
        say(f"Nothing was compared. {why_nothing(of_class)}")
    if found.short and found.compared:
        note(
            f"{found.short} of them {'was' if found.short == 1 else 'were'} compared with "
            "nobody: too little of what they wrote is their own."
        )
    if equal:
        listed = [
            f"{with_name(student, of_class.names)} ({', '.join(tasks)})"
            for student, tasks in equal.items()
        ]
        say(f"Equal to the published solution: {'; '.join(listed)}.")
        note("That is a reason to ask, never a proof.")
    for student in found.long:
        who = with_name(student, of_class.names)
        note(f"{who} has a very long answer; only its beginning was compared.")
    for student, reason in of_class.unread.items():
        note(visible(f"{with_name(student, of_class.names)} was not compared: {reason}"))
    say(f"Page: {page}")
    return PASSED
