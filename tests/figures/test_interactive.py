"""Interactive figures: what a page gets, what a notebook gets, and what is refused."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from headway.figures.core.interactive import ATTACHED
from headway.figures.core.matrix import Matrix
from headway.figures.core.scripts import figure_names
from headway.figures.core.styles import base_style, figure_style
from headway.figures.gallery.alignment import Alignment, alignment
from headway.figures.gallery.attention import Reading
from headway.figures.gallery.attention_explorer import attention_explorer
from headway.figures.gallery.bars import Bars, Case, sliding_bars
from headway.figures.gallery.beam_tree import beam_tree
from headway.figures.gallery.block_switches import Measure, block_switches
from headway.figures.gallery.cache_memory import CacheSizes, cache_memory
from headway.figures.gallery.chain_walk import chain_walk
from headway.figures.gallery.compare_orders import compare_orders
from headway.figures.gallery.cost_curves import cost_curves
from headway.figures.gallery.decoder_inputs import Inputs, decoder_inputs
from headway.figures.gallery.descent import descent_on_surfaces
from headway.figures.gallery.dot_product import dot_product_by_angle
from headway.figures.gallery.family_chooser import Rule, family_chooser
from headway.figures.gallery.fill_in import Filler, fill_in
from headway.figures.gallery.head_reshape import head_reshape
from headway.figures.gallery.head_viewer import head_viewer
from headway.figures.gallery.heat_map import heat_map
from headway.figures.gallery.live_language_model import Prompt, Writer, live_language_model
from headway.figures.gallery.live_tokens import live_tokens
from headway.figures.gallery.live_translator import Machine, Translated, live_translator
from headway.figures.gallery.mask_painter import mask_painter
from headway.figures.gallery.matrix_product import Product, matrix_product
from headway.figures.gallery.merge_steps import merge_steps
from headway.figures.gallery.nucleus import nucleus
from headway.figures.gallery.patch_reach import patch_reach
from headway.figures.gallery.position_schemes import Scheme, position_schemes
from headway.figures.gallery.position_wiggle import position_wiggle
from headway.figures.gallery.row_lookup import row_lookup
from headway.figures.gallery.schedule_curves import schedule_curves
from headway.figures.gallery.sense_layers import Mentions, sense_layers
from headway.figures.gallery.sentence_graph import sentence_graph
from headway.figures.gallery.shape_tracker import Stage, shape_tracker
from headway.figures.gallery.step_cost import Cost, step_cost
from headway.figures.gallery.stepped import stepped
from headway.figures.gallery.training_dashboard import Look, training_dashboard
from headway.figures.gallery.vote_bars import vote_bars
from headway.figures.gallery.votes import Prefix
from headway.figures.gallery.word_map import word_map
from headway.figures.gallery.word_scores import word_scores
from headway.text.byte_pair import BytePairTokenizer

TABLE = [[0.5, -1], [2, 3.25], [0, 1]]
READING = Reading("one", ["a", "b"], np.eye(2), np.zeros((2, 3)), np.ones((2, 3)))
MACHINE = Machine(
    {"vocabulary": 3, "source_vocabulary": 2, "layers": 1}, {"one": np.ones(2)}, ["<end>", "a"],
    ["<end>", "b", "c"], *(1, 0, ["a a"]),
)  # fmt: skip
TRANSLATED = Translated(["a", "<end>"], ["b"], [[("b", 0.75), ("c", 0.25)]], [[[0.5, 0.5]]])
WRITER = Writer(
    {"vocabulary": 257, "context": 4, "layers": 1, "heads": 1}, {"one": np.ones(2)},
    BytePairTokenizer.train(["a"], 256),
)  # fmt: skip
PROMPT = Prompt("a", [256, 64], np.zeros((2, 257)), np.array([[[[1, 0], [0.5, 0.5]]]]))
FIGURES = {
    "row_lookup": lambda: row_lookup(["a", "b", "<c>"], TABLE, columns=["x", "y"]),
    "dot_product": lambda: dot_product_by_angle([3, 1], [1, 2]),
    "chain_walk": lambda: chain_walk(["a", "b"], [[0, 1], [0.5, 0.5]], "a", [[0.25, 0.75]]),
    "heat_map": lambda: heat_map(["a", "b"], ["x"], [[1], [0]], ("b", "x"), title="Ones"),
    "compare_orders": lambda: compare_orders(
        [["a"]], (1,), [[[[0.5, 0.5], [0.25, 0.75]]]], [[[3, 2]]], symbols=["a", "(end)"]
    ),
    "vote_bars": lambda: vote_bars(
        ["a", "b"],
        [Prefix("c", "a")],
        *(["once"], "How often", [[[2, 1]]], [[[1, 0]]]),
        *(0, "The mask leaves one vote", "Move the slider."),
    ),
    "merge_steps": lambda: merge_steps(["abab"], title="It merges", caption="Take a step."),
    "live_tokens": lambda: live_tokens(
        BytePairTokenizer.train(["abab"], 258), [256, 257], ["abc"], "It cuts", "Type."
    ),
    "head_reshape": lambda: head_reshape(["a"], np.array([[[0, 1]], [[2, 3]]]), "Two heads", "Go."),
    "head_viewer": lambda: head_viewer(
        [("a b", 1, np.array([[[1, 0], [0.5, 0.5]]]))], ["head 1"], "One head", "Choose."
    ),
    "attention_explorer": lambda: attention_explorer(
        [READING], ["a", "b", "c"], title="It looks back", caption="Point at a word."
    ),
    "mask_painter": lambda: mask_painter(
        READING, ["a", "b", "c"], {"causal": np.tri(2, dtype=bool)}, "It is hidden", "Paint."
    ),
    "matrix_product": lambda: matrix_product(
        [Product("C = A B", Matrix("A", [[1, 2]]), Matrix("B", [[3], [4]]), Matrix("C", [[11]]))],
        title="A row meets a column",
        caption="Take a step.",
    ),
    "bars": lambda: sliding_bars(
        [Case("one", [Bars("weights", ["a", "b"], np.array([[0.5, 0.5], [1, 0]]))])],
        ["1", "0"],
        slider="Temperature",
        title="It cools",
        caption="Cool it down.",
    ),
    "descent": lambda: descent_on_surfaces(
        {"bowl": np.eye(2)},
        {"bowl": {"SGD": {0.5: np.array([[1, 1], [0.5, 0.5]])}}},
        start=("bowl", "SGD", 0.5),
        title="It goes down",
        caption="Take a step.",
    ),
    "alignment": lambda: alignment(
        [Alignment(["a", "b"], ["c"], [[[0.25, 0.75]]])], title="It looks", caption="Look."
    ),
    "position_wiggle": lambda: position_wiggle([1.0, 0.1], 9, "It turns", "Drag it."),
    "position_schemes": lambda: position_schemes(
        [Scheme("one", "columns", np.eye(2), np.eye(2))], "It knows", "Choose one."
    ),
    "schedule_curves": lambda: schedule_curves(
        *(lambda width, warmup: lambda taken: (taken + 1) / width, [2], [3], [1, 3]),
        title="It rises",
        caption="Move along it.",
    ),
    "decoder_inputs": lambda: decoder_inputs(
        [Inputs("a", ["b"], [{"its own": (["<start>"], ["c"])}])], ["1 step"], "It reads", "Read."
    ),
    "shape_tracker": lambda: shape_tracker(
        [Stage("encoder", "ids", "B S", "ids", "At first.")],
        *({"small": {"C": 2}}, {"B": 1, "S": 2, "T": 3}, "Shapes", "Press.", {"B": 2, "S": 2}),
    ),
    "live_translator": lambda: live_translator(MACHINE, TRANSLATED, ["a"], "It works", "Type."),
    "live_language_model": lambda: live_language_model(WRITER, PROMPT, ["a"], "It says", "Type."),
    "stepped": lambda: stepped(
        '<svg aria-label="Two steps."><g data-step="1"></g><g data-step="2"></g></svg>',
        ["One.", "Two."],
        "It grows",
        "Press Play.",
        "Two steps.",
        ["step"],
        [[1], [2]],
    ),
    "training_dashboard": lambda: training_dashboard(
        [1.0, 0.5],
        [Look(1, 1.0, "a"), Look(2, 0.5, "b")],
        {"uniform guess": 1.5},
        title="It falls",
        caption="Move.",
        prompt="a ",
    ),
    "step_cost": lambda: step_cost(
        [1, 2], [Cost("FLOPs", "FLOPs", [1, 1], [1, 2])], title="It grows", caption="Move along."
    ),
    "block_switches": lambda: block_switches(
        [Measure("size", np.ones((2, 3, 1, 2)), log=True)], ["ReLU"], "It is built", "Switch."
    ),
    "cache_memory": lambda: cache_memory(
        {"small": CacheSizes(1, 1, 1, 1)}, title="It takes", caption="Choose.", start="small"
    ),
    "sentence_graph": lambda: sentence_graph(
        ["a", "b"], ["one"], np.eye(2)[None], title="It joins", caption="Choose a word."
    ),
    "cost_curves": lambda: cost_curves([64], [1, 2], "It grows", "Move along.", width=64, length=2),
    "family_chooser": lambda: family_chooser(
        {"what is asked for": ["this", "that"]},
        {"what is chosen": [Rule("one", "It fits.")]},
        *("It chooses", "Answer."),
    ),
    "beam_tree": lambda: beam_tree({"a b": 2, "a c": 1}, "It branches", "Take a step."),
    "nucleus": lambda: nucleus(
        {"a": np.arange(13.0)}, list("abcdefghijklm"), title="It is cut", caption="Move it."
    ),
    "fill_in": lambda: fill_in(
        Filler({"vocabulary": 3}, {"one": np.ones(2)}, ["[MASK]", "a", "b"], ["[MASK]"], 0, 0, 0),
        *([[("b", 0.75)]], ["a _"], "It fills", "Hide a word."),
    ),
    "sense_layers": lambda: sense_layers(
        [Mentions("a", ("x", "y"), list("bcd"), np.array([0, 1, 1]), np.tri(3)[None], [0.5])],
        *("They part", "Move the slider."),
    ),
    "patch_reach": lambda: patch_reach(np.eye(4), 2, 3, 0, "It sees", "Add layers."),
    "word_map": lambda: word_map(["a", "b", "c"], TABLE, {"x": ["a"]}, "a", "Near", count=2),
    "word_scores": lambda: word_scores(
        ["a", "b", "c"], TABLE, {"W": TABLE}, ["a"], "It scores", count=2
    ),
}


def test_each_figure_of_the_gallery_is_here():
    assert sorted(FIGURES) == figure_names()


@pytest.mark.parametrize("name", FIGURES)
def test_a_page_gets_html_and_no_widget(name, monkeypatch):
    monkeypatch.setenv("HEADWAY_BOOK", "1")
    data = FIGURES[name]()._repr_mimebundle_()
    assert set(data) == {"text/html", "text/plain"}
    html = data["text/html"]
    assert f'data-headway-figure="{name}"' in html
    assert re.search(r'<img class="hw-static[^>]* alt="[^"]{40,}"|<svg[^>]* aria-label="', html)
    assert "<table" in html
    assert "<figcaption>" in html
    numbers = re.search(r'<script type="application/json">(.*)</script>', html)[1]
    assert json.loads(numbers) == FIGURES[name]().data


@pytest.mark.parametrize("name", FIGURES)
def test_a_live_notebook_gets_a_widget_and_html_for_frontends_without(name, monkeypatch):
    monkeypatch.delenv("HEADWAY_BOOK", raising=False)
    data = FIGURES[name]()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "<script" not in data["text/html"]
    assert re.search('<img class="hw-static|<svg', data["text/html"])
    assert base_style() + figure_style(name) in data["text/html"]


def test_a_word_that_looks_like_markup_ends_no_script_element():
    html = row_lookup(["</script>", "b"], [[1], [2]]).html()
    numbers = re.search(r'<script type="application/json">(.*?)</script>', html)[1]
    assert json.loads(numbers)["words"][0] == "</script>"


def test_what_is_attached_is_carried_by_a_page_under_a_name_of_its_content(monkeypatch):
    monkeypatch.setenv("HEADWAY_BOOK", "1")
    names = []
    for number in (1, 1, 2):
        figure = replace(FIGURES["row_lookup"](), attached={"weights": [number, "</script>"]})
        html = figure._repr_mimebundle_()["text/html"]
        name, numbers = re.search(
            rf'<script type="{re.escape(ATTACHED)}" data-name="([\w-]+)">(.*?)</script>', html
        ).groups()
        assert json.loads(numbers) == figure.attached
        names.append(name)
    assert names[0] == names[1] != names[2]


def test_what_is_attached_comes_along_into_a_live_notebook():
    figure = replace(FIGURES["row_lookup"](), attached={"weights": [1]})
    assert figure.widget().attached == {"weights": [1]}


def test_the_lookup_says_its_row_in_words():
    assert "times the matrix gives the matrix’s row 1: 2, 3.25" in (
        row_lookup(["a", "b", "c"], TABLE, start="b").alt
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"words": ["a", "b"], "table": TABLE}, r"shape \(3, 2\)"),
        ({"words": ["a", "b", "b"], "table": TABLE}, "must differ"),
        ({"words": ["a", "b", "c"], "table": TABLE, "start": "d"}, "'d' is not one of"),
        ({"words": ["a", "b", "c"], "table": TABLE, "columns": ["x"]}, "one column a name"),
        ({"words": ["a", "b"], "table": [[np.nan], [1]]}, "finite"),
        ({"words": list("abcdefghijklmnop"), "table": np.ones((16, 2))}, "legible"),
    ],
)
def test_a_lookup_that_makes_no_sense_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        row_lookup(**arguments)


def test_the_arrows_say_their_numbers_in_words():
    assert "45° apart" in dot_product_by_angle([3, 1], [1, 2]).alt
    assert "the dot product is 5" in dot_product_by_angle([3, 1], [1, 2]).alt


@pytest.mark.parametrize("wrong", [[0, 0], [1, 2, 3], [1, np.inf]])
def test_an_arrow_needs_two_numbers_and_a_direction(wrong):
    with pytest.raises(ValueError, match="b must be two finite numbers"):
        dot_product_by_angle([1, 1], wrong)
