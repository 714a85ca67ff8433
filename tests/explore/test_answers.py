"""Each kind of question, answered; and sentences for what cannot be asked."""

import copy
import json
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.explore import answers as module
from headway.explore.answers import DRAWN, KEPT, KINDS, WRITTEN, Answers, record
from headway.explore.asked import LETTERS, RefusedError
from headway.explore.reading import Reading
from headway.explore.subject import END, recorded
from headway.figures.engine import HALF
from headway.figures.gallery.outlook.model_explorer import key_of
from headway.inference.filters import temperature, top_k, top_p
from tests.explore.models import TEXT, of_letters, pair
from tests.models.folders import HEADS, LAYERS, V

ABOUT = {"text": TEXT, "drawn": [], "off": []}
FILTERS = {"temperature": 1, "top_k": None, "top_p": None}
EXAMPLES = {
    "tokens": ABOUT,
    "neighbors": {"id": 5},
    "heads": ABOUT,
    "to": ABOUT | {"at": 4, "to": 2},
    "pattern": ABOUT | {"layer": 1, "head": 3},
    "lens": ABOUT | {"from": 2, "to": 6},
    "lens-at": ABOUT | {"at": 5},
    "next": ABOUT | FILTERS | {"at": 5},
    "draw": ABOUT | FILTERS | {"seed": 3, "count": 4},
    "cache": ABOUT | {"count": 3},
}


@pytest.fixture(scope="module")
def subject():
    return pair("llama-3")[1]


@pytest.fixture
def ask(subject):
    """Asks by name, with changes to the example of that name."""
    answers = Answers(subject)
    return lambda name, **changes: answers.answer({"ask": name} | EXAMPLES[name] | changes)


def numbers_in(found):
    """All numbers of an answer."""
    if isinstance(found, dict | list):
        values = found.values() if isinstance(found, dict) else found
        return [number for value in values for number in numbers_in(value)]
    return [found] if isinstance(found, int | float) else []


def test_there_is_an_example_of_each_kind_and_each_answer_is_json(ask):
    assert list(EXAMPLES) == list(KINDS)
    for name in KINDS:
        assert np.isfinite(numbers_in(json.loads(json.dumps(ask(name), allow_nan=False)))).all()


def test_tokens_come_with_their_signs_and_what_each_cost(ask, subject):
    ids = subject.encode(TEXT)
    answer = ask("tokens", drawn=[9, 1])
    assert answer["ids"] == [*ids, 9, 1]
    assert answer["pieces"][0] == "<|begin|>"
    assert "".join(answer["pieces"][1:-2]).replace("␣", " ") == TEXT
    assert answer["losses"][0] is None
    losses = Reading(subject.model, [*ids, 9, 1]).losses
    assert answer["losses"][1:] == pytest.approx(losses, abs=1e-4)
    assert (answer["given"], answer["ended"]) == (len(ids), True)  # 1 ends a text
    assert not ask("tokens", drawn=[1, 9])["ended"]


@pytest.mark.parametrize("rows", [7, 8192])
def test_neighbors_are_the_rows_that_point_most_nearly_the_same_way(
    ask, subject, rows, monkeypatch
):
    monkeypatch.setattr(module, "ROWS", rows)
    table = subject.model.embedding.weight.numpy().astype(float)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    cosines = table @ table[5]
    cosines[5] = -1
    best = np.argsort(-cosines)[:10]
    found = ask("neighbors")["rows"]
    assert [row["id"] for row in found] == best.tolist()
    assert [row["cosine"] for row in found] == pytest.approx(cosines[best], abs=1e-4)
    assert [row["piece"] for row in found] == [subject.spell(i) for i in best]


def test_heads_are_measured_by_block_and_head(ask, subject):
    measures = Reading(subject.model, subject.encode(TEXT)).measures
    answer = ask("heads")
    assert list(answer) == ["previous", "itself", "first", "repeat"]
    for name, found in answer.items():
        assert np.shape(found) == (LAYERS, HEADS)
        np.testing.assert_allclose(found, measures[name], atol=6e-4)
    assert ask("heads", text="")["repeat"] is None


