"""Where a student's work is: in the folder that `headway start` fills, or as it was fetched."""

from pathlib import Path

from headway.chapters import Chapter

WORK = Path("work")


def work_on(chapter: Chapter, folder: Path) -> Path:
    """The notebook of an assignment that a student works on; it need not be there.

    Args:
        folder: where the work is. Where it is `work/` and holds no such notebook, one counts that
            nbgrader's exchange has put right below the current folder.
    """
    begun, fetched = folder / chapter.notebook, Path(chapter.notebook)
    return fetched if folder == WORK and not begun.exists() and fetched.exists() else begun
