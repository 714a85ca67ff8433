"""Time for one more token against the length of the text, with a cache and without.

    python benchmarks/cache.py

With a cache the time is flat but for attention's own share; without, it rises with the length.
Under the table: the slope of each, fitted to all lengths, in microseconds a token for each 100
tokens before it.
"""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from measure import Case, devices, report

from headway.inference.fused import FusedLanguageModel
from headway.models.language_model import LanguageModel, LanguageModelConfig

LENGTHS = (64, 128, 256, 512, 1024)
CONFIG = LanguageModelConfig(vocabulary=512, context=1024, width=128, heads=4, layers=4)


def one_more(model: LanguageModel, length: int, device: str) -> tuple[Callable, Callable]:
    """The token at position `length`, with the rest in a cache and without one, as functions."""
    ids = torch.randint(CONFIG.vocabulary, (1, length), device=device)
    predictor = FusedLanguageModel(model, 1)
    predictor.feed(ids[:, :-1])

    def cached() -> None:
        predictor.feed(ids[:, -1:])
        predictor.cache.advance(-1)  # the next run reads the same token again

    @torch.inference_mode()
    def uncached() -> None:
        model(ids)

    return cached, uncached


def cases() -> Iterator[Case]:
    """Every length on every device."""
    for device in devices():
        model = LanguageModel(CONFIG, torch.Generator().manual_seed(0)).eval().to(device)
        for length in LENGTHS:
            cached, uncached = one_more(model, length, device)
            yield Case(f"token {length}, {device}", cached, {"no cache": uncached})


def main() -> None:
    """The table, and the slopes."""
    rows = report("cache", "One more token, with a cache and without", cases())
    for device in devices():
        times = [row for row in rows if row["name"].endswith(device)]
        for name, column in (("with a cache", "ours"), ("without", "best_peer")):
            slope = np.polyfit(LENGTHS, [row[column] for row in times], 1)[0]
            print(f"{device}, {name}: {slope * 1e8:.1f} µs a token for each 100 before it")


if __name__ == "__main__":
    main()
