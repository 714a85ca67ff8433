"""The stages of the live translator: every part of the machine opens on torch's numbers."""

import numpy as np
import pytest
import torch

from headway.figures.core.scripts import ENGINE, figure_folder
from headway.figures.machine.wide import wide
from headway.models.inspect import attention_weights, layer_outputs
from headway.models.translator import Translator, TranslatorConfig
from tests.figures.node import run
from tests.figures.test_engine import random_weights

OPEN = """
const { translator } = await import(given.engine + "transformer.js");
const { translate } = await import(given.figure + "translate.js");
const { choicesOf, isOnThePage, openStage } = await import(given.figure + "stages.js");
const result = translate(translator(given.packed), given, given.words, 1);
const lists = (x) => JSON.parse(JSON.stringify(x, (_, v) => (ArrayBuffer.isView(v) ? [...v] : v)));
const opened = (place, block, head) =>
  lists(openStage(place, result, { block, head, look: head, step: result.said.length - 1 }));
const { source, said, likeliest } = result;
const page = { source, said, likeliest, weights: given.weights };
answer({
  ids: result.ids,
  said,
  opened: Object.fromEntries(given.places.map((place) => [place, [0, 1].map((block) =>
    [0, 1].map((head) => opened(place, block, head)))])),
  choices: Object.fromEntries(given.places.map((place) => [place, choicesOf(place)])),
  means: Object.fromEntries(given.places.filter((place) => choicesOf(place).includes("look"))
    .map((place) => [place, [0, 1].map((block) => opened(place, block, -1))])),
  beginning: given.places.map((place) =>
    openStage(place, result, { block: 0, head: 0, look: 0, step: 0 })),
  ready: given.places.filter((place) => isOnThePage(place, 1, 2)),
  first: given.places.filter((place) => isOnThePage(place, 0, 2)),
  page: given.places.filter((place) => isOnThePage(place, 1, 2))
    .map((place) => openStage(place, page, { block: 1, look: -1, step: 1 }).says),
});
"""
PLACES = [box.place for box in wide().boxes]
H, START, END = 4, 1, 0
ENGLISH = ["<end>", "<pad>", *"abcdefgh"]
FRENCH = ["<end>", "<start>", *"klmnopqrs"]
WORDS = ["c", "a", "f"]


@pytest.fixture(scope="module")
def model_and_packed():
    """A translator of two blocks on each side, none of whose heads is like another."""
    config = TranslatorConfig(
        vocabulary=len(FRENCH), source_vocabulary=len(ENGLISH), context=9, width=16, heads=H,
        layers=2, hidden=24,
    )  # fmt: skip
    return random_weights(Translator(config, torch.Generator()), seed=3)


@pytest.fixture(scope="module")
def found(model_and_packed):
    """What Node opens, at the last word that the translator says."""
    return run(OPEN, {
        "engine": ENGINE.as_uri() + "/",
        "figure": figure_folder("live_translator").as_uri() + "/",
        "packed": model_and_packed[1], "places": PLACES, "words": WORDS,
        "english": ENGLISH, "french": FRENCH, "start": START, "end": END,
        "weights": np.full((H, 9, len(WORDS) + 1), 0.25).tolist(),
    })  # fmt: skip


@pytest.fixture(scope="module")
def read(found):
    """What torch's translator reads: source (1, S) and target (1, T)."""
    assert found["ids"]["encoder"] == [*map(ENGLISH.index, WORDS), END]
    target = found["ids"]["decoder"][:-1]
    assert target[0] == START
    assert len(target) > 3, "the translator says too little; take another seed"
    return torch.tensor([found["ids"]["encoder"]]), torch.tensor([target])


def pieces(found, place, kind, block=0, head=0):
    """The pieces of one kind of an opened stage."""
    return [piece for piece in found["opened"][place][block][head]["pieces"] if kind in piece]


def padded(rows, width):
    """Rows that may be short, as a matrix with zeros behind them."""
    return np.array([[*row, *[0] * (width - len(row))] for row in rows])


def test_every_part_of_the_drawing_opens_with_a_sentence_and_numbers(found):
    for place in PLACES:
        for stage in (found["opened"][place][0][0], found["beginning"][PLACES.index(place)]):
            assert stage["says"].endswith(".")
            assert "undefined" not in stage["says"]
            assert "NaN" not in str(stage)
            assert stage["pieces"]
    said = [found["opened"][place][0][0]["says"] for place in PLACES]
    assert len(set(said)) > 0.9 * len(said)


def test_block_and_head_are_chosen_where_they_change_what_is_seen(found):
    for place, choices in found["choices"].items():
        first, other_head = found["opened"][place][0]
        other_block = found["opened"][place][1][0]
        assert bool({"head", "look"} & set(choices)) == (first != other_head), place
        assert ("block" in choices) == (first != other_block), place


