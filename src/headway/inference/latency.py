"""How long a step takes: bytes to move over the bandwidth, FLOPs to compute over the rate.

    seconds = max(bytes / bandwidth, FLOPs / rate)

A processor moves numbers and multiplies them at the same time, so the slower of the two sets the
pace. A step of generation reads every weight once, whatever the batch is (of experts, those that
its sentences choose), and every sentence's own cache; it computes 2 FLOPs a weight and sentence,
and what attention takes. With few sentences it waits for memory, and the multipliers idle.

This is a lower bound: it knows nothing of kernel launches, of activations, of anything but the
peak numbers of a machine.

Source: Pope et al. 2022, section 2; Chen 2022, "Transformer Inference Arithmetic".
"""

from dataclasses import dataclass

from headway.inference.cost import cache_bytes, cached_step_flops
from headway.inference.expert_cost import weight_bytes
from headway.models.language_model import LanguageModelConfig


@dataclass(frozen=True)
class Device:
    """A processor's peak numbers.

    Args:
        bandwidth: bytes a second between memory and processor.
        rate: FLOPs a second, a multiply-add being two, as data sheets count too.

    Raises:
        ValueError: if one is not positive.
    """

    bandwidth: float
    rate: float

    def __post_init__(self):
        if self.bandwidth <= 0 or self.rate <= 0:
            raise ValueError(
                f"bandwidth and rate must be positive, got {self.bandwidth} and {self.rate}"
            )


A100 = Device(bandwidth=1.555e12, rate=312e12)  # 40 GB, 16-bit; NVIDIA's data sheet


def seconds(bytes_moved: float, flops: float, device: Device) -> float:
    """The time of the slower of the two, memory or arithmetic."""
    return max(bytes_moved / device.bandwidth, flops / device.rate)


def step_seconds(
    config: LanguageModelConfig, batch: int, length: int, device: Device, item_bytes: int = 2
) -> float:
    """One cached step: a new token for each of B sentences.

    Every parameter is read once (of the embedding too, which scores the output; see `weight_bytes`
    for experts), and the keys and values of every sentence.

    Args:
        config: the sizes.
        batch: B.
        length: tokens of each sentence, the new one included.
        device: the peak numbers.
        item_bytes: of a weight and of a number in the cache.
    """
    G, D = config.shared_heads, config.per_head
    cache = cache_bytes(config.layers, G, D, length, batch, item_bytes, config.cache_window)
    moved = weight_bytes(config, batch, item_bytes) + cache
    return seconds(moved, batch * sum(cached_step_flops(config, length)), device)
