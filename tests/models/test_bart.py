"""Translators with the weights of Bart say what Hugging Face's models say."""

from dataclasses import replace

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from transformers import BartConfig, BartForConditionalGeneration, BartModel

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.models.hugging_face.bart import BART_BASE, load_bart
from headway.models.parts import parameter_count
from headway.models.translator import Translator
from headway.nn.masks import token_mask
from headway.shapes import ShapeError
from tests.models.weights import random_ids

V, PADDING, START = 17, 1, 2
SIZES = {
    "vocab_size": V,
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "max_position_embeddings": 20,
    "pad_token_id": PADDING,
    "eos_token_id": 2,
    "forced_eos_token_id": None,
}
OURS = {"vocabulary": V, "context": 20, "width": 16, "heads": 4, "layers": 1, "hidden": 24}
SMALL = replace(BART_BASE, **OURS, decoder_layers=2)
SOURCE = torch.tensor([[5, 9, 3, 14, 2], [8, 4, 2, 1, 1], [7, 2, 1, 1, 1]])
TARGET = torch.tensor([[2, 5, 3, 9, 12, 4], [2, 6, 7, 2, 1, 1], [2, 11, 12, 13, 14, 15]])
MASK = token_mask(SOURCE, PADDING)
close = {"atol": 1e-4, "rtol": 1e-4}


@torch.no_grad()
def hugging_face(kind=BartForConditionalGeneration, **changes):
    """Their model with such weights that whatever is left out shows; nothing is zero or one."""
    theirs = kind(BartConfig(**SIZES | changes))
    generator = torch.Generator().manual_seed(0)
    for name, weight in theirs.state_dict().items():
        noise = torch.randn(weight.shape, generator=generator)
        weight.copy_(1 + 0.2 * noise if "norm.weight" in name else 0.4 * noise)
    theirs.tie_weights()
    return theirs.eval()


def translator(**changes):
    return Translator(replace(SMALL, **changes), torch.Generator()).eval()


@torch.no_grad()
def assert_same_logits(ours, theirs, source=SOURCE, target=TARGET):
    """Every row, that of the padding in the target too: neither model hides it."""
    tokens = source != PADDING
    found = theirs(input_ids=source, attention_mask=tokens.long(), decoder_input_ids=target)
    mask = token_mask(source, PADDING)
    torch.testing.assert_close(ours(source, target, mask), found.logits, **close)
    return found.encoder_last_hidden_state[tokens], ours.encode(source, mask)[tokens]


@pytest.mark.parametrize(
    ("scaled", "activation"), [(False, "gelu"), (True, "relu"), (True, "swish")]
)
def test_logits_agree_with_hugging_face_on_the_same_weights(scaled, activation):
    theirs = hugging_face(scale_embedding=scaled, activation_function=activation)
    ours = translator(scaled=scaled, activation={"swish": "silu"}.get(activation, activation))
    load_bart(ours, theirs.state_dict())
    expected, memory = assert_same_logits(ours, theirs)
    torch.testing.assert_close(memory, expected, **close)
    assert_same_logits(ours, theirs, *random_ids(V, 2, 40).view(2, 2, 20))  # the whole context


def test_greedy_and_beam_search_find_what_hugging_face_finds():
    theirs, ours, steps = hugging_face(), translator(), 8
    load_bart(ours, theirs.state_dict())
    prompt = torch.full((len(SOURCE), 1), START)

    def found(beams, end=None):
        return theirs.generate(
            input_ids=SOURCE,
            attention_mask=MASK[:, 0, 0].long(),
            max_new_tokens=steps,
            num_beams=beams,
            num_return_sequences=beams,
            do_sample=False,
            early_stopping="never" if beams > 1 else None,
            length_penalty=1.0 if beams > 1 else None,
            eos_token_id=end,
            pad_token_id=PADDING,
            decoder_start_token_id=START,
            return_dict_in_generate=True,
            output_scores=True,
        )

    greedy = generate(CachedTranslator(ours, SOURCE, MASK), prompt, steps, padding=PADDING)
    assert found(1).sequences.equal(greedy)
    end = int(greedy[0, 3])  # an end that occurs
    predictor = CachedTranslator(ours, SOURCE, MASK)
    hypotheses = beam_search(predictor, prompt, steps, 4, end, padding=PADDING)
    expected = found(4, end)
    assert hypotheses.ids.flatten(0, 1).equal(expected.sequences)
    torch.testing.assert_close(hypotheses.scores.flatten(), expected.sequences_scores, **close)
    assert (hypotheses.lengths < steps).any()


def test_an_output_of_its_own_is_loaded_where_ours_has_one_and_refused_where_not():
    theirs = hugging_face(tie_word_embeddings=False)
    tables = theirs.lm_head.weight, theirs.model.shared.weight
    assert not tables[0].equal(tables[1])
    state = theirs.state_dict()
    for side in ("encoder", "decoder"):
        state[f"model.{side}.embed_tokens.weight"] = tables[1]
        getattr(theirs.model, side).embed_tokens.weight = tables[1]
    ours = translator(tied=False)
    load_bart(ours, state)
    assert_same_logits(ours, theirs)
    with pytest.raises(ValueError, match=r"1 weights .* no place in the model: lm_head.weight"):
        load_bart(translator(), state)


def test_a_model_without_an_output_fits_a_translator_without_its_bias():
    theirs, ours = hugging_face(BartModel), translator(output_bias=False)
    load_bart(ours, theirs.state_dict())
    with torch.no_grad():
        found = theirs(SOURCE, MASK[:, 0, 0].long(), TARGET).last_hidden_state
        logits = ours(SOURCE, TARGET, MASK)
    torch.testing.assert_close(logits, found @ theirs.shared.weight.T, **close)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"decoder_layers": 1}, ValueError, "weights .* have no place in the model"),
        ({"context": 18}, ShapeError, r"encoder.input.position.table is \(18, 16\)"),
        ({"output_bias": False}, ValueError, "final_logits_bias"),
        ({"hidden": 32}, ShapeError, r"feed_forward.expand.weight is \(32, 16\)"),
        ({"embedding_norm": False}, ValueError, "layernorm_embedding"),
    ],
)
def test_other_sizes_are_refused_and_the_model_left_alone(changes, error, message):
    ours, theirs = translator(**changes), hugging_face()
    before = [parameter.clone() for parameter in ours.parameters()]
    with pytest.raises(error, match=message):
        load_bart(ours, theirs.state_dict())
    assert all(map(torch.equal, before, ours.parameters()))


def test_the_published_size_of_bart_but_for_unused_positions_and_the_bias():
    with FakeTensorMode():
        ours = parameter_count(Translator(BART_BASE, torch.Generator()))
    assert ours == 139_420_416 - 2 * 2 * BART_BASE.width + BART_BASE.vocabulary
