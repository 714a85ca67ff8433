"""The table of chapters: what belongs together, said once.

A chapter is a book page, an assignment and the modules behind both. Its name, number and slug
joined, is the name of its page and of its assignment everywhere:

    book/01-one-hot.md
    solutions/01-one-hot/01-one-hot.ipynb
    exercises/01-one-hot/01-one-hot.ipynb

The order of the table is the order of the book. Tests hold `_toc.yml`, `book/`, `solutions/`,
`exercises/` and the package against it.

The course ends with one assignment more, the capstone, which belongs to no chapter: what concerns
assignments goes by `ASSIGNMENTS`, and what concerns the chapters' pages by `CHAPTERS`.
"""

import os
from difflib import get_close_matches
from pathlib import Path

from headway.checkout import checkout, course_root
from headway.curriculum import Chapter

CHAPTERS = (
    Chapter(
        1,
        "one-hot",
        "Words as vectors",
        parts=("one-hot",),
        modules=("headway.text.vocabulary", "headway.text.categories"),
        also_hidden=("headway.ngram.count_table",),
    ),
    Chapter(
        2,
        "markov",
        "Markov chains",
        parts=("next-word",),
        modules=(
            "headway.ngram.markov",
            "headway.ngram.transition",
            "headway.ngram.discounting",
        ),
        also_hidden=("headway.ngram.count_table",),
    ),
    Chapter(
        3,
        "skip-bigrams",
        "Skip-bigrams and masks",
        parts=("mask",),
        modules=("headway.ngram.skipbigram",),
    ),
    Chapter(
        4,
        "soft-lookup",
        "From masks to learned attention",
        parts=("softmax",),
        modules=(
            "headway.ngram.soft_lookup",
            "headway.training.loss",
            "headway.training.descent",
        ),
        also_hidden=(
            "headway.figures.gallery.shared.bars.temperature",
            "headway.figures.gallery.soft_lookup.one_step",
        ),
    ),
    Chapter(
        5,
        "tokens",
        "From text to tokens",
        parts=("text", "tokens"),
        modules=("headway.text.tokenizer", "headway.text.byte_pair", "headway.text.pair_counts"),
        also_hidden=(
            "headway.text.unigram",
            "headway.text.longest_match",
            "headway.figures.gallery.tokens.live_tokens",
            "headway.figures.gallery.tokens.merge_steps",
            "headway.figures.gallery.tokens.merge_tree",
        ),
    ),
    Chapter(
        6,
        "embeddings",
        "Words with neighbors",
        parts=("embedding",),
        modules=("headway.nn.embedding", "headway.nn.word_vectors", "headway.text.counts"),
    ),
    Chapter(
        7,
        "positions",
        "Where a word stands",
        parts=("position",),
        modules=("headway.nn.position",),
    ),
    Chapter(
        8,
        "attention",
        "Scaled dot-product attention",
        parts=("attention",),
        modules=("headway.nn.attention", "headway.nn.masks"),
        also_hidden=(
            "headway.nn.sparse_masks",
            "headway.nn.multihead",
            "headway.nn.soft_cap",
            "headway.models.graph_attention",
        ),
    ),
    Chapter(
        9,
        "many-heads",
        "Multi-head attention",
        parts=("heads",),
        modules=("headway.nn.multihead", "headway.models.inspect"),
        also_hidden=(
            "headway.nn.position",
            "headway.nn.interchange",
            "headway.models.graph_attention",
        ),
    ),
    Chapter(
        10,
        "block",
        "The transformer block",
        parts=("residual", "feed-forward"),
        modules=("headway.nn.block", "headway.nn.norm", "headway.nn.feed_forward"),
    ),
    Chapter(
        11,
        "language-model",
        "Decoder only",
        parts=("logits", "decoder"),
        modules=(
            "headway.models.language_model",
            "headway.training.batches",
        ),
        also_hidden=(
            "headway.models.parts",
            "headway.training.answers",
            "headway.training.loss",
            "headway.inference.decoding",
        ),
    ),
    Chapter(
        12,
        "masked-model",
        "Encoder only",
        parts=("encoder", "attention"),
        modules=(
            "headway.models.masked_model",
            "headway.models.patches",
            "headway.training.masking",
        ),
        also_hidden=("headway.models.heads",),
    ),
    Chapter(
        13,
        "translator",
        "The full encoder–decoder",
        parts=("cross-attention", "encoder", "decoder"),
        modules=(
            "headway.models.translator",
            "headway.training.schedule",
            "headway.training.scheduled_sampling",
        ),
        also_hidden=("headway.training.loss",),
    ),
    Chapter(
        14,
        "decoding",
        "Choosing the next word",
        parts=("choice",),
        modules=(
            "headway.inference.decoding",
            "headway.inference.filters",
            "headway.inference.beam",
            "headway.inference.exact",
        ),
        also_hidden=("headway.figures.gallery.decoding.nucleus",),
    ),
    Chapter(
        15,
        "kv-cache",
        "The KV cache",
        parts=("cache",),
        modules=(
            "headway.inference.kv_cache",
            "headway.inference.cached_translator",
            "headway.inference.cost",
            "headway.inference.latency",
        ),
        also_hidden=(
            "headway.inference.fused",
            "headway.inference.fused_translator",
            "headway.figures.gallery.kv_cache.cache_memory",
        ),
    ),
    Chapter(
        16,
        "outlook",
        "Graphs, limits and what comes next",
        parts=(),
        modules=(
            "headway.models.graph",
            "headway.models.graph_attention",
            "headway.nn.sparse_masks",
        ),
        also_hidden=(
            "headway.inference.cost",
            "headway.figures.gallery.outlook.cost_curves",
        ),
    ),
    Chapter(
        17,
        "answering",
        "From continuing to answering",
        parts=("logits",),
        modules=(
            "headway.text.turns",
            "headway.training.answers",
            "headway.nn.low_rank",
            "headway.training.preferences",
        ),
    ),
    Chapter(
        18,
        "experts",
        "More weights than work",
        parts=("feed-forward",),
        modules=(
            "headway.nn.experts",
            "headway.nn.latent_attention",
            "headway.inference.expert_cost",
        ),
        also_hidden=("headway.inference.cost",),
    ),
    Chapter(
        19,
        "cheaper",
        "The same text for less",
        parts=("cache", "choice"),
        modules=(
            "headway.nn.quantization",
            "headway.nn.running_softmax",
            "headway.inference.speculative",
            "headway.inference.drafts",
            "headway.inference.speculative_cost",
        ),
    ),
)

