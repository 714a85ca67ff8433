"""The formgrader's page of a submission: nothing of it acts, loads or takes long."""

import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell
from nbgrader.server_extensions.formgrader.handlers import template_path
from traitlets.config import Config

from headway.grading.settings import configure
from tests.grading.pages import PIXEL, check_cell, graded, shown

EVIL = "<script>alert(1)</script><b onclick='alert(1)' style='x' id='x'>seen</b>"
ABOUT = dict.fromkeys(("base_url", "submission_id", "notebook_id", "assignment_id"), "x")


def page_of(*cells, **about):
    config = Config()
    configure(config, {})
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [template_path]
    html, _ = HTMLExporter(config=config).from_notebook_node(
        new_notebook(cells=list(cells)), {**ABOUT, "index": 0, "total": 1, **about}
    )
    return BeautifulSoup(html, "html.parser")


def test_it_shows_a_submission_without_running_anything_of_it():
    text, raw = new_markdown_cell(f"{EVIL} ![drawn](attachment:a)"), new_raw_cell(EVIL)
    text.attachments = {"a": {"image/png": PIXEL}}
    error = new_output("error", ename="E", evalue="x", traceback=[EVIL])
    svg = new_output("display_data", {"image/svg+xml": EVIL, "image/png": PIXEL})
    code = new_code_cell(EVIL, outputs=[error, svg], metadata={"tags": [f'"{EVIL}']})
    page = page_of(shown(EVIL), text, raw, code, check_cell(None))
    assert not [tag for tag in page.find_all("script") if "alert" in str(tag)]
    assert not [tag for tag in page.find_all("script") if "//" in tag.get("src", "")], "no network"
    assert not [tag for tag in page.find_all() if "onclick" in tag.attrs and tag.name == "b"]
    assert page.get_text().count("seen") == 5
    assert len(page.select("img[src*=base64]")) == 2
    assert len(page.select(".hw-card")) == 1


def test_an_answer_in_words_can_be_given_points():
    answer = new_markdown_cell("*Because.*", metadata=graded("", "why", solution=True).metadata)
    page = page_of(answer)
    assert page.select_one("input.score#why")
    assert "*Because.*" in page.get_text()


def test_a_name_is_shown_as_text():
    markup = '</script><img src=x onerror="alert(1)">'
    page = page_of(
        first_name=markup, last_name="Mallory", student=markup, notebook_path=f'"{markup}'
    )
    assert not page.find_all("img")
    assert "Mallory, </script><img" in page.get_text()


@pytest.mark.parametrize(
    "cell",
    [
        new_markdown_cell("![](files/" * 2_800),  # minutes, if addresses are looked for
        new_markdown_cell("\\\\(" * 30_000),  # and if each of these may begin a formula
        new_code_cell("%%perl\n" + "s{" * 19_000),  # or if it is read as Perl
    ],
    ids=["addresses", "formulas", "code"],
)
def test_no_cell_keeps_the_server_busy(cell):
    assert page_of(cell).pre.get_text().strip() == cell.source
