"""What pages cite: everything has a reference, every reference is used, and nobody is unnamed."""

import re

import pytest

CITED = re.compile(r"\{cite(?::\w)?\}`([^`]+)`")
KEY = re.compile(r"^@\w+\{([^,]+),", re.MULTILINE)
UNNAMED = re.compile(r"\b(some|many|most) (texts|books|authors) (say|claim|write|call|print)", re.I)


@pytest.fixture
def pages(root):
    return {path.name: path.read_text(encoding="utf-8") for path in root.glob("book/*.md")}


def test_references_and_citations_are_the_same_set(root, pages):
    keys = KEY.findall((root / "book" / "references.bib").read_text(encoding="utf-8"))
    cited = {
        key.strip()
        for page in pages.values()
        for keys_of_one in CITED.findall(page)
        for key in keys_of_one.split(",")
    }
    assert len(keys) == len(set(keys))
    assert set(keys) == cited


def test_a_page_that_contradicts_others_names_them(pages):
    unnamed = [
        f"{name}: {found[0]}" for name, page in pages.items() if (found := UNNAMED.search(page))
    ]
    assert not unnamed, "Cite who says so, or leave it out: " + "; ".join(unnamed)
