"""What is attached to a figure, such as a model's weights, leaves its page for a file of its own.

The page keeps the file's name, which comes from its content, so that two pages that show one model
share one file, and a changed model is loaded anew. `mount.js` adds the file as a script when the
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


def move_out(app, pagename, templatename, context, doctree):
    folder = Path(app.outdir) / "_static" / FOLDER

    def write(found: re.Match) -> str:
        opening, name, data, closing = found.groups()
        folder.mkdir(parents=True, exist_ok=True)
        text = f"headwayAttached({json.dumps(name)}, {data});\n"
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
        return opening + closing

    if "body" in context:
        context["body"] = CARRIED.sub(write, context["body"])


def setup(app):
    app.connect("html-page-context", move_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
