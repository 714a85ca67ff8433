"""Feedback pages in a browser: what a student wrote runs nothing, loads nothing, covers nothing."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell

from headway.tasks.engine.find import find_task
from tests.grading.pages import DOT, check_cell, graded, page_of, shown

pytestmark = pytest.mark.browser

AWAY = "http://elsewhere.example"
COVER = "position:fixed;inset:0;z-index:9999;background:red"
FAKE = '<div class="hw-card hw-passed"><h4>✓ Passed: Everything, 20 of 20 points</h4></div>'
HTML = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "<body onload=alert(1) style='display:none'>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<object data='data:text/html,<script>alert(1)</script>'></object>",
    f"<embed src='{AWAY}/e'><video src='{AWAY}/v' autoplay></video>",
    f"<img src='{AWAY}/i.png'><img srcset='{AWAY}/s.png 1x'>",
    f"<link rel=stylesheet href='{AWAY}/c.css'><link rel=prefetch href='{AWAY}/p'>",
    f"<meta http-equiv=refresh content='0;url={AWAY}/m'><base href='{AWAY}/'>",
    f"<form action='{AWAY}/f'><input autofocus onfocus=alert(1)><button>Go</button></form>",
    "<style>#toc{display:none} .hw-card{background:lime!important}</style>",
    f"<style>@import '{AWAY}/i.css'; body{{background:url({AWAY}/b)}}</style>",
    f"<div style='{COVER}'>20 / 20</div>",
    "<div style='position:absolute;top:0;left:0' class='panel-heading'>20 / 20</div>",
    FAKE,
    "<div id='toc' class='score'>Score: 20 / 20</div><a name='check-dot' id='check-dot'>x</a>",
    "<dialog open popover>20 / 20</dialog>",
    "</div></div></div></div></div></div><h4>20 / 20</h4></body></html>",
    "<table style='margin-top:-5000px'><tr><td colspan='99999'>20 / 20</table>",
    "<marquee behavior='slide'>20</marquee><font size=7 color=red>20</font><center>20</center>",
    "<div contenteditable tabindex=1 accesskey=a autofocus>20</div>",
]
DATA = [
    {
        "image/svg+xml": f"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>"
        f"<script>alert(1)</script><image href='{AWAY}/s'/></svg>"
    },
    {"image/png": "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="},
    {"image/png": 'x"><script>alert(1)</script>'},
    {"application/javascript": "alert(1)", "text/plain": "x"},
    {"application/vnd.jupyter.widget-view+json": {"model_id": "</script><script>alert(1)"}},
    {"text/markdown": f"[x](javascript:alert(1)) ![x]({AWAY}/m.png) <b style='{COVER}'>x</b>"},
    {"text/latex": "<script>alert(1)</script> $x$"},
    {"text/vnd.mermaid": "graph TD; A[<img src=x onerror=alert(1)>]"},
    {"application/pdf": "JVBERi0="},
]
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
STATE = """() => {
  const seen = (tag) => {
    const style = getComputedStyle(tag);
    return [tag.tagName, tag.innerText, ...[...style].map((key) => `${key}: ${style[key]}`)];
  };
  const all = (tag) => [tag, ...tag.querySelectorAll("*")];
  const list = all(document.querySelector("div.panel-heading"));
  const page = getComputedStyle(document.body);
  return {
    list: list.map(seen),
    places: list.map((tag) => Object.values(tag.getBoundingClientRect().toJSON())),
    cards: [...document.querySelectorAll(".hw-card")].flatMap(all).map(seen),
    body: [page.backgroundColor, page.display, page.color, page.fontSize],
  };
}"""
COVERED = """() => {
  const list = document.querySelector("div.panel-heading"), box = list.getBoundingClientRect();
  const hidden = [];
  for (let x = box.left + 2; x < box.right - 2; x += 20)
    for (let y = box.top + 2; y < box.bottom - 2; y += 5)
      if (!list.contains(document.elementFromPoint(x, y))) hidden.push([x, y]);
  return hidden;
}"""


LEFT = "it => getComputedStyle(it).borderLeftColor"


def attacks():
    """One cell for each attack."""
    cells = [shown(html) for html in HTML]
    cells += [new_markdown_cell(html) for html in HTML] + [new_raw_cell(html) for html in HTML]
    for data in DATA:
        cells.append(new_code_cell("show()", outputs=[new_output("display_data", data=data)]))
    sized = {"image/png": {"width": f'1 style="{COVER}" onload=alert(1)', "height": 1}}
    picture = new_output("display_data", data={"image/png": PICTURE}, metadata=sized)
    cells.append(new_code_cell("show()", outputs=[picture]))
    isolated = {"text/html": {"isolated": True}}
    cells.append(shown("<script>parent.alert(1)</script>", **isolated))
    cells.append(new_markdown_cell(f"![$x$ {HTML[1]}](attachment:a) $\\text{{{HTML[1]}}}$"))
    cells[-1].attachments = {"a": {"text/html": HTML[0]}, HTML[1]: {"image/png": PICTURE}}
    cells.append(new_markdown_cell(f'![$" style="{COVER}" onerror="alert(1)$](x.png \'$y$\')'))
    cells.append(new_markdown_cell("$\\hspace{-3000pt}\\raisebox{3000pt}{20}$ # check-dot"))
    stream = new_output("stream", name="stdout", text=f"\x1b[31m{FAKE}\x1b[0m" + "x" * 5000)
    error = new_output("error", ename=HTML[0], evalue=HTML[1], traceback=[HTML[0], HTML[1]])
    cells.append(new_code_cell(HTML[0], outputs=[stream, error]))
    cells.append(
        new_code_cell("x", metadata={"tags": ["x hw-card", '"><script>alert(1)</script>']})
    )
    cells[-1].id = "x"
    return cells


@pytest.fixture
def look(browser, tmp_path):
    """Opens a page and gives its state, and everything that it asked for or said."""
    contexts = []

    def open_page(html, width=1200):
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, offline=True))
        page = contexts[-1].new_page()
        happened = []
        page.on("dialog", lambda dialog: (happened.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda asked: happened.append(asked.url))
        page.on("pageerror", lambda error: happened.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_timeout(100)
        ours = [it for it in happened if it != path.as_uri() and not it.startswith("data:image/")]
        return page, ours

    yield open_page
    for context in contexts:
        context.close()


def honest(*between):
    right, wrong = find_task(DOT).reference, find_task(DOT).misconceptions[0].answers[0]
    own = graded("assert True", "own-test")
    return page_of(check_cell(right), own, *between, check_cell(wrong, "check-again"))


@pytest.mark.parametrize("width", [390, 1200])
def test_no_attack_runs_loads_or_changes_what_the_grading_says(look, width):
    calm, happened = look(honest(), width)
    assert happened == []
    before = calm.evaluate(STATE)
    assert before["cards"], "no card is there to compare"
    stormy, happened = look(honest(*attacks()), width)
    assert happened == []
    after = stormy.evaluate(STATE)
    for part in before:
        assert after[part] == before[part], part
    assert stormy.evaluate(COVERED) == []
    assert stormy.evaluate("document.documentElement.scrollWidth") == width
    for tag in stormy.query_selector_all("#toc a"):
        target = stormy.locator(f'[name="{tag.get_attribute("href")[1:]}"]')
        assert target.count() == 1


def test_boxes_hold_even_what_the_cleaning_would_let_through(look):
    """The second wall alone: an overlay put into a finished page stays in its box."""
    overlay = (
        "<div id='over' style='position:fixed;inset:-9000px;z-index:99;background:red'>x</div>"
    )
    html = honest(shown("<p>HERE</p>"))
    page, _ = look(html.replace("<p>HERE</p>", overlay))
    assert page.locator("#over").count() == 1
    assert page.evaluate(COVERED) == []


def test_the_policy_refuses_styles_and_scripts_that_are_not_the_page_s(look):
    """The third wall alone: a style sheet put into a finished page is not applied."""
    html = honest(shown("<p>HERE</p>"))
    foreign = "<style>#toc{display:none}</style><script>alert(1)</script>"
    page, happened = look(html.replace("<p>HERE</p>", foreign))
    assert happened == []
    assert page.locator("#toc").is_visible()


def test_a_card_is_drawn_as_a_card(look):
    page, _ = look(honest())
    assert page.locator(".hw-card").first.evaluate(LEFT) == "rgb(0, 158, 115)"
    assert page.locator(".hw-card").last.evaluate(LEFT) == "rgb(213, 94, 0)"


def test_on_a_telephone_scores_stay_in_their_headings(look):
    page, _ = look(honest(), 390)
    headings = page.locator("div.nbgrader_cell .panel-heading")
    assert headings.count() == 3
    for heading in headings.all():
        end = heading.bounding_box()
        score = heading.locator(".pull-right").bounding_box()
        assert score["y"] + score["height"] <= end["y"] + end["height"]
