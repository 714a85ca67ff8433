"""The known mistakes of the capstone, each made by a model that is quickly fitted."""

from collections.abc import Callable

import numpy as np

from headway.tasks.chapters.capstone.counting import SIZE, counted, fit, predict, remembered
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.own_cell import Cell

BYTES = 256
SYMBOLS = "symbols"


def fitted(change: Callable):
    """The right model, but for what becomes of its numbers."""
    return lambda text, seed: change(fit(text, seed)), predict


def predicting(change: Callable):
    """The right model, but for what becomes of its probabilities: change(P, seen)."""
    return fit, lambda numbers, seen: change(predict(numbers, seen), seen)


def counting(order: int):
    """The right model without a memory, and with a context of so many bytes."""

    def by_counts(numbers, seen):
        P = np.zeros((len(seen), BYTES))
        P[:, numbers[SYMBOLS].astype(int)] = counted(numbers, seen, order)
        return P

    return fit, by_counts


def weakly_remembering(numbers, seen):
    """Looks at the name of the story, and hardly trusts it."""
    P = counting(3)[1](numbers, seen)
    rows = zip(P, seen, strict=True)
    return np.array([remembered(p, bytes(row), sure=0.12, likely=0.12) for p, row in rows])


def of_the_symbols(P, seen):
    """As many columns as there are symbols."""
    return P[:, P.any(axis=0)]


def even(P, seen):
    return np.full_like(P, 1 / BYTES)


def at_random(P, seen):
    """What a model says before it is trained."""
    weights = np.exp(np.random.default_rng(seen.shape[1]).normal(size=P.shape))
    return weights / weights.sum(1, keepdims=True)


def last_again(P, seen):
    """The byte that was seen last."""
    P = 0.1 * P
    P[np.arange(len(P)), seen[:, -1]] += 0.9
    return P


def one_byte_late(numbers, seen):
    """The probabilities of the byte that was seen last, by what came before it."""
    return predict(numbers, seen[:, :-1] if seen.shape[1] > 1 else seen)


def counting_once(order: int, smooth: float):
    """Counts of runs of which each is counted once, with as much left for the shorter ones."""

    def by_kinds(numbers, seen):
        ids, V = np.searchsorted(numbers[SYMBOLS], seen), len(numbers[SYMBOLS])
        shares = np.full((len(seen), V), 1 / V)
        for n in range(min(order, seen.shape[1]) + 1):
            context = ids[:, seen.shape[1] - n :] @ SIZE ** np.arange(n)[::-1] * SIZE
            followed = np.isin(context[:, None] + np.arange(V), numbers[f"runs {n}"])
            kinds = followed.sum(1, keepdims=True)
            shares = (followed + smooth * shares) / (kinds + smooth)
        P = np.zeros((len(seen), BYTES))
        P[:, numbers[SYMBOLS].astype(int)] = shares
        return P

    return fit, by_kinds


def all_counted_once(numbers):
    return {
        name: np.ones_like(x) if name.startswith("counts") else x for name, x in numbers.items()
    }


def softmax(scores, axis):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def over_the_texts(P, seen):
    return softmax(np.log(P + 1e-9), axis=0)


def logarithms(P, seen):
    return np.log(P + 1e-9)


def scores(P, seen):
    return np.log(P + 1e-9) + 5


def weights(P, seen):
    return np.exp(np.log(P + 1e-9) + 1)


def sharpened(P, seen):
    """Each byte with the probability that its share of the largest is."""
    return P / P.max(axis=1, keepdims=True)


def each_place(P, seen):
    """A row for each byte that was seen."""
    return np.repeat(P[:, None], seen.shape[1], axis=1)


def certain(P, seen):
    """The likeliest byte, and no other."""
    return np.eye(BYTES)[P.argmax(axis=1)]


def unsmoothed(P, seen):
    """No unlikely byte."""
    P = np.where(P > 0.02, P, 0)
    return P / P.sum(axis=1, keepdims=True)


