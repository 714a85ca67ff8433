"""What the site offers besides its pages: the editions that have been made, and no others.

The front page has a place for them, a `<div class="hw-editions">`. It is filled when the site has
been built and again when an edition has been made, so no link leads nowhere.
"""

import re
from datetime import UTC, datetime
from pathlib import Path

NAMES = {"headway.pdf": "as one PDF, to print", "headway.epub": "as an EPUB, for e-readers"}
PLACE = re.compile(r'(<div class="hw-editions">).*?(</div>)', re.DOTALL)


def offer(site: Path) -> None:
    """Write links to the editions in `site` into the place for them on the front page."""
    page = site / "book" / "index.html"
    if not page.is_file():
        return
    before = page.read_text("utf-8")
    after = PLACE.sub(lambda place: place[1] + lines(site) + place[2], before)
    if after != before:
        page.write_text(after, "utf-8")


def lines(site: Path) -> str:
    """A paragraph that names the editions; nothing if there are none."""
    made = [described(site / name) for name in NAMES if (site / name).is_file()]
    if not made:
        return ""
    return f"<p><strong>Take it with you.</strong> The book is here {', and '.join(made)}.</p>"


def described(file: Path) -> str:
    size = file.stat().st_size / 1e6
    day = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    link = f'<a class="reference external" href="../{file.name}">{NAMES[file.name]}</a>'
    return f"{link} ({size:.1f} MB, made on {day:%B} {day.day}, {day.year})"