# The assignment behind the last chapter. Its page, `book/capstone.md`, explains no module. The
# course's models that count are hidden, since a model of one's own is asked for.
CAPSTONE = Chapter(
    20,
    "capstone",
    "A model of your own",
    parts=(),
    modules=(),
    also_hidden=(
        "headway.ngram.markov",
        "headway.ngram.discounting",
        "headway.ngram.count_table",
        "headway.ngram.byte_chain",
        "headway.ngram.byte_baselines",
    ),
)

ASSIGNMENTS = (*CHAPTERS, CAPSTONE)


def explaining(part: str) -> tuple[Chapter, ...]:
    """The chapters that explain a part of the machine, in order."""
    return tuple(chapter for chapter in CHAPTERS if part in chapter.parts)


def hidden_modules() -> dict[str, tuple[str, ...]]:
    """For each assignment, the modules that answer its tasks and are hidden while it is graded."""
    return {chapter.name: (*chapter.modules, *chapter.also_hidden) for chapter in ASSIGNMENTS}


# The `nbgrader_config.py` of course folders that were made before ask for it by this name.
references = hidden_modules


class UnknownChapterError(LookupError):
    """No chapter goes by the number or name that was given."""


def find_chapter(text: str) -> Chapter:
    """The chapter, or the capstone, meant by "1", "01", "one-hot" or "01-one-hot".

    Raises:
        UnknownChapterError: if there is none; the message lists those there are.
    """
    wanted = text.strip().lower()
    for chapter in ASSIGNMENTS:
        if wanted in (chapter.name, chapter.slug) or (
            wanted.isdecimal() and int(wanted) == chapter.number
        ):
            return chapter
    names = [chapter.name for chapter in ASSIGNMENTS]
    close = get_close_matches(wanted, names + [chapter.slug for chapter in ASSIGNMENTS], n=1)
    guess = f" Did you mean {close[0]}?" if close else ""
    raise UnknownChapterError(
        f"There is no chapter {text!r}.{guess} The chapters are: {', '.join(names)}."
    )


def solution_notebook(chapter: Chapter) -> Path | None:
    """An assignment with its solution, in the checkout.

    None if there is no checkout, or its solutions are closed to this account.
    """
    root = checkout()
    closed = root is None or not os.access(root / "solutions", os.X_OK)
    return None if closed else root / "solutions" / chapter.notebook


def released_notebook(chapter: Chapter) -> Path:
    """The released assignment, from the checkout or from inside the installed package."""
    packaged = Path(__file__).resolve().parent / "exercises" / chapter.notebook
    return packaged if packaged.is_file() else course_root() / "exercises" / chapter.notebook
