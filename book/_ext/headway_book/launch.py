"""Pages that run code, and assignments, opened with a click where they can be run.

`launch_buttons` of _config.yml names the places: a Binder, Colab, a JupyterHub with nbgitpuller, a
JupyterLite. They get their notebooks from a branch of the repository, whose files are made here, in
`_build/open`: the page's or the assignment's cells, and before them one that installs the course
where it is missing. The theme has buttons of its own, which would lead to the pages' sources.

A student may hand in such a notebook: the cell that it has more belongs to no task, and does
nothing where the course is installed, as it is where submissions run.
"""

import os
import shutil
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import nbformat

from headway.chapters import ASSIGNMENTS, CAPSTONE, CHAPTERS, released_notebook
from headway.curriculum import Chapter
from headway.errors import DISTRIBUTION

BRANCH = "notebooks"
TREE = "open"
HERE = ".[kernel]"  # the course, as .binder/requirements.txt has it
CELL_ID = "install-the-course"
INSTALL = """\
# @title Install the course { display-mode: "form" }
# Only where it is missing, as in a new notebook on Colab; else nothing happens.
from importlib.util import find_spec

if find_spec("headway") is None:
    get_ipython().run_line_magic("pip", 'install --progress-bar on "%s"')
"""
INSTALL_LITE = f'''\
# Installs the course into this browser; once for each time that Python is started here.
import piplite

await piplite.install("{DISTRIBUTION}", deps=False)
'''
# Assignments that need NumPy only, and so run where there is no torch: in a browser.
IN_A_BROWSER = CHAPTERS[:3]
README = """\
# Notebooks of the course, to be opened with a click

The pages of %s as notebooks, and its assignments. Both install the course where it is missing.
These files are made from the branch `%s`; what is changed here is lost.
"""


def requirement(extra: str, repository: str, ref: str) -> str:
    """The course of a repository at a branch or a commit, as pip takes it."""
    at = f"{repository}/archive/{ref}.zip" if is_on_github(repository) else f"{repository}@{ref}"
    return f"{DISTRIBUTION}[{extra}] @ {at if at.endswith('.zip') else f'git+{at}'}"


def is_on_github(repository: str) -> bool:
    return urlsplit(repository).netloc == "github.com"


def places(options: dict, path: str) -> list[dict[str, str]]:
    """Buttons of the theme that open a notebook of the branch, one for each place.

    Args:
        options: `repository_url` and `launch_buttons`, as _config.yml has them.
        path: of the notebook in the branch.
    """
    repository = (options.get("repository_url") or "").rstrip("/")
    given = options.get("launch_buttons") or {}
    if not repository:
        return []
    owner_and_name = urlsplit(repository).path.strip("/")
    if is_on_github(repository):
        source = f"gh/{owner_and_name}/{BRANCH}"
    else:
        source = f"git/{quote(repository, safe='')}/{BRANCH}"
    pulled = f"lab/tree/{repository.rpartition('/')[2]}/{path}"
    asked = urlencode({"repo": repository, "branch": BRANCH, "urlpath": pulled})
    addresses = {
        "binderhub_url": f"v2/{source}?urlpath=lab/tree/{path}",
        "jupyterhub_url": f"hub/user-redirect/git-pull?{asked}",
        "colab_url": f"github/{owner_and_name}/blob/{BRANCH}/{path}",
        "jupyterlite_url": f"lab/index.html?path={path}",
    }
    texts = {
        "binderhub_url": "JupyterLab on Binder",
        "jupyterhub_url": "JupyterLab on the course's hub",
        "colab_url": "Colab",
        "jupyterlite_url": "JupyterLite, in the browser",
    }
    shown = set(given) & set(addresses)
    if not is_on_github(repository):
        shown.discard("colab_url")  # which reads from nowhere else
    if path not in {f"exercises/{chapter.notebook}" for chapter in IN_A_BROWSER}:
        shown.discard("jupyterlite_url")
    return [
        {
            "type": "link",
            "text": texts[place],
            "tooltip": f"Open in {texts[place]}",
            "icon": "fas fa-arrow-up-right-from-square",
            "url": f"{given[place].rstrip('/')}/{addresses[place]}",
        }
        for place in addresses
        if place in shown and given[place]
    ]


