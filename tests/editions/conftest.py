"""A site of two pages, as `headway book` builds it, with one of all that an edition changes."""

import pytest
import yaml

from headway.editions.contents import read_book
from headway.editions.make import still_book

DRAWING = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 2'%3E"
    "%3Crect id='a' width='4' height='2'/%3E%3Crect id='a' width='1' height='1'/%3E%3C/svg%3E"
)
FIGURE = f"""<figure class="hw-figure" data-headway-figure="bars" role="group">
<p class="hw-title">Two bars</p><div class="hw-stage"></div>
<img class="hw-static" src="{DRAWING}" alt="A bar of 4 and a bar of 1." width="400" height="200">
<figcaption>Press a bar.</figcaption>
<details class="hw-numbers"><summary>The numbers as a table</summary><table></table></details>
<script type="application/json">{{"a": 1}}</script>
</figure>"""
HIDDEN = """<div class="cell tag_hide-input"><details class="admonition hide above-input">
<summary>Show the code</summary><div class="cell_input"><pre>import secret</pre></div></details>
</div>"""
NUMBER = """<div class="hw-ask"><p class="hw-asked"><span class="hw-label">Predict first</span> What
is 1 + 1?</p><form class="hw-guess" data-number="2" hidden><input><output></output></form>
<details class="hw-predict" id="predict-0"><summary>Answer</summary>
<div class="hw-predict-answer"><p>It is <em>two</em>.</p></div></details></div>
<div class="cell"><div class="cell_input"><div class="highlight"><pre>1 + 1</pre></div></div>
<div class="cell_output"><div class="hw-output" data-answers="predict-0">
<div class="output"><pre>2</pre></div></div></div>
</div>"""
CHOICE = """<div class="hw-ask"><p class="hw-asked"><span class="hw-label">Predict first</span>
Which is red?</p><form class="hw-guess" hidden><button value="sky">sky</button>
<button value="rose">rose</button></form><details class="hw-predict" id="predict-1">
<summary>Answer</summary><div class="hw-predict-answer"><p>The rose.</p></div></details></div>"""
FOLD = """<details class="hw-predict"><summary>Why?</summary>
<div class="hw-predict-answer"><p>Because of it.</p></div></details>"""
GATHERED = r"\begin{gathered}a = b \\ c \le d\end{gathered}"


def formula(mathml: str, tex: str, tag: str = "span") -> str:
    """A formula as a page has it: MathML with its TeX, and HTML for the eye."""
    kind = ' display="block"' if tag == "div" else ""
    return f"""<{tag} class="math notranslate"><span class="katex"><span class="katex-mathml"><math
xmlns="http://www.w3.org/1998/Math/MathML"{kind}><semantics><mrow>{mathml}</mrow><annotation
encoding="application/x-tex">{tex}</annotation></semantics></math></span><span class="katex-html"
aria-hidden="true"><span class="mord">seen</span></span></span></{tag}>"""


FRONT = """<section id="a-book"><h1>A book<a class="headerlink" href="#a-book">#</a></h1>
<div class="hw-editions"></div>
<p>Read <a href="01-one.html#bars">the bars</a>, a <a href="01-one.html"><span
class="std-term">word</span></a>, <a href="../notebooks/01-one.ipynb">a notebook</a>,
<a href="https://example.org/x">elsewhere</a>, <a href="https://example.org/x">again</a> and <a
href="https://doi.org/10.1/2">doi:10.1/2</a>.</p></section>"""
CHAPTER = f"""<section id="one"><h1>One<a class="headerlink" href="#one">#</a></h1>
<p>The number {formula("<msup><mi>x</mi><mn>2</mn></msup>", "x^2")}, and</p>
{formula("<mtable><mtr><mtd></mtd></mtr></mtable>", GATHERED, tag="div")}
{HIDDEN}
<section id="bars"><h2>Bars<a class="headerlink" href="#bars">#</a></h2>{FIGURE}
{NUMBER}{CHOICE}{FOLD}
<div class="hw-figure hw-machine"><svg viewbox="0 0 2 1" role="img" aria-label="Steps"><path
class="hw-wire" d="M0 0L2 1"></path><a
href="https://example.org"><rect width="1" height="1"></rect></a></svg></div>
<table class="hw-matrix hw-role-key" tabindex="0"><tr><td aria-pressed="false"
style="--p:1.00">1</td><td style="--p:0.00">0</td></tr></table>
<p><a href="index.html#a-book">Back</a>, <a href="#lost">lost</a>.</p></section>
</section>"""


@pytest.fixture
def small_site(tmp_path):
    """The folder of a checkout and of its built site."""
    site = tmp_path / "_build" / "html"
    (site / "book").mkdir(parents=True)
    for name, content in {"index": FRONT, "01-one": CHAPTER}.items():
        page = f"<html><body><nav>menu</nav><article>{content}</article></body></html>"
        (site / "book" / f"{name}.html").write_text(page, encoding="utf-8")
    config = {"title": "A book: on bars", "author": "Somebody"}
    config["html"] = {"baseurl": "https://book.example/"}
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config))
    chapter = {"file": "book/01-one", "title": "1 · One"}
    toc = {"root": "book/index", "parts": [{"caption": "Part", "chapters": [chapter]}]}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(toc))
    return tmp_path, site


@pytest.fixture
def book(small_site):
    """The pages as the site has them."""
    return read_book(*small_site)


@pytest.fixture
def still(small_site):
    """The pages as both editions take them."""
    return still_book(*small_site)
