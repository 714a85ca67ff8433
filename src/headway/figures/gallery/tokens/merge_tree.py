"""Drawing: the merges of one word as a tree, from its bytes at the bottom to its tokens on top."""

from collections import Counter
from collections.abc import Iterable, Sequence

from headway.figures.gallery.shared.stepped import Stepped, stepped
from headway.figures.gallery.shared.tokens import shown
from headway.figures.gallery.tokens.joins import joins
from headway.figures.gallery.tokens.tree_forms import draw
from headway.text.byte_pair import BytePairTokenizer
from headway.text.pair_counts import PairCounts
from headway.text.pieces import pieces

MOST_BYTES, MOST_MERGES = 16, 12


def times_merged(texts: Iterable[str], merges: Sequence[tuple[bytes, bytes]]) -> list[int]:
    """How often each pair stood in the texts at the moment when training merged it.

    Args:
        texts: what the merges were learned from.
        merges: by rank.
    """
    words = Counter(piece for text in texts for piece in pieces(text))
    pairs = PairCounts({tuple(word.encode()): times for word, times in words.items()})
    ids, counts = {bytes([byte]): byte for byte in range(256)}, []
    for left, right in merges:
        pair = ids[left], ids[right]
        counts.append(pairs.counts[pair])
        pairs.merge(pair, ids.setdefault(left + right, len(ids)))
    return counts


def merge_tree(
    word: str, tokenizer: BytePairTokenizer, times: Sequence[int], title: str, caption: str
) -> Stepped:
    """The drawing: a step for the bytes, one for each merge, and one for the tokens.

    Args:
        word: one piece, with the space before it if there is one.
        tokenizer: what cuts it; its ids are printed.
        times: how often each of its merges' pairs stood in the texts it was learned from.
        title, caption: as printed.

    Raises:
        ValueError: if the word is no single piece, is too long or takes too many merges to be
            read, or there is not one count for each merge.
    """
    if len(times) != len(tokenizer.merges):
        raise ValueError(f"{len(tokenizer.merges)} merges need a count each, got {len(times)}")
    if len(pieces(word)) != 1 or len(word.encode()) > MOST_BYTES:
        raise ValueError(f"word must be one piece of at most {MOST_BYTES} bytes, got {word!r}")
    merged, tokens = joins(word, tokenizer.merges)
    if len(merged) > MOST_MERGES:
        raise ValueError(f"one can read up to {MOST_MERGES} merges, got {len(merged)} in {word!r}")
    ids = {symbol: i for i, symbol in enumerate(tokenizer.symbols)}
    size = len(word.encode())
    cut = ", ".join(f"{shown(node.token)} ({ids[node.token]})" for node in tokens)
    alt = f"The {size} bytes of “{shown(word.encode())}” are joined by {len(merged)} merges. "
    alt += "; ".join(
        f"rank {join.rank}: {shown(join.left)} + {shown(join.right)}" for join in merged
    )
    alt += f". The tokens with their ids: {cut}."
    return stepped(
        draw(size, merged, tokens, times, ids, alt),
        steps=[
            f"At the bottom are {size} bytes, the letters of the word and the space before it. "
            "Each is a token already, and its id is its value.",
            *(
                f"“{shown(join.left)}” and “{shown(join.right)}” become “{shown(join.token)}”: in "
                f"training they had met {times[join.rank]:,} times."
                for join in merged
            ),
            f"No two neighbors are in the list of merges any more: {len(tokens)} tokens are left, "
            "and the model gets their ids.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["rank", "merge", "times in training", "makes", "id"],
        rows=[
            [
                str(join.rank),
                f"{shown(join.left)} + {shown(join.right)}",
                f"{times[join.rank]:,}",
                shown(join.token),
                str(ids[join.token]),
            ]
            for join in merged
        ],
        upright=draw(size, merged, tokens, times, ids, alt, upright=True),
    )
