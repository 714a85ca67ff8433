"""Small random models of each shape that is explored, in Hugging Face's classes and in ours."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedModel

from headway.commands.explore import of_folder
from headway.explore.subject import Subject
from headway.models.hugging_face.gpt2 import load_gpt2
from headway.models.language_model import LanguageModel, LanguageModelConfig
from tests.models.folders import HEADS, LAYERS, C, N, V, save
from tests.models.weights import redrawn

SIZES = {"vocab_size": V, "n_positions": N, "n_embd": C, "n_head": HEADS, "n_layer": LAYERS}
OTHERS = ("neox", "neox-in-turn", "gpt-neo", "phi-4", "gemma-2", "gemma-3")  # than Llama's family
NAMES = ("llama-2", "llama-3", "mistral", "mistral-wide", "qwen-2", "qwen-3", *OTHERS, "gpt-2")
TEXT = "the cat sees the dog and the café"


@cache
def pair(name: str) -> tuple[PreTrainedModel, Subject]:
    """Their model, which can say its weights of attention, and ours as it is explored."""
    theirs, subject = gpt2() if name == "gpt-2" else published(name)
    theirs.set_attn_implementation("eager")
    return theirs, subject


def published(name: str) -> tuple[PreTrainedModel, Subject]:
    """A model from its folder, as the command reads it."""
    with TemporaryDirectory() as folder:
        theirs = save(Path(folder), name)
        return theirs, of_folder(folder, "float32", None)


def gpt2() -> tuple[PreTrainedModel, Subject]:
    """A GPT-2, with ids for letters."""
    theirs = redrawn(GPT2LMHeadModel(GPT2Config(**SIZES, bos_token_id=0, eos_token_id=0)))
    sizes = {"vocabulary": V, "context": N, "width": C, "heads": HEADS, "layers": LAYERS}
    ours = LanguageModelConfig(activation="gelu-tanh", **sizes)
    model = LanguageModel(ours, torch.Generator()).eval()
    load_gpt2(model, theirs.state_dict())
    return theirs, of_letters(model)


def of_letters(model: LanguageModel, ends: frozenset[int] = frozenset()) -> Subject:
    """A model explored with a token for each letter."""
    return Subject(
        name="Letters",
        model=model.requires_grad_(False),
        sizes=model.config,
        encode=lambda text: [ord(letter) for letter in text],
        spell=chr,
        ends=ends,
        text=TEXT,
    )
