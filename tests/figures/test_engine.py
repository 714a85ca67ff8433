"""The engine of the live figures, in Node: torch's logits, torch's sentences."""

from dataclasses import asdict

import numpy as np
import pytest
import torch

from headway.figures.core.scripts import ENGINE
from headway.figures.engine import pack, rounded
from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.heads import FillIn, WithHead
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.masked_model import MaskedModel, MaskedModelConfig
from headway.models.padding import cut_at, pad
from headway.models.translator import Translator, TranslatorConfig, shift_right
from headway.nn.masks import token_mask
from headway.text.corpus.split import generator
from headway.text.corpus.translation import translations
from headway.text.vocabulary import Vocabulary
from headway.training.batches import Shuffled
from headway.training.loss import summed_cross_entropy
from headway.training.optimizer import adamw
from headway.training.schedule import Cosine
from headway.training.trainer import Trainer
from tests.figures.node import run

SPECIALS = PADDING, START, END = "<pad>", "<start>", "<end>"
SENTENCES, BEAMS, MOST = 200, 3, 23
TRANSLATE = """
const { translator } = await import(given.engine + "transformer.js");
const { beamSearch, greedy } = await import(given.engine + "search.js");
const model = translator(given.packed);
const { start, end, most, beams } = given;
answer(given.sources.map((source) => {
  const { state } = model.begin(source);
  const said = greedy(model, state, [start], most, end);
  const found = beamSearch(model, state, [start], most, end, beams);
  return {
    ids: said.map(({ id }) => id),
    logits: said.map(({ logits }) => [...logits]),
    beams: found,
  };
}));
"""
CONTINUE = """
const { languageModel } = await import(given.engine + "transformer.js");
const model = languageModel(given.packed);
answer(given.texts.map(([first, ...others]) => {
  let { state, logits } = model.feed(model.begin().state, first);
  const all = [[...logits]];
  for (const id of others) {
    ({ state, logits } = model.feed(state, [id]));
    all.push([...logits]);
  }
  return all;
}));
"""
FILL = """
const { maskedModel } = await import(given.engine + "transformer.js");
const model = maskedModel(given.packed);
answer(given.texts.map((ids) => model.fill(ids).logits.map((row) => [...row])));
"""


def in_half_precision(model):
    """The model with its weights rounded as the engine has them, and those weights packed."""
    state = {name: weight.numpy() for name, weight in model.state_dict().items()}
    model.load_state_dict({name: torch.tensor(w) for name, w in rounded(state).items()})
    return model.eval(), pack(asdict(model.config), state)


def ask(program, packed, **given):
    return run(program, {"engine": ENGINE.as_uri() + "/", "packed": packed, **given})


@pytest.fixture(scope="module")
def trained():
    """A translator after some steps: (model, packed, sources, ids of <start>, <end>, <pad>)."""
    pairs = translations(generator(7), 3000)
    english = Vocabulary((word for p in pairs for word in p.source.split()), SPECIALS)
    french = Vocabulary((word for p in pairs for word in p.target.split()), SPECIALS)
    padding, start, end = (french.id(symbol) for symbol in SPECIALS)
    sources = [english.encode([*p.source.split(), END]) for p in pairs]
    targets = [french.encode([*p.target.split(), END]) for p in pairs]
    model = Translator(
        TranslatorConfig(
            vocabulary=len(french), source_vocabulary=len(english), context=MOST + 1, width=32,
            heads=4, hidden=64, layers=1,
        ),
        torch.Generator().manual_seed(0),
    )  # fmt: skip

    def loss(model, batch):
        source, target = batch
        logits = model(source, shift_right(target, start), token_mask(source, padding))
        return summed_cross_entropy(logits, target, ignore_index=padding)

    data = (pad(sources[SENTENCES:], padding), pad(targets[SENTENCES:], padding))
    batches, schedule = Shuffled(data, 64, seed=0), Cosine(warmup=20, total=150)
    trainer = Trainer(model, loss, batches, adamw(model, 5e-3), schedule)
    trainer.train(150, progress=False)
    return *in_half_precision(model), sources[:SENTENCES], (start, end, padding)


