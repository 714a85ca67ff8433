"""The live language model: what it is given, what is refused, and what its scripts compute."""

from dataclasses import asdict, replace

import numpy as np
import pytest
import torch

from headway.figures.core.scripts import ENGINE, figure_folder
from headway.figures.gallery.language_model.live_language_model import (
    Prompt,
    Writer,
    live_language_model,
)
from headway.inference.decoding import Sampling
from headway.models.inspect import attention_weights
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.text.byte_pair import BytePairTokenizer
from headway.text.tokenizer import CharacterTokenizer
from tests.figures.node import run
from tests.figures.shown import assert_on_page
from tests.figures.test_engine import random_weights

TEXT = "abab ba"
PLAIN = {"temperature": 1, "topK": None, "topP": 1}
READ = """
const { languageModel } = await import(given.engine + "transformer.js");
const { encode, letters, tokenizer } = await import(given.engine + "tokens.js");
const { read, viewOf } = await import(given.figure + "reading.js");
const { model, pairs, letters: single, end } = given.attached;
const engine = languageModel(model);
const made = single ? letters(single) : tokenizer(pairs, end);
const ids = [end, ...encode(given.text, made)];
let fed = 0;
const counted = { begin: engine.begin, feed: (...read) => (fed++, engine.feed(...read)) };
const steps = read(counted, ids);
const first = fed;
read(counted, [...ids, 5], steps);
const more = fed;
read(counted, [end, 5], steps);
const views = given.chosen.map((one) => viewOf(steps, one, given.count));
answer({ first, more, other: fed, views, logits: steps.map(({ logits }) => [...logits]) });
"""


@pytest.fixture(scope="module")
def writer_and_model():
    """A model with weights at no special value, and its tokenizer."""
    tokenizer = BytePairTokenizer.train(["abab ba ab ba"], 259)
    config = LanguageModelConfig(
        vocabulary=len(tokenizer) + 1, context=12, width=16, heads=2, layers=2
    )
    model, _ = random_weights(LanguageModel(config, torch.Generator()), seed=4)
    state = {name: weight.numpy() for name, weight in model.state_dict().items()}
    return Writer(asdict(config), state, tokenizer), model


@pytest.fixture(scope="module")
def reading(writer_and_model):
    """What torch makes of the text."""
    writer, model = writer_and_model
    ids = [writer.end, *writer.tokenizer.encode(TEXT)]
    batch = torch.tensor([ids])
    with torch.no_grad():
        logits = model(batch)[0].numpy()
    weights = np.stack([found[0].numpy() for found in attention_weights(model, batch).values()])
    return Prompt(TEXT, ids, logits, weights)


def figure(writer, reading, **more):
    given = {"examples": [TEXT], "title": "T", "caption": "C"} | more
    return live_language_model(writer, reading, **given)


def read_in_node(made, chosen, text=TEXT):
    """What the scripts find in a text, with what is chosen."""
    return run(READ, {
        "engine": ENGINE.as_uri() + "/",
        "figure": figure_folder("live_language_model").as_uri() + "/",
        "attached": made.attached, "text": text, "chosen": chosen, "count": 10,
    })  # fmt: skip


def test_the_page_is_given_a_prompt_and_the_file_the_model(writer_and_model, reading):
    writer, _ = writer_and_model
    shown = figure(writer, reading, block=1, head=1)
    assert_on_page(shown)
    view = shown.data["example"]["view"]
    assert view["ids"] == reading.ids
    assert "model" not in shown.data
    assert shown.attached["end"] == writer.end == 259
    assert "After “abab ba” the likeliest next tokens are" in shown.alt
    assert shown.rows[0][:2] == ["<end>", "–"]
    assert [len(row) for row in view["weights"]] == list(range(1, len(reading.ids) + 1))
    assert set(shown.data["symbols"]) >= {str(i) for i in reading.ids}


