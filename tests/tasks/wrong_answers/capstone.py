"""Wrong answers to assignment 20, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import base64
import bz2
from functools import cache

import numpy as np
import torch

from headway.tasks.chapters.capstone import counting
from headway.tasks.chapters.capstone.counting import agreeing, counted, remembered
from headway.tasks.chapters.capstone.model import model_task
from headway.tasks.engine.drawn_cases import cases_of
from headway.tasks.engine.processor_time import TimeUp
from headway.tasks.engine.unseen_text.cell import Cell

FIRST, EVERY = 10, 113  # characters from the end of a line to z


def pairs(text, seed):
    """How often each character follows each other one."""
    table = np.full((EVERY, EVERY), 0.01)
    np.add.at(table, (text[:-1] - FIRST, text[1:] - FIRST), 1)
    return {"table": table.clip(max=60_000).astype(np.float16)}


def row_of_pairs(numbers, seen):
    """Scores (B, 256) of what follows the last byte."""
    scores = torch.full((len(seen), 256), -20.0)
    table = torch.from_numpy(numbers["table"]).float().log()
    scores[:, FIRST : FIRST + EVERY] = table[seen[:, -1].astype(int) - FIRST]
    return scores


def bigram(numbers, seen):
    return row_of_pairs(numbers, seen).softmax(-1)


def letters_in_use(text, seed):
    return {"used": np.unique(text).astype(np.float32)}


def any_letter_in_use(numbers, seen):
    P = np.zeros((len(seen), 256))
    P[:, numbers["used"].astype(int)] = 1 / len(numbers["used"])
    return P


def untouched_weights(text, seed):
    generator = torch.Generator().manual_seed(seed)
    return {"table": torch.randn(EVERY, EVERY, generator=generator).half()}


def shares(text, seed):
    times = torch.bincount(torch.from_numpy(text), minlength=256).float()
    return {"shares": (times + 0.01) / (times + 0.01).sum()}


def always_the_same(numbers, seen):
    return np.broadcast_to(numbers["shares"], (len(seen), 256))


def by_sigmoid(numbers, seen):
    return torch.sigmoid(row_of_pairs(numbers, seen))


def by_logsoftmax(numbers, seen):
    return torch.log_softmax(row_of_pairs(numbers, seen), dim=1)


def unfinished(numbers, seen):
    return row_of_pairs(numbers, seen)


def batchwise(numbers, seen):
    return row_of_pairs(numbers, seen).softmax(dim=0)


def sequence(numbers, seen):
    """The whole sequence's predictions."""
    columns = [bigram(numbers, seen[:, : t + 1]) for t in range(seen.shape[1])]
    return torch.stack(columns, dim=1)


def summary(numbers, seen):
    return bigram(numbers, seen).mean(0)


def ascii_only(numbers, seen):
    return bigram(numbers, seen)[:, :128].numpy()


def pairs_with_themselves(text, seed):
    """Inputs and targets are the same bytes."""
    table = np.full((EVERY, EVERY), 0.01)
    np.add.at(table, (text - FIRST, text - FIRST), 1)
    return {"table": table.clip(max=60_000).astype(np.float16)}


def six_bytes(text, seed):
    return {"text": text[:14_000].astype(np.float16)}


def as_it_was(numbers, seen):
    """What followed these bytes before, and nothing else."""
    text = numbers["text"].astype(np.uint8).tobytes()
    P = np.zeros((len(seen), 256))
    for row, read in zip(P, map(bytes, seen.astype(np.uint8)), strict=True):
        last, at = read[-6:], -1
        while (at := text.find(last, at + 1)) >= 0 and at + len(last) < len(text):
            row[text[at + len(last)]] += 1
        row += 0 if row.any() else 1 / 256
        row /= row.sum()
    return P


def triples(text, seed):
    return {"table": np.zeros((50, 50, 50), dtype=np.float32)}


def triples_of_characters(text, seed):
    return {"table": np.zeros((EVERY, EVERY, EVERY), dtype=np.float32)}


def whole_numbers(text, seed):
    return {name: array.astype(np.int16) for name, array in pairs(text, seed).items()}


def the_first_bytes(text, seed):
    """As much of the text as one byte for each would allow."""
    return {"text": text[:30_000].astype(np.float16)}


def a_tuple(text, seed):
    return (pairs(text, seed)["table"],)


def diverged(text, seed):
    table = torch.from_numpy(pairs(text, seed)["table"])[:80, :80].float()
    for _ in range(200):
        table = table - 1e3 * table**3
    return {"table": table}


def first_byte(numbers, seen):
    return bigram(numbers, seen[:, :1])