def mean_of_the_texts(P, seen):
    return np.repeat(P.mean(axis=0, keepdims=True), len(P), axis=0)


def first_text_only(P, seen):
    return np.repeat(P[:1], len(P), axis=0)


def not_a_number(P, seen):
    return np.where(P.max(axis=1, keepdims=True) == P, np.nan, P)


def one_list(numbers):
    return [array.tolist() for array in numbers.values()]


def in_double_precision(numbers):
    return {name: array.astype(np.float64) for name, array in numbers.items()}


def with_a_whole_number(numbers):
    return {**numbers, "order": 3}


def with_a_table(numbers):
    return {**numbers, "table": np.ones((4, 40, 40, 40), dtype=np.float32)}


def with_a_name_of_another_alphabet(numbers):
    return {**numbers, "größe": np.ones(1, dtype=np.float32)}


def with_an_array_for_each_run(numbers):
    return {**numbers, **{f"run {n}": np.ones(1, dtype=np.float32) for n in range(500)}}


def divided_by_zero(numbers):
    return {**numbers, "counts 0": numbers["counts 0"] * np.float32(np.inf)}


ANY_CELL = """
import numpy as np

KEPT = {}

def fit(text, seed):
    KEPT["shares"] = (np.bincount(text, minlength=256) + 1) / (len(text) + 256)
    return {"shares": KEPT["shares"].astype(np.float32)}

def predict(numbers, seen):
    return np.repeat(numbers["shares"][None].astype(float), len(seen), axis=0)

model = fit, predict
"""


def cell(at: str, becomes: str) -> Cell:
    """A cell that knows how often each byte comes, with something else in one place of it."""
    elsewhere = frozenset({"np", "all_shares"})
    return Cell(ANY_CELL.replace(at, becomes), elsewhere=elsewhere.__contains__)


