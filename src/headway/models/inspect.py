"""A look inside a running model: weights of attention, vectors by layer, and a head switched off.

    attention_weights(model, ids)          name → (B, H, T, S)
    layer_outputs(model, ids)              name → (B, T, C)
    with without_heads(attention, 2): …    the model, without that head

They work on any model made of the modules of `headway.nn`, from the outside: hooks are attached to
its modules, the model runs as always, and the hooks are taken off, also where it fails. A model in
training mode drops numbers at random; call `model.eval()` first. What never calls these modules,
such as a fused copy made for decoding, is not seen.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle

import torch
from torch import Tensor, nn

from headway.models.parts import InputLayer
from headway.nn.block import Block, DecoderBlock
from headway.nn.multihead import MultiHeadAttention

Kind = type[nn.Module] | tuple[type[nn.Module], ...]


def attention_weights(model: nn.Module, *inputs, **named) -> dict[str, Tensor]:
    """What every head of every attention looks at, while the model reads these inputs.

    Args:
        model: runs once, as `model(*inputs, **named)`, without gradients.

    Returns:
        the name of each `MultiHeadAttention` in the model → weights (B, H, T, S), in the order in
        which they ran. Rows sum to one, or to zero where a query may look nowhere.

    Raises:
        ValueError: if there is no attention in the model.
    """
    found: dict[str, Tensor] = {}

    def watch(part: MultiHeadAttention, names: Iterator[str]):
        def before(part, given, named):
            found[next(names)] = part.with_weights(*given, **named)[1]

        return part.register_forward_pre_hook(before, with_kwargs=True)

    run_watched(model, MultiHeadAttention, watch, *inputs, **named)
    return found


def layer_outputs(model: nn.Module, *inputs, **named) -> dict[str, Tensor]:
    """The vector of every token after every layer, while the model reads these inputs.

    Args:
        model: runs once, as `model(*inputs, **named)`, without gradients.

    Returns:
        the name of each `InputLayer` (embeddings with positions), `Block` and `DecoderBlock` → what
        it returned, (B, T, C), in the order in which they ran. A final norm is not applied.

    Raises:
        ValueError: if there is none of these in the model.
    """
    found: dict[str, Tensor] = {}

    def watch(part: nn.Module, names: Iterator[str]):
        def after(part, given, output):
            found[next(names)] = output

        return part.register_forward_hook(after)

    run_watched(model, (InputLayer, Block, DecoderBlock), watch, *inputs, **named)
    return found


@contextmanager
def without_heads(attention: MultiHeadAttention, *heads: int):
    """Inside the `with`, these heads say nothing: zeros reach the output projection from them.

    What is left of the attention is Σ over the other heads of head_h W_O[h], and the bias.

    Args:
        attention: of a model that runs inside the `with`.
        heads: which ones, each in 0 … H−1.

    Raises:
        IndexError: if there is no such head.
    """
    for head in heads:
        if not 0 <= head < attention.heads:
            raise IndexError(f"heads are 0 … {attention.heads - 1}, got {head}")
    kept = torch.ones(attention.heads, dtype=torch.bool)
    kept[list(heads)] = False
    kept = kept.repeat_interleave(attention.head_width)  # (C,), as heads lie side by side

    def silence(output, given):
        (mixed,) = given  # (B, T, C)
        return mixed.masked_fill(~kept.to(mixed.device), 0.0)

    hook = attention.output.register_forward_pre_hook(silence)
    try:
        yield attention
    finally:
        hook.remove()


def run_watched(model: nn.Module, kind: Kind, watch: Callable, *inputs, **named) -> None:
    """Run a model with a hook on each module of a kind; `watch(module, names)` attaches it.

    A module that stands in several places has a name for each, in the order of its runs.
    """
    places: dict[nn.Module, list[str]] = {}
    for name, part in model.named_modules(remove_duplicate=False):
        if isinstance(part, kind):
            places.setdefault(part, []).append(name)
    if not places:
        kinds = kind if isinstance(kind, tuple) else (kind,)
        raise ValueError(
            f"{type(model).__name__} holds no {' or '.join(kind.__name__ for kind in kinds)} to "
            "look at"
        )
    with ExitStack() as hooks, torch.no_grad():
        for part, names in places.items():
            hooks.callback(watch(part, cycle(names)).remove)
        model(*inputs, **named)
