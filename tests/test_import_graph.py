"""Following imports: what a cell names, and what importing it runs."""

import sys

import pytest

from headway.imports import ImportGraph, imported_names, own_imports


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a.b", {"a.b"}),
        ("from a import b as c", {"a", "a.b"}),
        ("def f():\n    from a.b import c", {"a.b", "a.b.c"}),
        ("try:\n    import a\nexcept ImportError:\n    import b", {"a", "b"}),
        ("x = 'import a'", set()),
    ],
)
def test_a_name_is_found_wherever_it_is_imported(source, expected):
    assert imported_names(source) == expected


@pytest.fixture
def graph(tmp_path, monkeypatch):
    """tiny.a imports tiny.sub.b, whose package imports tiny.c; nobody imports tiny.d."""
    files = {
        "__init__.py": "",
        "a.py": "def late():\n    import tiny.sub.b\n",
        "c.py": "import json\n",
        "d.py": "",
        "sub/__init__.py": "from tiny import c\n",
        "sub/b.py": "from . import __name__ as name\n",
    }
    (tmp_path / "tiny" / "sub").mkdir(parents=True)
    for path, text in files.items():
        (tmp_path / "tiny" / path).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield ImportGraph("tiny")
    for name in [name for name in sys.modules if name.split(".")[0] == "tiny"]:
        del sys.modules[name]


def test_what_is_needed_includes_late_imports_packages_around_and_other_packages(graph, tmp_path):
    needed = graph.needed({"tiny.a", "no.such.module"})
    assert needed == {"tiny", "tiny.a", "tiny.sub", "tiny.sub.b", "tiny.c", "json"}
    assert graph.needed({"tiny.d"}) == {"tiny", "tiny.d"}
    files = {path.relative_to(tmp_path).as_posix() for path in graph.files({"tiny.sub"})}
    assert files == {"tiny/__init__.py", "tiny/sub/__init__.py", "tiny/c.py"}


def test_what_is_left_of_an_earlier_package_is_no_source(graph):
    file = graph.file("tiny.a")
    (file.with_suffix("") / "__pycache__").mkdir(parents=True)
    assert graph.file("tiny.a") == file


@pytest.mark.parametrize(
    ("names", "uses_torch"),
    [({"numpy", "headway.tasks.check"}, False), ({"headway.nn.block"}, True)],
)
def test_libraries_are_found_through_our_own_modules(names, uses_torch):
    assert ("torch" in own_imports().needed(names)) == uses_torch