def test_the_browser_s_view_is_torch_s(writer_and_model, reading):
    """Logits, losses, distributions before and after the filters, and every head's weights."""
    T = len(reading.ids)
    filters = {"temperature": 0.7, "topK": 20, "topP": 0.6}
    chosen = [
        {"filters": f, "place": t, "block": b, "head": h}
        for f in (PLAIN, filters) for t in (0, T - 1) for b in (0, 1) for h in (0, 1)
    ]  # fmt: skip
    found = read_in_node(figure(writer_and_model[0], reading), chosen)
    assert (found["first"], found["more"], found["other"]) == (T, T + 1, T + 2), "tokens fed"
    np.testing.assert_allclose(found["logits"], reading.logits, atol=1e-3)
    log_p = torch.tensor(reading.logits).log_softmax(-1)
    losses = [-log_p[i, token] for i, token in enumerate(reading.ids[1:])]
    for one, view in zip(chosen, found["views"], strict=True):
        f, t = one["filters"], one["place"]
        np.testing.assert_allclose(view["losses"][1:], losses, atol=2e-3)
        sampling = Sampling(
            generator=torch.Generator(), temperature=f["temperature"], top_k=f["topK"],
            top_p=f["topP"],
        )  # fmt: skip
        logits = torch.tensor(reading.logits[t : t + 1])
        q = sampling.filtered(logits, torch.zeros(1, 1, dtype=torch.int64)).softmax(-1)[0]
        p, rows = log_p[t].exp(), view["next"]["rows"]
        likeliest = p.argsort(descending=True)[:10]
        assert [row["id"] for row in rows] == likeliest.tolist()
        np.testing.assert_allclose([row["p"] for row in rows], p[likeliest], atol=1e-3)
        np.testing.assert_allclose([row["q"] for row in rows], q[likeliest], atol=2e-3)
        assert view["next"]["kept"] == int((q > 0).sum())
        assert view["next"]["mass"] == pytest.approx(p[q > 0].sum().item(), abs=1e-3)
        for row, wanted in zip(
            view["weights"], reading.weights[one["block"], one["head"]], strict=True
        ):
            np.testing.assert_allclose(row, wanted[: len(row)], atol=1e-4)


def test_a_model_of_letters_reads_those_that_it_knows():
    tokenizer = CharacterTokenizer.from_text("a bcd", specials=())
    config = LanguageModelConfig(vocabulary=6, context=12, width=16, heads=2, layers=1)
    model, _ = random_weights(LanguageModel(config, torch.Generator()), seed=4)
    state = {name: weight.numpy() for name, weight in model.state_dict().items()}
    writer = Writer(asdict(config), state, tokenizer)
    text, ids = TEXT.replace("abab", "aéBb"), [5, 1, 2, 0, 2, 1]
    batch = torch.tensor([ids])
    with torch.no_grad():
        logits = model(batch)[0].numpy()
    weights = np.stack([found[0].numpy() for found in attention_weights(model, batch).values()])
    made = figure(writer, Prompt("ab ba", ids, logits, weights), examples=["ab ba"])
    assert [row[0] for row in made.rows] == ["<end>", "a", "b", "␣", "b", "a"]
    found = read_in_node(made, [made.data["start"] | {"filters": PLAIN}], text)
    assert found["views"][0]["ids"] == ids
    np.testing.assert_allclose(found["logits"], logits, atol=1e-3)


def test_what_the_page_brings_along_is_what_the_browser_computes(writer_and_model, reading):
    made = figure(writer_and_model[0], reading, block=1)
    (found,) = read_in_node(made, [made.data["start"] | {"filters": PLAIN}])["views"]
    view = made.data["example"]["view"]
    assert found["ids"] == view["ids"]
    np.testing.assert_allclose(found["losses"][1:], view["losses"][1:], atol=2e-3)
    for one, other in zip(found["next"]["rows"], view["next"]["rows"], strict=True):
        assert one["id"] == other["id"]
        assert one["q"] == pytest.approx(other["q"], abs=1e-3)
    for row, wanted in zip(found["weights"], view["weights"], strict=True):
        np.testing.assert_allclose(row, wanted, atol=2e-3)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda w, r: ({"writer": replace(w, config=w.config | {"vocabulary": 258})}), "model 258"),
        (lambda w, r: ({"reading": replace(r, logits=r.logits[1:])}), r"need logits \(\d, 260\)"),
        (lambda w, r: ({"reading": replace(r, weights=r.weights[:1])}), r"weights \(2, 2, "),
        (lambda w, r: ({"reading": replace(r, ids=[0, *r.ids[1:]])}), "the ids must be"),
        (lambda w, r: ({"examples": ["b", TEXT]}), "first of the examples"),
        (lambda w, r: ({"block": 2}), "2 blocks of 2 heads, got block 2"),
        (lambda w, r: ({"head": -1}), "got block 0 and head -1"),
    ],
)
def test_what_does_not_fit_is_refused(writer_and_model, reading, change, says):
    writer, _ = writer_and_model
    with pytest.raises(ValueError, match=says):
        figure(**{"writer": writer, "reading": reading} | change(writer, reading))
