"""The checkout that this package runs from, if it was installed from one."""

from pathlib import Path


def course_root() -> Path:
    """The checkout that this package runs from.

    Raises:
        FileNotFoundError: if the package was installed without its checkout.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / "_toc.yml").is_file():
        raise FileNotFoundError(
            f"No course checkout around {root}: this command needs the course's source folder. "
            "Install with `pip install -e .` from a checkout."
        )
    return root


def built_book() -> Path | None:
    """The folder of the book's pages, if it was built in this checkout."""
    try:
        pages = course_root() / "_build" / "html"
    except FileNotFoundError:
        return None
    return pages if (pages / "index.html").is_file() else None
