"""Feedback pages in a browser: what a student wrote runs nothing, loads nothing, covers nothing."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell

from headway.tasks.engine.find import find_task
from tests.browser.alone import assert_it_reads_well
from tests.full import full_but
from tests.grading.pages import DOT, PIXEL, check_cell, graded, page_of, shown

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
STATE = """() => {
  const seen = (tag) => {
    const style = getComputedStyle(tag);
    return [tag.tagName, tag.innerText, ...[...style].map((key) => `${key}: ${style[key]}`)];
  };
  const all = (tag) => [tag, ...tag.querySelectorAll("*")];
  const list = all(document.querySelector("#toc"));
  const page = getComputedStyle(document.body);
  return {
    list: list.map(seen),
    places: list.map((tag) => Object.values(tag.getBoundingClientRect().toJSON())),
    cards: [...document.querySelectorAll(".hw-card")].flatMap(all).map(seen),
    body: [page.backgroundColor, page.display, page.color, page.fontSize],
  };
}"""
COVERED = """() => {
  const list = document.querySelector("#toc"), box = list.getBoundingClientRect();
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
    picture = new_output("display_data", data={"image/png": PIXEL}, metadata=sized)
    cells.append(new_code_cell("show()", outputs=[picture]))
    isolated = {"text/html": {"isolated": True}}
    cells.append(shown("<script>parent.alert(1)</script>", **isolated))
    cells.append(new_markdown_cell(f"![$x$ {HTML[1]}](attachment:a) $\\text{{{HTML[1]}}}$"))
    cells[-1].attachments = {"a": {"text/html": HTML[0]}, HTML[1]: {"image/png": PIXEL}}
    cells.append(new_markdown_cell(f'![$" style="{COVER}" onerror="alert(1)$](x.png \'$y$\')'))
    stream = new_output("stream", name="stdout", text=f"\x1b[31m{FAKE}\x1b[0m" + "x" * 5000)
    error = new_output("error", ename=HTML[0], evalue=HTML[1], traceback=[HTML[0], HTML[1]])
    cells.append(new_code_cell(HTML[0], outputs=[stream, error]))
    cells.append(
        new_code_cell("x", metadata={"tags": ["x hw-card", '"><script>alert(1)</script>']})
    )
    cells[-1].id = "x"
    return cells


def honest(*between):
    right, wrong = find_task(DOT).reference, find_task(DOT).misconceptions[0].answers[0]
    own = graded("assert True", "own-test")
    return page_of(check_cell(right), own, *between, check_cell(wrong, "check-again"))


@pytest.mark.parametrize("width", full_but((390).__eq__, [390, 1200]))
def test_no_attack_runs_loads_or_changes_what_the_grading_says(alone, width):
    calm = alone(honest(), width=width)
    passed, failed = (calm.locator(".hw-card").nth(at).evaluate(LEFT) for at in (0, -1))
    assert (passed, failed) == ("rgb(0, 158, 115)", "rgb(213, 94, 0)")
    before = calm.evaluate(STATE)
    stormy = alone(honest(*attacks()), width=width, refusing=True)
    after = stormy.evaluate(STATE)
    for part in before:
        assert after[part] == before[part], part
    assert stormy.evaluate(COVERED) == []
    assert stormy.evaluate("document.documentElement.scrollWidth") == width
    for tag in stormy.query_selector_all("#toc a"):
        target = stormy.locator(f'[id="{tag.get_attribute("href")[1:]}"]')
        assert target.count() == 1


def test_boxes_hold_what_is_drawn_in_them(alone):
    """The second wall alone: an overlay put into a finished page stays in its box."""
    overlay = (
        "<div id='over' style='position:fixed;inset:-9000px;z-index:99;background:red'>x</div>"
    )
    page = alone(honest(new_code_cell("HERE")).replace("HERE", overlay), refusing=True)
    assert page.locator("#over").count() == 1
    assert page.evaluate(COVERED) == []


def test_the_policy_refuses_scripts(alone):
    """The third wall alone: a script put into a finished page does not run."""
    foreign = "<script>alert(1)</script><img src='data:x' onerror='alert(1)'>"
    page = alone(honest(new_code_cell("HERE")).replace("HERE", foreign), refusing=True)
    assert page.locator("#toc").is_visible()


@pytest.mark.parametrize("width", full_but((390).__eq__, [390, 1200]))
@pytest.mark.parametrize("mode", full_but("dark".__eq__, ["light", "dark"]))
def test_a_page_reads_well(alone, width, mode):
    picture = new_output("display_data", data={"image/png": PIXEL})
    code = new_code_cell("for x in range(3):  # three\n    print('x', x)", outputs=[picture])
    assert_it_reads_well(alone(honest(code, new_markdown_cell("# Words")), mode, width))
