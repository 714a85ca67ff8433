"""Writing 256 tokens with a cache beside other libraries, and a hand-written floor.

    python benchmarks/generate.py

Greedy decoding after a prompt of 8 tokens, in float32; ours and Hugging Face's model have the same
weights and write the same tokens. The floor has nothing but kernels: a fused projection, caches
made once, `F.linear` and `F.scaled_dot_product_attention`, for this one architecture.
"""

from collections.abc import Iterator
from functools import partial

import torch
from measure import Case, devices, report
from peers import hugging_face_gpt2, x_decoder
from torch import Tensor
from torch.nn import functional
from x_transformers import AutoregressiveWrapper

from headway.inference.decoding import generate
from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.hugging_face.gpt2 import load_gpt2
from headway.models.language_model import LanguageModel, LanguageModelConfig

C, H, L, V, PROMPT, NEW = 128, 4, 4, 512, 8, 256
TARGETS = {1: 0.35, 16: 0.45}


class Floor:
    """Greedy decoding of one architecture with kernels only."""

    def __init__(self, model: LanguageModel):
        self.embedding, self.positions = model.embedding.weight, model.input.position.table
        self.blocks = []
        for block in model.stack.blocks:
            attention, feed, norms = (
                block.attention,
                block.feed_forward,
                (block.attention_residual.norm, block.feed_forward_residual.norm),
            )
            layers = (attention.qkv, attention.output, feed.expand, feed.contract, *norms)
            self.blocks.append([(layer.weight, layer.bias) for layer in layers])
        self.last = (model.stack.norm.weight, model.stack.norm.bias)

    @torch.inference_mode()
    def generate(self, prompt: Tensor, new: int) -> Tensor:
        (B, T), D = prompt.shape, C // H
        keys = [self.embedding.new_empty(B, H, T + new, D) for _ in self.blocks]
        values = [torch.empty_like(key) for key in keys]
        written, fresh, read = [prompt], prompt, 0
        for _ in range(new):
            T = fresh.shape[1]
            end = read + T
            x = functional.embedding(fresh, self.embedding) + self.positions[read:end]
            for (qkv, output, expand, contract, norm_1, norm_2), key, value in zip(
                self.blocks, keys, values, strict=True
            ):
                heads = functional.linear(functional.layer_norm(x, (C,), *norm_1), *qkv)
                q, k, v = heads.view(B, T, 3, H, D).permute(2, 0, 3, 1, 4)
                key[:, :, read:end], value[:, :, read:end] = k, v
                mixed = functional.scaled_dot_product_attention(
                    q, key[:, :, :end], value[:, :, :end], is_causal=T > 1
                )
                x = x + functional.linear(mixed.transpose(1, 2).reshape(B, T, C), *output)
                wide = functional.linear(functional.layer_norm(x, (C,), *norm_2), *expand)
                x = x + functional.linear(functional.gelu(wide), *contract)
            read = end
            last = functional.layer_norm(x[:, -1], (C,), *self.last)
            fresh = functional.linear(last, self.embedding).argmax(dim=-1, keepdim=True)
            written.append(fresh)
        return torch.cat(written, dim=1)


class Writers:
    """Everyone who writes on one device, with the weights of one model."""

    def __init__(self, device: str):
        torch.manual_seed(0)
        sizes = (V, PROMPT + NEW, C, H, L)
        config = LanguageModelConfig(
            vocabulary=V, context=PROMPT + NEW, width=C, heads=H, layers=L, activation="gelu"
        )
        self.gpt2 = hugging_face_gpt2(*sizes).eval().to(device)
        self.model = LanguageModel(config, torch.Generator()).eval().to(device)
        load_gpt2(self.model, self.gpt2.state_dict())
        self.x_model = AutoregressiveWrapper(x_decoder(*sizes)).eval().to(device)
        self.floor = Floor(self.model)

    def fused(self, prompt: Tensor) -> Tensor:
        return generate(FusedLanguageModel(self.model, len(prompt)), prompt, NEW)

    def explicit(self, prompt: Tensor) -> Tensor:
        return generate(CachedLanguageModel(self.model, len(prompt)), prompt, NEW)

    def kernels(self, prompt: Tensor) -> Tensor:
        return self.floor.generate(prompt, NEW)

    def hugging_face(self, prompt: Tensor) -> Tensor:
        attention_mask = torch.ones_like(prompt)
        return self.gpt2.generate(
            prompt, attention_mask=attention_mask, max_new_tokens=NEW, do_sample=False
        )

    def x_transformers(self, prompt: Tensor) -> Tensor:
        return self.x_model.generate(prompt, NEW, temperature=0.0, cache_kv=True)


def cases() -> Iterator[Case]:
    """Batches of 1 and 16 on every device, against libraries and against the floor."""
    for device in devices():
        writers = Writers(device)
        for B, target in TARGETS.items():
            prompt = torch.randint(V, (B, PROMPT), device=device)
            assert writers.fused(prompt).equal(writers.hugging_face(prompt))
            assert writers.fused(prompt).equal(writers.kernels(prompt))
            what, ours = f"{NEW} tokens, B {B}, {device}", partial(writers.fused, prompt)
            libraries = {
                "Hugging Face generate": partial(writers.hugging_face, prompt),
                "x-transformers": partial(writers.x_transformers, prompt),
            }
            yield Case(what, ours, libraries, target=target, rounds=7)
            floor = {"kernels only": partial(writers.kernels, prompt)}
            yield Case(f"{what}, against the floor", ours, floor, target=1.3, rounds=15)
            explicit = {"explicit form": partial(writers.explicit, prompt)}
            yield Case(f"{what}, fused against explicit", ours, explicit)


if __name__ == "__main__":
    report("generate", f"Greedy decoding with a cache: C {C}, H {H}, L {L}, V {V}", cases())
