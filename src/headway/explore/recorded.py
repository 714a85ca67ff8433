"""Chapter 11's language model and its tokenizer, made from what its recorded training left."""

import torch

from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.text.byte_pair import BYTES, BytePairTokenizer
from headway.training.runs import Run


def writer_of(run: Run) -> tuple[LanguageModel, BytePairTokenizer]:
    """The model that read the docstrings of Python's library, and its tokenizer of V − 1 symbols.

    The last id, V − 1, is no symbol of the tokenizer: it stands before each text and ends it.

    Args:
        run: "11-docstrings", from `recorded_run` or `kept_run`.
    """
    merges = [tuple(bytes.fromhex(part) for part in pair) for pair in run.log["merges"]]
    tokenizer = BytePairTokenizer([*BYTES, *(a + b for a, b in merges)], merges)
    sizes = LanguageModelConfig(
        vocabulary=len(tokenizer) + 1, context=128, width=128, heads=4, layers=4
    )
    model = LanguageModel(sizes, torch.Generator()).eval()
    run.load_into(model)
    return model, tokenizer
