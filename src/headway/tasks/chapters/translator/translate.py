"""Train, second part: translate sentences whose combinations training has not seen."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from headway.tasks.chapters.translator.behaviors import (
    ANOTHER_ORDER,
    BEHAVIORS,
    CUT,
    NEARLY,
    ONE_FOR_ALL,
    REMEMBERED,
    SHUFFLED,
    SOME_EMPTY,
    STUCK,
    WORDS_MISTAKEN,
    behavior_of,
    shows,
)
from headway.tasks.chapters.translator.mistakes import ANOTHER_FORM, START_MISSING
from headway.tasks.chapters.translator.rules import (
    in_english_order,
    translate_by_rules,
    word_by_word,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of
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
    seen = {combination for pair in kept for combination in pair.combinations}
    out = {combination for pair in held for combination in pair.combinations} - seen
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
    unseen, seen = new_sentences(int(rng.integers(2**31)))

    def ask(label, pairs, core=False):
        return Case(label, [p.source for p in pairs], truth=[p.target for p in pairs], core=core)

    return [
        ask("combinations that training has not seen", unseen[:320], core=True),
        ask("other new sentences", seen[:200]),
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


def alike(got, expected, case: Case) -> Difference | None:
    """None where nearly all texts are the same, or one answer shows the behavior that is expected.

    A network fails in words of its own; how it fails, the combinations that it has not seen tell.
    """
    if not isinstance(got, list) or not isinstance(expected, list) or len(got) != len(expected):
        return Difference("not as many texts.")
    if expected[0] in BEHAVIORS and all(type(text) is str for text in got):
        shown = behavior_of(got, case.truth, remembered()) == expected[0]
        return None if shown or not case.core else Difference("another behavior.")
    same = np.mean([mine == theirs for mine, theirs in zip(got, expected, strict=True)])
    return None if same >= TARGET else Difference("other texts.")


def each(change: Callable[[str], str]):
    """A wrong translator: change(translation) of what is right."""
    return lambda sentences: [change(text) for text in translate(sentences)]


def _as_long_as_the_source(sentences):
    return [
        " ".join(text.split()[: len(sentence.split())])
        for text, sentence in zip(translate(sentences), sentences, strict=True)
    ]


def _all_stop_with_the_first(sentences):
    """The loop ends when one row does: none is longer than the shortest and its end symbol."""
    texts = [text.split() for text in translate(sentences)]
    steps = min(map(len, texts)) + 1
    return [" ".join(words[:steps]) for words in texts]


def _filled(sentences):
    texts = translate(sentences)
    longest = max(len(text.split()) for text in texts)
    return [
        " ".join([*text.split(), "<end>", *["<pad>"] * (longest - len(text.split()))])
        for text in texts
    ]


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
        Misconception(
            "nothing-translated",
            any_of(lambda sentences: list(sentences), shows(REMEMBERED)),
            "You return what was there before: the English, or French sentences of the notebook. "
            "What does the network write for a new sentence, and how do its ids become words?",
        ),
        Misconception(
            "in-the-order-of-the-source",
            any_of(
                lambda sentences: [word_by_word(sentence) for sentence in sentences],
                lambda sentences: [in_english_order(sentence) for sentence in sentences],
                shows(ANOTHER_ORDER),
            ),
            "Your words are right, but their order is that of English, or guessed. How can a "
            "decoder tell where in the source it is?",
        ),
        Misconception(
            "words-cut-off",
            any_of(
                each(lambda text: " ".join(text.split()[1:])),
                each(lambda text: " ".join(text.split()[:-1])),
                _as_long_as_the_source,
                _all_stop_with_the_first,
                shows(CUT),
            ),
            "Words are missing at the beginning or at the end. How many tokens come before the "
            "first word, and for which rows does the loop have to wait?",
        ),
        START_MISSING.by(shows(SOME_EMPTY)),
        ANOTHER_FORM.by(
            lambda sentences: translate(sorted(sentences, key=lambda text: len(text.split()))),
            lambda sentences: translate(sorted(sentences, key=len)),
            shows(SHUFFLED),
            each(lambda text: f"{text} <end>"),
            each(lambda text: f"<start> {text}"),
            each(lambda text: f"<start> {text} <end>"),
            _filled,
            each(lambda text: text.replace("' ", "'")),
            each(lambda text: f"{text} "),
        ),
        Misconception(
            "stuck-on-one-word",
            shows(STUCK),
            "Your texts say a few words in a circle, as a decoder does that isn't trained, or "
            "reads its answer or only its last token. What does yours read in each step?",
        ),
        Misconception(
            "source-not-heard",
            shows(ONE_FOR_ALL),
            "Nearly all sentences get the same text, perhaps an empty one. Did the loss fall, and "
            "does each target come with its own source?",
        ),
        Misconception(
            "trained-too-little",
            any_of(shows(WORDS_MISTAKEN), shows(NEARLY)),
            "Your texts are about right, but too few are right to the end. How far did the loss "
            "fall, and is padding hidden in use as in training?",
        ),
    ),
    compare=compare,
    alike=alike,
)
