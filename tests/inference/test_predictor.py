from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import Sampling, generate
from headway.inference.exact import exhaustive
from headway.inference.fused import FusedLanguageModel
from headway.inference.fused_translator import FusedTranslator
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.predictor import ChainPredictor, Uncached
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.translator import Translator, TranslatorConfig
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError

V = 4
SENTENCES = [[0, 1, 2], [0, 1, 3], [0, 1, 2, 1], [2], []]


def running_sums(ids):
    """A model that reads everything: logits (B, T, 2) are the sum and the number of ids so far."""
    return torch.stack([ids.cumsum(1), torch.ones_like(ids).cumsum(1)], dim=-1).float()


def drawn_ids(rows, length, seed=0):
    return torch.randint(9, (rows, length), generator=torch.Generator().manual_seed(seed))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(0, 99))
def test_what_is_fed_in_parts_is_read_as_a_whole(lengths, seed):
    predictor, ids = Uncached(running_sums), drawn_ids(3, 1 + sum(lengths), seed)
    end = 1
    assert predictor.feed(ids[:, :1]).equal(running_sums(ids[:, :1])[:, -1])
    for length in lengths:
        logits = predictor.feed(ids[:, end : end + length])
        end += length
        assert logits.equal(running_sums(ids[:, :end])[:, -1])


@given(st.lists(st.integers(0, 2), max_size=5))
def test_selected_rows_go_on_with_their_own_past(rows):
    predictor, ids, more = Uncached(running_sums), drawn_ids(3, 4), drawn_ids(len(rows), 1, 1)
    predictor.feed(ids)
    predictor.select(torch.tensor(rows, dtype=torch.int64))
    whole = torch.cat([ids[rows], more], dim=1)
    assert predictor.feed(more).equal(running_sums(whole)[:, -1])


@given(st.integers(1, 6), st.integers(1, 4))
def test_beyond_its_context_a_model_reads_the_newest_tokens(context, first):
    predictor, ids = Uncached(running_sums, context), drawn_ids(2, 6)
    predictor.feed(ids[:, :first])
    logits = predictor.feed(ids[:, first:])
    assert logits.equal(running_sums(ids[:, -context:])[:, -1])
    assert predictor.ids.shape[1] == min(context, 6)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_a_chains_logits_are_its_probabilities(order):
    chain = MarkovChain(SENTENCES, V, order)
    predictor, prompt = ChainPredictor(chain), torch.tensor([[0, 1, 2], [0, 1, 3]])
    logits = predictor.feed(prompt)
    contexts = np.concatenate([np.full((2, order), V), prompt.numpy()], 1)[:, 3:]
    expected = torch.from_numpy(chain.predict(contexts))
    torch.testing.assert_close(logits.softmax(-1), expected, atol=1e-12, rtol=0)
    assert ((logits == -torch.inf) == (expected == 0)).all()
    predictor.select(torch.tensor([1, 1, 0]))
    after = predictor.feed(torch.tensor([[V], [3], [1]]))
    assert after.shape == (3, V + 1)


def test_a_chain_that_was_fed_nothing_begins_a_sentence():
    chain = MarkovChain(SENTENCES, V, 2)
    logits = ChainPredictor(chain).feed(torch.empty(3, 0, dtype=torch.int64))
    expected = torch.tensor([0.6, 0, 0.2, 0, 0.2], dtype=torch.float64).expand(3, -1)
    torch.testing.assert_close(logits.exp(), expected)


def test_a_boundary_makes_a_chain_forget_what_stood_before_it():
    chain = MarkovChain(SENTENCES, V, 2)
    prompts = torch.tensor([[1, 3, V, 0], [2, V, V, 0], [V, V, V, 0]])
    logits = ChainPredictor(chain).feed(prompts)
    assert logits.equal(ChainPredictor(chain).feed(prompts[:1, -1:]).expand(3, -1))
    assert logits[0].argmax() == 1


@pytest.mark.parametrize("order", [1, 2])
def test_sampling_from_a_chain_with_the_code_for_models_draws_its_sentences(order):
    chain, count = MarkovChain(SENTENCES, V, order), 4000
    chance = Sampling(generator=torch.Generator().manual_seed(order))
    start = torch.full((count, 1), V)
    ids = generate(ChainPredictor(chain), start, 6, chance, end=V)
    drawn, times = ids[:, 1:].unique(dim=0, return_counts=True)
    for sentence, n in zip(drawn.tolist(), times.tolist(), strict=True):
        ended = V in sentence
        words = sentence[: sentence.index(V)] if ended else sentence
        p = 1.0
        for t in range(len(words) + ended):
            padded = [V] * order + sentence
            p *= chain.predict(padded[t : t + order])[sentence[t]]
        assert p > 0
        assert abs(n - count * p) <= 5 * np.sqrt(count * p * (1 - p)) + 1e-9


def test_what_does_not_fit_is_refused():
    ids = torch.zeros(2, 3, dtype=torch.int64)
    predictor = Uncached(running_sums)
    predictor.feed(ids)
    with pytest.raises(ShapeError, match=r"\(3, 1\).*2 rows"):
        predictor.feed(torch.zeros(3, 1, dtype=torch.int64))
    with pytest.raises(ShapeError, match=r"\(3,\).*batch dimension"):
        Uncached(running_sums).feed(ids[0])
    with pytest.raises(ShapeError, match="start symbol"):
        Uncached(running_sums).feed(ids[:, :0])
    with pytest.raises(ValueError, match="context of 0"):
        Uncached(running_sums, 0)
    chain = ChainPredictor(MarkovChain(SENTENCES, V, 2))
    with pytest.raises(ValueError, match=r"never saw the context \[3, 3\]"):
        chain.feed(torch.tensor([[0, 1], [3, 3]]))


def predictors():
    """One of each kind, at its beginning; all know the ids of `PROMPT`."""
    config = LanguageModelConfig(vocabulary=V + 1, context=16, width=8, heads=2, layers=1)
    model = LanguageModel(config, torch.Generator().manual_seed(0)).eval()
    translator = Translator(
        TranslatorConfig(vocabulary=V + 1, context=16, width=8, heads=2, layers=1),
        torch.Generator().manual_seed(0),
    ).eval()
    return [
        Uncached(model),
        ChainPredictor(MarkovChain(SENTENCES, V, 1)),
        CachedLanguageModel(model, batch=1),
        FusedLanguageModel(model, batch=1),
        CachedTranslator(translator, PROMPT),
        FusedTranslator(translator, PROMPT),
    ]


PROMPT = torch.tensor([[0, 1]])


@pytest.mark.parametrize("kind", range(6))
@pytest.mark.parametrize("decode", [generate, partial(beam_search, beams=1), exhaustive])
def test_a_predictor_that_has_read_a_prompt_is_not_taken_for_a_new_one(kind, decode):
    predictor = predictors()[kind]
    decode(predictor, PROMPT, 3)
    assert predictor.tokens_read == 4, "the last token is not fed"
    with pytest.raises(ValueError, match="has read 4 tokens already"):
        decode(predictor, PROMPT, 3)
