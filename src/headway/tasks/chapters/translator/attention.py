"""Cross-attention with one head, and the weighing that its wrong ways share."""

import math

import torch


def cross_attention(x, memory, W_q, W_k, W_v, memory_mask):
    """softmax(Q Kᵀ / √D) V with Q = x W_q (B, T, D), K = memory W_k, V = memory W_v (B, S, ·)."""
    return weigh(x @ W_q, memory @ W_k, memory @ W_v, memory_mask[:, None, :])


def weigh(query, key, value, mask, scale=None, axis=-1, nothing=0.0):
    """Mixed (B, T, E) and weights (B, T, S); rows of `nothing` where nothing is visible."""
    scores = query @ key.mT / (math.sqrt(query.shape[-1]) if scale is None else scale)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(axis).nan_to_num(nothing)
    return weights @ value, weights
