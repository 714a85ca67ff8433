"""Weights that nobody trained: set by hand, so that one object is exactly another.

    joined(attentions)                H attentions of width D as one of H heads, width C = H·D
    pair_block(pairs, scores)         a block that is chapter 4's soft lookup, at every position
    copy_latest(model, attention)     a whole model, one attention of which finds the latest word
    load_same_names(model, other)     a model with the weights of another

They hold the course's chain together: each new object contains the one before it, for some weights.
"""

import torch
from torch import Tensor, nn

from headway.ngram.skipbigram import SkipBigrams
from headway.nn.block import Block, PreNorm
from headway.nn.feed_forward import FeedForward
from headway.nn.multihead import MultiHeadAttention

LARGE = 1e5  # a scale at which the softmax of all but the largest score is 0


class Bare(PreNorm):
    """A way around a sub-layer f that is none, f(x): no norm and no skip."""

    def __init__(self):
        nn.Module.__init__(self)  # without what a PreNorm has

    def before(self, x: Tensor) -> Tensor:
        """What the sub-layer reads: x itself."""
        return x

    def after(self, x: Tensor, update: Tensor) -> Tensor:
        """What the sub-layer returned, alone."""
        return update


@torch.no_grad()
def joined(attentions: list[MultiHeadAttention]) -> MultiHeadAttention:
    """H attentions with one head each, side by side as one module that knows no more than they do.

    All its matrices are block-diagonal: head h reads and writes the columns h·D … (h+1)·D − 1.

    Args:
        attentions: of width D and with biases.

    Returns:
        of width H·D, in double precision.
    """
    H, D = len(attentions), attentions[0].width
    thirds = zip(*(each.qkv.weight.chunk(3) for each in attentions), strict=True)
    biases = zip(*(each.qkv.bias.chunk(3) for each in attentions), strict=True)
    module = MultiHeadAttention(H * D, H).double()
    module.load_state_dict(
        {  # of W_Q, W_K and W_V each: a block for each head
            "qkv.weight": torch.cat([torch.block_diag(*weights) for weights in thirds]),
            "qkv.bias": torch.cat([torch.cat(parts) for parts in biases]),
            "output.weight": torch.block_diag(*(each.output.weight for each in attentions)),
            "output.bias": torch.cat([each.output.bias for each in attentions]),
        }
    )
    return module.requires_grad_(False)


def pair_block(pairs: SkipBigrams, scores: Tensor) -> Block:
    """A block whose output is the soft lookup of word pairs, without norms and skips.

    Two heads of width V: one mixes the earlier words, the other keeps the latest.

        head 0    Q = scores of the latest word's pairs, K = V = one-hot    Σ weight(e) one_hot(e)
        head 1    each token sees itself                                    one_hot(latest)
        hidden    ReLU(mix[earlier] + kept[latest] − 1), one a pair         weight(e) where present
        output    hidden @ votes

    Args:
        pairs: F features over V words, each pair that stands in a text among them.
        scores: float64 (F,).

    Returns:
        (B, T, 2V) → (B, T, 2V), of which the first V+1 columns hold the lookup. It needs the mask
        (2, T, T) by which head 0 sees what came before, and head 1 the token itself.
    """
    V, F, (earlier, latest) = pairs.size, len(pairs), pairs.pairs.T
    heads, feed_forward = MultiHeadAttention(2 * V, 2, bias=False), FeedForward(2 * V, F)
    block = Block(heads, feed_forward, Bare).double().requires_grad_(False)
    for parameter in block.parameters():
        parameter.zero_()
    query, key, value = heads.qkv.weight.chunk(3)  # rows 0 … V−1 of each belong to head 0
    query[earlier, latest] = scores * V**0.5  # undoes the division by √D
    key[:V, :V] = value[:V, :V] = value[V:, :V] = torch.eye(V)
    heads.output.weight.copy_(torch.eye(2 * V))
    feed_forward.expand.weight[range(F), earlier] = 1.0
    feed_forward.expand.weight[range(F), V + latest] = 1.0
    feed_forward.expand.bias.fill_(-1.0)
    feed_forward.contract.weight[: V + 1] = torch.from_numpy(pairs.votes()).T
    return block


def signed(V: int) -> Tensor:
    """One-hot vectors with their negatives beside them, (V, 2V): a norm changes only their length.

    Their mean is 0, and any two are orthogonal.
    """
    eye = torch.eye(V).double()
    return torch.cat([eye, -eye], dim=1)


def copying_width(V: int) -> int:
    """C for `copy_latest`: half of it is for the word itself, half for what attention finds."""
    return 4 * V


def copy_latest(model: nn.Module, attention: MultiHeadAttention) -> nn.Module:
    """Set a model by hand: one attention finds words equal to the latest, and copies them.

    All weights are zero but those of the embedding and of this attention: a token's vector is its
    `signed` vector and as many zeros, queries are `LARGE` times the keys, and what is found is
    written where the zeros are.

    Args:
        model: a machine of V symbols and width `copying_width(V)`, with pre-norm blocks of one
            head, an epsilon of 0 and no positions.
        attention: one of its attentions.

    Returns:
        the model, in double precision and evaluation mode. In what its stack returns (B, T, C),
        the columns C/2 … C/2 + V − 1 hold the one-hot vector of the latest word, divided by √2:
        the last norm divides by the length of two such halves.
    """
    embedding = model.get_parameter("embedding.weight")
    V, C = embedding.shape
    half = C // 2
    for parameter in model.double().requires_grad_(False).parameters():
        parameter.zero_()
    for norm in (part for part in model.modules() if isinstance(part, nn.LayerNorm)):
        norm.weight.fill_(half**-0.5)  # gives the length back
    embedding[:, :half] = signed(V)
    query, key, value = attention.qkv.weight.chunk(3)  # views, (C, C) each
    query[:V, :V], key[:V, :V] = LARGE * torch.eye(V), torch.eye(V)
    value[:half, :half] = attention.output.weight[half:, :half] = torch.eye(half)
    return model.eval()


def reading(table: Tensor) -> Tensor:
    """The output matrix (U, C) that reads rows of a table (V, U) after `copy_latest`."""
    V, U = table.shape
    C = copying_width(V)
    weight = table.new_zeros(U, C)
    weight[:, C // 2 : C // 2 + V] = 2**0.5 * table.T
    return weight


def load_same_names(model: nn.Module, other: nn.Module, prefix: str = "") -> nn.Module:
    """A model with the weights that another has under the same names, behind a prefix or not.

    Raises:
        KeyError: if a weight has no namesake.
    """
    state = {name.removeprefix(prefix): weight for name, weight in other.state_dict().items()}
    model.load_state_dict({name: state[name] for name in model.state_dict()})
    return model
