"""A draft changes what a text costs, and nothing else: the same words, or the same distribution."""

from collections import defaultdict
from inspect import signature
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.generation.utils import _speculative_sampling

from headway.inference import speculative
from headway.inference.decoding import Sampling, generate
from headway.inference.drafts import Remembering, chain_draft, copy_draft
from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.speculative import (
    Round,
    distribution,
    speculate,
)
from headway.inference.speculative_cost import acceptance, expected_tokens
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError
from tests.inference.tables import random_table
from tests.inference.test_kv_cache import make_model
from tests.models.weights import random_ids

PROMPT = torch.tensor([2, 0, 2])  # without 1, which penalties pass over until it comes
V, T = 13, 24


def reads(table):
    """A table of order n, (V,)·(n+1), as a model that is given whole texts."""
    order = table.dim() - 1

    def scores(ids, n):
        ends = range(len(ids) - n + 1, len(ids) + 1)
        return torch.stack([table[tuple(ids[end - order : end])] for end in ends])

    return scores


def chance(seed=0):
    return torch.Generator().manual_seed(seed)


def every_path(monkeypatch, run):
    """All that a run can do: its result and its probability, for every way that chance can go."""
    waiting = [[]]
    while waiting:
        path, taken, probability = waiting.pop(), [], [1.0]

        def draw(weights, sampling, path=path, taken=taken, probability=probability):
            weights = (weights / weights.sum()).tolist()
            options = [i for i, weight in enumerate(weights) if weight > 0]
            if len(taken) == len(path):
                waiting.extend([*taken, other] for other in options[1:])
                path.append(options[0])
            taken.append(path[len(taken)])
            probability[0] *= weights[taken[-1]]
            return taken[-1]

        monkeypatch.setattr(speculative, "draw", draw)
        yield run(), probability[0]


def text_of(rounds):
    return tuple(torch.cat([found.tokens for found in rounds]).tolist())


def one_by_one(model, sampling, steps, end=None):
    """P of every continuation of the prompt, token after token, without a draft."""
    found = {(): 1.0}
    for _ in range(steps):
        longer = defaultdict(float)
        for text, probability in found.items():
            if text and text[-1] == end:
                longer[text] += probability
                continue
            ids = torch.cat((PROMPT, torch.tensor(text, dtype=torch.int64)))
            p = distribution(model(ids, 1), ids, sampling).tolist()
            for token, share in enumerate(p):
                if share:
                    longer[*text, token] += probability * share
        found = longer
    return found


@pytest.mark.parametrize("end", [None, 1])
@pytest.mark.parametrize(
    ("drafted", "steps", "n", "filters"),
    [
        ("table", 3, 2, {}),
        ("table", 2, 1, {"temperature": 0.7, "top_k": 2}),
        ("table", 3, 2, {"top_p": 0.8, "repetition_penalty": 1.5}),
        ("itself", 3, 2, {"temperature": 1.3}),
        ("chain", 3, 2, {"top_p": 0.9}),
        ("copy", 3, 2, {"repetition_penalty": 1.5}),
        ("nothing", 3, 2, {}),
    ],
)
def test_every_continuation_has_exactly_the_probability_that_it_has_without_a_draft(
    monkeypatch, drafted, steps, n, filters, end
):
    """All paths that chance can take, added up: no sample, no tolerance but that of 64 bits."""
    model = reads(random_table(1, 3, 2))
    draft = {
        "table": reads(random_table(2, 3, 1)),
        "itself": model,
        "chain": chain_draft(MarkovChain([[0, 1, 2], [2, 0, 2, 2]], 3)),
        "copy": copy_draft(3),
        "nothing": lambda ids, n: None,
    }[drafted]
    sampling = Sampling(generator=chance(), **filters)
    found, whole = defaultdict(float), 0.0
    for text, probability in every_path(
        monkeypatch, lambda: text_of(speculate(model, draft, PROMPT, steps, n, sampling, end))
    ):
        found[text] += probability
        whole += probability
    expected = one_by_one(model, sampling, steps, end)
    assert whole == pytest.approx(1, abs=1e-12)
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_acceptance_and_tokens_a_round_are_those_of_the_formula(monkeypatch, n):
    p, q = random_table(1, 3, 0), random_table(4, 3, 0)
    model, draft = (lambda ids, k, t=t: t.expand(k, 3) for t in (p, q))
    sampling, kept, tokens = Sampling(generator=chance()), 0.0, 0.0
    for first, probability in every_path(
        monkeypatch, lambda: next(speculate(model, draft, PROMPT, 9, n, sampling))
    ):
        kept += probability * (first.kept > 0)
        tokens += probability * len(first.tokens)
    alpha = float(acceptance(p.softmax(0), q.softmax(0)))
    assert kept == pytest.approx(alpha if n else 0, abs=1e-12)
    assert tokens == pytest.approx(expected_tokens(alpha, n), abs=1e-12)


