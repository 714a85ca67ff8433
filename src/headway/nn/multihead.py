"""Multi-head attention: several attentions side by side, each in a narrow space of its own.

    Q, K, V = X W_QKV, split into H heads of width D = C/H
    head_h  = softmax(Q_h K_hᵀ / √D) V_h
    output  = [head_1 … head_H] W_O

    x (B, T, C), memory (B, S, C)   →   (B, T, C)

What is split is the projection, not the input: each head sees all C numbers of a token. The
queries come from `x`; keys and values come from `memory`, or from `x` too where none is given
(Vaswani et al. 2017, section 3.2.2).

With G < H key/value heads, H/G query heads share each of them: grouped-query attention (Ainslie
et al. 2023); with G = 1 multi-query attention (Shazeer 2019). A cache of keys and values is then
H/G times smaller.
"""

from collections.abc import Callable

from torch import Tensor, nn
from torch.nn import functional

from headway.nn.attention import attend, attend_fused
from headway.nn.masks import causal_mask, combine, window_mask
from headway.nn.soft_cap import attend_capped
from headway.shapes import ShapeError


class MultiHeadAttention(nn.Module):
    """Self-attention, or cross-attention where a memory is given.

    Args:
        width: C, the width of the model.
        heads: H, the number of query heads; D = C/H.
        key_value_heads: G, the number of key and value heads; H if not given.
        bias: whether the projections add a bias.
        rotary: turns queries and keys by their positions (`headway.nn.position.RotaryPosition`
            for D); attentions may share one. In cross-attention nothing is turned.
        head_width: D, where it is not C/H; W_O then leads from H·D numbers back to C.
        output_bias: whether W_O adds a bias; as `bias` if not given (Qwen 2 has none there).
        head_norm: makes a norm of width D, one for all queries and one for all keys, which come
            before they are turned (Qwen 3); nothing if not given.
        window: how many tokens each query sees in self-attention, its own included and none after
            it; all if not given.
        score_cap: what no score exceeds (`headway.nn.soft_cap`); anything if not given.

    Raises:
        ShapeError: if H does not divide C and D is not given, or G does not divide H.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        key_value_heads: int | None = None,
        bias: bool = True,
        rotary: nn.Module | None = None,
        *,
        head_width: int | None = None,
        output_bias: bool | None = None,
        head_norm: Callable[[int], nn.Module] | None = None,
        window: int | None = None,
        score_cap: float | None = None,
    ):
        super().__init__()
        shared = heads if key_value_heads is None else key_value_heads
        split = width if head_width is None else heads  # any number of heads has a given width
        for whole, parts, what in ((split, heads, "heads"), (heads, shared, "key/value heads")):
            if parts < 1 or whole % parts:
                raise ShapeError(f"{what}: {whole} does not divide into {parts} equal parts")
        D = width // heads if head_width is None else head_width
        self.width, self.heads, self.key_value_heads, self.head_width = width, heads, shared, D
        self.widths = (heads * D, shared * D, shared * D)
        self.qkv = nn.Linear(width, sum(self.widths), bias)  # W_Q, W_K and W_V in one product
        self.output = nn.Linear(heads * D, width, bias if output_bias is None else output_bias)
        self.query_norm = None if head_norm is None else head_norm(D)
        self.key_norm = None if head_norm is None else head_norm(D)
        self.rotary, self.window, self.score_cap = rotary, window, score_cap

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """Attend and mix, without storing weights.

        Args:
            x: (B, T, C), what asks.
            memory: (B, S, C), what is asked; `x` if not given.
            mask: bool, broadcastable to (B, H, T, S), usually (B, 1, T, S) or (T, S).
            score_bias: float, broadcastable to (B, H, T, S), added to the scores.
            causal: hide later keys too, as `causal_mask(T, S)` would.

        Returns:
            (B, T, C).

        Raises:
            ShapeError: if the inputs or the mask do not fit the module or each other.
        """
        query, key, value = self.project(x, memory)
        return self.attend_heads(query, key, value, mask, score_bias, causal)

    def project(
        self, x: Tensor, memory: Tensor | None = None, offset: int = 0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Query (B, H, T, D), key and value (B, G, S, D); `offset` is the position of x[:, 0]."""
        if memory is not None:
            return self.queries(x), *self.keys_values(memory)
        check_tokens("x", x, self.width)
        B, T, _ = x.shape
        H, G = self.heads, self.key_value_heads
        heads = self.qkv(x).view(B, T, H + 2 * G, self.head_width)
        query, key, value = (part.transpose(1, 2) for part in heads.split((H, G, G), dim=2))
        if self.query_norm is not None and self.key_norm is not None:
            query, key = self.query_norm(query), self.key_norm(key)
        if self.rotary is not None:
            query, key = self.rotary(query, offset), self.rotary(key, offset)
        return query, key, value

    def queries(self, x: Tensor) -> Tensor:
        """Query (B, H, T, D) of x (B, T, C)."""
        check_tokens("x", x, self.width)
        rows, bias = self.widths[0], self.qkv.bias
        query = functional.linear(x, self.qkv.weight[:rows], None if bias is None else bias[:rows])
        query = split_heads(query, self.heads)
        return query if self.query_norm is None else self.query_norm(query)

    def keys_values(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Key and value (B, G, S, D) of memory (B, S, C); a cache may keep them."""
        check_tokens("memory", memory, self.width)
        rows, bias = self.widths[0], self.qkv.bias
        both = functional.linear(
            memory, self.qkv.weight[rows:], None if bias is None else bias[rows:]
        )
        key, value = (split_heads(half, self.key_value_heads) for half in both.chunk(2, dim=-1))
        return (key if self.key_norm is None else self.key_norm(key)), value

    def attend_heads(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """From projected (B, H, T, D), (B, G, S, D), (B, G, S, D) to the output (B, T, C).

        `forward` is this after `project`; between the two, a cache may lengthen the keys and
        values, and a position scheme may rotate queries and keys.
        """
        if self.score_cap is None:
            mask = self.within_window(mask, query, key, causal)
            mixed = attend_grouped(query, key, value, mask, score_bias, causal)
        else:
            mixed, _ = self.weigh_heads(query, key, value, mask, score_bias, causal)
        return self.output(merge_heads(mixed))

    def within_window(
        self, mask: Tensor | None, query: Tensor, key: Tensor, causal: bool
    ) -> Tensor | None:
        """A mask that also hides what lies outside of the window, if it has to."""
        T, S = query.shape[2], key.shape[2]
        if self.window is None or (causal and self.window >= S):
            return mask
        return combine(mask, window_mask(self.window, T, S, query.device))

    def weigh_heads(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> tuple[Tensor, Tensor]:
        """What is mixed, (B, H, T, D), and the weights, (B, H, T, S), of projected heads."""
        mask = self.within_window(mask, query, key, causal)
        if causal:
            mask = combine(mask, causal_mask(query.shape[2], key.shape[2], query.device))
        group = self.heads // self.key_value_heads
        key, value = (kept.repeat_interleave(group, dim=1) for kept in (key, value))
        if self.score_cap is None:
            return attend(query, key, value, mask, score_bias)
        return attend_capped(query, key, value, self.score_cap, mask, score_bias)

    def with_weights(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> tuple[Tensor, Tensor]:
        """What `forward` gives, (B, T, C), and the weights of every head, (B, H, T, S)."""
        mixed, weights = self.weigh_heads(*self.project(x, memory), mask, score_bias, causal)
        return self.output(merge_heads(mixed)), weights


def check_tokens(name: str, given: Tensor, width: int) -> None:
    """Raise ShapeError unless a tensor is (B, T, C) with C = `width`."""
    if given.dim() != 3 or given.shape[-1] != width:
        raise ShapeError(
            f"{name} has shape {tuple(given.shape)}, expected (B, T, {width}): batch, tokens, "
            "width of the model. Is the batch dimension missing, or the width another model's?"
        )


def split_heads(x: Tensor, heads: int) -> Tensor:
    """(B, T, H·D) → (B, H, T, D): head h gets the columns hD … (h+1)D − 1.

    Raises:
        ShapeError: if the width does not divide into `heads` equal parts.
    """
    B, T, C = x.shape
    if C % heads:
        raise ShapeError(f"x {tuple(x.shape)} does not split into (B, H, T, D) with H = {heads}")
    return x.view(B, T, heads, C // heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """(B, H, T, D) → (B, T, H·D): what `split_heads` undoes, the heads side by side."""
    return x.transpose(1, 2).flatten(2)


def attend_grouped(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
    causal: bool = False,
) -> Tensor:
    """`attend_fused` where H/G query heads share a key/value head; no key is copied.

    To a key/value head, the queries of its group are just more queries: R = H/G heads of T
    queries become one head of R·T queries. Equal to repeating each key and value head R times.

    Args:
        query: (B, H, T, D).
        key, value: (B, G, S, D).
        mask, score_bias: broadcastable to (B, H, T, S).
        causal: hide later keys too.

    Returns:
        mixed (B, H, T, D).

    Raises:
        ShapeError: if G does not divide H, or as `attend_fused`.
    """
    B, H, T, D = query.shape
    G = key.shape[1]
    if H == G:
        return attend_fused(query, key, value, mask, score_bias, causal)
    if H % G:
        raise ShapeError(
            f"query {tuple(query.shape)} has {H} heads, key {tuple(key.shape)} has {G}: "
            "each key head must serve the same number of query heads"
        )
    if causal and T > 1:
        mask = combine(mask, causal_mask(T, key.shape[2], query.device))
    grouped = query.reshape(B, G, H // G * T, D)  # heads gR … (g+1)R − 1 share key head g
    mask, score_bias = (fold_group(bias, H, G, T) for bias in (mask, score_bias))
    return attend_fused(grouped, key, value, mask, score_bias).view(B, H, T, D)


def fold_group(scores: Tensor | None, H: int, G: int, T: int) -> Tensor | None:
    """A mask or bias for (B, H, T, S) as one for (B, G, R·T, S), where R = H/G."""
    if scores is None:
        return None
    scores = scores[(None,) * (4 - scores.dim())]  # (B|1, H|1, T|1, S|1)
    if scores.shape[1] == 1 and scores.shape[2] == 1:
        return scores  # all heads and queries share it
    heads = scores.unflatten(1, (G, H // G)) if scores.shape[1] == H else scores.unsqueeze(2)
    heads = heads.expand(-1, -1, H // G, T, -1)  # (B|1, G|1, R, T, S|1)
    return heads.flatten(2, 3)
