"""The engine of the live figures, in Node: torch's logits, torch's sentences."""

from dataclasses import asdict

import numpy as np
import pytest
import torch

from headway.figures.core.scripts import ENGINE
from headway.figures.engine import pack
from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.heads import FillIn, WithHead
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.masked_model import MaskedModel, MaskedModelConfig
from headway.models.padding import cut_at, pad
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.masks import token_mask
from tests.figures.node import run

BEAMS, MOST = 3, 23
SIZES = {"vocabulary": 11, "context": MOST + 1, "width": 16, "heads": 4, "layers": 2}
TRANSLATE = """
const { translator } = await import(given.engine + "transformer.js");
const { beamSearch, greedy } = await import(given.engine + "search.js");
const model = translator(given.packed);
const { start, end, most, beams } = given;
answer(given.sources.map((source) => {
  const { state } = model.begin(source);
  const said = greedy(model, state, [start], most, end);
  const found = beamSearch(model, state, [start], most, end, beams);
  const ids = said.map(({ id }) => id);
  return {
    ids,
    logits: said.map(({ logits }) => [...logits]),
    atOnce: [...model.feed(state, [start, ...ids.slice(0, -1)]).logits],
    beams: found,
  };
}));
"""
CONTINUE = """
const { languageModel } = await import(given.engine + "transformer.js");
const { greedy } = await import(given.engine + "search.js");
const model = languageModel(given.packed);
answer(given.texts.map(([first, ...others]) => {
  let { state, logits } = model.feed(model.begin().state, first);
  const said = greedy(model, model.begin().state, first, 5).map(({ id }) => id);
  const all = [[...logits]];
  for (const id of others) {
    ({ state, logits } = model.feed(state, [id]));
    all.push([...logits]);
  }
  return { said, all };
}));
"""
FILL = """
const { maskedModel } = await import(given.engine + "transformer.js");
const model = maskedModel(given.packed);
answer(given.texts.map((ids) => model.fill(ids).logits.map((row) => [...row])));
"""


def ask(program, packed, **given):
    return run(program, {"engine": ENGINE.as_uri() + "/", "packed": packed, **given})


def random_weights(model, seed=0):
    """The model with weights as the engine has them, none of which hides a mistake, and packed."""
    g = torch.Generator().manual_seed(seed)
    weights = {name: torch.empty(w.shape).normal_(0, 0.4, generator=g).numpy()
               for name, w in model.state_dict().items()}  # fmt: skip
    model.load_state_dict({name: torch.tensor(w).half() for name, w in weights.items()})
    return model.eval(), pack(asdict(model.config), weights)


OTHERS = {
    "layers": 1, "decoder_layers": 2, "norm": "post", "scaled": True, "position": "hybrid",
    "embedding_norm": True, "output_bias": True, "activation": "relu",
}  # fmt: skip


# Of other seeds, or with other symbols as the end, most sentences are of one length.
@pytest.mark.parametrize(("conventions", "seed", "end"), [({}, 0, 6), (OTHERS, 6, 7)])
def test_logits_greedy_sentences_and_beams_are_torch_s_as_it_translates(conventions, seed, end):
    start, padding = 0, 2
    config = TranslatorConfig(**SIZES | conventions)
    model, packed = random_weights(Translator(config, torch.Generator()), seed)
    rng = np.random.default_rng(0)
    sources = [rng.integers(3, 11, size=rng.integers(2, 9)) for _ in range(30)]
    answers = ask(
        *(TRANSLATE, packed),
        **{"sources": [source.tolist() for source in sources]},
        **{"start": start, "end": end, "most": MOST, "beams": BEAMS},
    )
    source, prompt = pad(sources, padding), torch.full((len(sources), 1), start)
    mask = token_mask(source, padding)
    predictor = CachedTranslator(model, source, mask)
    said = cut_at(generate(predictor, prompt, MOST, end=end, padding=padding)[:, 1:], end)
    assert cut_at(pad([np.array(answer["ids"]) for answer in answers], padding), end) == said
    assert len({len(ids) for ids in said}) > 3, "sentences end at other places"
    found = beam_search(CachedTranslator(model, source, mask), prompt, MOST, BEAMS, end=end)
    for b, answer in enumerate(answers):
        read = torch.tensor([[start, *answer["ids"][:-1]]])
        with torch.no_grad():
            expected = model(torch.from_numpy(sources[b])[None], read)[0].numpy()
        found_logits = [*answer["logits"], answer["atOnce"]]
        np.testing.assert_allclose(found_logits, [*expected, expected[-1]], atol=1e-3, rtol=0)
        scores = [one["score"] for one in answer["beams"]]
        np.testing.assert_allclose(scores, found.scores[b].numpy(), atol=1e-4)
        lengths = found.lengths[b].tolist()
        best = [ids[1 : 1 + n] for ids, n in zip(found.ids[b].tolist(), lengths, strict=True)]
        assert [one["ids"] for one in answer["beams"]] == best
    assert any(answer["ids"] != answer["beams"][0]["ids"] for answer in answers)


