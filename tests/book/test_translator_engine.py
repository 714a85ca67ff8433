"""The model of the site: for 200 held-out sentences Node says with it what torch says."""

import numpy as np
import pytest
import torch

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.models.padding import cut_at, pad
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.masks import token_mask
from headway.text.corpus.split import generator
from headway.text.corpus.translation import hold_out_combinations, translations
from tests.book.attached import attached_to, weights_of
from tests.figures.test_engine import BEAMS, MOST, TRANSLATE, ask

pytestmark = pytest.mark.book

SENTENCES = 200


@pytest.fixture(scope="module")
def attached(built_book):
    """What the site's file hands over."""
    return attached_to(built_book, "13-translator", "live_translator")


def model_of(packed):
    """The translator on the weights of a packed one."""
    model = Translator(TranslatorConfig(**packed["config"]), torch.Generator())
    model.load_state_dict(weights_of(packed))
    return model.eval()


def test_the_site_s_model_gives_torch_s_logits_and_sentences(attached):
    english, french, start, end = (attached[k] for k in ("english", "french", "start", "end"))
    _, held = hold_out_combinations(generator(0), translations(generator(7), 20_000))
    padding = french.index("<pad>")
    sources = [[*map(english.index, [*p.source.split(), french[end]])] for p in held[:SENTENCES]]
    answers = ask(
        *(TRANSLATE, attached["model"]),
        sources=sources, start=start, end=end, most=MOST, beams=BEAMS,
    )  # fmt: skip
    model, source = model_of(attached["model"]), pad([np.array(ids) for ids in sources], padding)
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
