"""Translating with a cache beside Hugging Face's Bart, and the fused step beside the explicit one.

    python benchmarks/translate.py

Sources of 32 tokens with padding, targets of 64 tokens, in float32; greedy, and with 4 beams. Both
models have the same weights, read the source anew each time, and write the same tokens. No token
ends a translation, so that everyone takes as many steps.
"""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from measure import Case, devices, report
from peers import hugging_face_bart
from torch import Tensor

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.inference.fused_translator import FusedTranslator
from headway.models.hugging_face.bart import load_bart
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.masks import padding_mask

C, H, L, V, S, NEW, BEAMS = 128, 4, 3, 512, 32, 64, 4
PADDING, START = 0, 1


class Translators:
    """Everyone who translates on one device, with the weights of one model."""

    def __init__(self, device: str):
        torch.manual_seed(0)
        config = TranslatorConfig(
            vocabulary=V,
            context=NEW + 1,
            width=C,
            heads=H,
            layers=L,
            norm="post",
            embedding_norm=True,
            output_bias=True,
        )
        self.bart = hugging_face_bart(V, NEW + 1, C, H, L).eval().to(device)
        self.model = Translator(config, torch.Generator()).eval().to(device)
        load_bart(self.model, self.bart.state_dict())

    def greedy(self, kind: type, source: Tensor, tokens: Tensor) -> Tensor:
        predictor = kind(self.model, source, tokens[:, None, None])
        return generate(predictor, first(source), NEW)

    def beams(self, kind: type, source: Tensor, tokens: Tensor) -> Tensor:
        predictor = kind(self.model, source, tokens[:, None, None])
        return beam_search(predictor, first(source), NEW, BEAMS).best

    def hugging_face(self, source: Tensor, tokens: Tensor, **settings) -> Tensor:
        return self.bart.generate(
            source,
            attention_mask=tokens.long(),
            max_new_tokens=NEW,
            do_sample=False,
            **settings,
        )


def first(source: Tensor) -> Tensor:
    """The start symbol for each source, (B, 1)."""
    return source.new_full((len(source), 1), START)


def sources(B: int, device: str) -> tuple[Tensor, Tensor]:
    """Sources (B, S) and where they have tokens: lengths from half to whole."""
    tokens = padding_mask(torch.linspace(S, S // 2, B).long(), S)[:, 0, 0]
    source = torch.randint(2, V, (B, S)).masked_fill(~tokens, PADDING)
    return source.to(device), tokens.to(device)


def cases() -> Iterator[Case]:
    """Batches of 1 and 16 on every device, greedy and with beams."""
    for device in devices():
        translators = Translators(device)
        searches: dict[str, tuple[Callable, dict]] = {
            "greedy": (translators.greedy, {}),
            f"{BEAMS} beams": (
                translators.beams,
                {"num_beams": BEAMS, "early_stopping": "never", "length_penalty": 1.0},
            ),
        }
        for B in (1, 16):
            batch = sources(B, device)
            for name, (search, settings) in searches.items():
                ours = partial(search, FusedTranslator, *batch)
                theirs = partial(translators.hugging_face, *batch, **settings)
                explicit = partial(search, CachedTranslator, *batch)
                assert ours().equal(theirs())
                assert ours().equal(explicit())
                what = f"{NEW} tokens, {name}, B {B}, {device}"
                yield Case(what, ours, {"Hugging Face generate": theirs}, rounds=7)
                yield Case(
                    f"{what}, fused against explicit", ours, {"explicit form": explicit}, rounds=7
                )


if __name__ == "__main__":
    report("translate", f"Translating with a cache: C {C}, H {H}, L {L}+{L}, V {V}, S {S}", cases())