def check_looks(found, place, block, expected):
    """A place shows the weights (H, T, S) of one head, or their mean."""
    width = expected.shape[-1]
    for head in (0, 1):
        (one,) = pieces(found, place, "weights", block, head)
        np.testing.assert_allclose(padded(one["values"], width), expected[head], atol=1e-4)
    (mean,) = (piece for piece in found["means"][place][block]["pieces"] if "weights" in piece)
    np.testing.assert_allclose(padded(mean["values"], width), expected.mean(0), atol=1e-4)


@pytest.mark.parametrize("block", [0, 1])
def test_the_weights_of_each_block_and_head_are_torch_s(model_and_packed, found, read, block):
    model, _ = model_and_packed
    expected = attention_weights(model, *read)
    for side, words in (("encoder", read[0]), ("decoder", read[1])):
        own = expected[f"{side}.stack.blocks.{block}.attention"][0].numpy()
        for head in (0, 1):
            (scores, weights) = pieces(found, f"{side} attention", "weights", block, head)
            for piece in (scores, weights):
                shown = padded(piece["values"], words.shape[1])
                np.testing.assert_allclose(shown, own[head], atol=1e-4)
            for row, shares in zip(scores["shown"], weights["values"], strict=True):
                exp = np.exp(np.array(row) - max(row))
                np.testing.assert_allclose(exp / exp.sum(), shares, atol=1e-5)
        check_looks(found, f"{side} attention heads", block, own)
    across = expected[f"decoder.stack.blocks.{block}.cross_attention"][0].numpy()
    check_looks(found, "decoder cross-attention heads", block, across)


def test_the_rows_behind_each_block_are_torch_s(model_and_packed, found, read):
    model, _ = model_and_packed
    expected = layer_outputs(model, *read)
    for side in ("encoder", "decoder"):
        rows = pieces(found, side, "table")[0]["rows"]
        names = [f"{side}.input", *(f"{side}.stack.blocks.{i}" for i in (0, 1))]
        for column, name in enumerate(names, start=1):
            shown = [row[column]["vector"] for row in rows]
            np.testing.assert_allclose(shown, expected[name][0], atol=1e-3)
        for block in (0, 1):
            rows = pieces(found, f"{side} residual", "table", block)[0]["rows"]
            after = [row[-1]["vector"] for row in rows]
            np.testing.assert_allclose(after, expected[names[block + 1]][0], atol=1e-3)
            before = [row[1]["vector"] for row in rows]
            np.testing.assert_allclose(before, expected[names[block]][0], atol=1e-3)


def test_the_mask_and_the_cache_know_what_comes_later(found, read):
    T = read[1].shape[1]
    (mask,) = pieces(found, "decoder attention mask", "weights")
    assert [len(row) for row in mask["shown"]] == list(range(1, T + 1))
    assert mask["absent"] == "−∞"
    begun = found["beginning"][PLACES.index("decoder attention cache")]
    slots = next(piece for piece in begun["pieces"] if "Kept" in piece.get("table", ""))["rows"]
    assert [row[0] for row in slots] == ["<start>", *["empty"] * (T - 1)]
    assert begun["says"].startswith(f"Step 1: 1 of {T} slots filled")


def test_the_way_out_has_torch_s_scores_and_probabilities(model_and_packed, found, read):
    model, _ = model_and_packed
    with torch.no_grad():
        logits = model(*read)[0]
    last, best = logits[-1], logits[-1].argmax()
    top = pieces(found, "logits", "table")[0]["rows"][0]
    assert top[0] == FRENCH[best]
    assert float(top[1].replace("−", "-")) == pytest.approx(float(last[best]), abs=0.006)
    *_, others, total = pieces(found, "softmax", "table")[0]["rows"]
    assert others[0] == f"{len(FRENCH) - 8} others"
    powers = (last - last.max()).exp().sum()
    assert float(total[2]) == pytest.approx(float(powers), abs=1e-3)
    said = found["ids"]["decoder"][1:]
    log_p = logits.log_softmax(-1)[range(len(said)), said].cumsum(0)
    rows = pieces(found, "choice", "table")[0]["rows"]
    assert [row[0] for row in rows] == found["said"]
    shown = [float(row[3].replace("−", "-")) for row in rows]
    np.testing.assert_allclose(shown, log_p, atol=0.006)


def test_what_the_page_brings_along_opens_without_the_model(found):
    assert found["ready"] == ["decoder cross-attention heads", "next-word"]
    assert found["first"] == ["next-word"], "of the alignment the page has the last block only"
    assert "(0.25)" in found["page"][0]
    assert found["page"][1].startswith("Step 2: ")
