"""Wrong answers to assignment 17, written after its catalogue and in other words.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import numpy as np
import torch

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
    "shares of the letters": ("model", (shares, always_the_same), "context-too-short"),
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
    "an index out of range": ("model", (pairs, beyond_the_table), None),
    "a module instead of its weights": ("model", (taken_for_a_model, bigram), None),
    "predict gives nothing": ("model", (pairs, nothing_to_predict_with), "columns-of-symbols"),
}
