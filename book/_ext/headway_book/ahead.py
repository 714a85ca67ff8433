"""Pages run two at a time: while one is read, another is run ahead of it.

Sphinx reads pages one after the other, and runs each as it reads it. A second thread takes pages
from the end of the list, runs them as myst-nb does, and puts them into its cache, where the reader
finds them. When the two meet, the reader waits for the page that is being run. A page that fails
is left to the reader, who runs it again and says what is wrong.

What the second thread runs is prepared before it starts: two threads that parse Python at one time
fail in Python 3.11.2 ("AST constructor recursion depth mismatch"). Of pages that have the same
cells it runs none: the cache keeps their outputs in one place, and two writers would collide there.
"""

import threading
from collections import Counter
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import create_nb_reader

from headway_book.freshness import FENCED_CELL, KERNELSPEC, sources, with_fingerprint
from headway_book.one_file import with_file_before


class Ahead:
    """The pages of one build that are still to be read, and the thread that runs the last ones."""

    def __init__(self, app, pages: dict[str, str]):
        self._app, self._texts, self._left = app, pages, list(pages)
        self._change = threading.Condition()
        self._running: str | None = None
        threading.Thread(target=self._run_last_ones, daemon=True).start()

    def read(self, page: str) -> None:
        """The reader is at a page: leave it to it, or let it wait while the page is run."""
        with self._change:
            if page in self._left:
                self._left.remove(page)
            self._change.wait_for(lambda: self._running != page)

    def _run_last_ones(self) -> None:
        while True:
            with self._change:
                self._running = self._left.pop() if len(self._left) > 1 else None
                self._change.notify_all()
            if self._running is None:
                return
            run(self._app, self._running, self._texts[self._running])


def run(app, page: str, text: str) -> None:
    """Run a page, unless the cache knows it, and put it there; its text has its fingerprint."""
    config, path = app.env.mystnb_config, Path(app.env.doc2path(page))
    reader = create_nb_reader(str(path), app.env.myst_config, config, text)
    notebook, cache = reader.read(text), get_cache(config.execution_cache_path)
    try:
        cache.match_cache_notebook(notebook)
    except KeyError:
        result = single_nb_execution(
            notebook,
            cwd=str(path.parent),
            allow_errors=False,
            timeout=config.execution_timeout,
            meta_override=True,
        )
        if result.err is None:
            record = cache.add_nb_to_project(str(path), read_data=reader.read_fmt)
            bundle = CacheBundleIn(notebook, record.uri, data={"execution_seconds": result.time})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def with_cells_of_their_own(texts: dict[str, str]) -> dict[str, str]:
    """The pages that run, but those whose cells another has, too."""
    cells = {
        page: tuple(cell["body"] for cell in FENCED_CELL.finditer(text))
        for page, text in texts.items()
        if KERNELSPEC.match(text)
    }
    pages_with = Counter(cells.values())
    return {page: texts[page] for page, bodies in cells.items() if pages_with[bodies] == 1}


def begin(app, env, pages):
    _ = get_cache(env.mystnb_config.execution_cache_path).db  # made now, as only one can make it
    paths = {page: Path(env.doc2path(page)) for page in pages}
    texts = {page: with_file_before(at.read_text("utf-8"), at) for page, at in paths.items()}
    code = sources(app.config.freshness_package)
    marked = {
        page: with_fingerprint(text, code.fingerprint(text))
        for page, text in with_cells_of_their_own(texts).items()
    }
    app.headway_ahead = Ahead(app, marked)


def at_page(app, page, content):
    app.headway_ahead.read(page)


def setup(app):
    app.connect("env-before-read-docs", begin)
    app.connect("source-read", at_page)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