MISTAKES = (
    Misconception(
        "long-cell",
        cell("KEPT = {}", f"KEPT = {{}}  # {'…' * 5_000}"),
        "Your cell is longer than a cell may be. Which of it does neither fit nor predict need? "
        "Are there numbers in it that should be learned?",
    ),
    Misconception(
        "helper-elsewhere",
        any_of(
            cell("import numpy as np\n", ""),
            cell('numbers["shares"][None]', "all_shares(numbers)[None]"),
            cell("KEPT = {}", "KEPT = dict(all_shares)"),
        ),
        "When it is graded your cell runs alone, and something that it uses is defined or imported "
        "in another one. If you restart the kernel and run this cell only, what is not known?",
    ),
    Misconception(
        "shared-state",
        any_of(
            cell('numbers["shares"]', 'KEPT["shares"]'),
            cell('numbers["shares"]', 'KEPT.get("shares", np.full(256, 1 / 256))'),
            cell('numbers["shares"]', 'np.asarray(KEPT.get("shares"))'),
        ),
        "Where fit has run before it, your predict gives something else than where it has not. "
        "What does it use that is not among the arrays that it is given?",
    ),
    Misconception(
        "not-trained",
        any_of(*map(predicting, (even, at_random))),
        "Your model says of the text what it said before it had read any. Does the loss fall in "
        "fit, are the numbers that it returns those that were trained, and does predict use them?",
    ),
    Misconception(
        "byte-seen-last",
        predicting(last_again),
        "Your model predicts the byte that it has just seen. What stands beside an input in your "
        "training: the byte itself, or the one after it?",
    ),
    Misconception(
        "one-byte-late",
        (fit, one_byte_late),
        "Your model is good at saying the byte that it has seen last, from those before it. Which "
        "row of its output is about the byte that comes next, and how many bytes has it seen?",
    ),
    Misconception(
        "each-run-counted-once",
        any_of(
            *(counting_once(order, smooth) for order in (1, 2, 3) for smooth in (1, 0.05)),
            fitted(all_counted_once),
        ),
        "To your model a byte that followed once is as likely as one that followed a hundred "
        "times. What does it keep of each run: that it comes, or how often?",
    ),
    Misconception(
        "no-context",
        counting(0),
        "Your model knows how often each byte comes, and nothing else. What does predict do with "
        "the bytes that it is given?",
    ),
    Misconception(
        "one-byte-of-context",
        counting(1),
        "Your model does as well as one who sees a single byte. How many of the bytes that it is "
        "given reach the prediction, and does their order?",
    ),
    Misconception(
        "no-better-than-chains",
        any_of(counting(2), counting(3)),
        "Your model knows the spelling of words, and no more than a chain does. Which words of a "
        "sentence agree, and how far are they apart? What in a story can be known from the story "
        "only?",
    ),
    Misconception(
        "names-not-found-again",
        (fit, weakly_remembering),
        "Your model is better than every chain, and yet a name that comes back surprises it. What "
        "would have to be compared with what, to find where the name stood before and what came "
        "after its first letter? How many steps of training does your model need to discover that?",
    ),
    Misconception(
        "one-prediction-for-all-texts",
        any_of(*map(predicting, (mean_of_the_texts, first_text_only))),
        "All texts of a batch get the same probabilities. Over which axis is something averaged, "
        "or which row is taken for all?",
    ),
    Misconception(
        "shares-over-the-texts",
        predicting(over_the_texts),
        "Your columns sum to one, and your rows do not. Which axis counts the bytes among which "
        "the next one is chosen?",
    ),
    Misconception(
        "logarithms",
        predicting(logarithms),
        "What you return is never above zero: it looks like logarithms of probabilities. What "
        "makes probabilities of them?",
    ),
    Misconception(
        "no-probabilities",
        any_of(*map(predicting, (scores, not_a_number))),
        "Some of what you return is below zero or not a number, as scores may be, and "
        "probabilities never. What is left to be done with your scores?",
    ),
    Misconception(
        "sums-not-one",
        any_of(*map(predicting, (weights, sharpened))),
        "Nothing that you return is below zero, and your rows do not sum to one. What are they to "
        "be divided by?",
    ),
    Misconception(
        "a-prediction-for-every-place",
        predicting(each_place),
        "You return a row for each byte that was seen. Which of them is about the byte that comes "
        "next?",
    ),
    Misconception(
        "columns-of-symbols",
        any_of(predicting(of_the_symbols), predicting(lambda P, seen: P[0])),
        "Your array has another shape than is asked for. Is there a row for each text, and a "
        "column for each of the 256 bytes, where your model may count symbols?",
    ),
    Misconception(
        "impossible-bytes",
        any_of(*map(predicting, (certain, unsmoothed))),
        "A byte that comes had the probability zero, and costs infinitely many bits. How sure may "
        "a model be that has read a hundred thousand bytes?",
    ),
    Misconception(
        "too-many-numbers",
        fitted(with_a_table),
        "Your model has more numbers than are allowed. Which of its arrays is the largest, and "
        "what does it grow with?",
    ),
    Misconception(
        "no-plain-arrays",
        any_of(*map(fitted, (one_list, in_double_precision, with_a_whole_number))),
        "What fit returns is no dictionary of float32 arrays. What kind is each of its values, "
        "and what would make an array of a list, of a double or of a single number?",
    ),
    Misconception(
        "names-of-arrays",
        any_of(fitted(with_a_name_of_another_alphabet), fitted(with_an_array_for_each_run)),
        "It is the names of your arrays that are refused: they are too many, too long, or not in "
        "plain letters, so that they could carry numbers themselves. What would one array hold in "
        "place of many?",
    ),
    Misconception(
        "numbers-not-finite",
        fitted(divided_by_zero),
        "Among the numbers of your model is an infinity, a NaN or an empty array. At which step of "
        "the training does the first one come up?",
    ),
)
