"""Build: choose words, hide most of them, and keep what stood there as labels."""

import numpy as np

from headway.tasks.chapters.masked_model.mask_looks import (
    CALLS,
    NOTHING,
    alike,
    as_asked,
    both,
    chance_without_seed,
    drawn_together,
)
from headway.tasks.chapters.masked_model.mistakes import (
    ANOTHER_SIGN,
    ARGUMENT_NOT_READ,
    CHOSEN_AND_OTHERS_SWAPPED,
    CHOSEN_NOT_ASKED,
    EVERY_PLACE_ASKED,
    FATES_MIXED_UP,
    LABELS_AFTER_MASKING,
    RANDOM_WORD,
    SHARES_OF_ANOTHER_WHOLE,
    SPECIALS_CHOSEN,
)
from headway.tasks.chapters.masked_model.wrong_masks import (
    all_are_words,
    always_another,
    draws_for_each_fate,
    fates_of_all,
    fixed_number,
    fixed_number_of_all,
    fixed_numbers_of_fates,
    one_fate,
    specials_kept_in_labels,
    words_behind_the_specials,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.calls import call_each
from headway.tasks.engine.task import Case, Task


def mask_tokens(ids, special, mask_id, size, seed, share=0.15):
    """Inputs with some words hidden, and labels: the words that were chosen, −100 elsewhere."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    may = ~np.isin(ids, special)
    chosen = may & (rng.random(ids.shape) < share)
    fate = rng.random(ids.shape)
    others = rng.choice(words, ids.shape)
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = np.where(chosen & (fate >= 0.9), others, inputs)
    labels = np.where(chosen, ids, NOTHING)
    return inputs, labels


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, shape, size, special, share=None, words=True, few=None, **options):
        """Texts that begin and end with special tokens, and are filled up with others.

        Args:
            few: how many of the words the texts have; all of them if not given.
        """
        order = in_any_order(size)
        apart, others = order[:special], order[special:]
        if not special:  # the mask is special, wherever it is
            apart, others = order[:1], order[1:]
        ids = rng.choice(others[:few] if words else apart, shape)
        if special > 1:
            ids[:, 0], ids[:, -1] = apart[-1], apart[-1]
            lengths = rng.integers(shape[1] // 2, shape[1] + 1, len(ids))
            ids[np.arange(shape[1]) >= lengths[:, None]] = apart[-2]
        seed = int(rng.integers(1, 10_000))
        given = [] if share is None else [share]
        return Case(label, ids, apart.tolist(), int(apart[0]), size, seed, *given, **options)

    def in_any_order(size):
        """Ids, of which the first are special; 0 is a word, and stands last."""
        return np.append(rng.permutation(np.arange(1, size)), 0)

    def small(*seeds):
        """Calls with the same forty words, and a seed each."""
        order = in_any_order(30)
        ids, special = rng.choice(order[3:], (4, 10)), order[:3].tolist()
        return [[ids.copy(), [*special], special[0], 30, int(seed)] for seed in seeds]

    first, other = rng.permutation(10_000)[:2]
    return [
        draw("many texts", (300, 100), 40, 4, core=True),
        # So many that nine tenths of the share tell.
        draw("twice as many", (600, 100), 40, 4, core=True),
        draw("two different words", (300, 100), 6, 4),
        draw("few of the words there are", (100, 60), 60, 4, few=6),
        Case(
            "small batches, each with a seed of its own",
            small(*rng.permutation(10_000)[:CALLS]),
            verb=call_each,
            compare=both(drawn_together),
        ),
        Case(
            "a seed twice, and another one",
            small(first, first, other),
            verb=call_each,
            compare=both(chance_without_seed),
        ),
        draw("texts without special tokens", (100, 60), 30, 0),
        draw("special tokens only", (30, 40), 12, 4, words=False),
        draw("one text", (1, 5_000), 25, 3),
        draw("half of the words", (100, 60), 30, 3, 0.5, path="another share"),
        draw("every word", (100, 60), 30, 3, 1.0, path="another share"),
        draw("no word", (100, 60), 30, 3, 0.0, path="another share"),
    ]


MAY, CHOSEN = "~np.isin(ids, special)", "rng.random(ids.shape) < share"
FATE, OTHERS = "fate = rng.random(ids.shape)", "rng.choice(words, ids.shape)"
MASKED, REPLACED = "chosen & (fate < 0.8)", "chosen & (fate >= 0.9)"
LABELS = "np.where(chosen, ids, NOTHING)"


(always_masked,) = changed(mask_tokens, FATE, "fate = np.zeros(ids.shape)")

mask_tokens_task = Task(
    id="12-masked-model/mask-tokens",
    title="Masking, with labels",
    kind="build",
    points=3,
    minutes=20,
    answer="mask_tokens",
    cases=cases,
    reference=mask_tokens,
    misconceptions=(
        SPECIALS_CHOSEN.by(
            changed(mask_tokens, MAY, "np.ones(ids.shape, dtype=bool)", "ids != mask_id"),
            specials_kept_in_labels,
            all_are_words,
        ),
        EVERY_PLACE_ASKED.by(
            changed(mask_tokens, LABELS, "ids.copy()", "np.where(may, ids, NOTHING)")
        ),
        CHOSEN_NOT_ASKED.by(
            changed(
                mask_tokens,
                LABELS,
                "np.where(chosen & (inputs == mask_id), ids, NOTHING)",
                "np.where(chosen & (inputs != ids), ids, NOTHING)",
                "np.where(chosen & (fate < 0.9), ids, NOTHING)",
                "np.where(chosen & ((fate < 0.8) | (fate >= 0.9)), ids, NOTHING)",
            )
        ),
        LABELS_AFTER_MASKING.by(
            changed(mask_tokens, LABELS, "np.where(chosen, inputs, NOTHING)"),
            changed(always_masked, LABELS, "np.where(chosen, inputs, NOTHING)"),
        ),
        CHOSEN_AND_OTHERS_SWAPPED.by(
            changed(mask_tokens, LABELS, "np.where(chosen, NOTHING, ids)"),
            changed(mask_tokens, CHOSEN, "rng.random(ids.shape) > share"),
        ),
        ANOTHER_SIGN.by(
            changed(mask_tokens, MAY, "~np.isin(ids, special) & (ids > 0)"),
            changed(mask_tokens, LABELS, "np.where(chosen & (ids > 0), ids, NOTHING)"),
            changed(mask_tokens, LABELS, "np.where(chosen, ids, -1)", "np.where(chosen, ids, 0)"),
            changed(all_are_words, LABELS, "np.where(chosen, ids, -1)"),
        ),
        Misconception(
            "one-draw-for-both",
            changed(mask_tokens, FATE, "fate = np.random.default_rng(seed).random(ids.shape)"),
            "All chosen words become the mask, unless every word is chosen. Which draws choose a "
            "word, and what becomes of it at such a draw?",
        ),
        Misconception(
            "special-by-number",
            any_of(
                changed(mask_tokens, MAY, "ids >= len(special)"),
                changed(
                    *changed(mask_tokens, MAY, "ids >= len(special)"),
                    "np.setdiff1d(np.arange(size), special)",
                    "np.arange(len(special), size)",
                ),
                changed(mask_tokens, MAY, "ids > max(special)"),
                words_behind_the_specials,
            ),
            "You tell special tokens by how small their ids are, in the texts or where a random "
            "word is drawn. What says which ids are special?",
        ),
        RANDOM_WORD.by(
            changed(
                mask_tokens,
                OTHERS,
                "rng.choice(ids[may] if may.any() else words, ids.shape)",
                "rng.choice(np.unique(ids[may]) if may.any() else words, ids.shape)",
                "rng.choice(words[:-1], ids.shape)",
                "rng.choice(words[1:], ids.shape)",
                "rng.choice(words)",
                "np.broadcast_to(rng.choice(words), ids.shape)",
                "words[0]",
                "rng.integers(size, size=ids.shape)",
                "rng.integers(0, size - 1, size=ids.shape)",
                "rng.integers(1, size, size=ids.shape)",
                "rng.choice(special, ids.shape)",
                "rng.integers(len(special), size, size=ids.shape)",
                "rng.integers(size - len(special), size=ids.shape)",
            ),
            always_another,
        ),
        Misconception(
            "chance-without-the-seed",
            changed(mask_tokens, "default_rng(seed)", "default_rng()", "default_rng(0)"),
            "With the same seed your second call gives something else, or every seed gives the "
            "same. Where does chance come from in your code?",
        ),
        Misconception(
            "no-draw-for-each-word",
            any_of(
                one_fate,
                fixed_number,
                fixed_number_of_all,
                fixed_numbers_of_fates,
                changed(
                    mask_tokens,
                    CHOSEN,
                    "rng.random(ids.shape[1]) < share",
                    "rng.random((len(ids), 1)) < share",
                    "rng.random() < share",
                ),
            ),
            "Whether a word is chosen, or what becomes of it, hangs on what happens to others. How "
            "many draws does each word have for itself?",
        ),
        FATES_MIXED_UP.by(
            always_masked,
            changed(mask_tokens, MASKED, "chosen", "chosen & (fate < 0.9)"),
            changed(mask_tokens, "rng.choice(words, ids.shape)", "mask_id"),
            changed(mask_tokens, MASKED, "chosen & (fate < 0.1)", "chosen & (fate >= 0.8)"),
            changed(
                mask_tokens,
                REPLACED,
                "chosen & (fate >= 0.8)",
                "chosen & (fate < 0.9)",
                "chosen & (fate >= 0.98)",
            ),
            changed(mask_tokens, MASKED, "chosen & (fate < 0.7)"),
            fates_of_all,
            draws_for_each_fate,
        ),
        SHARES_OF_ANOTHER_WHOLE.by(
            changed(
                mask_tokens,
                CHOSEN,
                "rng.random(ids.shape) < share * ids.size / may.sum()",
                "rng.random(ids.shape) < 0.8 * share",
                "rng.random(ids.shape) < 0.9 * share",
            )
        ),
        ARGUMENT_NOT_READ.by(changed(mask_tokens, CHOSEN, "rng.random(ids.shape) < 0.15")),
    ),
    compare=as_asked,
    alike=alike,
)
