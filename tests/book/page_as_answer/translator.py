"""What a student makes of the lines of chapter 13, and what is then still missing."""

import random
from functools import cache

import numpy as np
import torch
from torch import nn

from headway.text.corpus.translation import hold_out_combinations, translations
from tests.book.page_as_answer.parts import Says, masked_early


def heard(file, query, key, value):
    """What one head of the file's class after chapter 13 mixes of a memory, and its weights."""
    D, S = query.shape[-1], key.shape[-2]
    attention = file["Attention"](D, 1, 1, 10_000.0)
    attention.query, attention.key, attention.out = Says(query), Says(key), nn.Identity()

    def mixed(values):
        columns = []
        for column in values.split(1, dim=-1):
            attention.value = Says(column.expand(-1, -1, D))
            columns.append(attention(query, memory=key)[..., :1])
        return torch.cat(columns, dim=-1)

    return mixed(value), mixed(torch.eye(S).expand(len(key), S, S))


def cross_attention(file):
    return lambda x, memory, W_q, W_k, W_v, mask: heard(file, x @ W_q, memory @ W_k, memory @ W_v)


def keys_and_values(file):
    """Of the page's encoder, which ends with an RMS norm."""

    def answer(states, gain, bias, W_k, W_v):
        memory = nn.functional.rms_norm(states[-1], gain.shape, gain, 1e-5)
        return memory @ W_k[:, None], memory @ W_v[:, None]

    return answer


def nothing_hidden(file):
    """Chapter 13's table: only what comes later is hidden."""

    def answer(source, read, padding):
        (B, S), T = source.shape, read.shape[1]
        past = torch.ones(T, T, dtype=torch.bool).tril().expand(B, T, T)
        return torch.ones(B, S, S).bool(), past, torch.ones(B, T, S).bool()

    return answer


def shifted(file):
    """The file's `shift`, for a finished batch."""

    def answer(sentences, start, end, padding):
        rows = [torch.tensor([*words, end]) for words in sentences]
        target = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=padding)
        read = file["shift"](target)
        read[:, 0] = start
        return read, target

    return answer


def loss_of_pairs(file):
    """The file's `loss_of`, for logits that are there."""

    def answer(logits, target, smoothing, padding):
        hidden = target.masked_fill(target == padding, -1)
        return file["loss_of"](lambda source, read: logits, None, hidden), torch.tensor(0.0)

    return answer


def papers_rate(file):
    """Chapter 13's formula."""

    def answer(taken, width, warmup, lr):
        s = taken + 1
        return width**-0.5 * min(s**-0.5, s * warmup**-1.5)

    return answer


def decoder(file):
    """What the file's decoder does, where the start's id is 0."""

    def answer(target, memory, memory_mask, embedding, start):
        x = embedding[file["shift"](target)]
        x = x + masked_early(x, x, x, torch.ones(x.shape[1], x.shape[1]).tril().bool())[0]
        x = x + masked_early(x, memory, memory, None)[0]
        return x @ embedding.T

    return answer


def one_more_word(file):
    """The step of the file's `translate`."""

    def answer(logits, written, end, padding):
        longer = torch.cat([written, logits[:, -1:].argmax(-1)], dim=1)
        return longer, (longer == end).any(1)

    return answer


def translations_of(file, steps=400):
    """The file's program after chapter 13, on the assignment's pairs."""

    @cache
    def trained():
        torch.manual_seed(0)
        random.seed(0)
        pairs = translations(np.random.default_rng(13), 20_000)
        known, _ = hold_out_combinations(np.random.default_rng(13), pairs)
        split = [(pair.source.split(), pair.target.split()) for pair in known]
        english, french = file["words_of"](split)
        model = file["Translator"](len(english), len(french), C=64, H=4, G=4, M=128, L=1)
        for _ in file["train"](model, file["batches_of"](split, english, french), steps):
            pass
        return model, english, french

    def answer(sentences):
        return [
            " ".join(file["translate"](trained()[0], text.split(), *trained()[1:]))
            for text in sentences
        ]

    return answer


ANSWERS = [
    ("13-translator/cross-attention", cross_attention, "padding-visible"),
    ("13-translator/memory", keys_and_values, "norm-formula-wrong"),
    ("13-translator/masks", nothing_hidden, "padding-visible"),
    ("13-translator/shift", shifted, "end-symbol-misplaced"),
    ("13-translator/smoothed-loss", loss_of_pairs, "wrong-amount-of-smoothing"),
    ("13-translator/noam", papers_rate, "rate-for-a-factor"),
    ("13-translator/leak", decoder, "padding-visible"),
    ("13-translator/greedy-step", one_more_word, "padding-misplaced"),
    ("13-translator/translate", translations_of, "trained-too-little"),
]