def openable(notebook, install: str):
    """A notebook, with a cell before its first code that installs the course."""
    made = nbformat.from_dict(notebook)
    code = [at for at, cell in enumerate(made.cells) if cell.cell_type == "code"]
    if code:
        cell = nbformat.v4.new_code_cell(install, id=CELL_ID, metadata={"cellView": "form"})
        made.cells.insert(code[0], cell)
    nbformat.validate(made)
    return made


def link_page(notebook, assignment: Chapter, site: str) -> None:
    """Let the page that an assignment names first be a link, where the site has an address."""
    if site:
        page = assignment.slug if assignment == CAPSTONE else assignment.name
        link = f"[{assignment.title}]({site}book/{page}.html)"
        first = notebook.cells[0]
        first.source = first.source.replace(f"*{assignment.title}*", link, 1)


def for_anywhere(app) -> str:
    """The cell that installs the course at the commit that the book is built from."""
    options = app.config.headway_launch
    return INSTALL % requirement("kernel", options["repository_url"], reference(options))


def reference(options: dict) -> str:
    """The commit that the workflow builds; else the branch."""
    return os.environ.get("GITHUB_SHA") or options.get("repository_branch") or "main"


def take_from_theme(app, config) -> None:
    """Keep what _config.yml says; the theme would make buttons and copies of its own."""
    names = ("repository_url", "repository_branch", "launch_buttons")
    found = {name: config.html_theme_options.get(name) for name in names}
    config.headway_launch = found
    config.html_theme_options["launch_buttons"] = {}


def offer(app, pagename, templatename, context, doctree) -> None:
    """Let a page that has a notebook lead to the places where it can be opened."""
    name = pagename.rsplit("/", 1)[-1]
    file = Path(app.outdir) / "notebooks" / f"{name}.ipynb"
    found = places(app.config.headway_launch, f"book/{file.name}")
    has_notebook = any("notebook" in b.get("label", "") for b in context["header_buttons"])
    if not found or not has_notebook:
        return
    write(app, f"book/{file.name}", nbformat.read(file, as_version=4))
    group = {
        "type": "group",
        "tooltip": "Open this page where it can be run",
        "icon": "fas fa-rocket",
        "buttons": found,
        "label": "launch-buttons",
    }
    context["header_buttons"].insert(1, group)


def write(app, path: str, notebook) -> None:
    """Put a notebook into the branch's files."""
    target = Path(app.outdir).parent / TREE / path
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(openable(notebook, for_anywhere(app)), target)


def write_the_rest(app, error) -> None:
    """The assignments, and what a Binder installs."""
    options = app.config.headway_launch
    if error or not places(options, "book/index.ipynb"):
        return
    for assignment in ASSIGNMENTS:
        notebook = nbformat.read(released_notebook(assignment), as_version=4)
        link_page(notebook, assignment, app.config.html_baseurl)
        write(app, f"exercises/{assignment.notebook}", notebook)
    root, tree = Path(app.srcdir), Path(app.outdir).parent / TREE
    branch = options.get("repository_branch") or "main"
    (tree / "README.md").write_text(
        README % (app.config.html_baseurl or "the book", branch), encoding="utf-8", newline="\n"
    )
    if (root / ".binder").is_dir():
        shutil.copytree(root / ".binder", tree / ".binder", dirs_exist_ok=True)
        shutil.copy(root / "constraints.txt", tree)
        needed = tree / ".binder" / "requirements.txt"
        of_commit = requirement("kernel", options["repository_url"], reference(options))
        text = needed.read_text(encoding="utf-8").replace(HERE, of_commit)
        needed.write_text(text, encoding="utf-8", newline="\n")


def setup(app):
    app.add_config_value("headway_launch", {}, "env")
    app.connect("config-inited", take_from_theme)
    app.connect("html-page-context", offer, priority=610)  # after the page's notebook
    app.connect("build-finished", write_the_rest)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
