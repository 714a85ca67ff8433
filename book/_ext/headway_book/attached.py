"""What is attached to a figure, such as a model's weights, leaves its page for a file of its own.

The page keeps the file's name, which comes from its content, so that two pages that show one model
share one file, and a changed model is loaded anew. A file that no page names any more goes at the
end of the build. `mount.js` adds the file as a script when the
figure asks for it, because a page opened from disk can load nothing else.
"""

import json
import re
from pathlib import Path

from headway.figures.core.interactive import ATTACHED

FOLDER = "headway/attached"
CARRIED = re.compile(
    rf'(<script type="{re.escape(ATTACHED)}" data-name="([\w-]+)">)(.+?)(</script>)', re.DOTALL
)


NAMED = re.compile(rf'<script type="{re.escape(ATTACHED)}" data-name="([\w-]+)">')


def folder_of(app) -> Path:
    return Path(app.outdir) / "_static" / FOLDER


def move_out(app, pagename, templatename, context, doctree):
    folder = folder_of(app)

    def write(found: re.Match) -> str:
        opening, name, data, closing = found.groups()
        folder.mkdir(parents=True, exist_ok=True)
        text = f"headwayAttached({json.dumps(name)}, {data});\n"
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
        return opening + closing

    if "body" in context:
        context["body"] = CARRIED.sub(write, context["body"])


def remove_unused(app, exception):
    """An earlier build may have left files; pages that this one did not write still count."""
    files = list(folder_of(app).glob("*.js"))
    if exception or not files:
        return
    pages = Path(app.outdir).rglob("*.html")
    named = {name for page in pages for name in NAMED.findall(page.read_text(encoding="utf-8"))}
    for file in files:
        if file.stem not in named:
            file.unlink()


def setup(app):
    app.connect("html-page-context", move_out)
    app.connect("build-finished", remove_unused)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
