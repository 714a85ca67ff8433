"""Each page that runs code, as a notebook to download: its cells without outputs.

The notebook lies in the site's `notebooks/`, and the page's download button leads to it. It
needs an installed course; its Markdown is what JupyterLab shows (see `markdown`).
"""

from functools import partial
from pathlib import Path

import nbformat
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook

from headway_book.markdown import plain_markdown
from headway_book.one_file import with_file_before
from headway_book.reading import pages_of, reading_time

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def page_notebook(source: str, page_url: str, role_text, titles: dict[str, str]):
    """The notebook of a page's MyST source, or None if the page runs no code."""
    if not is_myst_markdown_notebook(source):
        return None
    notebook = read_myst_markdown_notebook(source)
    for number, cell in enumerate(notebook.cells):
        # Ids of the place, so that each build gives the same file.
        cell["id"] = f"cell-{number:03d}"
        if cell.cell_type == "markdown":
            cell.source = plain_markdown(cell.source, page_url, role_text, titles)
    notebook.cells = [cell for cell in notebook.cells if cell.source.strip()]
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL})
    nbformat.validate(notebook)
    return notebook


def role_text(env, role: str, target: str, title: str) -> str:
    """A role as plain text, with what the book knows: titles, labels and references."""
    if title:
        return title
    if role.startswith("cite"):
        sources = "; ".join(citation(env, key.strip()) for key in target.split(","))
        return sources if role == "cite:t" else f"({sources})"
    if role == "tested":
        return "tested"
    if role == "reading-time":
        return reading_time(pages_of(env), target)
    if role == "math":
        return f"${target}$"
    if role == "doc":
        return next((t.astext() for n, t in env.titles.items() if n.endswith(target)), target)
    if role in ("ref", "numref"):
        _, _, name = env.get_domain("std").labels.get(target, ("", "", target))
        return name
    if role.startswith("py:") or role in ("code", "download", "kbd"):
        return f"`{target.lstrip('~')}`"
    return target


def citation(env, key: str) -> str:
    """Author and year of an entry of references.bib, "Bengio et al. 2003"."""
    entries = env.get_domain("cite").bibdata.data.entries
    if key not in entries:
        return key
    names = [" ".join(p.last_names) for p in entries[key].persons.get("author", [])]
    authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{authors} {entries[key].fields.get('year', '')}".strip()


def offer_notebook(app, pagename, templatename, context, doctree):
    """Write the page's notebook, and let the header's download button lead to it."""
    buttons = context.get("header_buttons", [])
    context["header_buttons"] = [b for b in buttons if b.get("label") != "download-buttons"]
    if doctree is None:
        return
    path = Path(app.env.doc2path(pagename))
    source = with_file_before(path.read_text(encoding="utf-8"), path)
    base = app.config.html_baseurl
    notebook = page_notebook(
        source,
        f"{base}{pagename}.html" if base else "",
        partial(role_text, app.env),
        {name.rsplit("/", 1)[-1]: title.astext() for name, title in app.env.titles.items()},
    )
    if notebook is None:
        return
    name = f"{pagename.rsplit('/', 1)[-1]}.ipynb"
    folder = Path(app.outdir) / "notebooks"
    folder.mkdir(exist_ok=True)
    nbformat.write(notebook, folder / name)
    button = {
        "type": "link",
        "url": context["pathto"](f"notebooks/{name}", 1),
        "tooltip": "Download this page as a notebook",
        "icon": "fas fa-download",
        "label": "download-notebook-button",
    }
    context["header_buttons"].insert(0, button)


def setup(app):
    # After the theme has made its buttons (501).
    app.connect("html-page-context", offer_notebook, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
