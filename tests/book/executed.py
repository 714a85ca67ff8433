"""The pages of a built book with what their cells gave."""

from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from nbformat import NotebookNode


def executed_page(site: Path, name: str) -> NotebookNode:
    """A page of the built book with its outputs.

    The build leaves the page's notebook beside the site, without outputs where it took them from
    the cache; in the cache they are in any case.
    """
    page = nbformat.read(site.parent / "jupyter_execute" / "book" / f"{name}.ipynb", as_version=4)
    cache = get_cache(site.parent / ".jupyter_cache")
    return cache.get_cache_bundle(cache.match_cache_notebook(page).pk).nb
