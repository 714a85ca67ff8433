"""What decoding asks of a model: scores for the next token, after all that it has read.

    logits = predictor.feed(prompt)            (B, T) → (B, V)
    logits = predictor.feed(token[:, None])    (B, 1) → (B, V), one token later
    predictor.select(rows)                     go on with these rows of the batch

Greedy decoding, sampling, beam search and exhaustive search see nothing but these two methods. So
what they decode may be a model that runs everything again for each token (`Uncached`), a model that
remembers (chapter 15's caches), or a table of counts (`ChainPredictor`).

A predictor remembers what it was fed, so each new batch of prompts needs a new one. How many tokens
it has read stands in its `tokens_read`; decoding refuses a predictor that is not at its beginning.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from headway.models.parts import check_batch
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError


class Predictor(Protocol):
    """What decoding asks of a model: scores for the next token, given all that it has read."""

    def feed(self, ids: Tensor) -> Tensor:
        """Logits (B, V) of the token after the last of `ids`, which come after all fed before.

        Args:
            ids: int64 (B, T), the new tokens only.
        """
        ...

    def select(self, rows: Tensor) -> None:
        """Go on with these rows of the batch, in this order, repeated or dropped.

        Args:
            rows: int64 (R,), each in 0 … B−1; the batch has R rows from now on.
        """
        ...


class Uncached:
    """A model without memory as a predictor: at each feed it reads everything again.

    T tokens cost 1 + 2 + … + T positions, where a cache needs T.

    Args:
        model: ids (B, T) → logits (B, T, V), such as a language model in evaluation mode.
        context: N, the most tokens that the model reads; the oldest are left out beyond that. All
            are read if not given.

    Attributes:
        ids: int64 (B, T), what the next feed reads before its own tokens.
        tokens_read: so far, of each row.

    Raises:
        ValueError: if the context is below 1.
    """

    def __init__(self, model: Callable[[Tensor], Tensor], context: int | None = None):
        if context is not None and context < 1:
            raise ValueError(f"a model reads 1 token at least, got a context of {context}")
        self.model, self.context = model, context
        self.ids: Tensor | None = None
        self.tokens_read = 0

    def feed(self, ids: Tensor) -> Tensor:
        """Logits (B, V) of the token after ids (B, T) and all before them.

        Raises:
            ShapeError: if ids are not (B, T), the batch differs from what was fed before, or
                there is nothing to read.
        """
        check_batch(ids, rows=None if self.ids is None else len(self.ids))
        self.ids = ids if self.ids is None else torch.cat([self.ids, ids], dim=1)
        if self.context is not None:
            self.ids = self.ids[:, -self.context :]
        check_not_empty(self.ids)
        self.tokens_read += ids.shape[1]
        return self.model(self.ids)[:, -1]

    def select(self, rows: Tensor) -> None:
        """Go on with rows (R,) of the batch."""
        if self.ids is not None:
            self.ids = self.ids[rows]


class ChainPredictor:
    """Chapter 2's Markov chain as a predictor: its logits are logarithms of its probabilities.

        logits[b, w] = ln P(w | last n words of row b),    −∞ where P is zero

    The softmax of these logits gives the probabilities back. The vocabulary is the chain's V words
    and the boundary, id V, so logits are (B, V+1). A boundary that is fed begins a new sentence:
    give `end=chain.boundary` to stop there.

    Args:
        chain: a chain of any order n.

    Attributes:
        tokens_read: so far, of each row.
    """

    def __init__(self, chain: MarkovChain):
        self.chain = chain
        self.contexts: np.ndarray | None = None  # (B, n), the latest word last
        self.tokens_read = 0

    def feed(self, ids: Tensor) -> Tensor:
        """Logits (B, V+1), float64, of the word after ids (B, T); T may be 0 at the beginning.

        Raises:
            ShapeError: if ids are not (B, T), or the batch differs from what was fed before.
            ValueError: if a prompt ends in a context that the chain never saw (without smoothing
                it has no prediction there).
        """
        n, boundary, contexts = self.chain.order, self.chain.boundary, self.contexts
        check_batch(ids, rows=None if contexts is None else len(contexts))
        before = np.full((len(ids), n), boundary) if contexts is None else contexts
        read = np.concatenate([before, ids.cpu().numpy()], axis=1)
        # Nothing runs from one sentence into the next: what stands before a boundary is forgotten.
        ends = np.flip(np.maximum.accumulate(np.flip(read == boundary, 1), axis=1), 1)
        self.contexts = np.where(ends, boundary, read)[:, read.shape[1] - n :]
        self.tokens_read += ids.shape[1]
        probabilities = self.chain.predict(self.contexts)
        if contexts is None and not probabilities.any(axis=1).all():
            unseen = self.contexts[int((~probabilities.any(axis=1)).argmax())].tolist()
            raise ValueError(
                f"the chain never saw the context {unseen} and has no prediction after it; "
                "give it smoothing, or a prompt from its text"
            )
        return torch.from_numpy(probabilities).to(ids.device).log()

    def select(self, rows: Tensor) -> None:
        """Go on with rows (R,) of the batch."""
        if self.contexts is not None:
            self.contexts = self.contexts[rows.cpu().numpy()]


def check_predictor(predictor: Predictor) -> None:
    """Make sure that decoding can begin.

    Raises:
        TypeError: for what has no `feed`, such as a model that was not made a predictor.
        ValueError: for a predictor that has read something already.
    """
    if not hasattr(predictor, "feed"):
        raise TypeError(
            f"a {type(predictor).__name__} is no predictor; Uncached(model) makes one of a model, "
            "and FusedLanguageModel(model, batch) one with a cache"
        )
    if read := getattr(predictor, "tokens_read", 0):
        raise ValueError(
            f"this {type(predictor).__name__} has read {read} tokens already and would go on from "
            "there; make a new one for each prompt"
        )


def check_not_empty(ids: Tensor) -> None:
    """Raise ShapeError for ids (B, 0), after which there is nothing to predict from."""
    if not ids.shape[1]:
        raise ShapeError(f"ids {tuple(ids.shape)} hold no token: begin with a start symbol")


def check_evaluation(model: nn.Module) -> None:
    """Raise ValueError for a model in training mode, whose dropout would blur what it says."""
    if model.training:
        raise ValueError("the model is in training mode; call model.eval() before decoding")


def score_type(logits: Tensor) -> torch.dtype:
    """What probabilities are added up in: float32 at least, float64 for logits that are."""
    return torch.promote_types(logits.dtype, torch.float32)
