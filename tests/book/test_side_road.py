"""Side roads are folded, and what is said elsewhere is one box, and one page with all claims."""

import pytest
from bs4 import BeautifulSoup

from headway.book import BookError, build_book
from tests.conftest import make_book

CLAIM = """```{{code-cell}}
:tags: [{tags}]

from headway.figures.parts.claim import claim
claim("{name}", "{statement}", [("one pond", True, "1")])
```
"""
CHAPTER = f"""# Attention

A scene.

## A road

:::{{predict}} Which?
This.
:::

### Other ways

:::{{side-road}}
A small *network*, and what it costs.
:::

Behind it.

{CLAIM.format(tags="hide-input", name="shown", statement="Swans are white.")}
## The road goes on

Here.

:::{{elsewhere}}
- "Swans sing." {{cite}}`vaswani2017attention` They do not ({{tested}}`away`).
:::

{CLAIM.format(tags="elsewhere", name="away", statement="Geese are gray.")}
"""
CLAIMS = "# Claims\n\n:::{claims-and-corrections}\n:::\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory, notebook_front):
    """A chapter and the page of all claims, built."""
    pages = {"08-attention": notebook_front + CHAPTER, "claims": CLAIMS}
    pages["index"] = "# Book\n\n```{bibliography}\n```\n"
    root = make_book(tmp_path_factory.mktemp("book"), **pages)
    out = build_book(root) / "book"
    return lambda name: BeautifulSoup((out / f"{name}.html").read_text("utf-8"), "html.parser")


@pytest.mark.book
def test_a_side_road_folds_its_section_and_no_other(site):
    (fold,) = site("08-attention").select("details.hw-side-road")
    assert fold.find_previous_sibling().name == "h3"
    assert fold.summary.get_text() == "Side road A small network, and what it costs."
    assert fold.summary.em
    assert "Behind it." in fold.get_text()
    assert fold.select_one(".hw-claim")
    assert "The road goes on" not in fold.get_text()
    assert not fold.has_attr("open")


@pytest.mark.book
def test_what_one_reads_elsewhere_is_a_box_that_leads_to_all_claims(site):
    (box,) = site("08-attention").select("aside.hw-elsewhere")
    assert "Swans sing." in box.get_text()
    assert box.select("a")[-1]["href"] == "claims.html#claims-08-attention"
    assert box.find("a", string="tested")["href"] == "claims.html#claim-08-away"


@pytest.mark.book
def test_a_claim_that_is_not_shown_on_its_page_is_on_that_of_all_claims(site):
    page, claims = site("08-attention"), site("claims")
    said = [one.get_text() for one in page.select(".hw-statement")]
    assert said == ["“Swans are white.”"]
    section = claims.select_one("#claims-08-attention")
    said = [one.get_text() for one in section.select(".hw-statement")]
    assert said == ["“Swans are white.”", "“Geese are gray.”"]
    assert "Swans sing." in section.get_text()
    assert section.select_one("a[href='08-attention.html']")
    assert section.select_one("a[href*='index.html']"), "the citation leads to its entry"
    assert "Geese" in claims.select_one("#claim-08-away").get_text()
    names = [part["id"] for part in claims.select("[id]")]
    assert len(names) == len(set(names))


@pytest.mark.book
@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("# Title\n\n## Head\n\n:::{side-road}\n:::\n", "a line that says"),
        ("# Title\n\n## Head\n\nText.\n\n:::{side-road}\nLine.\n:::\n", "right after a section"),
        ("# Title\n\n:::{elsewhere}\nNo list.\n:::\n", "holds one list"),
    ],
)
def test_what_cannot_be_folded_or_listed_fails_the_build(small_book, page, says):
    with pytest.raises(BookError, match=says):
        build_book(small_book(index=page))
