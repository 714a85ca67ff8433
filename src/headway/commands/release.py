"""`headway release`: bring exercises/ up to date with solutions/, or report where it is not."""

from headway.chapters import ASSIGNMENTS, course_root, find_chapter
from headway.commands.console import note, progress, say
from headway.errors import NOT_PASSED, PASSED, needs_extra


def run(number: str | None, check_only: bool) -> int:
    """Release one assignment or all; with `check_only` change nothing."""
    chapters = [find_chapter(number)] if number else list(ASSIGNMENTS)
    root = course_root()
    with progress() as bar:
        step = bar.add_task("releasing", total=len(chapters))
        with needs_extra("notebook", "headway release"):
            from headway.grading.nbgrader.release import check_release, release
        found, lines = [], []
        for chapter in chapters:
            if check_only:
                found += check_release(root, chapter.name)
            else:
                changed = release(root, chapter.name)
                state = "released" if changed else "already up to date"
                lines.append(f"exercises/{chapter.notebook}: {state}")
            bar.advance(step)
    for line in found:
        note(line)
    if found:
        note("Bring it up to date with: headway release")
        return NOT_PASSED
    for line in lines or ["exercises/ is up to date with solutions/."]:
        say(line)
    return PASSED
