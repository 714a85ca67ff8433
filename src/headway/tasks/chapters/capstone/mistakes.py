"""The known mistakes of the capstone, each made by a model that is quickly fitted."""

import base64
import bz2
from collections.abc import Callable

import numpy as np

from headway.tasks.chapters.capstone.cells import cell
from headway.tasks.chapters.capstone.counting import fit, predict
from headway.tasks.chapters.capstone.wrong_models import (
    BYTES,
    all_counted_once,
    counting,
    counting_once,
    known_of_names,
    one_byte_late,
    weakly_remembering,
)
from headway.tasks.engine.mistakes import Misconception, any_of


def fitted(change: Callable):
    """The right model, but for what becomes of its numbers."""
    return lambda text, seed: change(fit(text, seed)), predict


def predicting(change: Callable):
    """The right model, but for what becomes of its probabilities: change(P, seen)."""
    return fit, lambda numbers, seen: change(predict(numbers, seen), seen)


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
    return {**numbers, "table": np.ones((40, 40, 40), dtype=np.float16)}


def keep_the_text(text, seed):
    return {"text": text.astype(np.float16)}


def keep_it_packed(text, seed):
    """The text compressed, and its bytes in the bits of numbers."""
    packed = bz2.compress(text.tobytes())
    return {"text": np.frombuffer(packed[: len(packed) // 4 * 4], dtype=np.float32)}


def keep_it_in_names(text, seed):
    """Pieces of the text, in the alphabet that names may have, as names of arrays."""
    letters = base64.urlsafe_b64encode(bz2.compress(text.tobytes())).decode().replace("=", ".")
    pieces = [letters[i : i + 60].replace("-", " ") for i in range(0, len(letters), 60)]
    return {f"{n:03d} {piece}": np.ones(1, dtype=np.float16) for n, piece in enumerate(pieces)}


def with_a_name_of_another_alphabet(numbers):
    return {**numbers, "größe": np.ones(1, dtype=np.float32)}


def with_an_array_for_each_run(numbers):
    return {**numbers, **{f"run {n}": np.ones(1, dtype=np.float32) for n in range(500)}}


def divided_by_zero(numbers):
    return {**numbers, "counts 0": numbers["counts 0"] * np.float32(np.inf)}


MISTAKES = (
    Misconception(
        "long-cell",
        cell("KEPT = {}", f"KEPT = {{}}  # {'…' * 5_000}"),
        "Your cell is longer than a cell may be. Which part of it does neither fit nor predict "
        "need, and are there numbers in it that should be learned?",
    ),
    Misconception(
        "helper-elsewhere",
        any_of(
            cell("import numpy as np\n", ""),
            cell('numbers["shares"][None]', "all_shares(numbers)[None]"),
            cell("KEPT = {}", "KEPT = dict(all_shares)"),
        ),
        "When it is graded, your cell runs alone, and something it uses comes from another cell. "
        "If you restart the kernel and run only this one, what is not known?",
    ),
    Misconception(
        "shared-state",
        any_of(
            cell('numbers["shares"]', 'KEPT["shares"]'),
            cell('numbers["shares"]', 'KEPT.get("shares", np.full(256, 1 / 256))'),
            cell('numbers["shares"]', 'np.asarray(KEPT.get("shares"))'),
        ),
        "Where fit has not run before it, your predict gives something else. What does it use "
        "besides the arrays that it is given?",
    ),
    Misconception(
        "not-trained",
        any_of(*map(predicting, (even, at_random))),
        "Your model predicts what it would before reading any text. Does the loss fall in fit, "
        "and are the trained numbers those that fit returns and predict uses?",
    ),
    Misconception(
        "one-byte-late",
        any_of(predicting(last_again), (fit, one_byte_late)),
        "Your model predicts the byte that it has just seen. Which byte does each input learn to "
        "predict, and which row of the output is about the next one?",
    ),
    Misconception(
        "each-run-counted-once",
        any_of(
            *(counting_once(order, smooth) for order in (1, 2, 3) for smooth in (1, 0.05)),
            fitted(all_counted_once),
        ),
        "To your model, a byte that followed once is as likely as one that followed a hundred "
        "times. What does it keep of each run?",
    ),
    Misconception(
        "context-too-short",
        any_of(counting(0), counting(1)),
        "Your model does as well as a chain that sees one byte or none. How many of the bytes "
        "that it is given reach the prediction?",
    ),
    Misconception(
        "no-better-than-chains",
        any_of(counting(2), counting(3)),
        "Your model knows no more than a chain does. How far apart are the words of a sentence "
        "that agree, and what can be known from the story alone?",
    ),
    Misconception(
        "endings-not-agreed",
        (fit, known_of_names),
        "Your model beats every chain, but not at the ending of a verb behind a name. Which word "
        "of the story tells the ending, and how far back is it?",
    ),
    Misconception(
        "names-not-found-again",
        (fit, weakly_remembering),
        "Your model beats every chain, but a name that comes back still surprises it. What would "
        "have to be compared with what, to find where the name was before?",
    ),
    Misconception(
        "one-prediction-for-all-texts",
        any_of(*map(predicting, (mean_of_the_texts, first_text_only))),
        "All texts of a batch get the same probabilities. Where does one text stand in for all, "
        "or an average over them?",
    ),
    Misconception(
        "shares-over-the-texts",
        predicting(over_the_texts),
        "Your columns sum to one, but your rows don't. Along which axis are the bytes that "
        "compete to come next?",
    ),
    Misconception(
        "no-probabilities",
        any_of(*map(predicting, (logarithms, scores, not_a_number))),
        "Some of what you return is below zero or not a number, as scores and logarithms can be. "
        "What makes probabilities of them?",
    ),
    Misconception(
        "sums-not-one",
        any_of(*map(predicting, (weights, sharpened))),
        "Nothing you return is below zero, but your rows don't sum to one. What should they be "
        "divided by?",
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
        "Your array has another shape than the one asked for. Which rows and columns should it "
        "have, and which does your model give?",
    ),
    Misconception(
        "impossible-bytes",
        any_of(*map(predicting, (certain, unsmoothed))),
        "A byte that comes had the probability zero, and costs infinitely many bits. How sure can "
        "a model be after a few hundred thousand bytes?",
    ),
    Misconception(
        "too-large-a-model",
        any_of(fitted(with_a_table), (keep_the_text, predict), (keep_it_packed, predict)),
        "Your model takes more bytes than are allowed. Which of its arrays is the largest, and "
        "does it hold what you have learned from the text, or the text?",
    ),
    Misconception(
        "no-plain-arrays",
        any_of(*map(fitted, (one_list, in_double_precision, with_a_whole_number))),
        "What fit returns is not a dictionary of float16 or float32 arrays. Of what kind is each "
        "of its values?",
    ),
    Misconception(
        "names-of-arrays",
        any_of(
            fitted(with_a_name_of_another_alphabet),
            fitted(with_an_array_for_each_run),
            (keep_it_in_names, predict),
        ),
        "The names of your arrays are refused: there are too many, or they are too long or not in "
        "plain letters. Could one array hold what many hold now?",
    ),
    Misconception(
        "numbers-not-finite",
        fitted(divided_by_zero),
        "Among the numbers of your model is an infinity, a NaN or an empty array. At which step "
        "of training does the first one appear?",
    ),
)
