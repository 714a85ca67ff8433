"""The language model of the site: Node cuts, scores and continues held-out texts as torch does."""

import json

import numpy as np
import pytest
import torch

from headway.figures.core.scripts import ENGINE
from headway.inference.decoding import generate
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.text.byte_pair import BYTES, BytePairTokenizer
from headway.text.corpus.standard_library import docstrings
from headway.training.runs import FOLDER
from tests.book.attached import attached_to, weights_of
from tests.figures.node import run

pytestmark = pytest.mark.book

TEXTS, READ, SAID = 20, 30, 10
CONTINUE = """
const { languageModel } = await import(given.engine + "transformer.js");
const { encode, tokenizer } = await import(given.engine + "tokens.js");
const { greedy } = await import(given.engine + "search.js");
const { model, pairs, end } = given.attached;
const engine = languageModel(model);
const made = tokenizer(pairs, end);
answer(given.texts.map((text) => {
  const ids = [end, ...encode(text, made)].slice(0, given.read);
  const said = greedy(engine, engine.begin().state, ids, given.said);
  return { ids, said: said.map(({ id }) => id), logits: said.map(({ logits }) => [...logits]) };
}));
"""


@pytest.fixture(scope="module")
def attached(built_book):
    """What the site's file hands over."""
    return attached_to(built_book, "11-language-model", "live_language_model")


def model_of(packed):
    """The language model on the weights of a packed one."""
    model = LanguageModel(LanguageModelConfig(**packed["config"]), torch.Generator())
    model.load_state_dict(weights_of(packed))
    return model.eval()


def test_the_site_s_model_reads_and_continues_as_torch_s(attached):
    record = json.loads((FOLDER / "11-docstrings.json").read_text(encoding="utf-8"))
    merges = [tuple(map(bytes.fromhex, pair)) for pair in record["log"]["merges"]]
    tokenizer = BytePairTokenizer([*BYTES, *(a + b for a, b in merges)], merges)
    texts = docstrings(("doctest", "functools", "uuid"))
    texts = [text for text in texts if len(tokenizer.encode(text)) >= READ][:TEXTS]
    answers = run(CONTINUE, {
        "engine": ENGINE.as_uri() + "/", "attached": attached, "texts": texts, "read": READ,
        "said": SAID,
    })  # fmt: skip
    prompts = [[attached["end"], *tokenizer.encode(text)][:READ] for text in texts]
    assert [answer["ids"] for answer in answers] == prompts
    model = model_of(attached["model"])
    said = generate(CachedLanguageModel(model, batch=TEXTS), torch.tensor(prompts), SAID)
    assert [answer["said"] for answer in answers] == said[:, READ:].tolist()
    with torch.no_grad():
        expected = model(said[:, :-1])[:, READ - 1 :]
    found = np.array([answer["logits"] for answer in answers])
    np.testing.assert_allclose(found, expected.numpy(), atol=2e-3, rtol=0)