def test_a_pattern_is_packed_as_scripts_read_it_and_agrees_with_its_numbers(ask, subject):
    T = len(subject.encode(TEXT))
    packed = ask("pattern")["weights"]
    assert packed["tensors"] == [["weights", [T, T]]]
    halves = np.frombuffer(b64decode(packed["data"]), HALF).reshape(T, T)
    np.testing.assert_allclose(halves.astype(float).sum(axis=1), 1, atol=1e-2)
    assert halves[4, 2] == pytest.approx(ask("to")["weights"][1][3], abs=1e-3)


def test_the_lens_ends_in_what_the_model_says(ask, subject):
    reading, layers = Reading(subject.model, subject.encode(TEXT)), ask("lens")["layers"]
    assert np.shape(layers) == (LAYERS + 1, 4)
    at = ask("lens-at")
    assert len(at["layers"]) == LAYERS + 1
    for layer, row in enumerate(layers):
        p = reading.logits(layer, range(2, 6)).softmax(-1)
        assert [cell["id"] for cell in row] == p.argmax(-1).tolist()
        assert [cell["p"] for cell in row] == pytest.approx(p.max(-1).values.tolist(), abs=1e-5)
        found = at["layers"][layer]  # of position 5, the last of the four
        assert found["rows"][0] == row[-1]
        assert len(found["rows"]) == 5
        answer = at["answer"]["id"]
        assert found["answer"]["p"] == pytest.approx(p[-1, answer].item(), abs=1e-5)
        order = p[-1].argsort(descending=True).tolist()
        assert found["answer"]["rank"] == 1 + order.index(answer)
    assert at["layers"][-1]["answer"]["rank"] == 1


@pytest.mark.parametrize(
    ("filters", "filtered"),
    [
        ({}, lambda logits: logits),
        ({"temperature": 0.5}, lambda logits: temperature(logits, 0.5)),
        ({"temperature": 2, "top_k": 4}, lambda logits: top_k(temperature(logits, 2), 4)),
        ({"top_p": 0.6, "top_k": 10**6}, lambda logits: top_p(logits, 0.6)),
        ({"temperature": 0}, lambda logits: top_k(logits, 1)),
    ],
)
def test_what_may_come_next_before_and_after_the_filters(ask, subject, filters, filtered):
    logits = Reading(subject.model, subject.encode(TEXT)).logits(-1, [5])
    p, q = logits[0].softmax(-1), filtered(logits)[0].softmax(-1)
    answer = ask("next", **filters)
    ids = [row["id"] for row in answer["rows"]]
    assert ids == p.argsort(descending=True)[:12].tolist()
    assert [row["p"] for row in answer["rows"]] == pytest.approx(p[ids].tolist(), abs=1e-5)
    assert [row["q"] for row in answer["rows"]] == pytest.approx(q[ids].tolist(), abs=1e-5)
    assert answer["kept"] == (q > 0).sum()
    assert answer["mass"] == pytest.approx(p[q > 0].sum().item(), abs=1e-5)
    assert answer["size"] == V
    assert {row["whole"] for row in answer["rows"]} == {None}


def test_with_a_part_off_each_token_keeps_its_share_with_everything_on(ask):
    whole = {row["id"]: row["p"] for row in ask("next")["rows"]}
    rows = ask("next", off=["1.h2", "0.feed-forward"])["rows"]
    both = [row for row in rows if row["id"] in whole]
    assert both
    assert all(row["whole"] == whole[row["id"]] for row in both)
    assert all(row["whole"] is not None for row in rows)
    assert [row["p"] for row in both] != [row["whole"] for row in both]