@pytest.fixture(scope="module")
def answers(trained):
    """What the engine says for each of the sentences."""
    _, packed, sources, (start, end, _) = trained
    lists = [source.tolist() for source in sources]
    given = {"start": start, "end": end, "most": MOST, "beams": BEAMS}
    return ask(TRANSLATE, packed, sources=lists, **given)


def test_the_logits_are_torch_s_while_it_translates(trained, answers):
    model, _, sources, (start, *_) = trained
    for source, answer in zip(sources, answers, strict=True):
        read = torch.tensor([[start, *answer["ids"][:-1]]])
        with torch.no_grad():
            expected = model(torch.from_numpy(source)[None], read)[0].numpy()
        np.testing.assert_allclose(np.array(answer["logits"]), expected, atol=1e-3, rtol=0)


def test_greedy_sentences_are_torch_s(trained, answers):
    model, _, sources, (start, end, padding) = trained
    source = pad(sources, padding)
    predictor = CachedTranslator(model, source, token_mask(source, padding))
    prompt = torch.full((SENTENCES, 1), start)
    said = generate(predictor, prompt, MOST, end=end, padding=padding)[:, 1:]
    expected = cut_at(said, end)
    assert cut_at(pad([np.array(answer["ids"]) for answer in answers], padding), end) == expected
    assert len(set(map(tuple, expected))) > SENTENCES / 2, "the model says few sentences"


def test_beams_and_their_scores_are_torch_s(trained, answers):
    model, _, sources, (start, end, padding) = trained
    source = pad(sources, padding)
    predictor = CachedTranslator(model, source, token_mask(source, padding))
    found = beam_search(predictor, torch.full((SENTENCES, 1), start), MOST, BEAMS, end=end)
    for b, answer in enumerate(answers):
        scores = [one["score"] for one in answer["beams"]]
        np.testing.assert_allclose(scores, found.scores[b].numpy(), atol=1e-4)
        expected = [
            ids[1 : 1 + n].tolist() for ids, n in zip(found.ids[b], found.lengths[b], strict=True)
        ]
        assert [one["ids"] for one in answer["beams"]] == expected
    assert any(answer["ids"] != answer["beams"][0]["ids"] for answer in answers), (
        "beam search finds nothing that greedy decoding does not; train less"
    )


SIZES = {"vocabulary": 11, "context": 9, "width": 16, "heads": 4, "layers": 2}
VARIANTS = {
    "GPT-2's conventions": {"activation": "gelu-tanh"},
    "exact GELU, keys shared by two heads": {"key_value_heads": 2},
    "post-norm, SiLU, sinusoids": {"norm": "post", "activation": "silu", "position": "sinusoidal"},
    "no positions, an output of its own": {"position": "none", "tied": False, "activation": "relu"},
    "no blocks": {"layers": 0},
}


def random_weights(model, seed=0):
    """No weight at a value that hides a mistake."""
    g = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.normal_(0, 0.4, generator=g)
    return in_half_precision(model)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_language_model_gives_torch_s_logits_token_by_token(name):
    g = torch.Generator().manual_seed(1)
    model, packed = random_weights(LanguageModel(LanguageModelConfig(**SIZES | VARIANTS[name]), g))
    ids = torch.randint(SIZES["vocabulary"], (3, SIZES["context"]), generator=g)
    texts = [[row[:3], *row[3:]] for row in ids.tolist()]
    found = np.array(ask(CONTINUE, packed, texts=texts))
    with torch.inference_mode():
        np.testing.assert_allclose(found, model(ids)[:, 2:], atol=1e-3)
        cached = CachedLanguageModel(model, batch=3)
        np.testing.assert_allclose(found[:, 0], cached.feed(ids[:, :3]), atol=1e-3)


def test_greedy_continues_a_text_that_has_no_end():
    g = torch.Generator().manual_seed(1)
    model, packed = random_weights(LanguageModel(LanguageModelConfig(**SIZES), g))
    program = """
    const { languageModel } = await import(given.engine + "transformer.js");
    const { greedy } = await import(given.engine + "search.js");
    const model = languageModel(given.packed);
    answer(greedy(model, model.begin().state, given.prompt, 5).map(({ id }) => id));
    """
    expected = generate(CachedLanguageModel(model, batch=1), torch.tensor([[3, 1]]), 5)
    assert [3, 1, *ask(program, packed, prompt=[3, 1])] == expected[0].tolist()


