"""Nothing is loaded from another host: no request leaves the reader's machine.

Jupyter Book always loads sphinx-thebe, which declares the address of a script on every page
(and, as of 0.3, twice, which is an error in the browser). The course has no use for it.
"""


def is_thebe(script) -> bool:
    """Whether an entry of `script_files` is part of sphinx-thebe."""
    name = str(getattr(script, "filename", script) or "")
    body = str((getattr(script, "attributes", None) or {}).get("body", ""))
    return "thebe" in name.lower() or "THEBE_JS_URL" in body


def leave_out_thebe(app, pagename, templatename, context, doctree):
    context["script_files"] = [s for s in context["script_files"] if not is_thebe(s)]
    context["css_files"] = [s for s in context["css_files"] if not is_thebe(s)]


def setup(app):
    # Late, so that every other handler has added its scripts.
    app.connect("html-page-context", leave_out_thebe, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