VARIANTS = {
    "GPT-2's conventions": {"activation": "gelu-tanh"},
    "exact GELU, keys shared by two heads": {"key_value_heads": 2},
    "post-norm, SiLU, sinusoids": {"norm": "post", "activation": "silu", "position": "sinusoidal"},
    "no positions, an output of its own": {"position": "none", "tied": False, "activation": "relu"},
    "no blocks": {"layers": 0},
    "Llama's conventions, keys shared by two heads": {
        **{"normalization": "rms", "activation": "silu", "gated": True, "hidden": 24},
        **{"bias": False, "position": "rotary", "pairs": "interleaved", "key_value_heads": 2},
    },
}


@pytest.mark.parametrize("conventions", VARIANTS.values(), ids=VARIANTS)
def test_a_language_model_gives_torch_s_logits_token_by_token_and_its_continuation(conventions):
    config = LanguageModelConfig(**SIZES | conventions)
    model, packed = random_weights(LanguageModel(config, torch.Generator()))
    ids = torch.randint(11, (3, 9), generator=torch.Generator().manual_seed(1))
    answers = ask(CONTINUE, packed, texts=[[row[:3], *row[3:]] for row in ids.tolist()])
    with torch.inference_mode():
        expected = model(ids)[:, 2:]
    np.testing.assert_allclose([answer["all"] for answer in answers], expected, atol=1e-3)
    said = generate(CachedLanguageModel(model, batch=3), ids[:, :3], 5)[:, 3:]
    assert [answer["said"] for answer in answers] == said.tolist()


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_scores_of_all_words_at_every_place_are_a_masked_model_s(norm):
    draw = torch.Generator().manual_seed(0)
    encoder = MaskedModel(MaskedModelConfig(**SIZES, norm=norm, embedding_norm=True), draw)
    model = WithHead(encoder, FillIn(encoder.embedding)).eval()
    state = {}
    for name, weight in model.named_parameters():
        torch.nn.init.normal_(weight, 0, 0.4, generator=draw)
        packed_name = {"head.bias": "output_bias"}.get(name, name.removeprefix("model."))
        state[packed_name] = weight.detach().numpy()
        weight.data = weight.data.half().float()
    texts = torch.randint(11, (3, 9), generator=draw)
    packed = pack(asdict(encoder.config) | {"tied": True}, state)
    found = ask(FILL, packed, texts=texts.tolist())
    with torch.no_grad():
        np.testing.assert_allclose(np.array(found), model(texts), atol=2e-3, rtol=0)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"position": "relative"}, "position relative is not one of"),
        ({"position": "rotary"}, "rotary positions are known here for whole heads of neighboring"),
        ({"activation": "tanh"}, "the activation tanh is none of"),
        ({"window": 4}, "attention within a window is not known here"),
        ({"norm": "sandwich"}, "norm sandwich is not one of"),
        ({"parallel": True}, "parallel blocks and soft caps are not known"),
        ({"score_cap": 50.0}, "parallel blocks and soft caps are not known"),
        ({"logit_cap": 30.0}, "parallel blocks and soft caps are not known"),
        ({"experts": 4}, "mixtures of experts are not known here"),
        ({"head_norm": True}, "heads of a width of their own, or with norms, are not known"),
        ({"head_width": 8}, "heads of a width of their own, or with norms, are not known"),
    ],
)
def test_what_the_engine_does_not_know_it_refuses(changed, says):
    config = asdict(LanguageModelConfig(**SIZES)) | changed
    with pytest.raises(AssertionError, match=says):
        ask(CONTINUE, pack(config, {}), texts=[])


def test_a_masked_model_with_segments_is_refused():
    config = MaskedModelConfig(vocabulary=3, context=4, width=4, heads=1, layers=0, segments=2)
    with pytest.raises(AssertionError, match="segments are not known"):
        ask(FILL, pack(asdict(config), {}), texts=[[0]])


def test_every_half_is_read_as_numpy_reads_it():
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    bits = np.flatnonzero(np.isfinite(halves))
    program = """
    const { fromHalf } = await import(given.engine + 'tensors.js');
    answer(given.bits.map(fromHalf));
    """
    found = ask(program, None, bits=bits.tolist())
    np.testing.assert_array_equal(found, halves[bits].astype(float))


def test_a_packed_model_takes_two_bytes_and_two_thirds_a_number_that_half_precision_has():
    packed = pack({"width": 10}, {"one": np.zeros((30, 10), np.float32), "other": np.zeros(300)})
    assert len(packed["data"]) == 600 * 8 / 3
    assert packed["tensors"] == [["one", [30, 10]], ["other", [300]]]
    for wrong in (np.nan, 70_000.0):
        with pytest.raises(ValueError, match=r"output\.weight holds numbers that half precision"):
            pack({}, {"output.weight": np.array([[1.0, wrong]])})