@pytest.mark.parametrize("kept", range(4))
def test_proposals_meet_the_same_odds_as_in_hugging_face(monkeypatch, kept):
    """Chance is told how many to keep; both then draw the next token from the same numbers."""
    model, draft = random_table(5, 6, 1), random_table(6, 6, 1)
    unlike, text = draft.softmax(-1) - model.softmax(-1), [2, 0]
    for _ in range(3):  # proposals that the model thinks less of than the draft
        text.append(int(unlike[text[-1]].argmax()))
    text = torch.tensor(text)
    logits, guesses = model[text[1:]], draft[text[1:-1]]
    ours, theirs = [], []

    def draw(weights, sampling):
        ours.append(weights / weights.sum())
        return int(len(ours) <= kept)

    monkeypatch.setattr(speculative, "draw", draw)
    sampling = Sampling(generator=chance())
    found = speculative.judge(logits, list(guesses.softmax(-1)), text, sampling, None)

    def rand_like(ratios):  # below what is to be kept, above the first that is not
        ratios = ratios.flatten()
        assert ratios[: kept + 1].tolist() == pytest.approx([float(w[1]) for w in ours[:-1]])
        return torch.where(torch.arange(3) < kept, 0.99 * ratios, 1.01 * ratios)[None]

    def multinomial(weights, num_samples):
        theirs.append(weights[0])
        return torch.tensor([[0]])

    monkeypatch.setattr(torch, "rand_like", rand_like)
    monkeypatch.setattr(torch, "multinomial", multinomial)
    older = "is_done_candidate" in signature(_speculative_sampling).parameters
    more = {"is_done_candidate": False} if older else {}
    valid, matches = _speculative_sampling(text[None], guesses[None], 3, logits[None], **more)
    assert found.kept == int(matches) == kept
    assert found.tokens[:-1].equal(valid[0, :-1])
    torch.testing.assert_close(ours[-1], theirs[0])


def drafts(ids):
    """Drafts of all kinds for models of 13 tokens, by name."""
    small = make_model(width=8, heads=2, layers=1).double()
    return {
        "small": Remembering(FusedLanguageModel(small, 1)),
        "chain": chain_draft(MarkovChain([row.tolist() for row in ids], V, 1)),
        "copy": copy_draft(V),
    }


@pytest.mark.parametrize("kind", [CachedLanguageModel, FusedLanguageModel])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"position": "rotary", "key_value_heads": 2, "normalization": "rms", "gated": True},
        {"position": "relative", "norm": "post"},
        {"position": "rotary", "window": 6},
        {"position": "rotary", "window": 6, "global_blocks": (1,)},
    ],
)
@torch.inference_mode()
def test_greedy_text_is_the_models_own_whatever_the_draft(changes, kind):
    model, prompt = make_model(**changes).double(), random_ids(V, 1, 5)
    own = generate(CachedLanguageModel(model, 1), prompt, T - 5)[0]
    for name, draft in drafts(own[None]).items():
        for n in (0, 1, 4):
            reader = Remembering(kind(model, 1))
            rounds = list(speculate(reader, draft, prompt[0], T - 5, n))
            assert torch.cat([prompt[0], *(r.tokens for r in rounds)]).equal(own), (name, n)
            assert reader.calls == len(rounds)
            assert reader.tokens_read == 5 + sum(len(r.proposed) + 1 for r in rounds) - 1
            if n and name != "small":
                assert len(rounds) < T - 5  # something was accepted


