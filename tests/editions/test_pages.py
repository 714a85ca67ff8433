"""The pages of the site without what moves, unfolds or asks."""

import pytest
from lxml import html

from headway.editions.contents import FRONT, NoSiteError, read_book
from headway.editions.links import target_of, wants_page_number
from headway.editions.make import still_book


def text_of(page):
    return " ".join(" ".join(page.content.itertext()).split())


def test_pages_come_in_the_order_of_the_table_of_contents_with_its_titles(book):
    assert [(page.name, page.title, page.part) for page in book.pages] == [
        ("index", FRONT, ""),
        ("01-one", "1 · One", "Part"),
    ]
    assert (book.title, book.address) == ("A book: on bars", "https://book.example/")


def test_a_page_that_is_not_built_is_named_with_what_to_do(small_site):
    root, site = small_site
    (site / "book" / "01-one.html").unlink()
    with pytest.raises(NoSiteError, match=r"01-one\.html is not there.*headway book"):
        read_book(root, site)


def test_a_figure_keeps_its_picture_and_texts_and_says_where_it_can_be_operated(still):
    figure = still.page("01-one").content.find(".//figure")
    assert figure.find("img").get("alt") == "A bar of 4 and a bar of 1."
    assert " ".join(figure.text_content().split()) == "Two bars On the site: Press a bar."
    assert figure[-1].tag == "figcaption"


def test_nothing_that_needs_a_script_or_a_click_is_left(still):
    for page in still.pages:
        for name in ("script", "form", "button", "details", "summary", "output"):
            assert page.content.find(f".//{name}") is None, (page.name, name)
        assert "secret" not in text_of(page)
        assert not page.content.xpath(".//*[@tabindex or @aria-pressed]"), page.name


def test_answers_leave_their_questions_and_lead_back_to_them(still):
    answers = still.pages[-1]
    assert (answers.name, answers.part) == ("answers", "Part")
    assert text_of(answers).endswith("1 · One 1 It is two . 2 The rose. 3 Because of it.")
    chapter = still.page("01-one").content
    assert "two" not in chapter.text_content()
    assert "Predict 1 What is 1 + 1? Answer" in text_of(still.page("01-one"))
    assert "Choose: sky or rose." in chapter.text_content()
    assert "Question 3 Why?" in text_of(still.page("01-one"))
    for number in "123":
        (way,) = chapter.xpath(f".//*[@id='question-{number}']//a[@class='hw-way']")
        assert target_of(way, still.page("01-one"), still).id == f"answer-{number}"
        (back,) = answers.content.xpath(f".//*[@id='answer-{number}']//a")
        assert target_of(back, answers, still).id == f"question-{number}"
    output = chapter.find_class("cell_output")[0]
    assert output.text_content().strip() == "2", "the text goes on with it"


def test_a_book_without_predictions_has_no_answers(small_site):
    root, site = small_site
    page = site / "book" / "01-one.html"
    page.write_text("<div><article><section id='one'><h1>One</h1></section></article></div>")
    assert [page.name for page in still_book(root, site).pages] == ["index", "01-one"]


@pytest.mark.parametrize(
    ("href", "page", "place", "address"),
    [
        ("01-one.html#bars", "01-one", "bars", ""),
        ("#a-book", "index", "a-book", ""),
        ("https://example.org/x", "", "", "https://example.org/x"),
        ("../notebooks/a.ipynb", "", "", "https://book.example/notebooks/a.ipynb"),
        ("other.html#x", "", "", "https://book.example/book/other.html#x"),
    ],
)
def test_a_link_leads_into_the_book_or_to_a_whole_address(book, href, page, place, address):
    link = html.fragment_fromstring(f'<a href="{href}">x</a>')
    target = target_of(link, book.pages[0], book)
    assert (target.page, target.id, target.address) == (page, place, address)


def test_without_an_address_no_link_leads_to_the_site(small_site):
    root, site = small_site
    config = root / "_config.yml"
    config.write_text(config.read_text().replace("baseurl: https://book.example/", "baseurl: ''"))
    still = still_book(root, site)
    hrefs = {link.text_content(): link.get("href") for link in still.pages[0].content.iter("a")}
    assert "a notebook" not in hrefs
    assert "a notebook" in text_of(still.pages[0])
    assert (hrefs["the bars"], hrefs["elsewhere"]) == ("01-one.html#bars", "https://example.org/x")


def test_a_term_of_the_glossary_is_found_without_a_page_number(book):
    wanted = {
        link.text_content().strip(): wants_page_number(link)
        for link in book.pages[0].content.xpath(".//p/a[contains(@href, 'one.html')]")
    }
    assert wanted == {"the bars": True, "word": False}
