"""Markdown of strangers is read in a process that is ended where it takes too long."""

import sys

import pytest
from nbformat.v4 import new_markdown_cell

from headway.grading.results import markdown_process as module
from headway.grading.results.markdown import markdown_to_html
from headway.grading.results.markdown_process import MarkdownProcess, TooLong
from tests.grading.pages import page_of

SLOW = "\\\\(" * 9_000  # seconds, since each of these may begin a formula


@pytest.fixture
def process():
    """A process with a time limit; ended behind the test."""
    made = []

    def start(seconds):
        made.append(MarkdownProcess(seconds))
        return made[-1]

    yield start
    for one in made:
        one.close()


def test_the_html_is_the_same(process):
    source = "# Title\n\n$a^2$ and `code`\n\n```python\nfor x in y: pass\n```"
    assert process(60).render(source) == markdown_to_html(source)


def test_what_takes_too_long_is_given_up_and_the_next_text_is_read(process):
    reader = process(0.1)
    with pytest.raises(TooLong):
        reader.render(SLOW)
    reader._seconds = 60
    assert "<em>fine</em>" in reader.render("*fine*")


def test_a_process_that_ends_over_a_text_is_replaced(process, monkeypatch):
    reader = process(60)
    ending = "import socket, sys; socket.socket(fileno=int(sys.argv[1])).send(bytes(1))"
    with monkeypatch.context() as patch:
        patch.setattr(MarkdownProcess, "COMMAND", (sys.executable, "-c", ending))
        with pytest.raises((TooLong, EOFError)):
            reader.render("*lost*")
    reader.close()
    assert "<em>fine</em>" in reader.render("*fine*")


def test_a_page_waits_once_and_shows_the_rest_as_it_was_written(process, monkeypatch):
    reader = process(0.1)
    asked = []

    def render(source, attachments=None):
        asked.append(source)
        return MarkdownProcess.render(reader, source, attachments)

    monkeypatch.setattr(reader, "render", render)
    monkeypatch.setattr(module, "_process", reader)
    cells = [new_markdown_cell(f"{SLOW} {i}") for i in range(3)]
    html = page_of(*cells, new_markdown_cell("*as it was written*"))
    assert len(asked) == 1
    assert "*as it was written*" in html


def test_code_of_other_languages_is_left_without_colors():
    html = markdown_to_html("```csharp\nint a;\n```\n\n```python\nfor x in y: pass\n```")
    assert "<code>int a;" in html
    assert 'class="k">for<' in html
