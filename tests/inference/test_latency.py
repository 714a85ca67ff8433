from dataclasses import replace

import pytest

from headway.inference.cost import cached_step_flops, decoder_parameters
from headway.inference.latency import A100, Device, step_seconds
from headway.models.language_model import CONFIGS

GPT2 = CONFIGS["gpt-2"]


def test_a_step_for_one_sentence_waits_for_the_weights():
    only_weights = 2 * decoder_parameters(GPT2) / A100.bandwidth
    assert step_seconds(GPT2, 1, 1, A100) == pytest.approx(only_weights, rel=1e-3)
    assert step_seconds(GPT2, 1, 1, A100, item_bytes=4) == pytest.approx(2 * only_weights, rel=1e-3)


def test_many_short_sentences_wait_for_arithmetic():
    # Keys of length 1 weigh little; at 1,000 sentences the weights are used 1,000 times.
    arithmetic = 1000 * sum(cached_step_flops(GPT2, 1)) / A100.rate
    assert step_seconds(GPT2, 1000, 1, A100) == pytest.approx(arithmetic)


def test_a_model_of_52_billion_on_four_devices_takes_17_milliseconds_a_token():
    # Chen 2022: 64 layers of width 8,192 on four A100s, counted as one with four times everything.
    large = replace(GPT2, width=8192, heads=64, layers=64)
    four = Device(bandwidth=4 * 1.5e12, rate=4 * 312e12)
    assert step_seconds(large, 1, 1, four) == pytest.approx(0.0173, rel=0.02)


def test_long_texts_wait_for_the_cache_and_grouped_heads_or_a_window_help():
    plain = step_seconds(GPT2, 64, 1024, A100)
    assert plain > 5 * step_seconds(GPT2, 64, 1, A100)
    assert step_seconds(replace(GPT2, key_value_heads=1), 64, 1024, A100) < plain / 4
    assert step_seconds(replace(GPT2, window=64), 64, 1024, A100) < plain / 4


def test_a_device_without_bandwidth_is_refused():
    with pytest.raises(ValueError, match="must be positive, got 0 and 1"):
        Device(0, 1)
