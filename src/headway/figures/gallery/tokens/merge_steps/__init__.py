"""Figure: byte pair encoding learns from a short text, one merge a step."""

from collections.abc import Mapping, Sequence

from headway.figures.core.interactive import Interactive
from headway.figures.gallery.shared.tokens import LINE, draw_tokens, in_words, shown, width_of
from headway.text.byte_pair import TIES, BytePairTokenizer

MOST_BYTES, MOST_MERGES, MARGIN = 60, 40, 1.5
RULES = {
    "smallest": "the pair with the smallest ids (Hugging Face)",
    "greatest": "the pair that is last in the alphabet (subword-nmt)",
}


def merge_steps(
    texts: Sequence[str],
    title: str,
    caption: str,
    ties: str = "smallest",
    rules: Mapping[str, str] = RULES,
) -> Interactive:
    """A text as tokens and its pairs with their counts; each step merges the most frequent pair.

    The reader can choose another text or type one, and choose which of equal pairs is merged.

    Args:
        texts: to choose from, at most 60 bytes each; the first one is shown at first.
        title, caption: as printed.
        ties: the rule at first, one of `headway.text.byte_pair.TIES`.
        rules: what the rules for ties are called.

    Raises:
        ValueError: if there is no text, one is empty or too long, or a rule is unknown or missing.
    """
    if not texts or not all(0 < len(text.encode()) <= MOST_BYTES for text in texts):
        raise ValueError(f"texts must be one or more of 1 to {MOST_BYTES} bytes, got {list(texts)}")
    if ties not in TIES or set(rules) != set(TIES):
        raise ValueError(f"the rules for ties are {', '.join(TIES)}; got {ties!r}, {list(rules)}")
    lines = states(texts[0], ties)
    longest = max(sum(map(width_of, tokens)) for _, tokens in lines)
    width = MARGIN + longest + 0.1
    return Interactive(
        script="merge_steps",
        data={
            "texts": list(texts),
            "ties": ties,
            "rules": [[rule, rules[rule]] for rule in TIES],
            "longest": MOST_BYTES,
            "most": MOST_MERGES,
        },
        title=title,
        caption=caption,
        alt="; ".join(f"{label}: {in_words(tokens)}" for label, tokens in lines) + ".",
        header=["after the merge of", "tokens", "the text"],
        rows=[[label, str(len(tokens)), in_words(tokens)] for label, tokens in lines],
        draw=lambda ax: draw_tokens(ax, lines, width, MARGIN),
        width=width,
        height=LINE * len(lines) + 0.1,
    )


def states(text: str, ties: str) -> list[tuple[str, list[bytes]]]:
    """The text as tokens before the first merge and after each, with the merge's pair as label."""
    learned = BytePairTokenizer.train([text], 256 + MOST_MERGES, ties=ties)
    found = [("at first", BytePairTokenizer.train([], 256).tokens(text))]
    for k, (left, right) in enumerate(learned.merges, 1):
        tokenizer = BytePairTokenizer(learned.symbols, learned.merges[:k])
        found.append((f"{shown(left)} + {shown(right)}", tokenizer.tokens(text)))
    return found
