"""Experts and a cache that answers only ask, so that what goes through them can be counted."""

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional


class Asked:
    """What an answer is given in the place of weights, for arguments that anybody may have made.

    Args:
        weights: its numbers, by name.
        rows: the most rows that it takes at once.
    """

    def __init__(self, weights: dict[str, Tensor], rows: int):
        self._weights, self._rows = weights, rows

    def _matrix(self, rows: Any, width: int) -> Tensor:
        """The rows, (n, width), if that is what they are.

        Raises:
            TypeError: otherwise.
        """
        given = np.asarray(rows)
        if given.ndim != 2 or given.shape[1] != width or given.dtype.kind != "f":
            raise TypeError(
                f"expected floats of shape (n, {width}); got {given.dtype} of shape {given.shape}"
            )
        if len(given) > self._rows:
            raise TypeError(f"at most {self._rows} rows are taken at once; got {len(given)}")
        return torch.from_numpy(given.astype(np.float32))


class AskedExperts(Asked):
    """Gated networks, of which a call names one; "gate", "up" (E, C, M), "down" (E, M, C)."""

    def __repr__(self) -> str:
        E, C, _ = self._weights["gate"].shape
        return f"<{E} experts of width {C}>"

    def __call__(self, tokens: Any, e: Any) -> Tensor:
        """What expert e makes of tokens (n, C), (n, C).

        Raises:
            TypeError: if an argument is no array or number of its kind and shape.
            IndexError: if there is no such expert.
        """
        E, C, _ = self._weights["gate"].shape
        x = self._matrix(tokens, C)
        number = np.asarray(e)
        if number.ndim or number.dtype.kind not in "iu":
            raise TypeError(f"an expert is named by a whole number; got {e!r:.40}")
        if not 0 <= int(number) < E:
            raise IndexError(f"there is no expert {int(number)} among {E}")
        gate, up, down = (self._weights[name][int(number)] for name in ("gate", "up", "down"))
        return (functional.silu(x @ gate) * (x @ up)) @ down


class AskedCache(Asked):
    """Latents and shared keys of the tokens held; "latents" (S, R), "keys" (S, P)."""

    def __repr__(self) -> str:
        return f"<a cache of {len(self._weights['latents'])} tokens>"

    def __call__(self, rows: Any, what: Any) -> Tensor:
        """What the cache makes of rows.

        "match": products of rows (n, R + P) with each token's latent and key, (n, S).
        "mix": sums of the latents, weighted by rows (n, S): (n, R).

        Raises:
            TypeError: if an argument is no array or text of its kind and shape.
        """
        latents, keys = self._weights["latents"], self._weights["keys"]
        if not isinstance(what, str) or what not in ("match", "mix"):
            raise TypeError(f'it can "match" and "mix"; got {what!r:.40}')
        if what == "mix":
            return self._matrix(rows, len(latents)) @ latents
        held = torch.cat([latents, keys], 1)
        return self._matrix(rows, held.shape[1]) @ held.T
