"""What a student makes of the lines of chapter 11, and what is then still missing."""

import random
from functools import cache, partial

import numpy as np
import torch
from torch import nn

from headway.tasks.chapters.language_model.assemble import new_block
from headway.tasks.chapters.language_model.generate import read
from headway.tasks.chapters.language_model.sort import written
from headway.tasks.chapters.language_model.sorting import (
    ARRANGEMENT,
    new_model,
    questions,
    texts_of,
)


def transformer(file):
    return lambda V, N, C, H, L: file["Transformer"](V, C, H, H, 4 * C, L)


def model_of_parts(file, forward):
    """The task's parts, and the page's way through them."""

    class LanguageModel(nn.Module):
        def __init__(self, vocabulary, context, width, heads, layers):
            super().__init__()
            self.embedding = nn.Embedding(vocabulary, width)
            self.positions = nn.Embedding(context, width)
            self.blocks = nn.ModuleList(new_block(width, heads) for _ in range(layers))
            self.norm = nn.LayerNorm(width)
            nn.init.normal_(self.embedding.weight, std=0.02)

    LanguageModel.forward = forward
    return LanguageModel


def page_model(file):
    return model_of_parts(file, file["Transformer"].forward)


def page_model_with_positions(file):
    def forward(self, ids):
        x = self.embedding(ids) + self.positions(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embedding.weight.T

    return model_of_parts(file, forward)


def loss(file, targets_of=lambda ids, lengths, prompt: ids):
    """Of the file's own `loss_of`, for logits that are there."""

    def answer(logits, ids, lengths, prompt=1):
        targets = targets_of(ids, lengths, prompt)[:, 1:]
        file["batch_of"] = lambda names: (ids[:, :-1], targets)
        return file["loss_of"](lambda inputs: logits[:, :-1], None)

    return answer


def without_padding(ids, lengths, prompt):
    return ids.masked_fill(torch.arange(ids.shape[1]) >= lengths[:, None], -1)


def without_prompts(ids, lengths, prompt):
    places = torch.arange(ids.shape[1])
    return without_padding(ids, lengths, prompt).masked_fill(places < prompt, -1)


def rows_of(file, texts, end):
    """The file's `batch_of`, for ids: the end symbol stands at both ends of a text."""

    class Ids:
        def index(self, letter):
            return end if letter == "\n" else ord(letter) - ord("a")

    file["LETTERS"] = Ids()
    return file["batch_of"](["".join(chr(ord("a") + i) for i in text) for text in texts])


def batches(file):
    def answer(texts, length, size, end):
        parts = [texts[i : i + size] for i in range(0, len(texts), size)]
        return [tuple(rows_of(file, part, end)) for part in parts]

    return answer


def replies(file, cut=lambda reply, end: reply):
    def answer(votes, prompts, steps, end):
        said = []
        for prompt in prompts:
            ids = file["generate"](partial(read, votes), torch.tensor([prompt]), steps, 0)
            said.append(cut(ids[0, len(prompt) :].tolist(), end))
        return said

    return answer


def cut_at_the_end(reply, end):
    return reply[: reply.index(end)] if end in reply else reply


def replies_side_by_side(file):
    def answer(votes, prompts, steps, end):
        ids = nn.utils.rnn.pad_sequence(
            [torch.tensor(prompt) for prompt in prompts], batch_first=True, padding_value=end
        )
        said = file["generate"](partial(read, votes), ids, steps, 0)[:, ids.shape[1] :]
        return [cut_at_the_end(reply, end) for reply in said.tolist()]

    return answer


def examples(file):
    def answer(prompts, replies, end, padding):
        texts = [[*prompt, *reply] for prompt, reply in zip(prompts, replies, strict=True)]
        return rows_of(file, texts, end)

    return answer


@cache
def sorted_by(train, steps=500):
    """The weights of the assignment's model after the page's training."""
    torch.manual_seed(0)
    random.seed(0)
    model = new_model(ARRANGEMENT)
    train.__globals__["batch_of"] = lambda texts: (
        torch.stack(texts)[:, :-1],
        torch.stack(texts)[:, 1:],
    )
    for _ in train(model, list(texts_of(questions(np.random.default_rng(0), 5_000))), steps):
        pass
    return model.state_dict()


def sorter(file):
    return lambda ids: (ARRANGEMENT, written(sorted_by(file["train"]), ids))


ANSWERS = [
    ("11-language-model/assemble", transformer, "other-parts"),
    ("11-language-model/assemble", page_model, "positions-missing"),
    ("11-language-model/assemble", page_model_with_positions, "future-visible"),
    ("11-language-model/loss", loss, "padding-counted"),
    ("11-language-model/loss", partial(loss, targets_of=without_padding), "given-tokens-counted"),
    ("11-language-model/loss", partial(loss, targets_of=without_prompts), "nothing-to-say"),
    ("11-language-model/batches", batches, "texts-kept-apart"),
    ("11-language-model/generate", replies, "never-stops"),
    ("11-language-model/generate", partial(replies, cut=cut_at_the_end), "context-overrun"),
    ("11-language-model/generate", replies_side_by_side, "another-position-read"),
    ("11-language-model/repair", examples, "given-tokens-counted"),
    ("11-language-model/sort", sorter, "half-trained"),
]
