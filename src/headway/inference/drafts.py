"""Models and drafts, as speculative decoding asks for them: functions of a whole text.

    scores(ids, n)    (T,) → (n, V)     logits of what follows each of the last n tokens

Guesses may have to be taken back. So `headway.inference.speculative` gives the whole text each
time, and whatever remembers some of it sees for itself how much still holds: `Remembering` makes
such a function of a model with a cache. A draft may be a smaller model, the same one in fewer bits,
a Markov chain (`chain_draft`), or what followed the same words the last time (`copy_draft`).

Source: of copying, Saxena 2023, "Prompt lookup decoding".
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from headway.inference.kv_cache import CachedLanguageModel
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError

Scores = Callable[[Tensor, int], Tensor]
Draft = Callable[[Tensor, int], Tensor | None]  # asked for n = 1; None where it has no guess


class Remembering:
    """A model with a cache as `Scores`: given whole texts, it reads what it has not read.

    Where a text differs from the last one, the cache forgets the tokens from there on.

    Args:
        predictor: a `CachedLanguageModel` of one text, or a `FusedLanguageModel`; a new one.

    Attributes:
        tokens_read: in all, those that were forgotten included.
        calls: how often it read something.

    Raises:
        ShapeError: if the predictor is for several texts.
        ValueError: if its positions look at other tokens ("convolutional"), which it cannot forget.
    """

    def __init__(self, predictor: CachedLanguageModel):
        if (B := predictor.cache.store.shape[1]) != 1:
            raise ShapeError(f"a cache of {B} texts, where speculation has one: give it batch=1")
        if predictor.input.past is not None:
            raise ValueError(
                "convolutional positions look back at other tokens, and cannot forget the ones "
                "that were rejected; take a model with other positions"
            )
        self.predictor = predictor
        self.ids = torch.empty(0, dtype=torch.int64)
        self.tokens_read = self.calls = 0

    @torch.inference_mode()
    def __call__(self, ids: Tensor, n: int) -> Tensor:
        """Logits (n, V) of what follows each of the last n of ids (T,).

        Raises:
            ShapeError: if the text does not fit into the cache.
            ValueError: if more tokens are to be forgotten than a window holds.
        """
        cache, window = self.predictor.cache, self.predictor.cache.window
        known = min(len(self.ids), len(ids) - n)
        same = self.ids[:known] == ids[:known]
        known = known if same.all() else int((~same).int().argmax())
        back = len(self.ids) - known
        if window is not None and cache.used - back < min(known, window - 1):
            raise ValueError(
                f"{back} tokens are to be forgotten, and a cache with a window of {window} does "
                "not hold the ones before them any more; propose fewer at a time"
            )
        cache.forget(back)
        read = self.predictor.read(ids[None, known:])
        self.ids = ids
        self.tokens_read += len(ids) - known
        self.calls += 1
        return self.predictor.model.predict(read[0, -n:])


def chain_draft(chain: MarkovChain) -> Draft:
    """Chapter 2's chain as a draft: it proposes nothing after words that it has not seen.

    The boundary is no token of the model; what the chain gives it goes to the others.

    Args:
        chain: over the model's V tokens.
    """

    def scores(ids: Tensor, n: int) -> Tensor | None:
        context = np.full(chain.order, chain.boundary)
        seen = ids[max(len(ids) - chain.order, 0) :].cpu().numpy() if chain.order else context
        context[chain.order - len(seen) :] = seen
        logits = torch.from_numpy(chain.predict(context[None])[:, :-1]).log().to(ids.device)
        return logits if logits.isfinite().any() else None

    return scores


def copy_draft(size: int, most: int = 3) -> Draft:
    """Proposes, for certain, what followed the same words the last time.

    The words are the last `most`, or fewer if all of these have not occurred before; nothing is
    proposed where not even the last word has.

    Args:
        size: V, of the model.
        most: how many words must be the same, at best.

    Raises:
        ValueError: if `most` is below 1.
    """
    if most < 1:
        raise ValueError(f"copying looks at 1 word or more, got {most}")

    def scores(ids: Tensor, n: int) -> Tensor | None:
        for length in range(min(most, len(ids) - 1), 0, -1):
            earlier = ids[:-1].unfold(0, length, 1)  # (T − length, length)
            places = (earlier == ids[-length:]).all(dim=1).nonzero()
            if len(places):
                token = ids[places[-1] + length]
                logits = torch.full((1, size), -torch.inf, device=ids.device)
                return logits.index_fill(1, token, 0.0)
        return None

    return scores
