"""Where an assignment has its files, and a chapter."""

from pathlib import Path

from headway.chapters import CAPSTONE, Chapter


def files_of(chapter: Chapter) -> dict[str, str]:
    """What each of them must have: a file or a folder, and what belongs there."""
    name, package = chapter.name, chapter.slug.replace("-", "_")
    files = {
        page_of(chapter): "the page",
        f"src/headway/tasks/chapters/{package}": "what the answers are held to",
        f"solutions/{name}/{name}.ipynb": "the assignment with its solutions",
        f"exercises/{name}/{name}.ipynb": f"`headway release {chapter.number:02d}` makes it",
        f"tests/tasks/variants/{package}.py": "right answers in other styles",
        f"tests/tasks/wrong_answers/{package}.py": "wrong answers to its tasks, in other words",
        f"tests/tasks/chapters/test_{package}.py": "what its tasks owe beyond what all do",
        f"tests/assignments/{name}": "its sample class",
    }
    if chapter != CAPSTONE:
        files[f"tests/book/verdicts/{name}.toml"] = "the verdicts that the page computes"
    return files


def page_of(chapter: Chapter) -> str:
    """The path of the page: that of the capstone has no number, as it is no chapter's."""
    return f"book/{chapter.slug if chapter == CAPSTONE else chapter.name}.md"


def missing(root: Path, chapter: Chapter) -> list[str]:
    """A sentence for each file of a chapter that is not there."""
    return [
        f"There is no {path}: {what}."
        for path, what in files_of(chapter).items()
        if not (root / path).exists()
    ]
