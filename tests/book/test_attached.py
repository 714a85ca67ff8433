"""What is attached to a figure lies beside its page, once for all pages that show it."""

import json
import re

import pytest

from headway.book import BookError, build_book

pytestmark = pytest.mark.book

CELL = """
```{code-cell}
:tags: [remove-input]
from headway.figures.core.interactive import Interactive

Interactive(
    "row_lookup", {"words": ["a"], "table": [[1]], "columns": ["x"], "start": 0},
    title="One", caption="Look.", alt="A table of one number.", header=["a"], rows=[[1]],
    draw=lambda ax: None, attached={"text": "</script>" + "x" * 5000},
)
```
"""


def test_what_is_attached_leaves_its_page_for_the_one_file_that_all_pages_share(
    small_book, notebook_front
):
    root = small_book(
        index=f"{notebook_front}# Title\n{CELL}\n:::{{figure-from}} other row_lookup\n:::\n",
        other=f"{notebook_front}# Other\n{CELL}",
    )
    attached = root / "_build" / "html" / "_static" / "headway" / "attached"
    attached.mkdir(parents=True)
    (attached / "row_lookup-0123456789ab.js").write_text("as an earlier build left it")
    site = build_book(root) / "book"
    names = []
    for page, figures in (("index", 2), ("other", 1)):
        html = (site / f"{page}.html").read_text(encoding="utf-8")
        assert "xxx" not in html
        assert "headway/row_lookup.js" in html
        ids = re.findall(r' id="([^"]+)"', html)
        titles = re.findall(r'aria-labelledby="(hw-[^"]+)"', html)
        assert len(ids) == len(set(ids))
        assert len(titles) == len(set(titles)) == figures
        assert set(titles) <= set(ids)
        names += re.findall(r'data-name="(row_lookup-\w{12})"></script>', html)
    assert len(names) == 3
    assert len(set(names)) == 1
    (file,) = attached.iterdir()
    assert file.stem == names[0]
    name, data = json.loads(f"[{file.read_text()[len('headwayAttached(') : -len(');_')]}]")
    assert name == names[0]
    assert data == {"text": "</script>" + "x" * 5000}


def test_a_figure_that_the_other_page_does_not_show_fails_the_build(small_book):
    root = small_book(index="# Title\n\n:::{figure-from} other bars\n:::\n", other="# Other\n")
    with pytest.raises(BookError, match="book/other shows no figure bars"):
        build_book(root)


DRAWN = """
```{code-cell}
:tags: [remove-input]
from headway.figures.gallery.drawn import Canvas
from headway.figures.gallery.stepped import stepped

canvas = Canvas(60, 20, "Two steps.")
with canvas.step(1):
    canvas.write(20, 10, "one")
stepped(canvas.svg(), ["One."], "It counts", "Play.", "Two steps.", ["step"], [["one"]])
```
"""


def test_a_drawing_alone_leads_to_the_page_where_it_can_be_played(small_book, notebook_front):
    root = small_book(
        index="# Title\n\n:::{figure-from} other stepped\n:drawing:\n:::\n",
        other=f"{notebook_front}# Other\n{DRAWN}",
    )
    html = (build_book(root) / "book" / "index.html").read_text(encoding="utf-8")
    assert '<figcaption><a href="other.html">It counts</a></figcaption>' in html
    assert html.count('aria-label="Two steps."') == 1
    assert "application/json" not in html
    assert "stepped.js" not in html


def test_what_has_no_drawing_cannot_be_shown_as_one(small_book, notebook_front):
    root = small_book(
        index="# Title\n\n:::{figure-from} other row_lookup\n:drawing:\n:::\n",
        other=f"{notebook_front}# Other\n{CELL}",
    )
    with pytest.raises(BookError, match="row_lookup has no drawing"):
        build_book(root)
