"""Directives of the pages, in one small book: folds, guesses, side roads, claims, figures."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from headway.book import BookError, build_book
from tests.conftest import make_book

CELL = "```{code-cell}\nprint('nine')\n```\n"
PREDICT = f"""# Predictions

:::{{predict}} How *many*?
:number: 9
:unit: features
:within: 0.5
Nine.
:::

```{{code-cell}}
x = 1
```

{CELL}
{CELL}
:::{{predict}} Which one?
:choices: this | that & more
:right: that & more
That.
:::

Some text.

{CELL}
::::{{predict}} What is *this*, $x^2$?
The **answer** with $y$.

```python
z = 1
```
::::
"""
CLAIM = """```{{code-cell}}
:tags: [{tags}]

from headway.figures.parts.claim import claim
claim("{name}", "{statement}", [("one pond", True, "1")], says="always", otherwise="A black one.")
```
"""
CHAPTER = f"""# Attention

A scene.

## A road

### Other ways

:::{{side-road}}
A small *network*, and what it costs.
:::

Behind it.

{CLAIM.format(tags="hide-input", name="shown", statement="Swans are white.")}
## The road goes on

:::{{elsewhere}}
- "Swans sing." {{cite}}`vaswani2017attention` They do not: $x = 0$ ({{tested}}`away`).
:::

{CLAIM.format(tags="elsewhere", name="away", statement="Geese are gray.")}
"""
FIGURES = """# Figures

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
STORY = """# Story

## A picture

```{code-cell}
:tags: [remove-input]
from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.scene import scene
from headway.figures.gallery.shared.stepped import stepped

canvas = Canvas(60, 20, "Two steps.")
with canvas.step(1):
    canvas.write(20, 10, "one")
drawing = stepped(canvas.svg(), ["One."], "It counts", "Play.", "Two steps.", ["step"], [["one"]])
scene("08-attention", drawing, {1: "Count."})
```
"""
INDEX = """# Book

:::{figure-from} figures row_lookup
:::

```{bibliography}
```
"""
pytestmark = pytest.mark.book


@pytest.fixture(scope="module")
def folder(tmp_path_factory, notebook_front):
    """The folder of the site of these pages."""
    root = make_book(tmp_path_factory.mktemp("book"), **{
        "index": INDEX,
        "predict": notebook_front + PREDICT,
        "figures": notebook_front + FIGURES,
        "story": notebook_front + STORY,
        "08-attention": notebook_front + CHAPTER,
        "claims": "# Claims\n\n:::{claims-and-corrections}\n:::\n",
    })  # fmt: skip
    attached = root / "_build" / "html" / "_static" / "headway" / "attached"
    attached.mkdir(parents=True)
    (attached / "row_lookup-0123456789ab.js").write_text("as an earlier build left it")
    pictures = root / "_build" / "html" / "_static" / "pictures"
    pictures.mkdir()
    (pictures / "07-old.svg").write_text("as an earlier build left it")
    return build_book(root)


@pytest.fixture
def page(folder):
    """Reads a page of that book."""
    return lambda name: BeautifulSoup(
        (folder / "book" / f"{name}.html").read_text("utf-8"), "html.parser"
    )


def test_the_first_output_after_a_prediction_knows_its_answer_and_no_other_does(page):
    cells = page("predict").select("article div.cell")
    marked = [cell.select_one(".hw-output") for cell in cells]
    assert ["nine" in cell.get_text() for cell in cells] == [False, True, True, True]
    assert [output is not None for output in marked] == [False, True, False, False]
    assert "nine" in marked[1].get_text()
    assert marked[1].select_one(".cell_input") is None, "no code is covered"
    asked = page("predict").select_one(".hw-asked").get_text()
    assert (
        marked[1].select_one(".hw-veil p").get_text()
        == asked.removeprefix("Predict first ").strip()
    )
    names = [fold["id"] for fold in page("predict").select("details.hw-predict")]
    assert marked[1]["data-answers"] == names[0]
    assert len(set(names)) == 3


def test_a_number_and_a_choice_can_be_guessed_and_a_reason_cannot(page):
    number, choice = page("predict").select("form.hw-guess")
    given = [number[f"data-{name}"] for name in ("number", "unit", "within")]
    assert given == ["9", "features", "0.5"]
    assert choice["data-right"] == "that & more"
    assert [button["value"] for button in choice.select("button")] == ["this", "that & more"]
    for form in (number, choice):
        assert form.has_attr("hidden"), "without scripts there is nothing that could answer"
        assert form.find_next_sibling("details")["id"] == form["data-fold"]
    assert page("predict").select_one(".hw-asked").em.get_text() == "many"


def test_a_fold_holds_markup_math_and_code(page):
    fold = page("predict").select("details.hw-predict")[-1]
    assert fold.summary.get_text().startswith("Predict first What is this, ")
    assert fold.summary.em.get_text() == "this"
    assert fold.summary.select_one(".math annotation").get_text() == "x^2"
    assert fold.strong.get_text() == "answer"
    assert fold.select_one(".highlight").get_text().strip() == "z = 1"


