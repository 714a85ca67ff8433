"""Taking out of a page of HTML what could run, load or lead somewhere by itself."""

import base64
import re
from functools import lru_cache
from hashlib import sha256

from bs4 import BeautifulSoup

from headway.grading.results.sanitize import ADDRESSES
from headway.tasks.engine.card import STYLE as CARD_STYLE

ACTIVE = ["script", "iframe", "frame", "object", "embed", "link", "base", "form", "meta"]
POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src {styles}; "
    "style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
# Nothing that stands in one of the boxes is drawn outside of it.
PAGE_STYLE = """
div.output_area, div.text_cell_render, div.input_area, div.panel-footer > div {
  contain: content; overflow-x: auto;
}
div.output_area img, div.text_cell_render img { max-width: 100%; height: auto; }
div.nbgrader_cell .panel-heading { display: flow-root; height: auto; }
div.nbgrader_cell .panel-heading a { color: inherit; text-decoration: underline; }
#hw-notes { margin: 0.6em 0 0; }
"""
FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}")


def disarm(page: BeautifulSoup) -> None:
    """Take out of a page what could run, load or lead somewhere by itself, and forbid it."""
    _disarm_tags(page)
    page.html["lang"] = "en"
    style = page.new_tag("style")
    style.string = PAGE_STYLE
    page.head.append(style)
    for tag in page.find_all("style"):
        if page.head not in tag.parents and f"<style>{tag.string}</style>" != CARD_STYLE:
            tag.decompose()
        elif tag.string and "@font-face" in tag.string:
            tag.string = FONT_FACE.sub("", tag.string)  # files that do not come with the page
    texts = {tag.string or "" for tag in page.find_all("style")}
    policy = POLICY.format(styles=" ".join(sorted(map(_hash, texts))))
    page.head.insert(
        0,
        page.new_tag("meta", charset="utf-8"),
        page.new_tag("meta", attrs={"http-equiv": "Content-Security-Policy", "content": policy}),
    )


@lru_cache(maxsize=256)  # a class shares most of its text
def disarmed(part: str) -> str:
    """A part of a page without all that, and without styles.

    Args:
        part: HTML that comes to its end: what is opened in it is closed in it.
    """
    if "<" not in part:
        return part
    tree = BeautifulSoup(part, "html.parser")
    _disarm_tags(tree)
    for tag in tree.find_all("style"):
        tag.decompose()
    return str(tree)


def _disarm_tags(page: BeautifulSoup) -> None:
    for tag in page.find_all(ACTIVE):
        tag.decompose()
    for picture in page.find_all("img", alt=None):
        picture["alt"] = "No description has been provided for this image"
    for tag in page.find_all():
        for name in [name for name in tag.attrs if name.lower().startswith("on")]:
            del tag[name]
        if "href" in tag.attrs:
            if not str(tag["href"]).lower().startswith(ADDRESSES):
                del tag["href"]
            elif not tag["href"].startswith("#"):
                tag["rel"] = "noopener noreferrer"
        if "src" in tag.attrs and not str(tag["src"]).startswith("data:image/"):
            del tag["src"]


def _hash(style: str) -> str:
    """A style as a policy names it: nothing that reads otherwise is applied."""
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    return f"'sha256-{digest}'"
