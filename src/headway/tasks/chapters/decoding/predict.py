"""Values to work out by hand: probabilities of sentences, what filters keep, what beams keep."""

from headway.tasks.chapters.decoding.mistakes import (
    ANOTHER_BEGINNING_LIVES,
    ANOTHER_NUMBER_KEPT,
    BEAM_OF_ANOTHER_WIDTH,
    CHOSEN_BY_THE_LAST_WORD,
    FINISHED_GOES_ON,
    FINISHED_TOO_EASILY,
    GREEDY,
    HYPOTHESES_LOST,
    LIKELIER_TOKEN_DROPPED,
    ONE_CHILD_EACH,
    ONE_PLACE_OFF,
    ONE_TOKEN_OFF,
    ORDER_NOT_UNDONE,
    OTHER_WORDS_THAN_CHOSEN,
    RESULTS_IN_ANOTHER_FORM,
    STEPS_IN_ANOTHER_ORDER,
    SUM_FOR_PRODUCT,
    TEMPERATURE_UPSIDE_DOWN,
    TEMPERATURE_WITHOUT_EFFECT,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close, equal
from headway.tasks.engine.mistakes import Misconception, any_of, seen

SECONDS = ((0.5, 0.5, 0.4, 0.1), (0.3, 0.2, 0.7, 0.1), (0.2, 0.1, 0.1, 0.8))
THIRDS = (
    *((0.4, 0.35, 0.25), (0.45, 0.35, 0.2), (0.4, 0.5, 0.1), (0.5, 0.4, 0.1), (0.3, 0.2, 0.5)),
    *((0.9, 0.05, 0.05), (0.9, 0.05, 0.05), (0.6, 0.3, 0.1), (0.05, 0.9, 0.05)),
)
# The probabilities of the three words of each sentence that can be written.
SENTENCES = [
    (first, second, third)
    for a, (first, *after) in enumerate(SECONDS)
    for b, second in enumerate(after)
    for third in THIRDS[3 * a + b]
]


def _is_one_of(number, numbers) -> bool:
    return any(abs(number - other) < 6e-4 for other in numbers)


PRODUCTS = [a * b * c for a, b, c in SENTENCES]


def all_are(numbers):
    """Whether all wrong numbers are some of these, and no probabilities of sentences."""
    return lambda got, expected, case: all(
        _is_one_of(mine, [right]) or (_is_one_of(mine, numbers) and not _is_one_of(mine, PRODUCTS))
        for mine, right in zip(got, expected, strict=True)
    )


# we can go 0.5 · 0.5 · 0.4; it will stay 0.2 · 0.8 · 0.9
sequence = by_hand(
    "14-decoding/sequence",
    "The greedy sentence and the best",
    [0.1, 0.144],
    SUM_FOR_PRODUCT.by(
        [0.467, 0.633],
        shows=lambda *three: max(three[0]) > 1 and all_are([*map(sum, SENTENCES)])(*three),
    ),
    GREEDY.by([0.1, 0.1]),
    Misconception(
        "best-sentence-missed",
        [0.1, 0.105],
        "The greedy sentence is right, but there is a likelier one than your second. With which "
        "words might it begin?",
        lambda got, expected, case: (
            _is_one_of(got[0], [0.1]) and _is_one_of(got[1], PRODUCTS) and got[1] < expected[1]
        ),
    ),
    Misconception(
        "best-of-each-column",
        any_of([0.1, 0.36], [0.225, 0.36], [0.36, 0.36], [0.36, 0.144]),
        "You multiply the largest number of each column. Do these words stand in one sentence?",
    ),
    Misconception(
        "a-word-left-out",
        [0.4, 0.9],
        "A sentence has three words here, and each of them has a probability. Which one is "
        "missing in your product?",
        all_are([pair for a, b, c in SENTENCES for pair in (a * b, b * c, a * c)]),
    ),
    seen(
        "not-the-greedy-sentence",
        "Your first number is the probability of a sentence, but not of the greedy one. Which word "
        "is the likeliest at the beginning, and which after it?",
        lambda got, expected, case: (
            _is_one_of(got[0], PRODUCTS) and not _is_one_of(got[0], expected[:1])
        ),
    ),
    seen(
        "no-probability-of-a-sentence",
        "One of your numbers is the probability of no sentence. Which three numbers do you "
        "multiply, and in which rows of the tables are they?",
        lambda got, expected, case: any(not _is_one_of(mine, PRODUCTS) for mine in got),
    ),
    RESULTS_IN_ANOTHER_FORM.by([0.144, 0.1]),
    minutes=5,
    answer="sequence",
    compare=close(atol=6e-4),
)

WEIGHTS = (3, 12, 1, 8, 4, 16, 6, 10)


def _off(got, expected) -> list[tuple[list, list]]:
    """The lists that are wrong, each with the right one."""
    both = ((sorted(map(int, mine)), right) for mine, right in zip(got, expected, strict=True))
    return [(mine, right) for mine, right in both if mine != right]


def _are_the_likeliest(ids) -> bool:
    return sorted(ids) == sorted(sorted(range(8), key=lambda i: -WEIGHTS[i])[: len(ids)])


def of_the_likeliest(tells):
    """Whether the wrong lists have the likeliest ids, and a number of them that tells."""
    return lambda got, expected, case: all(
        _are_the_likeliest(mine) and tells(len(mine) - len(right))
        for mine, right in _off(got, expected)
    )


# Shares of 60: id 5 has 16, 1 has 12, 7 has 10, 3 has 8, 6 has 6, 4 has 4, 0 has 3, 2 has 1.
support = by_hand(
    "14-decoding/support",
    "What three filters keep",
    [[1, 3, 5, 7], [1, 5, 7], [1, 5]],
    ONE_TOKEN_OFF.by(
        [[1, 5, 7], [1, 5], [5]],
        shows=of_the_likeliest(lambda more: abs(more) == 1),
    ),
    STEPS_IN_ANOTHER_ORDER.by([[1, 3, 5, 7], [1, 3, 5, 7], [1, 5]]),
    TEMPERATURE_UPSIDE_DOWN.by([[1, 3, 5, 7], [1, 5, 7], [1, 3, 5, 7]]),
    TEMPERATURE_WITHOUT_EFFECT.by(
        [[1, 3, 5, 7], [1, 5, 7], [1, 5, 7]], [[1, 3, 5, 7], [1, 3, 5, 7], [1, 5, 7]]
    ),
    ORDER_NOT_UNDONE.by(
        *([[0, 1, 2, 3], [0, 1, 2], [0, 1]], [[1, 2, 3, 4], [1, 2, 3], [1, 2]]),
        *([[8, 10, 12, 16], [10, 12, 16], [12, 16]], [[16, 12, 10, 8], [16, 12, 10], [16, 12]]),
    ),
    ONE_PLACE_OFF.by([[2, 4, 6, 8], [2, 6, 8], [2, 6]]),
    RESULTS_IN_ANOTHER_FORM.by(
        [[1, 5], [1, 5, 7], [1, 3, 5, 7]], shows=lambda got, expected, case: not _off(got, expected)
    ),
    LIKELIER_TOKEN_DROPPED.by(
        shows=lambda got, expected, case: not all(map(_are_the_likeliest, got))
    ),
    ANOTHER_NUMBER_KEPT.by(shows=of_the_likeliest(bool)),
    minutes=7,
    answer="support",
    compare=equal(),
)

# Step 2: ca 0.2, cb 0.15, a. 0.135. Step 3: ca. 0.09, cbc 0.06, caa 0.05.
beams = by_hand(
    "14-decoding/beams",
    "A beam of two",
    [["ca", "cb"], ["cbc", "caa"], ["ca."]],
    ONE_CHILD_EACH.by(
        [["ca", "aa"], ["caa", "aaa"], ["ca."]],
        [["ca", "aa"], ["caa", "aaa"], ["a.", "ca."]],
        [["ca", "aa"], ["caa", "aaa"], ["ca.", "aa."]],
        [["ca"], ["caa"], ["a.", "ca."]],
        [["ca"], [], ["a.", "ca."]],
    ),
    GREEDY.by([["ca"], ["caa"], ["ca."]], [["ca"], ["caa"], []], [["ca"], [], ["ca."]]),
    CHOSEN_BY_THE_LAST_WORD.by([["a.", "ca"], ["ca.", "cbc"], ["a.", "ca."]]),
    FINISHED_GOES_ON.by(
        shows=lambda got, expected, case: any("." in text[:-1] for some in got for text in some)
    ),
    OTHER_WORDS_THAN_CHOSEN.by(
        [["ca", "cb"], ["cbc", "caa"], ["ca"]],
        shows=lambda got, expected, case: any(
            len(text) != n for n, some in zip((2, 3), got, strict=False) for text in some
        ),
    ),
    BEAM_OF_ANOTHER_WIDTH.by(
        [["ca", "cb"], ["ca.", "cbc"], ["ca."]],
        shows=lambda got, expected, case: any(
            len([text for text in living if text[-1] != "."]) != 2 for living in got[:2]
        ),
    ),
    RESULTS_IN_ANOTHER_FORM.by(
        [["ca", "cb"], ["caa", "cbc"], ["ca."]],
        shows=lambda got, expected, case: [*map(sorted, got)] == [*map(sorted, expected)],
    ),
    ANOTHER_BEGINNING_LIVES.by(
        shows=lambda got, expected, case: [*map(sorted, got[:2])] != [*map(sorted, expected[:2])]
    ),
    FINISHED_TOO_EASILY.by(
        [["ca", "cb"], ["cbc", "caa"], ["a.", "ca."]],
        shows=lambda got, expected, case: (
            len({*got[2]}) > 1 or any(text[-1] != "." for text in got[2])
        ),
    ),
    HYPOTHESES_LOST.by(
        [["ca", "cb"], ["cbc", "caa"], []], shows=lambda got, expected, case: not {*got[2]}
    ),
    minutes=8,
    answer="beams",
    compare=equal(),
)