def test_a_side_road_folds_its_section_and_no_other(page):
    (fold,) = page("08-attention").select("details.hw-side-road")
    assert fold.find_previous_sibling().name == "h3"
    assert fold.summary.get_text() == "Side road A small network, and what it costs."
    assert fold.summary.em
    assert "Behind it." in fold.get_text()
    assert fold.select_one(".hw-claim")
    assert "The road goes on" not in fold.get_text()
    assert not fold.has_attr("open")


def test_claims_of_a_page_are_on_that_of_all_claims_and_those_elsewhere_only_there(page):
    own, claims = page("08-attention"), page("claims")
    (box,) = own.select("aside.hw-elsewhere")
    assert "Swans sing." in box.get_text()
    assert box.select("a")[-1]["href"] == "claims.html#claims-08-attention"
    assert box.find("a", string="tested")["href"] == "claims.html#claim-08-away"
    section = claims.select_one("#claims-08-attention")
    for where, said in ((own, ["“Swans are white.”"]),
                        (section, ["“Swans are white.”", "“Geese are gray.”"])):  # fmt: skip
        assert [one.get_text() for one in where.select(".hw-statement")] == said
    assert "Swans sing." in section.get_text()
    assert section.select_one("a[href='08-attention.html']")
    assert section.select_one("a[href*='index.html']"), "the citation leads to its entry"
    assert "Geese" in claims.select_one("#claim-08-away").get_text()
    assert claims.select("link[href*='katex.min.css']"), "its formulas are typeset"
    names = [part["id"] for part in claims.select("[id]")]
    assert len(names) == len(set(names))


def test_what_is_attached_leaves_its_page_for_the_one_file_that_all_pages_share(page, folder):
    names = []
    for found, figures in ((page("index"), 1), (page("figures"), 1)):
        assert "xxx" not in str(found)
        assert "headway/row_lookup.js" in str(found)
        ids = [part["id"] for part in found.select("[id]")]
        titles = [part["aria-labelledby"] for part in found.select("figure[aria-labelledby]")]
        assert len(titles) == len(set(titles)) == figures
        assert len(ids) == len(set(ids))
        assert set(titles) <= set(ids)
        names += [part["data-name"] for part in found.select("script[data-name]")]
    assert len(names) == 2
    (file,) = (folder / "_static" / "headway" / "attached").iterdir()
    assert {file.stem} == set(names)
    given = re.fullmatch(r"headwayAttached\((.*)\);\s*", file.read_text())[1]
    name, data = json.loads(f"[{given}]")
    assert (name, data) == (file.stem, {"text": "</script>" + "x" * 5000})


def test_a_picture_has_an_address_a_mark_and_links(page):
    section = page("story").find(id="08")
    assert section.name == "section"
    assert section.h2.a["href"] == "#08"
    (mark,) = page("story").select("nav.hw-ticks a")
    assert (mark["href"], mark["data-page"]) == ("#08", "08-attention")
    chapter, own, *files = section.select(".hw-scene-links a")
    assert chapter["href"] == "08-attention.html"
    assert own["href"] == "#08"
    names = [f"../_static/pictures/08-attention.{kind}" for kind in ("svg", "png")]
    assert [file["href"] for file in files] == names


def test_a_picture_is_a_file_to_keep_and_one_of_another_build_goes(folder):
    svg, pixels = (folder / "_static" / "pictures" / f"08-attention.{k}" for k in ("svg", "png"))
    assert {svg, pixels} == set(svg.parent.iterdir())
    drawn = svg.read_text("utf-8")
    assert "<title>It counts</title>" in drawn
    assert "CC BY" in drawn
    assert pixels.read_bytes().startswith(b"\x89PNG")


MISTAKES = {
    "A {term}`word that nobody explains`.": "word that nobody explains",
    ":::{predict} A question?\n:::": "has a question but no answer",
    ":::{predict} What?\n:right: a\nThis.\n:::": "got right",
    ":::{predict} What?\n:number: 1\n:choices: a | b\n:right: a\nThis.\n:::":
        "got choices, number, right",
    ":::{predict} What?\n:choices: a | b\n:right: c\nThis.\n:::": "c is right",
    ":::{predict} What?\n:choices: a\n:right: a\nThis.\n:::": "two choices at least",
    ":::{assignment}\n:::": "belongs on the page of a chapter",
    ":::{side-road}\n:::": "a line that says",
    "Text.\n\n:::{side-road}\nLine.\n:::": "right after a section",
    ":::{elsewhere}\nNo list.\n:::": "holds one list",
    ":::{figure-from} index bars\n:::": "book/index shows no figure bars",
}  # fmt: skip


def test_every_mistake_on_every_page_is_reported_and_fails_the_build(small_book, notebook_front):
    wrong = {f"p{n}": f"# Title\n\n## Head\n\n{text}\n" for n, text in enumerate(MISTAKES)}
    root = small_book(index="# Book\n", figures=notebook_front + FIGURES, **wrong)
    for _ in range(2):  # the second build reads the pages again, though they are unchanged
        with pytest.raises(BookError) as caught:
            build_book(root)
        missing = [says for says in MISTAKES.values() if says not in str(caught.value)]
        assert missing == []
