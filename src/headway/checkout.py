"""The checkout that this package runs from, if it was installed from one."""

from pathlib import Path


def checkout() -> Path | None:
    """The checkout that this package runs from; None if it was installed without one."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "_toc.yml").is_file() else None


def course_root() -> Path:
    """The checkout, for what cannot do without.

    Raises:
        FileNotFoundError: if the package was installed without its checkout.
    """
    root = checkout()
    if root is None:
        raise FileNotFoundError(
            f"No course checkout around {Path(__file__).parent}: this command needs the course's "
            "source folder. Install with `pip install -e .` from a checkout."
        )
    return root
