"""Small repairs in the HTML of others, where axe-core finds it wanting.

Docutils gives entries of a bibliography a role that ARIA has withdrawn; inside the list in which
they stand they are plain list items. MyST-NB gives each fold of code the same hidden name.
"""


def repair(app, pagename, templatename, context, doctree):
    if "body" in context:
        body = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')
        # A fold of code is called what its summary says, and not all of them the same.
        context["body"] = body.replace(' aria-label="Toggle hidden content"', "")


def setup(app):
    app.connect("html-page-context", repair)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
