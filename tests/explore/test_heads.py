"""Heads that tell two readings apart: what is recorded is what the model does."""

from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.explore import heads
from headway.explore.heads import (
    apart,
    four_texts,
    record,
    record_copies,
    recorded_heads,
    said_twice,
    told_apart,
)
from headway.explore.reading import Reading
from headway.models.inspect import attention_weights, without_heads
from tests.explore.models import pair

NOUNS = ("I read", "poem/poems", "by", "poet/poets")
WORDS = [
    "born",
    "written",
    "I",
    "read",
    "He",
    "found",
    "the",
    "poem",
    "poems",
    "by",
    "poet",
    "poets",
    "that",
    "was",
    "were",
]


@pytest.fixture
def subject():
    """A small random model whose tokens are words."""
    return replace(
        pair("gpt-2")[1],
        encode=lambda text: [WORDS.index(word) for word in text.split()],
        spell=lambda token: WORDS[token] if token < len(WORDS) else str(token),
    )


def test_the_verb_agrees_with_each_noun_in_turn():
    assert four_texts(*NOUNS) == [
        ("I read the poems by the poet that was", "poems", "poet"),
        ("I read the poems by the poet that were", "poems", "poet"),
        ("I read the poem by the poets that was", "poem", "poets"),
        ("I read the poem by the poets that were", "poem", "poets"),
    ]


def test_it_records_what_the_model_does_with_its_heads_and_without(subject, monkeypatch):
    monkeypatch.setattr(heads, "HEADS", 3)
    other = ("He found", *NOUNS[1:])
    found = record(subject, NOUNS, [other])

    def odds(nouns, off=()):
        said = []
        for text, *_ in four_texts(*nouns):
            with ExitStack() as switches, torch.no_grad():
                for name in off:
                    layer, head = map(int, name.split(".h"))
                    part = subject.model.stack.blocks[layer].attention
                    switches.enter_context(without_heads(part, head))
                logits = subject.model(torch.tensor([subject.encode(text)]))[0, -1]
            said.append((logits[0] - logits[1]).item())
        return pytest.approx(said, abs=2e-3)

    for i, (text, *nouns) in enumerate(four_texts(*NOUNS)):
        seen = attention_weights(subject.model, torch.tensor([subject.encode(text)]))
        for layer, weights in enumerate(seen.values()):
            at = [text.split().index(noun) for noun in nouns]
            assert np.allclose(found["looks"][i][layer], weights[0, :, -1, at], atol=1e-3)
    gains = told_apart(np.array(found["looks"]))
    assert {tuple(map(int, name.split(".h"))) for name in found["heads"]} == {
        divmod(int(i), gains.shape[1]) for i in np.argsort(-gains.ravel())[:3]
    }
    assert found["odds"] == odds(NOUNS)
    assert found["alone"][7] == odds(NOUNS, ["1.h1"])  # each layer has six
    assert found["without"] == odds(NOUNS, found["heads"])
    assert found["others"][0]["odds"] == odds(other)
    assert found["others"][0]["without"] == odds(other, found["heads"])
    assert found["without"] not in found["draws"]


def test_the_verb_makes_a_difference_or_none():
    assert apart([2, -1, -3, 4]) == 5
    assert apart([2, 2, -3, -3]) == 0


def test_the_record_names_its_source_and_belongs_to_one_model():
    kept = recorded_heads("08-poems")
    assert (kept["license"], len(kept["sha256"])) == ("Apache-2.0", 64)
    assert kept["looks"].shape == (4, 30, 9, 2)
    assert kept["alone"].shape == (270, 4)
    best = np.argsort(-told_apart(kept["looks"]).ravel(), kind="stable")[: heads.HEADS]
    assert kept["heads"] == [f"{i // 9}.h{i % 9}" for i in best]


def test_it_records_which_heads_look_behind_a_copy(subject, monkeypatch):
    monkeypatch.setattr(heads, "HEADS", 3)
    monkeypatch.setattr(heads, "WORD", heads.re.compile("[a-z]{4,}"))
    found = record_copies(subject, ["I read the poem"], shown=3, length=5, draws=2)
    known = [i for i in range(subject.sizes.vocabulary) if heads.WORD.fullmatch(subject.spell(i))]
    drawn = [said_twice(known, i, 5) for i in range(2)]
    assert all(ids[:5] == ids[5:] and len(set(ids)) == 5 for ids in drawn)
    readings = [Reading(subject.model, ids) for ids in drawn]
    for layer in range(subject.sizes.layers):
        weights = torch.stack([reading.weights(layer) for reading in readings])  # (2, H, 10, 10)
        behind = weights[:, :, range(5, 10), range(1, 6)].mean(dim=(0, 2))
        assert found["repeat"][layer] == pytest.approx(behind.tolist(), abs=1e-3)
    order = np.argsort(-np.array(found["repeat"]).ravel(), kind="stable")
    names = [divmod(int(i), subject.sizes.heads) for i in order]
    assert found["heads"] == [f"{layer}.h{head}" for layer, head in names[:3]]
    assert found["looking"]["repeat"] == found["heads"][0]
    each = [Reading(subject.model, ids, found["heads"]).losses for ids in drawn]
    assert found["without"] == pytest.approx(np.mean(each, axis=0).tolist(), abs=1e-3)
    assert found["losses"] not in (found["without"], found["chance"])
    assert [len(view["tokens"]) for view in found["views"]] == [6, 4]
    assert np.array(found["views"][1]["weights"]).shape == (3, 4, 4)


def test_the_record_of_copies_names_its_source_and_belongs_to_one_model():
    kept = recorded_heads("09-copies")
    assert (kept["license"], len(kept["sha256"])) == ("Apache-2.0", 64)
    assert kept["repeat"].shape == kept["previous"].shape == kept["first"].shape == (30, 9)
    best = np.argsort(-kept["repeat"].ravel(), kind="stable")[: heads.HEADS]
    assert kept["heads"] == [f"{i // 9}.h{i % 9}" for i in best]
