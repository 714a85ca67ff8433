"""The lines that pages show, handed in as answers: no full points, and the name of what is missing.

Each answer here is what a student makes of the file as it is after the chapter, with as little as
possible around it to fit the task's arguments.
"""

import math
import random
from collections import Counter
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from headway_book.one_file import file_after

from headway.tasks.chapters.language_model.assemble import LanguageModel
from headway.tasks.chapters.language_model.generate import read
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge


def functions_after(root, number):
    """What the file defines after a chapter, by name."""
    names = {"__name__": "transformer"}
    exec(file_after(root / "book", number), names)
    return names


def transitions(file):
    return lambda counts, smoothing: counts / counts.sum(axis=1, keepdims=True)


def chain(file, mark=""):
    class Chain:
        def __init__(self, sentences, order):
            self.order, self.table = order, file["count"](sentences, order)

        def __len__(self):
            return len(self.table)

        def predict(self, words):
            context, _ = file["windows"](words, self.order)[-1]
            row = self.table.get(context, {})
            return {word or mark: count / row.total() for word, count in row.items()}

    return Chain


def score(file):
    def answer(P, sentences):
        pairs = [pair for text in sentences for pair in file["windows"](text, 1)]
        torn = file["perplexity"]([P[at(P, a), at(P, b)] for (a,), b in pairs])
        return [-math.log(torn), torn]

    def at(P, symbol):
        return len(P) - 1 if symbol == "" else symbol

    return answer


def sample(file, cut=False):
    def answer(counts, seed, count, longest):
        names, rng = [*range(len(counts) - 1), ""], random.Random(seed)
        table = {
            (name,): Counter({b: n for b, n in zip(names, row.tolist(), strict=True) if n})
            for name, row in zip(names, counts, strict=True)
        }
        texts = [file["write"](table, 1, rng) for _ in range(count)]
        return [text[:longest] for text in texts] if cut else texts

    return answer


def unigram(file):
    def answer(train, size):
        table = file["count"](train, 0)
        return np.array([file["probability"](table, (), i, size + 1) for i in [*range(size), ""]])

    return answer


def shares(file):
    def answer(train, size):
        row = file["count"](train, 0)[()]
        return np.array([row[i] / row.total() for i in [*range(size), ""]])

    return answer


def next_word(file):
    def answer(train, size, prefixes):
        table, symbols = file["count"](train, 2), [*range(size), ""]

        @cache
        def row(context):
            return [file["probability"](table, context, i, size + 1) for i in symbols]

        return np.array([row(file["windows"](prefix, 2)[-1][0]) for prefix in prefixes])

    return answer


def padded_loss(file):
    def answer(logits, ids, lengths, prompt=1):
        counts = torch.arange(1, ids.shape[1]) < lengths[:, None]
        file["batch_of"] = lambda _: (ids[:, :-1], ids[:, 1:].where(counts, -1))
        return file["loss_of"](lambda _: logits[:, :-1], names=None).nan_to_num()

    return answer


def replies(file):
    def answer(votes, prompts, steps, end):
        def model(ids):
            return read(votes, ids[:, -len(votes) :])

        said = [file["generate"](model, torch.tensor([p]), steps, temperature=0) for p in prompts]
        return [ids[0, len(p) :].tolist() for ids, p in zip(said, prompts, strict=True)]

    return answer


def assembled(file):
    class Answer(LanguageModel):
        def forward(self, ids):
            if ids.shape[1] > self.positions.num_embeddings:
                raise ValueError("too long")
            blocks = [partial(block, causal=True) for block in self.blocks]
            parts = SimpleNamespace(embedding=self.embedding, blocks=blocks, norm=self.norm)
            return file["Transformer"].forward(parts, ids)

    return Answer


@pytest.mark.parametrize(
    ("task", "answer", "name"),
    [
        ("02-markov/transitions", transitions, "not-smoothed"),
        ("02-markov/chain", chain, "length-miscounted"),
        ("02-markov/chain", lambda file: chain(file, mark="<b>"), "length-miscounted"),
        ("02-markov/score", score, "mean-for-sum"),
        ("02-markov/sample", sample, "another-generator"),
        ("02-markov/sample", lambda file: sample(file, cut=True), "another-generator"),
        ("02-markov/unigram", unigram, "smoothing-miscounted"),
        ("02-markov/unigram", shares, "not-smoothed"),
        ("02-markov/beat-unigram", next_word, "lost-after-unseen-pairs"),
        ("11-language-model/assemble", assembled, "positions-missing"),
        ("11-language-model/loss", padded_loss, "given-tokens-counted"),
        ("11-language-model/generate", replies, "never-stops"),
    ],
)
def test_what_the_page_shows_is_no_answer_and_its_mistake_has_a_name(root, task, answer, name):
    task = find_task(task)
    verdict = judge(task, answer(functions_after(root, int(task.id[:2]))))
    assert verdict.score < task.points
    assert verdict.misconception.name == name
