"""Figure: the tokens of a typed sentence; the tokenizer itself runs in the browser."""

from collections.abc import Sequence

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.gallery.shared.tokens import LINE, draw_tokens, in_words, wrapped
from headway.text.byte_pair import BYTES, BytePairTokenizer

WIDTH, MARGIN = 7.6, 0.7


def live_tokens(
    tokenizer: BytePairTokenizer,
    sizes: Sequence[int],
    examples: Sequence[str],
    title: str,
    caption: str,
    start: int | None = None,
) -> Interactive:
    """A line to type in, its tokens with their ids, and how many they are at each size.

    A smaller vocabulary is the larger one without its last merges, so one list of merges serves
    all sizes. A byte's id is shown as its value; those of merges go on from 256.

    Args:
        tokenizer: trained without special tokens, of as many symbols as the largest size or more.
        sizes: of the vocabularies to choose from, each at least 256, in rising order.
        examples: sentences to choose from; the first one is shown at first.
        title, caption: as printed.
        start: the size at first; the largest if None.

    Raises:
        ValueError: if the sizes are not as said, there is no example, or the tokenizer's ids are
            not those of its training.
    """
    sizes = [int(size) for size in sizes]
    start = sizes[-1] if start is None and sizes else start
    if sizes != sorted(set(sizes)) or not sizes or sizes[0] < 256 or sizes[-1] > len(tokenizer):
        raise ValueError(f"sizes must rise from 256 to {len(tokenizer)} at most, got {sizes}")
    if start not in sizes:
        raise ValueError(f"the size at first must be one of {sizes}, got {start}")
    if not examples or not all(examples):
        raise ValueError("there must be one example at least, and none may be empty")
    smaller = {size: of_size(tokenizer, size) for size in sizes}
    text = examples[0]
    tokens = {size: each.tokens(text) for size, each in smaller.items()}
    bytes_ = len(text.encode())
    lines = wrapped(tokens[start], WIDTH - MARGIN - 0.1)
    labelled = [(f"{start:,}" if k == 0 else "", line) for k, line in enumerate(lines)]
    return Interactive(
        script="live_tokens",
        data={
            "pairs": pairs_of(smaller[sizes[-1]]),
            "sizes": sizes,
            "start": sizes.index(start),
            "examples": list(examples),
        },
        title=title,
        caption=caption,
        alt=f"With a vocabulary of {start:,}, “{text}” is {len(tokens[start])} tokens: "
        f"{in_words(tokens[start])}.",
        header=["vocabulary", "tokens", "bytes a token", "the sentence"],
        rows=[
            [f"{size:,}", str(len(cut)), number(bytes_ / len(cut), 2), in_words(cut)]
            for size, cut in tokens.items()
        ],
        draw=lambda ax: draw_tokens(ax, labelled, WIDTH, MARGIN),
        width=WIDTH,
        height=LINE * len(labelled) + 0.1,
    )


def of_size(tokenizer: BytePairTokenizer, size: int) -> BytePairTokenizer:
    """The tokenizer as it was when training had made so many symbols.

    Raises:
        ValueError: if its symbols are not the bytes in their order, and then what each merge made.
    """
    known, merges = dict.fromkeys(BYTES), []
    for left, right in tokenizer.merges:
        if len(known) == size:
            break
        known[left + right] = None
        merges.append((left, right))
    if tuple(known) != tokenizer.symbols[: len(known)]:
        raise ValueError(
            "the tokenizer's symbols are not in the order of training: it must have no special "
            "tokens, and ids as `BytePairTokenizer.train` gives them"
        )
    return BytePairTokenizer(known, merges)


def pairs_of(tokenizer: BytePairTokenizer) -> list[int]:
    """The merges as ids, two after each other for a merge: what `engine/tokens.js` reads."""
    ids = {symbol: i for i, symbol in enumerate(tokenizer.symbols)}
    return [ids[token] for merge in tokenizer.merges for token in merge]
