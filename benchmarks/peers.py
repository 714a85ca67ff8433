"""The models that ours are measured beside, at the same sizes: C wide, H heads, L blocks, M = 4·C.

Also the training step that all of them take, and its limit, the matrix products alone.

All are pre-norm decoders with learned positions, exact GELU, tied embeddings and no dropout, as far
as each library has them: x-transformers' attention has no biases, its positions are scaled.
"""

import warnings
from collections.abc import Callable, Iterator

import torch
from measure import Case
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_
from x_transformers import Decoder, TransformerWrapper

from headway.training.compiler import missing_for_compiling
from headway.training.optimizer import adamw


def training_step(
    model: nn.Module, loss: Callable[[], Tensor], compiled: bool = False
) -> Callable[[], None]:
    """Forward, backward, clipping and AdamW, as a function; the optimizer is the same for all.

    Args:
        model: what is trained.
        loss: the model's loss, as a function.
        compiled: whether `torch.compile` fuses the loss and the model in it, as `Trainer` does.
    """
    optimizer = adamw(model.train(), 1e-3)
    loss = torch.compile(loss) if compiled else loss

    def run() -> None:
        mean = loss()
        optimizer.zero_grad()
        mean.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return run


def step_cases(
    name: str, device: str, make: Callable[[bool], tuple[Callable, dict[str, Callable]]]
) -> Iterator[Case]:
    """Our step beside the peers', uncompiled and compiled.

    Args:
        name: what is done, and at which size.
        device: where.
        make: whether it is compiled → our step, and those of the peers.
    """
    ours, peers = make(False)
    yield Case(f"{name}, {device}", ours, peers, target=1.05)
    if missing := missing_for_compiling(torch.device(device)):
        print(f"Nothing is compiled, because that needs {missing}.")
        return
    ours, compiled = make(True)
    yield Case(f"compiled, beside peers that are, {device}", ours, compiled, target=1.0)
    yield Case(f"compiled, beside peers that are not, {device}", ours, peers, target=0.95)


def products(weights: list[tuple[int, int]], tokens: int, device: str) -> Callable[[], None]:
    """The matrix products of a step: for each weight (out, in) one forward and two backward."""
    drawn = [
        (torch.randn(tokens, i), torch.randn(o, i), torch.randn(tokens, o)) for o, i in weights
    ]
    moved = [tuple(tensor.to(device) for tensor in three) for three in drawn]

    def run() -> None:
        for x, weight, gradient in moved:
            x @ weight.T
            gradient @ weight
            gradient.T @ x

    return run


def mean_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """The mean cross-entropy of logits (B, T, V) for targets (B, T), in plain torch."""
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


class PlainBlock(nn.Module):
    """A block in plain torch, in the style of nanoGPT."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.expand, self.contract = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.shape
        parts = self.qkv(self.norm_1(x)).split(C, dim=2)
        q, k, v = (part.view(B, T, self.heads, C // self.heads).transpose(1, 2) for part in parts)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.output(mixed.transpose(1, 2).reshape(B, T, C))
        return x + self.contract(functional.gelu(self.expand(self.norm_2(x))))


class PlainDecoder(nn.Module):
    """A language model in plain torch, in the style of nanoGPT."""

    def __init__(self, vocabulary: int, context: int, width: int, heads: int, layers: int):
        super().__init__()
        self.embedding, self.position = (
            nn.Embedding(vocabulary, width),
            nn.Embedding(context, width),
        )
        self.blocks = nn.ModuleList(PlainBlock(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for table in (self.embedding, self.position):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.embedding(ids) + self.position.weight[: ids.shape[1]]
        for block in self.blocks:
            x = block(x)
        return functional.linear(self.norm(x), self.embedding.weight)


class TorchDecoder(nn.Module):
    """A language model on `nn.TransformerEncoder` with a causal mask."""

    def __init__(self, vocabulary: int, context: int, width: int, heads: int, layers: int):
        super().__init__()
        self.embedding, self.position = (
            nn.Embedding(vocabulary, width),
            nn.Embedding(context, width),
        )
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, 0.0, functional.gelu, batch_first=True, norm_first=True
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # no nested tensors: norms come first
            self.stack = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width))
        mask = torch.ones(context, context, dtype=torch.bool).triu(1)
        self.register_buffer("mask", mask, persistent=False)
        for table in (self.embedding, self.position):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, ids: Tensor) -> Tensor:
        T = ids.shape[1]
        x = self.embedding(ids) + self.position.weight[:T]
        x = self.stack(x, mask=self.mask[:T, :T], is_causal=True)
        return functional.linear(x, self.embedding.weight)


def x_decoder(vocabulary: int, context: int, width: int, heads: int, layers: int) -> nn.Module:
    """x-transformers' decoder, with its fused attention."""
    layers = Decoder(
        dim=width, depth=layers, heads=heads, attn_dim_head=width // heads, attn_flash=True
    )
    return TransformerWrapper(
        num_tokens=vocabulary, max_seq_len=context, attn_layers=layers, tie_embedding=True
    )


def hugging_face_gpt2(
    vocabulary: int, context: int, width: int, heads: int, layers: int
) -> nn.Module:
    """Hugging Face's GPT-2 with random weights."""
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=vocabulary,
        n_positions=context,
        n_embd=width,
        n_layer=layers,
        n_head=heads,
        activation_function="gelu",
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=None,
        pad_token_id=0,
    )
    return GPT2LMHeadModel(config)


def hugging_face_bart(
    vocabulary: int, context: int, width: int, heads: int, layers: int
) -> nn.Module:
    """Hugging Face's Bart with random weights: padding 0, start 1, and no symbol that ends."""
    from transformers import BartConfig, BartForConditionalGeneration

    sizes = {
        f"{side}_{part}": number
        for side in ("encoder", "decoder")
        for part, number in (("layers", layers), ("attention_heads", heads), ("ffn_dim", 4 * width))
    }
    config = BartConfig(
        vocab_size=vocabulary,
        d_model=width,
        max_position_embeddings=context,
        dropout=0.0,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=None,
        forced_eos_token_id=None,
        decoder_start_token_id=1,
        **sizes,
    )
    return BartForConditionalGeneration(config)
