"""Each term of the glossary lists the pages that use it.

Pages link to the glossary by the role `{term}`; here the glossary's entries get the links back.
They are made when the glossary is written, from what all pages said when they were read.
"""

from docutils import nodes
from sphinx import addnodes


def used_terms(env) -> dict[str, dict[str, str]]:
    """For each page, the terms that it links to and the id of the section of the first use."""
    if not hasattr(env, "headway_terms"):
        env.headway_terms = {}
    return env.headway_terms


def collect(app, doctree):
    terms = {}
    for link in doctree.findall(addnodes.pending_xref):
        if link.get("reftype") == "term":
            section = link.parent
            while section is not None and not isinstance(section, nodes.section):
                section = section.parent
            ids = section["ids"] if section is not None else []
            terms.setdefault(link["reftarget"].lower(), ids[0] if ids else "")
    if any(True for _ in doctree.findall(addnodes.glossary)):
        # Entries of the glossary that mention each other are no pages that use a term.
        app.env.metadata[app.env.docname]["headway_glossary"] = True
        terms = {}
    used_terms(app.env)[app.env.docname] = terms


def forget(app, env, docname):
    used_terms(env).pop(docname, None)


def rewrite(app, env):
    """The glossary is written anew in each build: any page may have changed what it uses."""
    return [name for name, meta in env.metadata.items() if meta.get("headway_glossary")]


def link_back(app, doctree, docname):
    for item in doctree.findall(nodes.definition_list_item):
        if not isinstance(item.parent.parent, addnodes.glossary):
            continue
        names = {term.astext().lower() for term in item.findall(nodes.term)}
        places = [
            (page, terms[name])
            for page, terms in sorted(used_terms(app.env).items())
            for name in sorted(names & terms.keys())
        ]
        if places:
            item.children[-1].append(back_links(app, docname, places))


def back_links(app, docname, places):
    line = nodes.paragraph("", "Used in: ", classes=["hw-used-in"])
    for i, (page, section) in enumerate(places):
        uri = app.builder.get_relative_uri(docname, page) + (f"#{section}" if section else "")
        title = app.env.titles[page].astext()
        line += nodes.Text(", " if i else "")
        line += nodes.reference("", title, refuri=uri, internal=True)
    return line


def setup(app):
    app.connect("doctree-read", collect)
    app.connect("env-purge-doc", forget)
    app.connect("env-updated", rewrite)
    app.connect("doctree-resolved", link_back)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
