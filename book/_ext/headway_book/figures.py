"""Scripts and styles of the figures, as files of the site.

One style sheet, which holds the rules of all figures, is linked from every page. A figure's script
is linked only from the pages that show the figure; pages find it without ES modules, so that they
also work opened from disk.
"""

import re
import shutil
from pathlib import Path

from headway.figures.core.scripts import MOUNT, check_gallery, classic_script, figure_names
from headway.figures.core.styles import site_style

STYLE = "headway/figure.css"
ON_PAGE = re.compile(r'data-headway-figure="(\w+)"')


def write_files(app):
    if app.builder.format != "html":
        return
    check_gallery()
    folder = Path(app.outdir) / "_static" / "headway"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figure.css").write_text(site_style(), encoding="utf-8")
    shutil.copyfile(MOUNT, folder / MOUNT.name)
    for name in figure_names():
        (folder / f"{name}.js").write_text(classic_script(name), encoding="utf-8")
    # Before the book's own style, which may refine it.
    app.add_css_file(STYLE, priority=400)


def link_scripts(app, pagename, templatename, context, doctree):
    names = sorted(set(ON_PAGE.findall(context.get("body", ""))))
    # Before others' scripts (500): figures are there as soon as the page is read.
    if names:
        app.add_js_file("headway/mount.js", loading_method="defer", priority=400)
    for name in names:
        app.add_js_file(f"headway/{name}.js", loading_method="defer", priority=401)


def setup(app):
    app.connect("builder-inited", write_files)
    app.connect("html-page-context", link_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
