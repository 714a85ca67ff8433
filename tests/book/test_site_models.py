"""The models of the site: what Node says with them for held-out texts is what torch says."""

import base64
import json
import re
import unicodedata

import numpy as np
import pytest
import torch

from headway.figures.core.scripts import ENGINE
from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.padding import cut_at, pad
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.masks import token_mask
from headway.text.corpus.split import generator
from headway.text.corpus.translation import hold_out_combinations, translations
from tests.figures.node import run
from tests.figures.test_engine import BEAMS, MOST, TRANSLATE, ask

pytestmark = pytest.mark.book

TEXTS, READ, SAID, SENTENCES = 20, 30, 10, 200
CONTINUE = """
const { languageModel } = await import(given.engine + "transformer.js");
const { encode, letters } = await import(given.engine + "tokens.js");
const { greedy } = await import(given.engine + "search.js");
const { model, end } = given.attached;
const engine = languageModel(model);
const made = letters(given.attached.letters);
answer(given.texts.map((text) => {
  const ids = [end, ...encode(text, made)].slice(0, given.read);
  const said = greedy(engine, engine.begin().state, ids, given.said);
  return { ids, said: said.map(({ id }) => id), logits: said.map(({ logits }) => [...logits]) };
}));
"""


def attached_to(built_book, page, figure):
    """What the site's file for a page's figure hands over."""
    text = (built_book / "book" / f"{page}.html").read_text(encoding="utf-8")
    name = re.search(rf'data-name="({figure}-\w+)"', text)[1]
    file = built_book / "_static" / "headway" / "attached" / f"{name}.js"
    script = file.read_text(encoding="utf-8").strip()
    return json.loads(script.removeprefix(f'headwayAttached("{name}", ').removesuffix(");"))


def model_of(packed, model, config):
    """A model of a class on the weights, in halves, of a packed one."""
    numbers = np.frombuffer(base64.b64decode(packed["data"]), "<f2").astype(np.float32)
    state, place = {}, 0
    for name, shape in packed["tensors"]:
        size = int(np.prod(shape))
        state[name] = torch.tensor(numbers[place : place + size]).view(shape)
        place += size
    made = model(config(**packed["config"]), torch.Generator())
    made.load_state_dict(state)
    return made.eval()


def test_the_language_model_reads_and_continues_as_torch_s(built_book):
    attached = attached_to(built_book, "11-language-model", "live_language_model")
    names = [unicodedata.name(chr(i)).lower() for i in range(0x1F600, 0x1F650)]  # of faces
    texts = [name for name in names if len(name) >= READ][:TEXTS]
    answers = run(CONTINUE, {
        "engine": ENGINE.as_uri() + "/", "attached": attached, "texts": texts, "read": READ,
        "said": SAID,
    })  # fmt: skip
    ids = [[attached["letters"].index(letter) for letter in text] for text in texts]
    prompts = [[attached["end"], *row][:READ] for row in ids]
    assert [answer["ids"] for answer in answers] == prompts
    model = model_of(attached["model"], LanguageModel, LanguageModelConfig)
    said = generate(CachedLanguageModel(model, batch=len(texts)), torch.tensor(prompts), SAID)
    assert [answer["said"] for answer in answers] == said[:, READ:].tolist()
    with torch.no_grad():
        expected = model(said[:, :-1])[:, READ - 1 :]
    found = np.array([answer["logits"] for answer in answers])
    np.testing.assert_allclose(found, expected.numpy(), atol=2e-3, rtol=0)


def test_the_translator_gives_torch_s_logits_and_sentences(built_book):
    attached = attached_to(built_book, "13-translator", "live_translator")
    english, french, start, end = (attached[k] for k in ("english", "french", "start", "end"))
    _, held = hold_out_combinations(generator(0), translations(generator(7), 20_000))
    padding = french.index("<pad>")
    sources = [[*map(english.index, [*p.source.split(), french[end]])] for p in held[:SENTENCES]]
    answers = ask(
        *(TRANSLATE, attached["model"]),
        sources=sources, start=start, end=end, most=MOST, beams=BEAMS,
    )  # fmt: skip
    model = model_of(attached["model"], Translator, TranslatorConfig)
    source = pad([np.array(ids) for ids in sources], padding)
    mask, prompt = token_mask(source, padding), torch.full((SENTENCES, 1), start)
    said = generate(CachedTranslator(model, source, mask), prompt, MOST, end=end, padding=padding)
    assert [answer["ids"][:-1] for answer in answers] == cut_at(said[:, 1:], end)
    found = beam_search(CachedTranslator(model, source, mask), prompt, MOST, BEAMS, end=end)
    best = [answer["beams"][0]["ids"][:-1] for answer in answers]
    assert best == cut_at(found.best[:, 1:], end)
    with torch.no_grad():
        for ids, answer in zip(sources, answers, strict=True):
            read = torch.tensor([[start, *answer["ids"][:-1]]])
            expected = model(torch.tensor([ids]), read)[0]
            np.testing.assert_allclose(answer["logits"], expected, atol=1e-3, rtol=0)
    right = sum(
        [french[i] for i in answer["ids"][:-1]] == pair.target.split()
        for answer, pair in zip(answers, held, strict=False)
    )
    assert right >= 0.95 * SENTENCES
