"""Hide modules that answer an assignment's tasks from a student's code."""

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder


class Hidden(MetaPathFinder):
    """Refuses to import hidden modules, with a message that says why they are missing.

    Args:
        names: the modules.
    """

    def __init__(self, names: Collection[str]):
        self.names = frozenset(names)

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target=None) -> None:
        """Find nothing, so that other finders are asked.

        Raises:
            ImportError: for a hidden module; `from … import …` would drop a ModuleNotFoundError.
        """
        if fullname in self.names:
            raise ImportError(
                f"{fullname} answers this assignment's tasks, so it is not there while they are "
                "graded",
                name=fullname,
            )


@contextmanager
def hiding(names: Collection[str]) -> Iterator[None]:
    """A context in which no import finds these modules, even if this process has imported them."""
    finder = Hidden(names)
    taken = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    for name in taken:
        package, _, module = name.rpartition(".")
        # Or `from package import module` would find it.
        vars(sys.modules[package]).pop(module, None)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.modules.update(taken)
        for name, found in taken.items():
            package, _, module = name.rpartition(".")
            setattr(sys.modules[package], module, found)
