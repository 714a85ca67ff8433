"""Small repairs in the HTML of others, where axe-core finds it wanting.

Docutils gives entries of a bibliography a role that ARIA has withdrawn; inside the list in which
they stand they are plain list items.
"""


def repair(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app):
    app.connect("html-page-context", repair)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
