"""What a piece of code imports, and what that needs: which files decide what it does.

Three things rest on it: which pages of the book run again after a change, which submissions are
graded again, and what a student's package must leave out. The imports of a package are read by
grimp; those of a page's or a notebook's cell by Python's own parser.
"""

import ast
from collections.abc import Collection, Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import grimp

from headway.interrupts import held


def imported_names(source: str) -> set[str]:
    """Every name that a piece of Python may import, anywhere in it.

    `from a.b import c` gives "a.b" and "a.b.c", since c may be a module. Relative imports, which
    only a module can have, are left out.

    Raises:
        SyntaxError: if it is not Python.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return names


class ImportGraph:
    """The modules of a package, and what importing each one runs.

    Args:
        package: name of an importable package.
    """

    def __init__(self, package: str):
        with held():  # grimp panics where its calls back into Python raise
            self._graph = grimp.build_graph(package, include_external_packages=True, cache_dir=None)
        # grimp found it, so there is a spec.
        (folder,) = find_spec(package).submodule_search_locations  # type: ignore[union-attr,misc]
        self._above = Path(folder).parent
        external = self._graph.is_module_squashed
        self.modules = frozenset(name for name in self._graph.modules if not external(name))

    def needed(self, names: Iterable[str]) -> set[str]:
        """What importing these names runs: modules of the package, the packages around each among
        them, and other packages by their first name. Names that are neither are left out."""
        found: set[str] = set()
        new = set(names)
        while new := {name for name in _with_packages_around(new) if name in self._graph.modules}:
            new -= found
            found |= new
            new = {other for name in new for other in self._imported_by(name)}
        return found

    def needing(self, names: Collection[str]) -> set[str]:
        """The modules of the package of which `needed` names one of these."""
        runs = {
            name: _with_packages_around([name, *self._imported_by(name)]) for name in self.modules
        }
        found, new = set(names), True
        while new:
            new = {name for name in self.modules - found if runs[name] & found}
            found |= new
        return found & self.modules

    def file(self, module: str) -> Path:
        """The source of one of `modules`.

        A folder of the same name may be left of a package that there was before.
        """
        place = self._above.joinpath(*module.split("."))
        package = place / "__init__.py"
        return package if package.exists() else place.with_suffix(".py")

    def files(self, names: Iterable[str]) -> list[Path]:
        """The sources of all modules of the package that importing these names runs, sorted."""
        return sorted(self.file(module) for module in self.needed(names) & self.modules)

    def _imported_by(self, name: str) -> set[str]:
        if name not in self.modules:
            return set()
        return self._graph.find_modules_directly_imported_by(name)


@cache
def own_imports() -> ImportGraph:
    """The imports of this package, read once: it does not change while a process runs."""
    return ImportGraph("headway")


def _with_packages_around(names: Collection[str]) -> set[str]:
    """Modules, and the packages around each: importing "a.b.c" runs "a" and "a.b", too."""
    return {
        ".".join(parts[:length])
        for parts in (name.split(".") for name in names)
        for length in range(1, len(parts) + 1)
    }
