"""The counts of a translation, against torch's counter and the caches that are really made."""

from dataclasses import replace

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from headway.inference.cached_translator import CachedTranslator, UncachedTranslator
from headway.inference.decoding import generate
from headway.inference.translator_cost import (
    cached_translation_flops,
    translation_cache_bytes,
    uncached_translation_flops,
)
from headway.models.translator import Translator, TranslatorConfig

CONFIG = TranslatorConfig(
    vocabulary=11, context=16, width=24, heads=6, layers=2, decoder_layers=3, hidden=20
)
SOURCE = torch.tensor([[3, 4, 5, 6, 7]])


def counted(config: TranslatorConfig, kind: type, new: int) -> int:
    """FLOPs of the matrix products that a translation really takes, by torch's counter."""
    model = Translator(config, torch.Generator()).eval()
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        generate(kind(model, SOURCE), torch.tensor([[1]]), new)
    return counter.get_total_flops()


@pytest.mark.parametrize(
    ("groups", "gated", "D"),
    [(None, False, None), (2, True, None), (1, False, None), (2, False, 5)],
)
@pytest.mark.parametrize("new", [1, 6])
def test_a_translation_takes_the_flops_that_are_counted(groups, gated, D, new):
    config = replace(CONFIG, key_value_heads=groups, gated=gated, head_width=D)
    S = SOURCE.shape[1]
    assert counted(config, CachedTranslator, new) == sum(cached_translation_flops(config, S, new))
    # Without a cache the decoder of chapter 13 scores every position, not only the last.
    more = 2 * config.width * config.vocabulary * (new * (new - 1) // 2)
    expected = sum(uncached_translation_flops(config, S, new)) + more
    assert counted(config, UncachedTranslator, new) == expected


@pytest.mark.parametrize("groups", [None, 2])
def test_the_bytes_are_those_of_the_caches_that_are_made(groups):
    config = replace(CONFIG, key_value_heads=groups)
    predictor = CachedTranslator(Translator(config, torch.Generator()).eval(), SOURCE, length=9)
    growing, fixed = translation_cache_bytes(config, S=5, length=9, item_bytes=4)
    assert predictor.cache.bytes == growing
    assert sum(part.nbytes for pair in predictor.memories for part in pair) == fixed


@pytest.mark.parametrize("count", [cached_translation_flops, uncached_translation_flops])
def test_a_translation_of_nothing_is_refused(count):
    with pytest.raises(ValueError, match="at least"):
        count(CONFIG, 0, 5)
