from dataclasses import replace

import pytest
import torch
from transformers import MarianConfig, MarianMTModel

from headway.models.hugging_face.marian import OPUS, load_marian
from headway.models.translator import Translator
from headway.shapes import ShapeError
from tests.models.translators import (
    OURS,
    SIZES,
    assert_same_logits,
    assert_same_translations,
    close,
    rough,
)

SMALL = replace(OPUS, **OURS, decoder_layers=2)
CONVENTIONS = {"scale_embedding": True, "activation_function": "swish", "decoder_vocab_size": 17}


def hugging_face(seed=0, **changes):
    return rough(MarianMTModel(MarianConfig(**SIZES | CONVENTIONS | changes)), seed)


def translator(**changes):
    return Translator(replace(SMALL, **changes), torch.Generator())


@pytest.mark.parametrize(("scaled", "activation"), [(True, "swish"), (False, "relu")])
def test_logits_agree_with_hugging_face_on_the_same_weights(scaled, activation):
    theirs = hugging_face(scale_embedding=scaled, activation_function=activation)
    ours = translator(scaled=scaled, activation={"swish": "silu"}.get(activation, activation))
    load_marian(ours, theirs.state_dict())
    expected, memory = assert_same_logits(ours, theirs)
    sines_first = torch.cat([memory[:, 0::2], memory[:, 1::2]], dim=1)
    torch.testing.assert_close(sines_first, expected, **close)
    published = {k: w for k, w in theirs.state_dict().items() if "embed_positions" not in k}
    assert len(published) < len(theirs.state_dict())  # files lack the sinusoids
    load_marian(ours, published)
    assert_same_logits(ours, theirs)


def test_translations_agree_with_hugging_face():
    theirs, ours = hugging_face(), translator()
    load_marian(ours, theirs.state_dict())
    assert_same_translations(ours, theirs, start=1)


def test_source_and_target_may_have_vocabularies_of_their_own():
    theirs = hugging_face(
        share_encoder_decoder_embeddings=False, vocab_size=23, decoder_vocab_size=17
    )
    ours = translator(source_vocabulary=23)
    load_marian(ours, theirs.state_dict())
    assert_same_logits(
        ours,
        theirs,
        source=torch.tensor([[22, 18, 5, 2], [19, 2, 1, 1]]),
        target=torch.tensor([[1, 5, 16], [1, 3, 4]]),
    )
    with pytest.raises(ValueError, match=r"encoder\.embed_tokens\.weight"):
        load_marian(translator(), theirs.state_dict())


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"hidden": 32}, ShapeError, r"feed_forward.expand.weight is \(32, 16\)"),
        ({"position": "learned"}, KeyError, "embed_positions"),
        ({"output_bias": False}, ValueError, "final_logits_bias"),
    ],
)
def test_other_sizes_are_refused(changes, error, message):
    with pytest.raises(error, match=message):
        load_marian(translator(**changes), hugging_face().state_dict())
