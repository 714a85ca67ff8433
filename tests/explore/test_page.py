"""The page: whole in itself, and nothing in it that its nonce does not cover."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from headway.explore import page as module
from headway.explore.answers import record
from headway.explore.page import page
from headway.explore.subject import recorded
from headway.figures.gallery.outlook.model_explorer import model_explorer, requests
from tests.figures.shown import assert_on_page

FIGURE = (
    'const tail = "</script>";\nexport default { render({ model, el }) { el.append(tail); } };\n'
)


@pytest.fixture
def made(monkeypatch):
    """A page with a small figure, its data, and its parts."""
    monkeypatch.setattr(module, "es_module", lambda name: FIGURE)
    data = recorded(text='</script><b title="x">"').data(url="ask")
    data["model"]["name"] = "<Model> & co"
    html = page(data, "a-nonce")
    return html, data, BeautifulSoup(html, "html.parser")


def test_it_has_a_title_a_language_and_a_frame_for_the_figure(made):
    _, _, soup = made
    assert soup.html["lang"] == "en"
    assert soup.title.text == "<Model> & co – headway explore"
    assert soup.h1.text == "<Model> & co"
    figure = soup.main.find("figure")
    assert figure["data-headway-figure"] == "model_explorer"
    assert soup.find(id=figure["aria-labelledby"]).text
    assert figure.find(class_="hw-stage")
    assert "needs JavaScript" in soup.noscript.text
    assert soup.find("button", id="theme").text


def test_it_fetches_nothing(made):
    html, _, soup = made
    assert not soup.find_all(src=True)
    assert [link["href"] for link in soup.find_all("link")] == ["data:,"]
    assert not re.search(r"url\((?!['\"]?data:)|@import", html)


def test_its_scripts_bear_the_nonce_and_none_ends_early(made):
    _, data, soup = made
    held, *scripts = sorted(soup.find_all("script"), key=lambda script: "nonce" in script.attrs)
    assert json.loads(held.text) == data
    assert held["type"] == "application/json"
    assert [script["nonce"] for script in scripts] == ["a-nonce"] * 2
    assert scripts[1]["type"] == "module"
    assert "const figure = { render" in scripts[1].text
    assert "export" not in scripts[1].text
    assert r'"<\/script>"' in scripts[1].text
    assert not [tag for tag in soup.find_all() if any(name.startswith("on") for name in tag.attrs)]


def test_a_page_of_the_book_can_take_chapter_11_s_model_along_on_one_text():
    subject = recorded(text="Raise an exception if the file does not")
    facts, text = subject.facts(), subject.text
    answers = record(subject, requests(facts, text, subject.encode(text)))
    figure = model_explorer(facts, text, answers, title="T", caption="C")
    assert_on_page(figure)
    assert "the answer is “␣exist”, which is first the likeliest after block 4 of 4" in figure.alt
