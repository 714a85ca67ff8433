"""Loading by renaming: our name of every weight, their name or names, and what to do with them.

Architectures that agree differ in what they call a weight, in whether W_Q, W_K and W_V lie in one
matrix or in three, and in whether a matrix is stored as x W or as x Wᵀ. A loader says the first
with a table of patterns; stacking and transposing follow from it here.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import torch
from torch import Tensor, nn

from headway.shapes import ShapeError

Renames = Iterable[tuple[str, str | tuple[str, ...]]]
Stored = Callable[[str, Tensor], Tensor]


def as_it_is(name: str, tensor: Tensor) -> Tensor:
    """A tensor that is stored there as here."""
    return tensor


def load_renamed(
    model: nn.Module,
    state: Mapping[str, Tensor],
    renames: Renames,
    ignored: str = r"$^",
    stored: Stored = as_it_is,
) -> None:
    """Copy a state dict into a model whose weights have other names.

    Args:
        model: ours; changed in place, and only if every weight fits. Made on the meta device, it
            takes the tensors themselves, with their type and device.
        state: their names and tensors.
        renames: (pattern, replacement) pairs, all applied in turn to each of our names as
            `re.sub` does. A replacement of several names stacks their tensors by rows.
        ignored: pattern of their names that hold nothing of ours, such as masks kept as buffers.
        stored: called with their name and tensor, gives the tensor as we store it.

    Raises:
        KeyError: if a weight is missing in `state`.
        ShapeError: if one has another shape.
        ValueError: if `state` has weights that would be left over.
    """
    weights = model.state_dict()
    theirs = {name: their_names(name, renames) for name in weights}
    for name, names in theirs.items():  # before anything is read, which can take minutes
        absent = [other for other in names if other not in state]
        if absent:
            cause = (
                "Is it of another architecture, or does every name start with the name of a larger "
                "model?"
            )
            if name == "output.weight":
                cause = (
                    "Is the output the embedding a second time? Then make the model with "
                    "tied=True; in a config.json that is tie_word_embeddings."
                )
            raise KeyError(
                f"our {name} is their {absent[0]}, which the state dict lacks. It has "
                f"{', '.join(list(state)[:3])}, … {cause}"
            )
    used = {other for names in theirs.values() for other in names}
    left = [name for name in state if name not in used and not re.search(ignored, name)]
    if left:
        raise ValueError(
            f"{len(left)} weights of the state dict have no place in the model: "
            f"{', '.join(left[:3])}, … Does it have more layers, or parts that ours lacks?"
        )
    loaded = {}
    for name, weight in weights.items():
        names = theirs[name]
        parts = [stored(other, state[other]) for other in names]
        tensor = parts[0] if len(parts) == 1 else torch.cat(parts)
        if tensor.shape != weight.shape:
            cause = "Do the sizes of the two models agree?"
            if tensor.T.shape == weight.shape:
                cause = (
                    "It would fit if it were transposed. Are the file's matrices (output, input) "
                    "where (input, output) is expected, or the reverse? Then transpose all of "
                    "them, square ones too."
                )
            raise ShapeError(
                f"our {name} is {tuple(weight.shape)}, their {' + '.join(names)} "
                f"{tuple(tensor.shape)}. {cause}"
            )
        loaded[name] = tensor
    model.load_state_dict(loaded, assign=any(weight.is_meta for weight in model.parameters()))


def their_names(name: str, renames: Renames) -> list[str]:
    """Their name or names of one of our weights."""
    names = [name]
    for pattern, replacement in renames:
        choices = (replacement,) if isinstance(replacement, str) else replacement
        names = [
            re.sub(pattern, choice, name)
            for name in names
            for choice in (choices if re.search(pattern, name) else choices[:1])
        ]
    return names


class WithoutPrefix(Mapping[str, Tensor]):
    """A state dict whose names lose a prefix, if they have it; no tensor is touched.

    Args:
        state: names and tensors.
        prefix: such as the name of a larger model's part.
    """

    def __init__(self, state: Mapping[str, Tensor], prefix: str):
        self.state = state
        self.names = {name.removeprefix(prefix): name for name in state}

    def __getitem__(self, name: str) -> Tensor:
        return self.state[self.names[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def drop_copy(self, copy: str, of: str) -> None:
        """Leave a tensor out that is another one a second time, as the output of a tied model is.

        Raises:
            ValueError: if both are there, and differ.
        """
        if not {copy, of} <= self.keys():
            return
        if not self[copy].equal(self[of]):
            raise ValueError(
                f"{copy} and {of} are two different matrices, and the model has one for both. "
                "Make it with tied=False; in a config.json that is tie_word_embeddings."
            )
        del self.names[copy]
