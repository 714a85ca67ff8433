"""Train, second part: translate sentences whose combinations training has not seen."""

from functools import lru_cache

import numpy as np

from headway.tasks.chapters.translator.behaviors import (
    ANOTHER_ORDER,
    CUT,
    ELSE,
    NEARLY,
    NEARLY_ALL,
    ONE_FOR_ALL,
    REMEMBERED,
    SHUFFLED,
    SOME_EMPTY,
    SPELLED,
    STUCK,
    WORDS_MISTAKEN,
    behavior_of,
)
from headway.tasks.chapters.translator.mistakes import ANOTHER_FORM, START_MISSING
from headway.tasks.chapters.translator.rules import translate_by_rules
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.split import generator
from headway.text.corpus.translation import Translation, hold_out_combinations, translations

TARGET = 0.95
PAIRS, SEED = 20_000, 13


@lru_cache
def known() -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The sources that the notebook trains on, and the combinations that it holds out."""
    pairs = translations(generator(SEED), PAIRS)
    kept, held = hold_out_combinations(generator(SEED), pairs)
    learned = {combination for pair in kept for combination in pair.combinations}
    out = {combination for pair in held for combination in pair.combinations} - learned
    return frozenset(pair.source for pair in kept), frozenset(out)


@lru_cache
def remembered() -> frozenset[str]:
    """All translations of the notebook's pairs, those that it holds out too."""
    return frozenset(pair.target for pair in translations(generator(SEED), PAIRS))


@lru_cache(maxsize=32)
def new_sentences(seed: int) -> tuple[tuple[Translation, ...], tuple[Translation, ...]]:
    """Sentences with a combination that was held out, and others, none of which was trained on."""
    sources, out = known()
    drawn = [pair for pair in translations(generator(seed), 4_000) if pair.source not in sources]
    unseen = [pair for pair in drawn if not out.isdisjoint(pair.combinations)]
    return tuple(unseen), tuple(pair for pair in drawn if out.isdisjoint(pair.combinations))


def translate_cases(rng: np.random.Generator) -> list[Case]:
    unseen, others = new_sentences(int(rng.integers(2**31)))

    def ask(label, pairs, core=False):
        return Case(label, [p.source for p in pairs], truth=[p.target for p in pairs], core=core)

    return [
        ask("combinations that training has not seen", unseen[:320], core=True),
        ask("other new sentences", others[:200]),
    ]


def translate(sentences):
    """The French of each sentence."""
    return [translate_by_rules(sentence) for sentence in sentences]


def share_right(got, case: Case) -> float:
    """The share of sentences that are translated exactly."""
    return float(np.mean([mine == right for mine, right in zip(got, case.truth, strict=True)]))


def compare(got, expected, case: Case) -> Difference | None:
    """None where enough translations are exact."""
    found = _not_texts(got, case)
    if found:
        return found
    share = share_right(got, case)
    if share >= TARGET:
        return None
    at = next(i for i, right in enumerate(case.truth) if got[i] != right)
    return Difference(
        f"{share:.1%} of {len(got)} translations are exact; at least {TARGET:.0%} is asked. The "
        f"first that is not, of {case.inputs[0][at]!r}: got {got[at][:120]!r}, expected "
        f"{case.truth[at]!r}."
    )


def _not_texts(got, case: Case) -> Difference | None:
    if not isinstance(got, list) or not all(isinstance(text, str) for text in got):
        return Difference("expected a list of texts, one for each sentence.")
    if len(got) != len(case.truth):
        return Difference(f"got {len(got)} texts for {len(case.truth)} sentences.")
    return None


def behaves(*behaviors: str):
    """By how the texts of combinations fail that training has not seen."""
    return lambda got, expected, case: (
        not case.core or behavior_of(got, case.truth, remembered()) in behaviors
    )


def untranslated(got, expected, case) -> bool:
    same = np.mean([mine == source for mine, source in zip(got, case.inputs[0], strict=True)])
    return same >= NEARLY_ALL or behaves(REMEMBERED)(got, expected, case)


translate_task = Task(
    id="13-translator/translate",
    title="Translate what training has not seen",
    kind="train",
    points=3,
    minutes=35,
    answer="translate",
    cases=translate_cases,
    reference=translate,
    misconceptions=(
        seen(
            "trained-too-little",
            "Your texts are about right, but too few are right to the end. How far did the loss "
            "fall, and is padding hidden in use as in training?",
            behaves(WORDS_MISTAKEN, NEARLY),
            only_at=("other new sentences",),
        ),
        seen(
            "nothing-translated",
            "You return what was there before: the English, or French sentences of the notebook. "
            "What does the network write for a new sentence, and how do its ids become words?",
            untranslated,
        ),
        seen(
            "in-the-order-of-the-source",
            "Your words are right, but their order is that of English, or guessed. How can a "
            "decoder tell where in the source it is?",
            behaves(ANOTHER_ORDER),
        ),
        seen(
            "words-cut-off",
            "Words are missing at the beginning or at the end. How many tokens come before the "
            "first word, and for which rows does the loop have to wait?",
            behaves(CUT),
        ),
        START_MISSING.by(shows=behaves(SOME_EMPTY)),
        ANOTHER_FORM.by(shows=behaves(SHUFFLED, SPELLED)),
        seen(
            "stuck-on-one-word",
            "Your texts say a few words in a circle, as a decoder does that isn't trained, or "
            "reads its answer or only its last token. What does yours read in each step?",
            behaves(STUCK),
        ),
        seen(
            "source-not-heard",
            "Nearly all sentences get the same text, perhaps an empty one. Did the loss fall, and "
            "does each target come with its own source?",
            behaves(ONE_FOR_ALL),
        ),
        seen(
            "far-from-the-source",
            "Your texts are much too long or too short, or have few words of the right ones. Do "
            "the ids mean in use what they meant in training, and how far did the loss fall?",
            behaves(ELSE),
        ),
    ),
    compare=compare,
)
