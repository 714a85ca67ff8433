"""Every page carries the menu, so all pages are written anew when it changes.

Sphinx reads and writes only the pages whose own text has changed: the root page, from which the
menu is made, would not see a changed table of contents, and the others would keep an old menu.
"""

from pathlib import Path


def table_of_contents(app) -> str:
    return Path(app.srcdir, app.config.external_toc_path).read_text(encoding="utf-8")


def read_root_if_changed(app, env, added, changed, removed):
    return [] if known(env)[0] == table_of_contents(app) else [app.config.root_doc]


def write_all_if_changed(app, env):
    titles = sorted((name, title.astext()) for name, title in env.titles.items())
    menu = (table_of_contents(app), titles)
    if known(env) == menu:
        return []
    env.headway_menu = menu
    return env.found_docs


def known(env) -> tuple:
    """Table of contents and titles of the last build."""
    return getattr(env, "headway_menu", (None, None))


def setup(app):
    app.connect("env-get-outdated", read_root_if_changed)
    app.connect("env-updated", write_all_if_changed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
