"""What goes on inside the parts, as steps in a grid of three columns, from top to bottom."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One object on the way.

    Attributes:
        id: short name, for steps that use it.
        label: what it is, or the line that computes it.
        shape: its shape in letters, or what else to know in few words.
        row, column: its place.
        columns: how many columns it takes.
        uses: ids of the steps that it is computed from.
        tone: "query", "key", "value" or "residual"; "" for what is none of them.
    """

    id: str
    label: str
    shape: str
    row: int
    column: int = 0
    columns: int = 1
    uses: tuple[str, ...] = ()
    tone: str = ""


STREAM = Step("x", "rows of the stream", "(T, C)", 0, 0, 3, tone="residual")


def _attention(scores: str, *between: Step, source: str = "x", far: str = "T") -> tuple[Step, ...]:
    """From queries, keys and values to what is added to the stream.

    Args:
        scores: their shape.
        between: steps between scores and weights, from row 3 on.
        source: where keys and values come from.
        far: the letter of its length.
    """
    row = 3 + len(between)
    last = between[-1].id if between else "scores"
    x = "x" if source == "x" else "Z"
    return (
        Step("Q", "Q = x W_Q", "(T, D)", 1, 0, uses=("x",), tone="query"),
        Step("K", f"K = {x} W_K", f"({far}, D)", 1, 1, uses=(source,), tone="key"),
        Step("V", f"V = {x} W_V", f"({far}, D)", 1, 2, uses=(source,), tone="value"),
        Step("scores", "scores = Q Kᵀ / √D", scores, 2, 0, 2, uses=("Q", "K")),
        *between,
        Step("weights", "weights = softmax of each row", scores, row, 0, 2, uses=(last,)),
        Step("mix", "means of values = weights · V", "(T, D)", row + 1, 0, 3,
             uses=("weights", "V"), tone="value"),
        Step("out", "times W_O, added to the stream", "(T, C)", row + 2, 0, 3,
             uses=("mix",), tone="residual"),
    )  # fmt: skip


