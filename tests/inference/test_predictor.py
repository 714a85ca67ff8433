from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.inference.exact import exhaustive
from headway.inference.fused import FusedLanguageModel
from headway.inference.fused_translator import FusedTranslator
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.predictor import ChainPredictor, Uncached
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.translator import Translator, TranslatorConfig
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError
from tests.models.weights import random_ids

V = 4
SENTENCES = [[0, 1, 2], [0, 1, 3], [0, 1, 2, 1], [2], []]


def running_sums(ids):
    """A model that reads everything: logits (B, T, 2) are the sum and the number of ids so far."""
    return torch.stack([ids.cumsum(1), torch.ones_like(ids).cumsum(1)], dim=-1).float()


@given(st.lists(st.integers(0, 3), max_size=5), st.lists(st.integers(0, 2), max_size=5))
def test_what_is_fed_in_parts_is_read_as_a_whole_also_by_selected_rows(lengths, rows):
    predictor, ids = Uncached(running_sums), random_ids(9, 3, 1 + sum(lengths))
    for part in ids.split([1, *lengths], dim=1):
        logits = predictor.feed(part)
    assert logits.equal(running_sums(ids)[:, -1])
    predictor.select(torch.tensor(rows, dtype=torch.int64))
    more = random_ids(9, len(rows), 1, 1)
    assert predictor.feed(more).equal(running_sums(torch.cat([ids[rows], more], dim=1))[:, -1])


@pytest.mark.parametrize(
    "make", [lambda: Uncached(running_sums), lambda: ChainPredictor(MarkovChain(SENTENCES, V))]
)
def test_rows_may_be_selected_before_anything_is_read(make):
    one, other = make(), make()
    one.select(torch.tensor([1, 0]))
    assert one.feed(torch.tensor([[0], [1]])).equal(other.feed(torch.tensor([[0], [1]])))


@given(st.integers(1, 6), st.integers(1, 4))
def test_beyond_its_context_a_model_reads_the_newest_tokens(context, first):
    predictor, ids = Uncached(running_sums, context), random_ids(9, 2, 6)
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


def test_a_chain_begins_a_sentence_at_a_boundary_whatever_stood_before_it():
    chain = MarkovChain(SENTENCES, V, 2)
    logits = ChainPredictor(chain).feed(torch.empty(3, 0, dtype=torch.int64))
    expected = torch.tensor([0.6, 0, 0.2, 0, 0.2], dtype=torch.float64).expand(3, -1)
    torch.testing.assert_close(logits.exp(), expected)
    prompts = torch.tensor([[1, 3, V, 0], [2, V, V, 0], [V, V, V, 0]])
    logits = ChainPredictor(chain).feed(prompts)
    assert logits.equal(ChainPredictor(chain).feed(prompts[:1, -1:]).expand(3, -1))
    assert logits[0].argmax() == 1
    ended = ChainPredictor(chain).feed(torch.tensor([[0, 1, V], [2, 3, V]]))
    torch.testing.assert_close(ended.exp(), expected[:2])


IDS = torch.zeros(2, 3, dtype=torch.int64)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda read: read.feed(IDS[:1]), ShapeError, r"\(1, 3\).*2 rows"),
        (lambda read: Uncached(running_sums).feed(IDS[0]), ShapeError, r"\(3,\).*batch dimension"),
        (lambda read: Uncached(running_sums, 0), ValueError, "context of 0"),
        (
            lambda read: ChainPredictor(MarkovChain(SENTENCES, V, 2)).feed(IDS + 3),
            ValueError,
            r"never saw the context \[3, 3\]",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    predictor = Uncached(running_sums)
    predictor.feed(IDS)
    with pytest.raises(error, match=message):
        call(predictor)


SIZES = {"vocabulary": V + 1, "context": 16, "width": 8, "heads": 2, "layers": 1}
MODEL = LanguageModel(LanguageModelConfig(**SIZES), torch.Generator()).eval()
TRANSLATOR = Translator(TranslatorConfig(**SIZES), torch.Generator()).eval()
PROMPT = torch.tensor([[0, 1]])


OF_MODELS = [
    lambda: Uncached(MODEL),
    lambda: CachedLanguageModel(MODEL, batch=1),
    lambda: FusedLanguageModel(MODEL, batch=1),
    lambda: CachedTranslator(TRANSLATOR, PROMPT),
    lambda: FusedTranslator(TRANSLATOR, PROMPT),
]


@pytest.mark.parametrize("make", OF_MODELS)
def test_a_model_needs_a_token_to_begin_with(make):
    with pytest.raises(ShapeError, match=r"\(1, 0\) hold no token: begin with a start symbol"):
        generate(make(), PROMPT[:, :0], 3)


@pytest.mark.parametrize("make", [*OF_MODELS, lambda: ChainPredictor(MarkovChain(SENTENCES, V, 1))])
@pytest.mark.parametrize("decode", [generate, partial(beam_search, beams=1), exhaustive])
def test_a_predictor_that_has_read_a_prompt_is_not_taken_for_a_new_one(make, decode):
    predictor = make()
    decode(predictor, PROMPT, 3)
    assert predictor.tokens_read == 4, "the last token is not fed"
    with pytest.raises(ValueError, match="has read 4 tokens already"):
        decode(predictor, PROMPT, 3)
