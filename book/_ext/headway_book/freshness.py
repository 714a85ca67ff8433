"""A page runs again when the code it imports has changed.

jupyter-cache keeps the outputs of a page under a hash of its cells and its kernelspec, and so
would show old numbers after a change in the package. Here each page's kernelspec gets, when the
page is read, a fingerprint of the source of every module that its cells import, directly or
through other modules, and of the versions of the libraries that compute and draw. The cached
outputs then match only as long as all of that is unchanged.

And all pages are read again when the extensions themselves have changed, or what they use.
"""

import hashlib
import json
import re
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import yaml

from headway.imports import ImportGraph, imported_names

FENCED_CELL = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{code-cell\}[^\n]*\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.M | re.S
)
KERNELSPEC = re.compile(r"\A---\n(?:.*\n)*?(?P<block>kernelspec:.*\n(?:[ \t]+.*\n)*)")
# Scripts and styles of figures reach the site as files of their own and are in no output.
NOT_IN_OUTPUTS = {".js", ".css", ".pyc"}
LIBRARIES = ("numpy", "torch", "matplotlib")


def names_in_cells(page: str) -> set[str]:
    """Dotted names that the code cells of a MyST page import."""
    names = set()
    for cell in FENCED_CELL.finditer(page):
        lines = [
            "" if line.lstrip().startswith(("%", "!", ":")) else line
            for line in cell["body"].splitlines()
        ]
        with suppress(SyntaxError):  # The page's execution reports it better.
            names |= imported_names("\n".join(lines))
    return names


class Sources:
    """The sources of one package that pages of the book rest on.

    Args:
        package: name of an importable package.
    """

    def __init__(self, package: str):
        self._imports = ImportGraph(package)
        self._folder = self._imports.file(package).parent

    def files(self, names: set[str]) -> list[Path]:
        """Sources of what importing `names` runs, and the data files that lie in their folders."""
        found = set(self._imports.files(names))
        for folder in {source.parent for source in found}:
            found.update(
                path
                for path in folder.iterdir()
                if path.is_file() and path.suffix not in NOT_IN_OUTPUTS | {".py"}
            )
        return sorted(found)

    def fingerprint(self, page: str) -> str:
        """A hash over the source of everything that the page's cells import."""
        digest = hashlib.sha256(repr([version(name) for name in LIBRARIES]).encode())
        for path in self.files(names_in_cells(page)):
            digest.update(path.relative_to(self._folder).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()[:16]


def with_fingerprint(page: str, fingerprint: str) -> str:
    """The page with `fingerprint` in its kernelspec; all other lines keep their numbers.

    A page without a kernelspec runs no cells and is returned as it is.
    """
    match = KERNELSPEC.match(page)
    if not match:
        return page
    block = match["block"]
    spec = yaml.safe_load(block)["kernelspec"] | {"headway_sources": fingerprint}
    spec.setdefault("display_name", spec.get("name"))
    one_line = f"kernelspec: {json.dumps(spec)}" + "\n" * block.count("\n")
    return page[: match.start("block")] + one_line + page[match.end("block") :]


@lru_cache(maxsize=1)
def sources(package: str) -> Sources:
    return Sources(package)


def forget_sources(app):
    """A build sees the package as it is now, also if the process built before."""
    sources.cache_clear()


def mark_page(app, docname, content):
    fingerprint = sources(app.config.freshness_package).fingerprint(content[0])
    marked = with_fingerprint(content[0], fingerprint)
    if marked != content[0]:
        content[0] = marked
        known(app.env)[docname] = fingerprint


def stale_pages(app, env, added, changed, removed):
    """Pages to read again although their own text is unchanged."""
    current = sources(app.config.freshness_package)
    stale = []
    for docname, fingerprint in known(env).items():
        if docname in env.found_docs and docname not in removed:
            page = Path(env.doc2path(docname)).read_text(encoding="utf-8")
            if current.fingerprint(page) != fingerprint:
                stale.append(docname)
    return stale


def known(env) -> dict[str, str]:
    """Fingerprints of the pages as they were last read."""
    if not hasattr(env, "headway_fingerprints"):
        env.headway_fingerprints = {}
    return env.headway_fingerprints


def forget_page(app, env, docname):
    known(env).pop(docname, None)


def version_of_extensions() -> str:
    """A hash over these extensions, the templates, and what they use of the package."""
    here = Path(__file__).parent
    own = sorted([*here.glob("*.*"), *here.parents[1].joinpath("_templates").rglob("*.*")])
    names = set()
    for path in own:
        if path.suffix == ".py":
            names |= imported_names(path.read_text(encoding="utf-8"))
    digest = hashlib.sha256()
    for path in [*own, *Sources("headway").files(names)]:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def setup(app):
    app.add_config_value("freshness_package", "headway", "env")
    app.connect("builder-inited", forget_sources)
    app.connect("source-read", mark_page)
    app.connect("env-get-outdated", stale_pages)
    app.connect("env-purge-doc", forget_page)
    return {
        "parallel_read_safe": False,
        "parallel_write_safe": True,
        "env_version": version_of_extensions(),
    }
