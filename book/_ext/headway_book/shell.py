"""The frame around each page: what it loads, and what a browser without scripts gets in the dark.

The layout in `book/_templates` is the course's own, so nothing of the theme's styles, scripts and
icon fonts is linked or kept. A script in the head knows light or dark before anything is painted;
readers who run none get a sheet with the rules for the dark, made from those that all others use.
"""

import re
import shutil
from pathlib import Path

import tinycss2

# Style sheets and scripts that extensions add to every page, for things that no page has.
UNUSED = re.compile(
    r"sphinx-book-theme|togglebutton|sphinx-design|design-tabs|mystnb\.|basic\.css|webpack"
)
UNUSED_INLINE = re.compile(r"togglebutton|toggleHint|toggleOpenOnPrint|DOCUMENTATION_OPTIONS\.")
LEFT_BY_THE_THEME = (
    *("styles", "scripts", "locales", "images", "vendor/fontawesome"),
    *("webpack-macros.html", "sbt-webpack-macros.html"),
    *("sphinx-thebe.css", "sphinx-thebe.js", "basic.css"),
    *("togglebutton.css", "togglebutton.js", "sphinx-design.min.css", "design-tabs.js"),
)
DARK_SHEET = "headway/dark.css"
FOR_THE_DARK = ("headway/figure.css", "pygments.css", "type.css", "headway.css")
DARK = 'html[data-theme="dark"]'


def is_unused(file) -> bool:
    """Whether an entry of `css_files` or `script_files` serves nothing that pages have."""
    name = str(getattr(file, "filename", file) or "")
    body = str((getattr(file, "attributes", None) or {}).get("body") or "")
    return bool(UNUSED.search(name) or UNUSED_INLINE.search(body))


def lighten(app, pagename, templatename, context, doctree):
    """Link what pages use, and let no script of the site hold up the first paint."""
    context["css_files"] = [file for file in context["css_files"] if not is_unused(file)]
    context["script_files"] = [file for file in context["script_files"] if not is_unused(file)]
    for script in context["script_files"]:
        attributes = getattr(script, "attributes", {})
        if getattr(script, "filename", None) and "async" not in attributes:
            attributes.setdefault("defer", "defer")


def rules_for_the_dark(sheet: str) -> str:
    """The rules of a sheet that hold in the dark, for a page that says it is light."""
    return for_the_dark(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True))


def for_the_dark(rules: list) -> str:
    found = []
    for rule in rules:
        if rule.type == "qualified-rule":
            dark = [one for one in selectors(rule.prelude) if DARK in one]
            if dark:
                head = ", ".join(dark).replace(DARK, 'html[data-theme="light"]')
                found.append(f"{head} {{{tinycss2.serialize(rule.content)}}}")
        elif rule.type == "at-rule" and rule.lower_at_keyword == "media":
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if text := for_the_dark(inner):
                found.append(f"@media{tinycss2.serialize(rule.prelude)}{{{text}}}")
    return "\n".join(found)


def selectors(prelude: list) -> list[str]:
    """The selectors of a rule, without the commas between them."""
    found = [[]]
    for token in prelude:
        if token == ",":
            found.append([])
        else:
            found[-1].append(token)
    return [tinycss2.serialize(one).strip() for one in found]


def finish(app, error):
    """Write the sheet for the dark, and take away what the theme has copied."""
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    sheets = [(static / name).read_text(encoding="utf-8") for name in FOR_THE_DARK]
    rules = "\n".join(map(rules_for_the_dark, sheets))
    (static / DARK_SHEET).write_text(f"{rules}\n", encoding="utf-8")
    for name in LEFT_BY_THE_THEME:
        if (static / name).is_dir():
            shutil.rmtree(static / name)
        else:
            (static / name).unlink(missing_ok=True)


def color_code(app, config):
    """Set the colors of code in the dark (in _config.yml, this would replace all other options)."""
    config.html_theme_options["pygments_dark_style"] = "github-dark"


def setup(app):
    app.connect("config-inited", color_code)
    app.connect("html-page-context", lighten, priority=950)  # after all that add files
    app.connect("build-finished", finish, priority=900)  # after the theme has written its colors
    return {"parallel_read_safe": True, "parallel_write_safe": True}