def test_draws_follow_from_the_seed_and_keep_to_the_filters(ask):
    drawn = [ask("draw", seed=seed, temperature=1.5)["ids"] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    likeliest = ask("draw", temperature=0)
    assert likeliest["ids"] == ask("draw", top_k=1, seed=9)["ids"]
    assert len(likeliest["ids"]) == 4


def test_draws_are_as_frequent_as_their_shares(ask):
    shares = {
        row["id"]: row["q"]
        for row in ask("next", top_k=3, at=len(ask("tokens")["ids"]) - 1)["rows"][:3]
    }
    drawn = [ask("draw", top_k=3, count=1, seed=seed)["ids"][0] for seed in range(300)]
    for token, q in shares.items():
        assert abs(drawn.count(token) / 300 - q) < 5 * (q * (1 - q) / 300) ** 0.5 + 1e-9


def test_a_text_ends_with_the_symbol_for_it_and_nothing_is_drawn_behind():
    model = pair("gpt-2")[1].model
    best = Reading(model, [ord(letter) for letter in "ab"]).logits(-1, [-1]).argmax().item()
    answers = Answers(of_letters(model, ends=frozenset([best])))
    asked = {"ask": "draw", "text": "ab", "drawn": [], "off": [], "seed": 0, "count": 9}
    asked |= {"temperature": 0}
    assert answers.answer(asked) == {"ids": [best], "ended": True}
    assert answers.answer(asked | {"drawn": [best]}) == {"ids": [], "ended": True}


def test_the_cache_grows_by_its_bytes_and_both_ways_are_timed(ask, subject):
    T, answer = len(subject.encode(TEXT)), ask("cache")
    assert answer["bytes_per_token"] == 2 * LAYERS * 2 * 4 * 4  # K and V, layers, G, D, bytes
    assert [row["tokens"] for row in answer["rows"]] == [T + 1, T + 2, T + 3]
    assert [row["bytes"] for row in answer["rows"]] == [
        (T + i) * answer["bytes_per_token"] for i in (1, 2, 3)
    ]
    times = [
        answer["prompt_ms"],
        *(row[way] for row in answer["rows"] for way in ("cached_ms", "uncached_ms")),
    ]
    assert all(time > 0 for time in times)


def test_with_a_window_the_cache_stops_growing():
    subject = pair("mistral")[1]
    assert subject.cache_bytes(5) == subject.cache_bytes(50) == 5 * subject.cache_bytes(1)


def test_the_last_few_texts_are_read_once_each(subject, monkeypatch):
    read = []
    monkeypatch.setattr(module, "Reading", lambda *given: read.append(given[1:]) or Reading(*given))
    answers = Answers(subject)
    asked = {"ask": "heads"} | ABOUT

    def times(*off):
        before = len(read)
        for part in off:
            answers.answer(asked | {"off": [part]})
        return len(read) - before

    assert KEPT == 3
    assert times("0.h1", "0.h2", "0.h3", "0.h1", "0.h2") == 3
    assert times("0.h4", "0.h1", "0.h2") == 1  # h3 is the one that was asked longest ago
    assert times("0.h3") == 1
    answers.answer(asked | {"off": ["0.h5", "0", "0"]})
    answers.answer(asked | {"off": ["0", "0.h5"]})
    assert read[-1][1] == ("0", "0.h5")
    assert len(answers.readings) == KEPT


BAD = [
    (None, "“ask” must be one of tokens, neighbors"),
    ([], "“ask” must be one of"),
    ({"ask": "weather"}, "got 'weather'"),
    ({"ask": ["tokens"]}, "“ask” must be one of"),
    ({"ask": "tokens"}, "“text” must be a text, got None"),
    ({"ask": "tokens", "text": 3}, "“text” must be a text, got 3"),
    ({"ask": "tokens", "text": "a"}, "“drawn” must be a list of ids"),
    ({"ask": "tokens", "text": "a", "drawn": [V]}, f"ids from 0 to {V - 1}"),
    ({"ask": "tokens", "text": "a", "drawn": [True]}, "“drawn” must be"),
    ({"ask": "tokens", "text": "a", "drawn": []}, "“off” must be a list"),
    ({"ask": "tokens", "text": "\ud800", "drawn": [], "off": []}, "half a character"),
    ({"ask": "tokens", "text": "x" * (LETTERS + 1), "drawn": [], "off": []}, "20,001 letters"),
    ({"ask": "tokens", "text": "cat " * 80, "drawn": [], "off": []}, r"has \d+ tokens, and this"),
    ({"ask": "tokens", "text": "a", "drawn": [9] * 80, "off": []}, "80 of them drawn"),
    ({"ask": "neighbors", "id": V}, f"“id” must be a whole number from 0 to {V - 1}, got {V}"),
    ({"ask": "neighbors", "id": -1}, "got -1"),
    ({"ask": "neighbors", "id": 1.0}, "got 1.0"),
    ({"ask": "neighbors", "id": 10**400}, "got 1000"),
    ({"ask": "heads", "off": ["7"]}, "has no part '7' to switch off"),
    ({"ask": "heads", "off": [["0"]]}, "has no part"),
    ({"ask": "to", "at": 2, "to": 3}, "“to” must be a whole number from 0 to 2, got 3"),
    ({"ask": "to", "at": 99, "to": 3}, "“at” must be a whole number"),
    ({"ask": "pattern", "layer": LAYERS, "head": 0}, "“layer” must be"),
    ({"ask": "pattern", "layer": 0, "head": HEADS}, "“head” must be"),
    ({"ask": "lens", "text": "a b c d e f g h", "from": 0, "to": 13}, "from 1 to 12, got 13"),
    ({"ask": "lens", "text": "a b", "from": 1, "to": 13}, "from 2 to 4, got 13"),
    ({"ask": "lens", "from": 3, "to": 3}, "“to” must be"),
    ({"ask": "next", "at": 0}, "“temperature” must be a number from 0 to 100, got None"),
    ({"ask": "next", "at": 0, "temperature": float("nan")}, "got nan"),
    ({"ask": "next", "at": 0, "temperature": 1e-9}, "too close to 0"),
    ({"ask": "next", "at": 0, "temperature": 1, "top_k": 0}, "“top_k” must be"),
    ({"ask": "next", "at": 0, "temperature": 1, "top_p": 2}, "“top_p” must be"),
    ({"ask": "draw", "temperature": 1, "seed": -1, "count": 1}, "“seed” must be"),
    ({"ask": "draw", "temperature": 1, "seed": 1, "count": DRAWN + 1}, "“count” must be"),
    ({"ask": "cache", "count": WRITTEN + 1}, "“count” must be"),
]


@pytest.mark.parametrize(("request_", "said"), BAD)
def test_what_cannot_be_answered_is_a_sentence(subject, request_, said):
    whole = request_
    if isinstance(request_, dict) and request_.get("ask") not in ("tokens", "neighbors"):
        whole = ABOUT | request_
    with pytest.raises(RefusedError, match=said) as refused:
        Answers(subject).answer(whole)
    assert str(refused.value).endswith(".")
    assert len(str(refused.value)) < 300


def test_a_text_without_a_token_is_empty_and_a_full_one_cannot_go_on():
    subject = of_letters(pair("gpt-2")[1].model)
    answers, longest = Answers(subject), subject.longest
    with pytest.raises(RefusedError, match="The text is empty"):
        answers.answer({"ask": "tokens"} | ABOUT | {"text": ""})
    draw = {"ask": "draw", "seed": 0, "count": 5} | ABOUT | FILTERS
    for room in (3, 0):
        full = draw | {"text": "a" * (longest - room)}
        if room:
            assert len(answers.answer(full)["ids"]) == room
        else:
            with pytest.raises(RefusedError, match=f"{longest} tokens, the most"):
                answers.answer(full)


def test_an_id_that_the_model_has_no_row_for_is_said():
    subject = of_letters(pair("gpt-2")[1].model)
    with pytest.raises(RefusedError, match="holds the token 猫, id 29,483, and the model knows"):
        Answers(subject).answer({"ask": "tokens"} | ABOUT | {"text": "猫"})


def test_numbers_that_overflow_are_said_with_the_type_that_holds_them(subject):
    half = replace(subject, model=copy.deepcopy(subject.model).half())
    half.model.embedding.weight.mul_(torch.inf)
    with pytest.raises(RefusedError, match=r"torch.float16 does not hold .* --dtype float32"):
        Answers(half).answer({"ask": "heads"} | ABOUT)


def test_recorded_answers_are_found_by_the_key_that_a_script_makes():
    asked = {"ask": "next", "text": "Rückgabe “x”", "at": 1, "temperature": 1.0, "top_p": 0.7}
    assert (
        key_of(asked) == '{"ask":"next","at":1,"temperature":1,"text":"Rückgabe “x”","top_p":0.7}'
    )
    chapter = recorded()
    requests = [{"ask": "tokens"} | ABOUT | {"text": chapter.text}, {"ask": "neighbors", "id": 300}]
    found = record(chapter, requests)
    assert list(found) == [key_of(request) for request in requests]
    assert found[key_of(requests[0])]["pieces"] == [END, "Return", "␣the"]
    data = chapter.data(recorded=found)
    assert (data["text"], data["url"], data["recorded"]) == ("Return the", None, found)
    assert data["model"]["parameters"] == sum(w.numel() for w in chapter.model.parameters())
    assert data["model"]["bytes_per_token"] == 2 * 4 * 128 * 4