def test_a_translator_of_other_conventions_gives_torch_s_logits():
    config = TranslatorConfig(
        **SIZES | {"layers": 1}, decoder_layers=2, norm="post", scaled=True, position="hybrid",
        embedding_norm=True, output_bias=True, activation="relu",
    )  # fmt: skip
    model, packed = random_weights(Translator(config, torch.Generator()))
    source, target = torch.randint(11, (2, 1, 7), generator=torch.Generator().manual_seed(2))
    program = """
    const { translator } = await import(given.engine + "transformer.js");
    const model = translator(given.packed);
    answer([...model.feed(model.begin(given.source).state, given.target).logits]);
    """
    found = ask(program, packed, source=source[0].tolist(), target=target[0].tolist())
    with torch.no_grad():
        np.testing.assert_allclose(found, model(source, target)[0, -1], atol=1e-3)


REFUSED = """
const { languageModel } = await import(given.engine + "transformer.js");
try { languageModel(given.packed); answer(""); } catch (error) { answer(String(error)); }
"""


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"position": "rotary"}, "position rotary is not one of"),
        ({"activation": "tanh"}, "the activation tanh is none of"),
        ({"window": 4}, "attention within a window is not known here"),
        ({"head_norm": True}, "heads of a width of their own, or with norms, are not known"),
        ({"head_width": 8}, "heads of a width of their own, or with norms, are not known"),
    ],
)
def test_what_the_engine_does_not_know_it_refuses(changed, says):
    config = asdict(LanguageModelConfig(**SIZES)) | changed
    assert says in ask(REFUSED, pack(config, {}))


def test_every_half_is_read_as_numpy_reads_it():
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    bits = np.flatnonzero(np.isfinite(halves))
    program = (
        "const { fromHalf } = await import(given.engine + 'tensors.js');"
        "answer(given.bits.map(fromHalf));"
    )
    np.testing.assert_array_equal(
        ask(program, None, bits=bits.tolist()), halves[bits].astype(float)
    )


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 70_000.0])
def test_a_number_that_half_precision_has_not_is_named(wrong):
    with pytest.raises(ValueError, match=r"output\.weight holds numbers that half precision"):
        pack({}, {"output.weight": np.array([[1.0, wrong]])})


def test_a_packed_model_takes_two_bytes_and_two_thirds_a_number():
    weights = {"one": np.zeros((30, 10), np.float32), "other": np.zeros(300)}
    packed = pack({"width": 10}, weights)
    assert len(packed["data"]) == 600 * 8 / 3
    assert packed["tensors"] == [["one", [30, 10]], ["other", [300]]]


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_scores_of_all_words_at_every_place_are_a_masked_model_s(norm):
    V, draw = 13, torch.Generator().manual_seed(0)
    config = MaskedModelConfig(
        vocabulary=V, context=9, width=16, heads=4, layers=2, norm=norm, embedding_norm=True
    )
    encoder = MaskedModel(config, draw)
    model = WithHead(encoder, FillIn(encoder.embedding)).eval()
    state = {}
    for name, weight in model.named_parameters():
        torch.nn.init.normal_(weight, 0, 0.4, generator=draw)
        packed_name = {"head.bias": "output_bias"}.get(name, name.removeprefix("model."))
        state[packed_name] = weight.detach().numpy()
        weight.data = torch.tensor(rounded({"w": state[packed_name]})["w"])
    texts = torch.randint(V, (3, 9), generator=draw)
    found = ask(FILL, pack(asdict(config) | {"tied": True}, state), texts=texts.tolist())
    with torch.no_grad():
        expected = model(texts).numpy()
    np.testing.assert_allclose(np.array(found), expected, atol=2e-3, rtol=0)


def test_a_masked_model_with_segments_is_refused():
    config = MaskedModelConfig(vocabulary=3, context=4, width=4, heads=1, layers=0, segments=2)
    with pytest.raises(AssertionError, match="segments are not known"):
        ask(FILL, pack(asdict(config), {}), texts=[[0]])
