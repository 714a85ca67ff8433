"""Frequencies of rotary positions from a config: those of Hugging Face, kind by kind."""

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from headway.errors import UserError
from headway.models.hugging_face.config_file import config_of
from headway.models.hugging_face.model_folder import load_folder
from headway.nn.position import frequencies
from tests.models.folders import LINEAR, LLAMA_3, N, V, save
from tests.models.weights import random_ids

TRAINED = "original_max_position_embeddings"
YARN = {"rope_type": "yarn", "rope_theta": 10_000.0, "factor": 8.0, TRAINED: 4096}
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 10_000.0, "factor": 2.0}


@pytest.mark.parametrize("length", [4096, 70_000])
@pytest.mark.parametrize(
    "rotary",
    [
        LINEAR,
        LLAMA_3,
        DYNAMIC,
        YARN,
        YARN | {"truncate": False},
        YARN | {"beta_fast": 16, "beta_slow": 2.5},
        YARN | {"beta_fast": 5, "beta_slow": 4.9},
        YARN | {"attention_factor": 1.5},
        YARN | {"mscale": 0.7, "mscale_all_dim": 0.4},
        YARN | {"mscale": 0.7},
        YARN | {"factor": None},
    ],
)
def test_frequencies_and_amplitude_are_theirs(rotary, length):
    config = LlamaConfig(max_position_embeddings=32_768, rope_parameters=dict(rotary))
    speeds, amplitude = ROPE_INIT_FUNCTIONS[rotary["rope_type"]](config, seq_len=length)
    ours = config_of(config.to_dict())
    scaled = ours.scaling(frequencies(ours.per_head, ours.base), length)
    torch.testing.assert_close(scaled, speeds.double(), atol=0, rtol=1e-6)
    assert ours.scaling.amplitude == pytest.approx(amplitude)


@pytest.mark.parametrize("kind", ["dynamic", "yarn"])
def test_texts_beyond_the_context_that_the_config_names_are_theirs(tmp_path, kind):
    save(tmp_path, f"llama-{kind}")
    ids = random_ids(V, 2, 2 * N)
    for length in (N // 2, N + 9, 2 * N):
        theirs = AutoModelForCausalLM.from_pretrained(tmp_path)  # it remembers the longest text
        logits = load_folder(tmp_path, context=length)(ids[:, :length])
        expected = theirs(ids[:, :length]).logits
        torch.testing.assert_close(logits, expected, atol=1e-4, rtol=0)
    with pytest.raises(UserError, match=f"the model reads 1 to {2 * N}"):
        load_folder(tmp_path, context=2 * N + 1)
