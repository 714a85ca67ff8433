"""Plots: both versions, a text alternative, and the same bytes each time."""

import re
from dataclasses import replace
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from headway.figures.core.palette import DARK, LIGHT
from headway.figures.core.picture import minify_svg
from headway.figures.core.plot import Plot
from tests.figures.node import normal


def steps(ax):
    ax.plot([1, 2, 3], [1, 4, 9], "o-")


def sources(plot):
    """For each image, which mode it is for, its kind, and its data as text."""
    found = re.findall(r'<img class="hw-(\w+)[^"]*" src="data:([^;,]+)[^,]*,([^"]+)"', plot.html())
    return [(mode, mime, unquote(data)) for mode, mime, data in found]


def test_a_plot_is_light_and_dark_with_its_alternative_on_both_and_the_same_bytes_each_time():
    plot = Plot(steps, alt='From 1 to "9" & <more>.', title="It bends")
    (light, dark) = sources(plot)
    assert (light[0], dark[0]) == ("light", "dark")
    assert LIGHT.hues[0] in light[2]
    assert DARK.hues[0] in dark[2]
    assert plot.html().count('alt="From 1 to &quot;9&quot; &amp; &lt;more&gt;."') == 2
    assert sources(replace(plot)) == [light, dark]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("From -0.50 to 3.", "From −0.50 to 3."),
        ("Points (-1, -.5), loss 3e-16, -∞.", "Points (−1, −.5), loss 3e−16, −∞."),
        ("GPT-2 in 2018-2019, pages 2-3, “-1”, W-1.", "GPT-2 in 2018-2019, pages 2-3, “-1”, W-1."),
    ],
)
def test_numbers_below_zero_have_a_real_minus_sign_wherever_a_plot_is_told(written, read):
    bundle, metadata = Plot(steps, written, written, written)._repr_mimebundle_()
    assert bundle["text/html"].count(read) == 4
    assert bundle["text/plain"] == f"{read}. {read}"
    assert metadata["image/png"]["alt"] == read


def test_a_drawing_names_its_font_once_keeps_its_texts_and_finds_what_it_refers_to():
    def draw(ax):
        steps(ax)
        ax.set_yscale("log")
        ax.set_xlabel("1.23456 <!-- not a comment --> px")
        ax.text(1, 2, "bold", weight="bold", rotation=30)

    svg = sources(Plot(draw, alt="A curve.", title="It bends"))[0][2]
    assert svg.count("DejaVu Sans") == 1
    assert svg.index("DejaVu Sans") < svg.index(">")
    referred = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    assert referred
    assert referred <= set(re.findall(r' id="([^"]+)"', svg))
    assert "1.23456 &lt;!-- not a comment --&gt; px" in svg
    assert "rotate(-30" in svg
    assert not re.search(r' [xyd]="[^"]*\.\d{3}', svg)
    assert "text-anchor: start" not in svg
    assert not re.search(r"<g>\s*<text[^>]*>[^<]*</text>\s*</g>", svg)
    ElementTree.fromstring(svg)


def test_a_drawing_stays_text_that_no_tag_or_address_can_take_for_its_own():
    title = '100 % of "it" & <b>#1</b>\nnaïve'
    plot = Plot(lambda ax: ax.set_title(title), alt="A title.", title="It says")
    (address, _) = re.findall(r'src="([^"]*)"', plot.html())
    assert not set(address) & set("<>#&\n")
    texts = "".join(ElementTree.fromstring(sources(plot)[0][2]).itertext())
    assert '100 % of "it" & <b>#1</b>' in texts
    assert "naïve" in texts


def test_a_plot_of_many_points_becomes_a_small_image():
    points = normal(2, 20_000)
    plot = Plot(lambda ax: ax.plot(*points, "."), alt="A cloud.", title="A cloud")
    kinds = {mime for _, mime, _ in sources(plot)}
    assert kinds == {"image/png"}
    assert len(plot.html()) < 400_000


def test_marks_of_one_style_say_it_once():
    plot = Plot(lambda ax: ax.plot([1, 2, 3], "o", alpha=0.5), alt="Up.", title="It rises")
    for _, _, svg in sources(plot):
        (group,) = re.findall(r"<g [^>]*>\s*(?:<use [^>]*/>\s*){3}</g>", svg)
        assert group.count("fill-opacity: 0.5") == group.count("style=") == 1


@pytest.mark.parametrize(
    "marks",
    [
        '<use x="1" style="fill: red"/><use x="2" style="fill: blue"/>',
        '<use x="1"/><use x="2" style="fill: red"/>',
        '<use x="1" style="opacity: 0.5"/><use x="2" style="opacity: 0.5"/>',
    ],
    ids=["two colors", "one has none", "see-through as a whole"],
)
def test_marks_that_would_look_otherwise_keep_their_styles(marks):
    assert f"<g>{marks}</g>" in minify_svg(f"<svg><g>{marks}</g></svg>")


def test_draw_may_ask_for_the_figure():
    def two(fig):
        left, right = fig.subplots(1, 2)
        left.set_title("the left one")
        right.set_title("the right one")

    (light, _) = sources(Plot(two, alt="Two.", title="Two"))
    assert "the right one" in light[2]


def test_a_notebook_gets_an_image_with_its_alternative_too(monkeypatch):
    monkeypatch.delenv("HEADWAY_BOOK", raising=False)
    data, metadata = Plot(steps, alt="A curve.", title="It bends")._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"] == "A curve."
    assert "<style>" in data["text/html"]


def test_a_plot_without_words_or_a_function_that_draws_is_refused():
    for name in ("alt", "title"):
        with pytest.raises(ValueError, match=f"{name} must be a text"):
            Plot(steps, **{"alt": "A curve.", "title": "It bends", name: " "})
    with pytest.raises(TypeError, match="draw must be a function"):
        Plot([1, 2], alt="A curve.", title="It bends")