def test_a_model_that_is_its_own_draft_accepts_all():
    model = make_model().double()
    sampling = Sampling(generator=chance(), temperature=0.9, top_p=0.95)
    readers = [Remembering(FusedLanguageModel(model, 1)) for _ in range(2)]
    rounds = list(speculate(*readers, random_ids(V, 1, 4)[0], 20, 4, sampling))
    assert [(r.kept, r.free) for r in rounds] == [(4, True)] * 4
    assert readers[0].calls == 4  # of twenty


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(0, 4))
@settings(max_examples=30)
def test_as_many_tokens_as_were_asked_for_or_up_to_the_end(seed, steps, n):
    model, draft = reads(random_table(seed, 4, 1)), reads(random_table(seed + 1, 4, 1))
    for end in (None, 2):
        sampling = Sampling(generator=chance(seed))
        rounds = list(speculate(model, draft, torch.tensor([2]), steps, n, sampling, end))
        text = text_of(rounds)
        assert len(text) == steps or (len(text) < steps and text[-1] == end)
        assert end is None or end not in text[:-1]
        for found in rounds:
            assert found.kept <= len(found.proposed) <= n
            assert found.proposed[: found.kept].tolist() == found.tokens[: found.kept].tolist()
            assert found.free == (found.kept == len(found.proposed) and found.drawn is not None)


def test_a_text_that_ends_in_a_kept_token_has_no_drawn_one():
    certain = torch.full((4, 4), -torch.inf).fill_diagonal_(0.0).roll(1, 1)  # 0 → 1 → 2 → 3
    rounds = list(speculate(reads(certain), reads(certain), torch.tensor([0]), 9, 5, end=2))
    assert [(r.proposed.tolist(), r.kept, r.drawn, r.free) for r in rounds] == [
        ([1, 2], 2, None, False)
    ]


def test_a_round_says_what_was_kept_drawn_and_free():
    assert Round(torch.tensor([5, 6, 7]), 1, 9).tokens.tolist() == [5, 9]
    assert not Round(torch.tensor([5, 6, 7]), 1, 9).free
    assert Round(torch.tensor([5]), 1, 9).free


def test_a_text_that_repeats_itself_is_copied_whole():
    table = torch.full((3, 3), -torch.inf).fill_diagonal_(0.0).roll(1, 1)  # 0 → 1 → 2 → 0
    rounds = list(speculate(reads(table), copy_draft(3), torch.tensor([0, 1, 2, 0]), 10, 4))
    assert [len(r.tokens) for r in rounds] == [5, 5]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"prompt": torch.tensor([[1, 2]])}, ShapeError, r"one text.*\(1, 2\).*one by one"),
        ({"prompt": torch.tensor([], dtype=torch.int64)}, ShapeError, "1 token or more"),
        ({"steps": -1}, ValueError, "steps=-1"),
        ({"n": -1}, ValueError, "n=-1"),
        ({"draft": lambda ids, n: torch.zeros(1, 4)}, ShapeError, "among 4 tokens.*among 3"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, error, message):
    table = reads(random_table(1, 3, 1))
    given = {"model": table, "draft": table, "prompt": PROMPT, "steps": 4, "n": 2} | changes
    with pytest.raises(error, match=message):
        list(speculate(**given))


def test_the_enumeration_takes_every_path_once(monkeypatch):
    """Three coins have eight outcomes, of an eighth each."""
    coin, sampling = torch.tensor([0.5, 0.5]), Sampling(generator=chance())
    runs = list(
        every_path(monkeypatch, lambda: tuple(speculative.draw(coin, sampling) for _ in range(3)))
    )
    assert sorted(runs) == [(word, 0.125) for word in product((0, 1), repeat=3)]
