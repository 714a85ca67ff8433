"""Build a JupyterLite with the assignments that need NumPy only.

It holds the course's own wheel, and a notebook's first cell installs it from there.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from headway.chapters import released_notebook

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
NEEDED = ["jupyterlite-core>=0.8,<0.9", "jupyterlite-pyodide-kernel>=0.8,<0.9", "jupyter-server"]
BESIDE = "comm>=0.2,<0.3"  # the kernel asks PyPI for it where the site does not have it


def write_notebooks(folder: Path) -> None:
    """The assignments that a browser can run, each with the cell that installs the course."""
    from headway_book.launch import IN_A_BROWSER, INSTALL_LITE, openable

    for chapter in IN_A_BROWSER:
        notebook = nbformat.read(released_notebook(chapter), as_version=4)
        target = folder / "exercises" / chapter.notebook
        target.parent.mkdir(parents=True)
        nbformat.write(openable(notebook, INSTALL_LITE), target)


def build(out: Path, pyodide: str | None) -> None:
    """Build the site into a folder."""
    with TemporaryDirectory() as scratch:
        wheels, contents = Path(scratch, "wheels"), Path(scratch, "contents")
        write_notebooks(contents)
        run("hatchling", "build", "-t", "wheel", "-d", wheels)
        run("pip", "download", "--quiet", "--no-deps", "--dest", wheels, BESIDE)
        with_wheels = [word for file in wheels.glob("*.whl") for word in ("--piplite-wheels", file)]
        with_pyodide = ["--pyodide", pyodide] if pyodide else []
        lite = ["build", "--lite-dir", scratch, "--contents", contents, "--output-dir", out]
        run("jupyter", "lite", *lite, *with_wheels, *with_pyodide)


def run(module: str, *arguments: object) -> None:
    subprocess.run([sys.executable, "-m", module, *map(str, arguments)], cwd=ROOT, check=True)


if __name__ == "__main__":
    if find_spec("jupyterlite_core") is None:
        wanted = " ".join(f'"{package}"' for package in NEEDED)
        sys.exit(
            f"JupyterLite is not installed. Install it: {sys.executable} -m pip install {wanted}"
        )
    build(Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else None)