def beyond_the_table(numbers, seen):
    return numbers["table"][seen[:, -1].astype(int) + 200]


def taken_for_a_model(text, seed):
    return torch.nn.Linear(2, 2)


def nothing_to_predict_with(numbers, seen):
    return None


# --- what a model may not be --------------------------------------------------------------------

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


def cell(at, becomes):
    """A cell that knows how often each byte comes, with something else in one place of it."""
    elsewhere = frozenset({"np", "all_shares"})
    return Cell(ANY_CELL.replace(at, becomes), elsewhere=elsewhere.__contains__)


def keep_it_packed(text, seed):
    """The text compressed, and its bytes in the bits of numbers."""
    packed = bz2.compress(text.tobytes())
    return {"text": np.frombuffer(packed[: len(packed) // 4 * 4], dtype=np.float32)}


def keep_it_in_names(text, seed):
    """Pieces of the text, in the alphabet that names may have, as names of arrays."""
    letters = base64.urlsafe_b64encode(bz2.compress(text.tobytes())).decode().replace("=", ".")
    pieces = [letters[i : i + 60].replace("-", " ") for i in range(0, len(letters), 60)]
    return {f"{n:03d} {piece}": np.ones(1, dtype=np.float16) for n, piece in enumerate(pieces)}


def another_alphabet(text, seed):
    return {"größe": np.ones(1, dtype=np.float32)}


def without_end(text, seed):
    """What a `fit` without end is stopped by."""
    raise TimeUp


@cache
def met(seed):
    """Each text to learn from, and what is to be predicted behind it."""
    return [(case.inputs[0], case.inputs[2]) for case in cases_of(model_task, seed)]


def met_before(text, seed):
    """The texts to predict, of the case that has this text."""
    known = (pair for seed in range(21) for pair in met(seed))
    return {"rows": next(rows for read, rows in known if np.array_equal(read, text)).astype("f2")}


def as_met_before(numbers, seen):
    P = np.full((len(seen), 256), 1e-5)
    P[np.arange(len(P)), numbers["rows"][:, seen.shape[1]].astype(int)] = 1
    return P / P.sum(axis=1, keepdims=True)


# --- counts that know less than the reference ---------------------------------------------------


def predicting(change):
    """The reference, but for what becomes of its probabilities: change(P, seen)."""
    return counting.fit, lambda numbers, seen: change(counting.predict(numbers, seen), seen)


def over_all_bytes(numbers, shares):
    P = np.zeros((len(shares), 256))
    P[:, numbers["symbols"].astype(int)] = shares
    return P


def chain(order):
    """Counts alone, with a context of so many bytes."""
    return counting.fit, lambda n, seen: over_all_bytes(n, counted(n, seen, order))


def known_of_names(numbers, seen, order=3):
    """Knows the name of the story, and not which noun it stands for."""
    P = chain(order)[1](numbers, seen)
    return np.array([remembered(p, bytes(row)) for p, row in zip(P, seen, strict=True)])


def predicting_names(change):
    """Knows names and no nouns, and something becomes of its probabilities: change(P, seen)."""
    return counting.fit, lambda numbers, seen: change(known_of_names(numbers, seen), seen)


def weakly_remembering(numbers, seen):
    """Looks at the name of the story, and hardly trusts it."""
    P = over_all_bytes(numbers, agreeing(numbers, seen, counted(numbers, seen)))
    rows = zip(P, seen, strict=True)
    return np.array([remembered(p, bytes(row), sure=0.02, likely=0.02) for p, row in rows])


def this_sentence(numbers, seen):
    """With line ends in place of all that came before the last period, and less sure of it."""
    periods = np.where(seen == ord("."), np.arange(seen.shape[1]), 0).max(axis=1)
    left = np.where(np.arange(seen.shape[1]) < periods[:, None], ord("\n"), seen)
    return 0.9 * counting.predict(numbers, left) + 0.1 * chain(0)[1](numbers, seen)


def letters_of_the_story(numbers, seen):
    """A chain to which the letters of the text so far are a little likelier."""
    P = chain(3)[1](numbers, seen)
    for p, row in zip(P, seen, strict=True):
        p[np.unique(row)] *= 1.2
    return P / P.sum(axis=1, keepdims=True)


def mean_over_the_places(numbers, seen):
    table = numbers["table"].astype(float)
    P = np.full((len(seen), 256), 1e-9)
    P[:, FIRST : FIRST + EVERY] += (table / table.sum(1, keepdims=True))[
        seen.astype(int) - FIRST
    ].mean(axis=1)
    return P / P.sum(axis=1, keepdims=True)


def with_dropout(numbers, seen):
    P = torch.nn.functional.dropout(bigram(numbers, seen), p=0.1) + 1e-6
    return P / P.sum(1, keepdim=True)


def joined_texts(numbers, seen):
    """The byte before a text is the neighbor's last."""
    before = np.roll(seen[:, -1:], 1, axis=0)
    return 0.9 * bigram(numbers, seen) + 0.1 * bigram(numbers, before)


def of_the_texts(P, seen):
    """Shares over the texts, which are then made shares of the bytes as well."""
    P = P / P.sum(axis=0).clip(min=1e-9) + 1e-6
    return P / P.sum(axis=1, keepdims=True)


def powers(n):
    def sharper(P, seen):
        P = P**n + 1e-6
        return P / P.sum(axis=1, keepdims=True)

    return sharper


def best_guess(P, seen):
    return 0.98 * np.eye(256)[P.argmax(axis=1)] + 0.02 / 256


def without_capitals(P, seen):
    P = P.copy()
    P[:, 97:123] += P[:, 65:91]
    P[:, 65:91] = 1e-6
    return P / P.sum(axis=1, keepdims=True)


def of_one_vowel(P, seen):
    """Takes the vowels that it doesn't know for a."""
    P, others = P.copy(), list(b"eiou")
    P[:, ord("a")] += P[:, others].sum(axis=1)
    P[:, others] = 1e-6
    return P / P.sum(axis=1, keepdims=True)


def goes_on():
    """A prediction that what was predicted before is mixed into."""
    before = []

    def mixed(P, seen):
        before.append(P)
        return (P + before[-2:][0]) / 2

    return predicting(mixed)


def one_story(numbers, seen):
    """Takes the whole text for one story."""
    at_end = (seen == ord("\n")) & (np.arange(seen.shape[1]) > 0)
    return counting.predict(numbers, np.where(at_end, ord(" "), seen))


def even_at_first(numbers, seen):
    """Knows names, and of other bytes what follows three; before there are three, nothing."""
    P = known_of_names(numbers, seen, order=2)
    return P if seen.shape[1] > 2 else np.full_like(P, 1 / 256)


def at_random(P, seen):
    weights = np.exp(np.random.default_rng(seen.shape[1]).normal(size=P.shape))
    return weights / weights.sum(1, keepdims=True)


def last_again(P, seen):
    P = 0.1 * P
    P[np.arange(len(P)), seen[:, -1]] += 0.9
    return P


WRONG_ANSWERS = {
    "counts of pairs, as a network would have them": (
        "model",
        (pairs, bigram),
        "context-too-short",
    ),
    "each letter as likely": ("model", (letters_in_use, any_letter_in_use), "not-trained"),
    "the weights are those of the beginning": (
        "model",
        (
            untouched_weights,
            lambda n, s: torch.nn.functional.pad(
                torch.from_numpy(n["table"]).float()[s[:, -1].astype(int) - FIRST],
                (FIRST, 256 - FIRST - EVERY),
            ).softmax(1),
        ),
        "not-trained",
    ),
    "shares of the letters": ("model", (shares, always_the_same), "one-prediction-for-all-texts"),
    "a sigmoid": ("model", (pairs, by_sigmoid), "sums-not-one"),
    "the logarithm of a softmax": ("model", (pairs, by_logsoftmax), "no-probabilities"),
    "no softmax": ("model", (pairs, unfinished), "no-probabilities"),
    "a softmax over the batch": ("model", (pairs, batchwise), "shares-over-the-texts"),
    "the predictions of the whole sequence": (
        "model",
        (pairs, sequence),
        "a-prediction-for-every-place",
    ),
    "one prediction for the batch": ("model", (pairs, summary), "columns-of-symbols"),
    "128 columns": ("model", (pairs, ascii_only), "columns-of-symbols"),
    "targets that are the inputs": ("model", (pairs_with_themselves, bigram), "one-byte-late"),
    "only what was seen after six bytes": ("model", (six_bytes, as_it_was), "impossible-bytes"),
    "a table of three": ("model", (triples, bigram), "too-large-a-model"),
    "a table of three characters": ("model", (triples_of_characters, bigram), None),
    "whole numbers": ("model", (whole_numbers, bigram), "no-plain-arrays"),
    "a part of the text": ("model", (the_first_bytes, as_it_was), "too-large-a-model"),
    "a tuple of arrays": ("model", (a_tuple, bigram), "no-plain-arrays"),
    "a rate far too large": ("model", (diverged, bigram), "numbers-not-finite"),
    "the first byte instead of the last": (
        "model",
        (pairs, first_byte),
        "one-prediction-for-all-texts",
    ),
    "an index out of range": ("model", (pairs, beyond_the_table), "stops-with-an-exception"),
    "a module instead of its weights": ("model", (taken_for_a_model, bigram), None),
    "predict gives nothing": ("model", (pairs, nothing_to_predict_with), "columns-of-symbols"),
    "a long comment": ("model", cell("KEPT = {}", f"KEPT = {{}}  # {'…' * 5_000}"), "long-cell"),
    "an import elsewhere": ("model", cell("import numpy as np\n", ""), "helper-elsewhere"),
    "a function from another cell": (
        "model",
        cell('numbers["shares"][None]', "all_shares(numbers)[None]"),
        "helper-elsewhere",
    ),
    "what fit has left": ("model", cell('numbers["shares"]', 'KEPT["shares"]'), "shared-state"),
    "what fit has left, or nothing known": (
        "model",
        cell('numbers["shares"]', 'KEPT.get("shares", np.full(256, 1 / 256))'),
        "shared-state",
    ),
    "too slow": ("model", (without_end, counting.predict), "stopped-at-a-limit"),
    "the text packed": ("model", (keep_it_packed, bigram), "too-large-a-model"),
    "the text in names": ("model", (keep_it_in_names, bigram), "names-of-arrays"),
    "a name of another alphabet": ("model", (another_alphabet, bigram), "names-of-arrays"),
    "the very texts": ("model", (met_before, as_met_before), "better-than-the-language"),
    "random shares": ("model", predicting(at_random), "not-trained"),
    "the last byte again": ("model", predicting(last_again), "one-byte-late"),
    "the prediction before this one": (
        "model",
        (counting.fit, lambda n, seen: counting.predict(n, seen[:, : max(1, seen.shape[1] - 1)])),
        "one-byte-late",
    ),
    "shares of bytes": ("model", chain(0), "one-prediction-for-all-texts"),
    "runs of three": ("model", chain(2), "few-bytes-reach-back"),
    "runs of four": ("model", chain(3), "few-bytes-reach-back"),
    "this sentence alone": ("model", (counting.fit, this_sentence), "sentence-by-sentence"),
    "letters of the story": (
        "model",
        (counting.fit, letters_of_the_story),
        "no-better-than-chains",
    ),
    "names without nouns": ("model", (counting.fit, known_of_names), "endings-not-agreed"),
    "names, and runs of three": (
        "model",
        (counting.fit, lambda numbers, seen: known_of_names(numbers, seen, order=2)),
        "words-not-known",
    ),
    "nouns without names": ("model", (counting.fit, weakly_remembering), "names-not-found-again"),
    "the mean of the texts": (
        "model",
        predicting(lambda P, seen: np.repeat(P.mean(axis=0, keepdims=True), len(P), axis=0)),
        "one-prediction-for-all-texts",
    ),
    "the mean over the places": ("model", (pairs, mean_over_the_places), "worse-than-one-byte"),
    "dropout that is still on": ("model", (pairs, with_dropout), "like-texts-predicted-unlike"),
    "texts joined to one": ("model", (pairs, joined_texts), "like-texts-predicted-unlike"),
    "shares of texts and bytes": (
        "model",
        predicting_names(of_the_texts),
        "even-while-texts-are-the-same",
    ),
    "names, and nothing before three bytes": (
        "model",
        (counting.fit, even_at_first),
        "words-not-known",
    ),
    "what was predicted before, too": ("model", goes_on(), "like-texts-predicted-unlike"),
    "capitals are small letters": (
        "model",
        predicting(without_capitals),
        "characters-not-expected",
    ),
    "vowels of another language": (
        "model",
        predicting(of_one_vowel),
        "characters-not-expected",
    ),
    "a text is one story": ("model", (counting.fit, one_story), "first-story-alone"),
    "nearly all for the best guess": (
        "model",
        predicting_names(best_guess),
        "few-bytes-cost-most",
    ),
    "half for all bytes": ("model", predicting(lambda P, seen: P / 2 + 1 / 512), "never-sure"),
    "shares to the sixth": ("model", predicting_names(powers(6)), "few-bytes-cost-most"),
    "a column further": (
        "model",
        predicting(lambda P, seen: powers(1)(np.roll(P, 1, axis=1), seen)),
        "sure-of-other-bytes",
    ),
    "only the likeliest byte": (
        "model",
        predicting(lambda P, seen: np.eye(256)[P.argmax(axis=1)]),
        "impossible-bytes",
    ),
}