ZOOMS: dict[str, tuple[Step, ...]] = {
    "one-hot": (
        Step("ids", "ids of the tokens", "(T)", 0, 0),
        Step("one-hot", "one-hot rows", "(T, V)", 1, 0, uses=("ids",)),
        Step("table", "table", "(V, C)", 1, 1, 2),
        Step("rows", "one-hot · table = its rows", "(T, C)", 2, 0, 3, uses=("one-hot", "table"),
             tone="residual"),
    ),
    "tokens": (
        Step("text", "text", "letters, marks, spaces", 0, 0, 3),
        Step("pieces", "pieces", "no merge crosses a border", 1, 0, 3, uses=("text",)),
        Step("bytes", "bytes of each piece", "N numbers, 0 … 255", 2, 0, 2, uses=("pieces",)),
        Step("merges", "merges", "learned, by rank", 2, 2),
        Step("tokens", "bytes, merged by rank", "T ≤ N tokens", 3, 0, 3, uses=("bytes", "merges")),
        Step("ids", "their ids", "(T), each below V", 4, 0, 3, uses=("tokens",)),
    ),
    "embedding": (
        Step("ids", "ids of the tokens", "(T)", 0, 0),
        Step("table", "W: a row for each symbol", "(V, C)", 0, 1, 2),
        Step("rows", "its rows, W[ids]", "(T, C)", 1, 0, 3, uses=("ids", "table"),
             tone="residual"),
        Step("hidden", "what the blocks make of them: h", "(T, C)", 2, 0, 3, uses=("rows",),
             tone="residual"),
        Step("logits", "h Wᵀ, a score for each symbol", "(T, V)", 3, 0, 3, uses=("hidden",)),
    ),
    "next-word": (
        Step("word", "last word", "one-hot, (V + 1)", 0, 0),
        Step("chain", "P, row by row: what follows", "(V + 1, V + 1)", 0, 1, 2),
        Step("next", "its row of P", "probabilities of the next word, (V + 1)", 1, 0, 3,
             uses=("word", "chain")),
    ),
    "mask": (
        Step("scores", "scores", "(T, T)", 0, 0),
        Step("mask", "mask: True where a word may look", "(T, T)", 0, 1, 2),
        Step("hidden", "−∞ where the mask is False", "(T, T)", 1, 0, 3, uses=("scores", "mask")),
        Step("weights", "softmax of each row", "hidden words get weight 0", 2, 0, 3,
             uses=("hidden",)),
    ),
    "softmax": (
        Step("logits", "logits", "one for each word, (V)", 0, 0, 3),
        Step("exp", "e to each of them", "all positive, (V)", 1, 0, 3, uses=("logits",)),
        Step("sum", "their sum", "one number", 2, 0, uses=("exp",)),
        Step("shares", "each divided by the sum", "probabilities, (V)", 3, 0, 3,
             uses=("exp", "sum")),
    ),
    "logits": (
        Step("h", "h, normed", "(T, C)", 0, 0, tone="residual"),
        Step("table", "E, the embedding's table", "(V, C)", 0, 1, 2),
        Step("logits", "logits = h Eᵀ, a row for each position", "(T, V)", 1, 0, 3,
             uses=("h", "table")),
        Step("last", "the last row: what comes next", "(V)", 2, 0, 3, uses=("logits",)),
    ),
    "position": (
        Step("words", "embeddings", "(T, C)", 0, 0, tone="residual"),
        Step("places", "positions 0, 1, 2, …", "(T)", 0, 1, 2),
        Step("rows", "sines, or rows of a table", "(T, C)", 1, 1, 2, uses=("places",)),
        Step("sum", "embedding + position, row by row", "(T, C)", 2, 0, 3,
             uses=("words", "rows"), tone="residual"),
    ),
    "attention": (
        STREAM,
        *_attention("(T, T)", Step("mask", "−∞ where the mask hides", "(T, T)", 3, 0, 2,
                                   uses=("scores",))),
    ),
    "heads": (
        STREAM,
        *(Step(f"head{i}", f"head {name}", "(T, D)", 1, i, uses=("x",))
          for i, name in enumerate(("1", "2 …", "H"))),
        Step("beside", "side by side", "(T, H·D) = (T, C)", 2, 0, 3,
             uses=("head0", "head1", "head2")),
        Step("out", "times W_O, added to the stream", "(T, C)", 3, 0, 3, uses=("beside",),
             tone="residual"),
    ),
    "residual": (
        Step("x", "stream", "(T, C)", 0, tone="residual"),
        Step("norm", "norm", "(T, C)", 1, 1, 2, uses=("x",)),
        Step("attention", "attention", "(T, C)", 2, 1, 2, uses=("norm",)),
        Step("add", "+", "(T, C)", 3, uses=("x", "attention"), tone="residual"),
        Step("norm2", "norm", "(T, C)", 4, 1, 2, uses=("add",)),
        Step("forward", "feed-forward", "C → M → C, word by word", 5, 1, 2, uses=("norm2",)),
        Step("add2", "+", "to the next block", 6, uses=("add", "forward"), tone="residual"),
    ),
    "feed-forward": (
        Step("x", "rows, normalized", "(T, C)", 0, 0, 3),
        Step("wide", "x W₁ + b₁", "(T, M), wider", 1, 0, 3, uses=("x",)),
        Step("relu", "ReLU: negative becomes 0", "(T, M)", 2, 0, 3, uses=("wide",)),
        Step("back", "times W₂, plus b₂, added to the stream", "(T, C)", 3, 0, 3, uses=("relu",),
             tone="residual"),
    ),
    "cross-attention": (
        Step("x", "decoder: x", "(T, C)", 0, tone="residual"),
        Step("memory", "encoder: memory Z", "(S, C)", 0, 1, 2, tone="residual"),
        *_attention("(T, S)", source="memory", far="S"),
    ),
    "cache": (
        Step("x", "row of the newest word", "(1, C)", 0, 0, 3, tone="residual"),
        Step("q", "query", "(1, D)", 1, 0, uses=("x",), tone="query"),
        Step("k", "key", "(1, D)", 1, 1, uses=("x",), tone="key"),
        Step("v", "value", "(1, D)", 1, 2, uses=("x",), tone="value"),
        Step("keys", "keys kept", "(T, D)", 2, 1, uses=("k",), tone="key"),
        Step("values", "values kept", "(T, D)", 2, 2, uses=("v",), tone="value"),
        Step("weights", "weights of all words so far", "(1, T)", 3, 0, 2, uses=("q", "keys")),
        Step("mix", "weights · values", "(1, D)", 4, 0, 3, uses=("weights", "values"),
             tone="value"),
    ),
    "choice": (
        Step("logits", "logits of the last position", "one for each word, (V)", 0, 0, 3),
        Step("filters", "temperature, top-k, top-p", "−∞ for what is dropped, (V)", 1, 0, 2,
             uses=("logits",)),
        Step("shares", "softmax", "probabilities, (V)", 2, 0, 2, uses=("filters",)),
        Step("drawn", "drawn by chance", "one id", 3, 0, 2, uses=("shares",)),
        Step("largest", "the largest", "greedy: one id", 3, 2, uses=("logits",)),
    ),
}  # fmt: skip
