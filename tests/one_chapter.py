"""`pytest --chapter 08`: the tests that concern one chapter, found by their names alone.

A test concerns a chapter if one of these names it:

- its file: `test_SLUG.py` or `test_SLUG_….py`, or where a module of the chapter's row in the table
  is tested, `tests/nn/test_attention.py` for `headway.nn.attention`;
- its function, `test_NN_…`, as the links of the chain are called;
- its parameters, by the whole name NN-slug, as in `[08-attention/causal]`.

So what a chapter adds to tests that all chapters share is among them, and no list is kept.
"""

import re
from pathlib import PurePath

import pytest

from headway.chapters import Chapter, UnknownChapterError, find_chapter

OPTION = "--chapter"
HELP = (
    "only the tests that concern one chapter (08, attention or 08-attention): files called after "
    "its slug or its modules, functions called test_08_…, parameters with its name"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, metavar="NN", help=HELP)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption(OPTION) is not None:
        _chapter(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption(OPTION) is None:
        return
    chapter = _chapter(config)
    others = {item for item in items if not concerns(item.nodeid, chapter)}
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Say why nothing was run; that alone makes the exit code 5."""
    if config.getoption(OPTION) is not None and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        name = _chapter(config).name
        terminalreporter.write_line(f"{OPTION}: none of these tests concerns {name}.", red=True)


def concerns(test_id: str, chapter: Chapter) -> bool:
    """Whether the id of a test names a chapter; see above.

    Args:
        test_id: as pytest prints it, "tests/nn/test_attention.py::test_a_mask[2]".
    """
    path, _, function = test_id.partition("::")
    function, _, parameters = function.partition("[")
    modules = (module.removeprefix("headway.").split(".") for module in chapter.modules)
    return (
        _begins(PurePath(path).stem, f"test_{chapter.slug.replace('-', '_')}")
        or any(PurePath(path) == _test_of(module) for module in modules)
        or _begins(function.rpartition("::")[2], f"test_{chapter.number:02d}")
        or re.search(rf"(?<!\w){chapter.name}(?!\w)", parameters) is not None
    )


def _begins(name: str, words: str) -> bool:
    """Whether a name is these words, or goes on with others."""
    return name == words or name.startswith(f"{words}_")


def _test_of(module: list[str]) -> PurePath:
    return PurePath("tests", *module[:-1], f"test_{module[-1]}.py")


def _chapter(config: pytest.Config) -> Chapter:
    try:
        return find_chapter(config.getoption(OPTION))
    except UnknownChapterError as error:
        raise pytest.UsageError(f"{OPTION}: {error}") from error
