"""A model whose weights nobody gets: it is asked to read, so that what it reads can be counted."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from headway.tasks.chapters.kv_cache.read_new import read_new


class AskedModel:
    """`read_new` with weights of its own, for arguments that anybody may have made.

    Args:
        weights: as those of `read_new`.
        rows: the most texts that it reads at once.
    """

    def __init__(self, weights: dict[str, Tensor], rows: int):
        self._weights, self._rows = weights, rows

    def __repr__(self) -> str:
        L, H, _, D = self._weights["key"].shape
        return f"<a model of {L} layers with {H} heads of width {D}>"

    def __call__(self, ids: Any, keys: Any, values: Any) -> tuple[Tensor, Tensor, Tensor]:
        """Logits (B, T, V) of new tokens ids (B, T), and keys and values (L, B, H, S + T, D).

        Raises:
            TypeError: if an argument is no array of its kind and shape.
            IndexError: if there is no such token, or no position for one.
        """
        ids, keys, values = (np.asarray(one) for one in (ids, keys, values))
        self._check_forms(ids, keys, values)
        self._check_ranges(ids, keys.shape[3])
        held = (torch.from_numpy(part.astype(np.float32)) for part in (keys, values))
        return read_new(self._weights, torch.from_numpy(ids.astype(np.int64)), *held)

    def _check_forms(self, ids: np.ndarray, keys: np.ndarray, values: np.ndarray) -> None:
        if ids.ndim != 2 or ids.dtype.kind != "i" or not ids.size or len(ids) > self._rows:
            raise TypeError(f"ids are integers (B, T); got {ids.dtype} of shape {ids.shape}")
        L, H, _, D = self._weights["key"].shape
        S = keys.shape[3] if keys.ndim == 5 else 0
        for name, part in (("keys", keys), ("values", values)):
            expected = (L, len(ids), H, S, D)
            if part.shape != expected or part.dtype.kind != "f":
                raise TypeError(
                    f"{name} are floats of shape {expected}; got {part.dtype} of shape {part.shape}"
                )

    def _check_ranges(self, ids: np.ndarray, held: int) -> None:
        V, N = (len(self._weights[name]) for name in ("embedding", "position"))
        if ids.min() < 0 or ids.max() >= V:
            raise IndexError(f"there is no token {ids.max()} among {V}")
        if held + ids.shape[1] > N:
            raise IndexError(f"there is no position {held + ids.shape[1] - 1} among {N}")
