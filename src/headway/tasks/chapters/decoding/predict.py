"""Values to work out by hand: probabilities of sentences, what filters keep, what beams keep."""

from headway.tasks.chapters.decoding.mistakes import (
    BEAM_OF_ANOTHER_WIDTH,
    CHOSEN_BY_THE_LAST_WORD,
    FINISHED_TOO_EASILY,
    GREEDY,
    HYPOTHESES_LOST,
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
from headway.tasks.engine.mistakes import Misconception, any_of

# we can go 0.5 · 0.5 · 0.4; it will stay 0.2 · 0.8 · 0.9
sequence = by_hand(
    "14-decoding/sequence",
    "The greedy sentence and the best",
    [0.1, 0.144],
    SUM_FOR_PRODUCT.by([1.4, 1.9], [1.4, 2.0], [0.467, 0.633], [0.4667, 0.6333]),
    GREEDY.by([0.1, 0.1]),
    Misconception(
        "best-sentence-missed",
        any_of([0.1, 0.105], [0.1, 0.09], [0.1, 0.0875], [0.1, 0.088]),
        "The greedy sentence is right, but there is a likelier one than your second. With which "
        "words might it begin?",
    ),
    Misconception(
        "best-of-each-column",
        any_of([0.1, 0.36], [0.225, 0.36], [0.36, 0.36], [0.36, 0.144]),
        "You multiply the largest number of each column. Do these words stand in one sentence?",
    ),
    Misconception(
        "a-word-left-out",
        any_of([0.25, 0.21], [0.25, 0.25], [0.25, 0.16], [0.2, 0.72], [0.2, 0.81], [0.4, 0.9]),
        "A sentence has three words here, and each of them has a probability. Which one is "
        "missing in your product?",
    ),
    RESULTS_IN_ANOTHER_FORM.by([0.144, 0.1]),
    minutes=5,
    answer="sequence",
    compare=close(atol=6e-4),
)

# Shares of 60: id 5 has 16, 1 has 12, 7 has 10, 3 has 8, 6 has 6, 4 has 4, 0 has 3, 2 has 1.
support = by_hand(
    "14-decoding/support",
    "What three filters keep",
    [[1, 3, 5, 7], [1, 5, 7], [1, 5]],
    ONE_TOKEN_OFF.by(
        *([[1, 5, 7], [1, 5], [5]], [[1, 5, 7], [1, 5, 7], [5]]),
        *([[1, 3, 5, 6, 7], [1, 3, 5, 7], [1, 5, 7]], [[1, 3, 5, 6, 7], [1, 5, 7], [1, 5, 7]]),
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
        [[5, 1, 7, 3], [5, 1, 7], [5, 1]], [[1, 5], [1, 5, 7], [1, 3, 5, 7]]
    ),
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
    FINISHED_TOO_EASILY.by(
        [["ca", "cb"], ["cbc", "caa"], ["a.", "ca."]],
        [["ca", "cb"], ["cbc", "caa"], ["a.", "c.", "ca.", "cb."]],
        [["ca", "cb"], ["cbc", "caa"], ["c.", "a.", "ca.", "cb."]],
        [["ca", "cb"], ["cbc", "caa"], ["ca.", "cb."]],
    ),
    HYPOTHESES_LOST.by([["ca", "cb"], ["cbc", "caa"], []]),
    BEAM_OF_ANOTHER_WIDTH.by(
        [["ca", "cb"], ["cbc"], ["ca."]],
        [["ca", "cb"], ["ca.", "cbc"], ["ca."]],
        [["ca", "cb"], ["ca.", "cbc"], []],
        [["ca", "cb", "aa"], ["cbc", "caa", "cba"], ["a.", "ca."]],
        [["ca", "cb", "bc"], ["cbc", "caa", "cba"], ["a.", "ca."]],
        [["ca", "cb", "cc"], ["cbc", "caa", "cba"], ["a.", "ca."]],
    ),
    GREEDY.by([["ca"], ["caa"], ["ca."]], [["ca"], ["caa"], []], [["ca"], [], ["ca."]]),
    CHOSEN_BY_THE_LAST_WORD.by(
        [["a.", "ca"], ["ca.", "cbc"], ["a.", "ca."]],
    ),
    OTHER_WORDS_THAN_CHOSEN.by([["ca", "cb"], ["cbc", "caa"], ["ca"]]),
    RESULTS_IN_ANOTHER_FORM.by(
        [["ca", "cb"], ["caa", "cbc"], ["ca."]],
        [["cb", "ca"], ["caa", "cbc"], ["ca."]],
        [["cb", "ca"], ["cbc", "caa"], ["ca."]],
    ),
    minutes=8,
    answer="beams",
    compare=equal(),
)
