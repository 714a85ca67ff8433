"""Parts of a language model switched off while it runs; its weights stay as they are.

    "3"                 block 3: the stream passes it by
    "3.attention"       its attention adds nothing
    "3.feed-forward"    its feed-forward network adds nothing
    "3.h5"              its head 5 says nothing to the output projection

All count from 0. A part that is off computes as always, and a hook replaces what it returns: so
the same switches hold for a cached model, which is made of the same modules.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from torch import Tensor, nn

from headway.models.inspect import without_heads
from headway.models.language_model import LanguageModel, LanguageModelConfig

PART = re.compile(r"([0-9]{1,4})(?:\.(attention|feed-forward|h([0-9]{1,4})))?")


def is_part(name: str, sizes: LanguageModelConfig) -> bool:
    """Whether a model of these sizes has a part of this name."""
    found = PART.fullmatch(name)
    if not found:
        return False
    block, _, head = found.groups()
    return int(block) < sizes.layers and (head is None or int(head) < sizes.heads)


@contextmanager
def switched_off(model: LanguageModel, parts: Iterable[str]) -> Iterator[None]:
    """Inside the `with`, the model runs without these parts.

    Args:
        model: must run in one thread only, since the switches are its own.
        parts: names for which `is_part` holds.
    """
    with ExitStack() as switches:
        for name in parts:
            number, part, head = PART.fullmatch(name).groups()
            block = model.stack.blocks[int(number)]
            if head is not None:
                switches.enter_context(without_heads(block.attention, int(head)))
                continue
            if part is None:
                hook = block.register_forward_hook(pass_by)
            else:
                attention = part == "attention"
                way = block.attention_residual if attention else block.feed_forward_residual
                hook = way.dropout.register_forward_hook(add_nothing)  # the last before the sum
            switches.callback(hook.remove)
        yield


def pass_by(part: nn.Module, given: tuple[Tensor, ...], output: Tensor) -> Tensor:
    """A hook after which a part returns what it was given first."""
    return given[0]


def add_nothing(part: nn.Module, given: tuple[Tensor, ...], output: Tensor) -> Tensor:
    """A hook after which a part returns zeros."""
    return output.new_zeros(output.shape)
