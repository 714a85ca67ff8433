"""The lines that pages show, handed in as answers: no full points, and the name of what is missing.

Each answer here is what a student makes of the file as it is after the chapter, or of lines that
the page shows beside it, with as little as possible around them to fit the task's arguments.
"""

import math
import random
from collections import Counter
from functools import cache, partial
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from headway_book.one_file import states_until
from torch import nn

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.block.deep import trained
from headway.tasks.chapters.kv_cache.read_new import norm
from headway.tasks.chapters.kv_cache.restart import rotate
from headway.tasks.chapters.language_model.assemble import new_block
from headway.tasks.chapters.language_model.generate import read
from headway.tasks.chapters.language_model.sort import written
from headway.tasks.chapters.language_model.sorting import (
    ARRANGEMENT,
    new_model,
    questions,
    texts_of,
)
from headway.tasks.chapters.masked_model.sentiment_model import Reader
from headway.tasks.chapters.outlook.market import Market
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import value as given_value
from headway.text.corpus.translation import hold_out_combinations, translations
from headway.text.pieces import pieces


def functions_after(root, number):
    """What the file defines after a chapter, by name."""
    names, found = {"__name__": "transformer"}, states_until(root / "book", number)
    exec(found[max(found)].text(number, ""), names)
    return names


def transitions(file):
    return lambda counts, smoothing: counts / counts.sum(axis=1, keepdims=True)


def chain(file, mark="", said=lambda times: [1]):
    class Chain:
        def __init__(self, log, order):
            texts = [words for words, times in log for _ in said(times)]
            self.order, self.table = order, file["count"](texts, order)

        def __len__(self):
            return len(self.table)

        def predict(self, words):
            context, _ = file["windows"](words, self.order)[-1]
            row = self.table.get(context, {})
            return {word or mark: count / row.total() for word, count in row.items()}

    return Chain


def first_chain(file, **options):
    """Of the page's first `count`, which has no shorter contexts."""
    exec(FIRST_COUNT, file)
    return chain(file, mark="<b>", **options)


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


class Says(nn.Module):
    """In the place of a layer: says what it was given, whatever comes in."""

    def __init__(self, said):
        super().__init__()
        self.said = said

    def forward(self, x):
        return self.said


def query_row(query, key, value):
    """Chapter 8, one word asks, in a loop."""
    scores = torch.tensor([sum(query * one) / len(query) ** 0.5 for one in key])
    weights = scores.softmax(dim=-1)
    return sum(w * one for w, one in zip(weights.numpy(), value, strict=True)), weights


def query_by_exponentials(query, key, value):
    """The same with the softmax written out, before there is a scale."""
    parts = [math.exp(query @ one) for one in key]
    weights = [part / sum(parts) for part in parts]
    return sum(w * one for w, one in zip(weights, value, strict=True)), weights


def product(query, key, value):
    """Chapter 8, all words ask, in one product."""
    weights = (query @ key.T / query.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ value, weights


def masked_late(query, key, value, mask):
    """Chapter 8, the mask after the softmax, and what is left shared out anew."""
    weights = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ value, weights


def masked_early(query, key, value, mask):
    """Chapter 8, −∞ before the softmax."""
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ value, weights


def self_attention(file, query, key, value):
    """What the file's class after chapter 8 mixes of these, and its weights."""
    attention = file["Attention"](1, 1)
    attention.query, attention.key = Says(query), Says(key)
    both = []
    for said in (value, torch.eye(key.shape[-2])):
        attention.value = Says(said)
        both.append(attention(query))
    return both


def library(file, look_up=query_row):
    class Library:
        def __init__(self, keys, values):
            self.keys, self.values = keys, values

        def add(self, key, value):
            pass

        def look_up(self, query):
            return look_up(query, self.keys, self.values)

    return Library


def library_by_product(file):
    def look_up(query, keys, values):
        query, keys, values = (torch.tensor(x).float() for x in (query[None], keys, values))
        return [rows[0] for rows in product(query, keys, values)]

    return library(file, look_up)


def attend_word_by_word(file):
    def answer(query, key, value, mask=None):
        rows = []
        for t in range(len(query)):
            scores = torch.stack([query[t] @ one for one in key]) / query.shape[-1] ** 0.5
            rows.append(scores.softmax(dim=-1))
        weights = torch.stack(rows)
        return weights @ value, weights

    return answer


def attend(file, how=lambda query, key, value, mask: product(query, key, value)):
    return lambda query, key, value, mask=None: how(query, key, value, mask)


def attend_to_oneself(file):
    return lambda query, key, value, mask=None: self_attention(file, query, key, value)


def earlier(file):
    return lambda T, S: ~torch.ones(T, S, dtype=torch.bool).triu(1)


def later(file):
    return lambda T, S: torch.ones(T, S, dtype=torch.bool).triu(1)


def window(file):
    return lambda window, T, S: ~torch.ones(T, S, dtype=torch.bool).triu(1)


def additive(file):
    return lambda query, key, value, W_q, W_k, v: product(query @ W_q, key @ W_k, value)


def additive_to_oneself(file):
    return lambda query, key, value, W_q, W_k, v: self_attention(
        file, query @ W_q, key @ W_k, value
    )


def past(file):
    return lambda query, key, value: self_attention(file, query, key, value)[0]


def past_masked_late(file):
    def answer(query, key, value):
        T, S = query.shape[-2], key.shape[-2]
        return masked_late(query, key, value, ~torch.ones(T, S, dtype=torch.bool).triu(1))[0]

    return answer


def head(file):
    def answer(x, memory, W_Q, W_K, W_V):
        attention = file["Attention"](*W_Q.shape)
        for name, W in {"query": W_Q, "key": W_K, "value": W_V}.items():
            getattr(attention, name).weight = nn.Parameter(W.T)
        return attention(x).detach()

    return answer


def head_of_two(file):
    return lambda x, memory, W_Q, W_K, W_V: self_attention(
        file, x @ W_Q, memory @ W_K, memory @ W_V
    )[0]


def head_by_product(file):
    return lambda x, memory, W_Q, W_K, W_V: product(x @ W_Q, memory @ W_K, memory @ W_V)[0]


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


def cached(file, query, key, value, keys=None, values=None, turn=lambda x, t, base: x):
    """What the file's class after chapter 15 mixes of heads (B, H, T, D), and its cache.

    Args:
        turn: in the place of the file's; None leaves that.
    """
    if turn:
        file["turn"] = turn
    H, D = query.shape[1], query.shape[-1]
    attention = file["Attention"](H * D, H, H, 10_000.0)
    for name, heads in {"query": query, "key": key, "value": value}.items():
        setattr(attention, name, Says(heads.transpose(1, 2).flatten(2)))
    attention.out = nn.Identity()
    held = {} if keys is None else {attention: (keys, values)}
    mixed = attention(attention.query(None), cache=held)
    return mixed.unflatten(-1, (H, D)).transpose(1, 2), *held[attention]


def step(file, **options):
    def answer(x, keys, values, W_q, W_k, W_v, mask):
        new = (x[:, None, None] @ W for W in (W_q, W_k, W_v))
        mixed, *longer = cached(file, *new, keys, values, **options)
        return mixed[:, :, 0], *longer

    return answer


def prefill(file):
    def answer(query, key, value, keys, values, chunk):
        mixed, longer, _ = cached(file, query, key, value, keys, values)
        return mixed, [(query.shape[2], longer.shape[2])]

    return answer


def prefill_one_by_one(file):
    def answer(query, key, value, keys, values, chunk):
        mixed, sizes = [], []
        for new in zip(*(part.split(1, dim=2) for part in (query, key, value)), strict=True):
            one, keys, values = cached(file, *new, keys, values)
            mixed.append(one)
            sizes.append((1, keys.shape[2]))
        return torch.cat(mixed, 2), sizes

    return answer


def cross(file):
    def answer(x, memory, keys, values, W_q, W_k, W_v, mask):
        return cached(file, *(x[:, None] @ W for W in (W_q, W_k, W_v)), keys, values)

    return answer


def beams(file):
    """Chapter 15 goes on with the likeliest token of each row."""

    def answer(scores, log_probabilities, keys, values):
        best, tokens = log_probabilities.max(-1)
        return tokens, scores + best, keys, values

    return answer


def cache_bytes(file):
    """Chapter 15's formula."""

    def answer(windows, heads, key_value_heads, width, length, batch, bits):
        D = width // heads
        return 2 * len(windows) * batch * length * key_value_heads * D * bits // 8

    return answer


def restart(file, turn=lambda x, t, base: rotate(x[:, 0], t)[:, None]):
    def answer(x, keys, values, start, W_q, W_k, W_v):
        new = ((x @ W)[:, None] for W in (W_q, W_k, W_v))
        held = keys[:, None], values[:, None]
        return [part[:, 0] for part in cached(file, *new, *held, turn=turn)]

    return answer


def read_new(file):
    """A copy of the notebook's `full`, with the page's attention in it."""

    def answer(weights, ids, keys, values):
        x = weights["embedding"][ids] + weights["position"][: ids.shape[1]]
        longer = []
        for layer in range(len(keys)):
            new = (norm(x)[:, None] @ weights[name][layer] for name in ("query", "key", "value"))
            mixed, *held = cached(file, *new, keys[layer], values[layer])
            longer.append(held)
            x = x + mixed.transpose(1, 2).flatten(2) @ weights["output"][layer]
            x = x + (norm(x) @ weights["wide"][layer]).relu() @ weights["narrow"][layer]
        logits = norm(x) @ weights["embedding"].T
        return logits, *(torch.stack(part) for part in zip(*longer, strict=True))

    return answer


def decode(file, held=True):
    def answer(read, context, prompt, keys, values, steps):
        made, fed, nothing = [], [], [part[:, :, :, :0] for part in (keys, values)]

        def model(ids, cache):
            before = cache.get("held", (keys, values) if held else nothing)
            logits, *cache["held"] = read(ids, *before)
            made.append(logits[:, -1])
            fed.append(ids.shape[1])
            return logits

        ids = file["generate"](model, prompt, steps, 0)
        return ids, torch.stack(made, 1), fed

    return answer


# Chapter 2: what the page counts at first.
FIRST_COUNT = """
def count(texts, order):
    table = defaultdict(Counter)
    for text in texts:
        for context, symbol in windows(text, order):
            table[context][symbol] += 1
    return table
"""


def vocabulary(file):
    class Vocabulary:
        def __init__(self, words):
            self.words = file["vocabulary"](words)

        def __len__(self):
            return len(self.words)

        def encode(self, words):
            return file["encode"](" ".join(words), self.words)

        def decode(self, ids):
            return [self.words[i] for i in ids]

    return Vocabulary


def one_hot(file):
    return file["one_hot"]


def matrix_product(file):
    return lambda A, B: A @ B


def lookup_by_product(file):
    return lambda ids, table: file["one_hot"](ids, len(table)) @ table


def rows_by_ids(file):
    return lambda ids, table: table[ids]


def encoder(file):
    return lambda sentence, words: file["encode"](sentence.lower(), words)


def prices_by_number(file):
    """Chapter 1's numbers, and its least squares, on a single column."""

    def answer(makers, prices, new_makers):
        number = {maker: i for i, maker in enumerate(file["vocabulary"](makers))}
        old, new = (np.array([[number[one]] for one in part]) for part in (makers, new_makers))
        return new @ np.linalg.lstsq(old, prices)[0]

    return answer


def prices_by_one_hot(file):
    def answer(makers, prices, new_makers):
        words = file["vocabulary"](makers)
        old, new = (
            file["one_hot"](file["encode"](" ".join(part), words), len(words))
            for part in (makers, new_makers)
        )
        return new @ np.linalg.lstsq(old, prices)[0]

    return answer


def pairs_by_least_squares(file):
    """Chapter 1's `learn`: which row goes best with a word, so that the next one comes out."""
    return lambda ids, size: np.linalg.lstsq(
        file["one_hot"](ids[:-1], size), file["one_hot"](ids[1:], size)
    )[0]


def dot_products_of_neighbors(file):
    return lambda ids, size: file["one_hot"](ids[:-1], size) @ file["one_hot"](ids[1:], size).T


def pairs_voting(file):
    """Chapter 3: the pairs over which `vote` walks."""
    return lambda prefix: [(earlier, prefix[-1]) for earlier in prefix[:-1]]


def vote_table(file, ended=lambda sentence, size: sentence):
    def answer(sentences, size):
        table = np.zeros((size, size, size + 1))
        pairs = file["count_pairs"]([ended(sentence, size) for sentence in sentences])
        for pair, row in pairs.items():
            for word, share in file["shares"](row).items():
                table[(*pair, word)] = share
        return table

    return answer


def masked_votes(file):
    def answer(prefix, votes, masks):
        pairs = {
            pair: Counter({word: share for word, share in enumerate(votes[pair].tolist()) if share})
            for pair in np.ndindex(masks.shape)
        }
        may_speak = {(earlier, latest) for latest, earlier in np.argwhere(masks).tolist()}
        found = file["vote"](pairs, prefix.tolist(), may_speak)
        return np.array([float(found[word]) for word in range(votes.shape[-1])])

    return answer


def gain_mask(file, part=lambda share: 0.5):
    """With the page's half, or with the share that is asked for in its place."""

    def answer(counts, share):
        pairs = {
            (earlier, "latest"): Counter({word: n for word, n in enumerate(row.tolist()) if n})
            for earlier, row in enumerate(counts)
        }
        gains = np.array(list(file["gains"](pairs, "latest").values()))
        return gains, gains >= part(share) * gains.max()

    return answer


def voter(file):
    def answer(sentences, prefix):
        pairs = file["count_pairs"](sentences)
        return dict(file["vote"](pairs, prefix, pairs))

    return answer


def words_by_votes(file):
    def answer(sentences, prefixes):
        pairs = file["count_pairs"](sentences)
        votes = [file["vote"](pairs, prefix, pairs) for prefix in prefixes]
        return [max(found, key=found.get, default="") for found in votes]

    return answer


def shares_by_mask(file):
    def answer(sentences, prefixes, choices):
        pairs = file["count_pairs"](sentences)
        may_speak, rows = file["informed"](pairs, prefixes[0][-1]), []
        for prefix in prefixes:
            votes = file["vote"](pairs, prefix, may_speak) or Counter(choices)
            rows.append([file["shares"](votes).get(word, 0) for word in choices])
        return np.array(rows)

    return answer


def every_prefix(file):
    def answer(ids, votes, masks):
        rows = [masked_votes(file)(ids[: t + 1], votes, masks) for t in range(len(ids))]
        return np.reshape(rows, (len(ids), votes.shape[-1]))

    return answer


def plain_softmax(scores):
    """Chapter 4, by hand."""
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def row_by_row(scores, temperature=1.0, heated=False):
    """The same for any number of rows."""
    if np.ndim(scores) > 1:
        return np.array([row_by_row(row, temperature, heated) for row in scores])
    return plain_softmax(scores / temperature if heated else scores)


def softmax_by_rows(file, **options):
    return partial(row_by_row, **options)


def jacobian(file, softmax=lambda scores, temperature: plain_softmax(scores)):
    """Chapter 4, w_i (1[i = j] − w_j)."""

    def answer(scores, temperature=1.0):
        w = np.array(softmax(scores, temperature))
        return np.array([[w[i] * ((i == j) - w[j]) for j in range(len(w))] for i in range(len(w))])

    return answer


def jacobian_of_the_heated(file):
    return jacobian(file, partial(row_by_row, heated=True))


def cross_entropy(file, shared=lambda slopes: slopes):
    """Chapter 4, −ln p of the right word and p − y, row by row."""

    def answer(logits, targets):
        p = row_by_row(logits)
        losses = [-math.log(row[word]) for row, word in zip(p, targets, strict=True)]
        return sum(losses) / len(losses), shared(p - np.eye(logits.shape[1])[targets])

    return answer


def cross_entropy_of_the_mean(file):
    return cross_entropy(file, lambda slopes: slopes / len(slopes))


def word_features(file):
    """Chapter 4: a one for each wanted word, −1 for the bias, and a ReLU."""

    def answer(X, groups):
        W = np.zeros((X.shape[1] + 1, len(groups)))
        for f, (wanted, _) in enumerate(groups):
            W[list(wanted), f] = 1
            W[-1, f] = -1
        return W, np.maximum(np.append(X, np.ones((len(X), 1)), axis=1) @ W, 0)

    return answer


def word_features_of_any_size(file):
    def answer(X, groups):
        W = np.zeros((X.shape[1] + 1, len(groups)))
        for f, (wanted, _) in enumerate(groups):
            W[list(wanted), f] = 1
            W[-1, f] = 1 - len(wanted)
        return W, np.maximum(np.append(X, np.ones((len(X), 1)), axis=1) @ W, 0)

    return answer


def training_step(file):
    """Chapter 4: one example after the other, scores − rate · (p − y)."""

    def answer(W, ids, next_ids, rate):
        W, losses = np.array(W, dtype=float), []
        for word, after in zip(ids, next_ids, strict=True):
            p = np.array(plain_softmax(W[word]))
            losses.append(-math.log(p[after]))
            W[word] -= rate * (p - np.eye(len(W))[after])
        return sum(losses) / len(losses), W

    return answer


def training_step_of_all(file):
    def answer(W, ids, next_ids, rate):
        p, new = np.array([plain_softmax(W[word]) for word in ids]), np.array(W, dtype=float)
        new[ids] -= rate * (p - np.eye(len(W))[next_ids])
        return -np.log(p[range(len(ids)), next_ids]).mean(), new

    return answer


def loop(file):
    """The file's `learn`, which keeps what comes last."""

    def answer(ids, next_ids, size, steps, rate):
        W = torch.zeros(size, size, requires_grad=True)
        optimizer = torch.optim.SGD([W], lr=rate)
        for _ in range(steps):
            loss = nn.functional.cross_entropy(W[ids], next_ids)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return W.detach()

    return answer


def mix(file, there=lambda row, present: row):
    """The file's `chance` for each word, example by example."""

    def answer(scores, votes, features, present):
        rows = [there(row, here) for row, here in zip(features, present, strict=True)]
        return torch.stack([file["chance"](scores, row, votes[row]) for row in rows])

    return answer


def mix_of_those_present(file):
    return mix(file, lambda row, present: row[present])


def learn_mask(file, steps=500):
    """The file's `learn`, from the examples in the task's tensors."""

    def answer(votes, features, present, targets):
        examples = [
            (row[here], votes[row[here], word])
            for row, here, word in zip(features, present, targets, strict=True)
        ]
        scores = torch.zeros(len(votes), requires_grad=True)
        file["learn"](scores, examples, random.Random(0), steps)
        return scores.detach()

    return answer


def met(words):
    """Chapter 5, how often each pair of neighbors meets."""
    counts = Counter()
    for parts, times in words:
        for pair in pairwise(parts):
            counts[pair] += times
    return counts


def join(parts, pair, new):
    """Chapter 5's `join`, with an id in the place of the joined text."""
    while tuple(pair) in pairwise(parts):
        i = list(pairwise(parts)).index(tuple(pair))
        parts[i : i + 2] = [new]
    return parts


def neighbors(file):
    return lambda words: [[*pair, times] for pair, times in met(words).most_common()]


def joined(file):
    return lambda ids, pair, new: join(list(ids), pair, new)


def learned_merges(file):
    def answer(words, count):
        words, merges = [(list(parts), times) for parts, times in words], []
        for _ in range(count):
            pair, times = [*met(words).most_common(1), (None, 0)][0]
            if times < 2:
                break
            for parts, _ in words:
                join(parts, pair, 256 + len(merges))
            merges.append(list(pair))
        return merges

    return answer


def as_signs(file, merges):
    """All tokens as chapter 5 writes them, and the merges."""
    tokens, written = [file["SIGNS"][byte] for byte in range(256)], []
    for left, right in merges:
        written.append(f"{tokens[left]} {tokens[right]}")
        tokens.append(tokens[left] + tokens[right])
    return tokens, written


def encode(file, cut_by=None):
    if cut_by:
        file["re"] = SimpleNamespace(findall=lambda pattern, text: cut_by(text))
    return lambda text, merges: file["cut"](text, *as_signs(file, merges))


def decode_signs(file):
    return lambda ids, merges: file["text_of"](ids, as_signs(file, merges)[0])


def keep_what_was_learned(file):
    return lambda merges, known, fresh: merges[:744]


def states(file, bias, given):
    """Chapter 7's `last_state`, for each text; its states, or the last one."""

    def answer(x, W, U, b):
        found = []
        for text in x:
            h, states = torch.zeros(len(U)), []
            for row in text:
                h = torch.tanh(row @ W + h @ U + bias * b)
                states.append(h)
            found.append(given(states))
        return torch.stack(found)

    return answer


def last_states(file):
    return states(file, bias=1, given=lambda states: states[-1])


def states_without_bias(file):
    return states(file, bias=0, given=torch.stack)


def clocks(file):
    """Chapter 7's lines for the places of one text, in NumPy."""

    def answer(positions, width, base=10_000.0):
        speeds = base ** (-np.arange(0, width, 2) / width)
        angles = positions[:, None] * speeds
        waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        return waves.reshape(len(positions), 2 * len(speeds))

    return answer


def turned_clocks(file):
    """What chapter 7's `turn` does to each column, at the speeds of its base."""

    def answer(offset, speeds):
        C = 2 * len(speeds)
        return file["turn"](torch.eye(C), torch.full((C,), -float(offset)), 10_000.0).T.numpy()

    return answer


def added_rows(file):
    return lambda x, table, lengths: x + table[: x.shape[1]]


def asker(file):
    """Chapter 7's model and training, with two more words to name: yes and no."""

    def answer(ids, person_first, new_ids, words):
        torch.manual_seed(0)
        model = file["Asker"](words + 2, C=32)
        texts = torch.cat([ids, words + person_first[:, None].long()], 1)
        file["teach"](Reading(model), [texts])
        with torch.no_grad():
            return model(new_ids)[:, words:].argmax(-1) == 1

    class Reading(nn.Module):
        """Reads all but the last word, which is the answer."""

        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, texts):
            return self.model(texts[:, :-1])

    return answer


def squeezed(file, damped=lambda table: table):
    """Chapter 6, counts of neighbors and the strongest directions."""

    def answer(sentences, size, window, rank):
        near = Counter(file["pairs_within"](sentences, window))
        table = np.array([[near[a, b] for b in range(size)] for a in range(size)], dtype=float)
        L, S, _ = np.linalg.svd(damped(table))
        return L[:, :rank] * S[:rank]

    return answer


def positive_information(counts):
    """Chapter 6, PPMI; a word without neighbors has none."""
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / max(counts.sum(), 1)
    met = counts > 0
    return np.log(np.where(met, counts, 1) / np.where(met, expected, 1)).clip(min=0)


def guessed_pairs(file):
    """The file's pairs, with the page's loss of the next word."""

    def answer(ids, given, guessed, window):
        c, o = torch.tensor(file["pairs_within"]([ids.tolist()], window)).T
        return nn.functional.cross_entropy(given[c] @ guessed.T, o)

    return answer


def sampled(file):
    """The file's cost, for centers whose rows are there."""

    def answer(hidden, guessed, targets, negatives):
        return file["cost"](hidden, guessed, torch.arange(len(hidden)), targets, negatives)

    return answer


def tied(file, root=lambda W: 1):
    """Chapter 6's two formulas, and its step."""

    class Tied:
        def __init__(self, table):
            self.W = table.clone().requires_grad_()

        def embed(self, ids):
            return root(self.W) * self.W[ids]

        def deembed(self, hidden):
            return hidden @ self.W.T

        def learn(self, ids, targets, rate):
            optimizer = torch.optim.Adam([self.W], lr=rate)
            loss = nn.functional.cross_entropy(self.deembed(self.embed(ids)), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss.detach()

    return Tied


def word_rows(file, C=24, steps=500):
    """The rows that the file learns."""

    def answer(sentences, asks, size):
        torch.manual_seed(0)
        pairs = torch.tensor(file["pairs_within"](sentences, 2))
        *_, (E, _) = file["learn"](pairs, size, C, steps)
        return E

    return answer


def with_heads(file, x, W_Q, W_K, W_V, W_O, G=None):
    """The file's class after chapter 9, with weights (C, C), and without its turning."""
    file["turn"] = lambda x, t, base: x
    attention = file["Attention"](x.shape[-1], G, G, 10_000.0)
    for name, W in {"query": W_Q, "key": W_K, "value": W_V, "out": W_O}.items():
        getattr(attention, name).weight = nn.Parameter(W.T)
    return attention(x).detach()


def split_rows(file):
    """The line that shares out a projection, for each of the three."""

    def answer(qkv, heads):
        C = qkv.shape[-1] // 3
        parts = qkv.split(C, dim=-1)
        return [part.unflatten(-1, (-1, C // heads)).transpose(1, 2) for part in parts]

    return answer


def merged(file):
    return lambda x, off: x.transpose(1, 2).flatten(2)


def multi_head(file):
    """The page's class, with the task's names and biases in its layers."""

    class MultiHead(file["Attention"]):
        def __init__(self, width, heads):
            super().__init__(width, heads, heads, 10_000.0)
            del self.out
            for name in ("query", "key", "value", "output"):
                setattr(self, name, nn.Linear(width, width))

        def forward(self, x, memory=None, mask=None):
            self.out = self.output
            return super().forward(x)

    return MultiHead


def multi_head_unturned(file):
    file["turn"] = lambda x, t, base: x
    return multi_head(file)


def rotary(file, base=10_000.0):
    """The file's `turn` in the task's order of arguments; its speeds come from a base."""
    return lambda query, key, p, s, speeds: (
        file["turn"](query, p, base) @ file["turn"](key, s, base).mT
    )


def rotary_by_speeds(file):
    """The lines of `turn` with the speeds that are given."""

    def turned(x, t, speeds):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        angles = t[:, None] * speeds
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    return lambda query, key, p, s, speeds: turned(query, p, speeds) @ turned(key, s, speeds).mT


def reader(file):
    """The page's listener, for tokens: as wide, and trained as long."""

    def answer(x, y, new_x):
        torch.manual_seed(0)
        attention = file["Attention"](12, 3, 3, 100.0)
        model = nn.Sequential(nn.Linear(x.shape[-1], 12), attention, nn.Linear(12, y.shape[-1]))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
        for _ in range(300):
            rows = torch.randint(len(x), (64,))
            loss = nn.functional.mse_loss(model(x[rows])[:, -1], y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            return model(new_x)[:, -1]

    return answer


def repaired(file):
    """The page's lines for one text, in the place of the faulty one."""

    def answer(x, W_Q, W_K, W_V, W_O, heads):
        return with_heads(file, x, W_Q, W_K, W_V, W_O, heads)

    return answer


def rms_norm_by_hand(file):
    return lambda x, gain, shift, eps=1e-5: x / x.square().mean().sqrt()


def rms_norm(file):
    return lambda x, gain, shift, eps=1e-5: nn.RMSNorm(x.shape[-1])(x).detach()


def layer_norm(file):
    return lambda x, gain, shift, eps=1e-5: nn.LayerNorm(x.shape[-1])(x).detach()


def feed_forward(file):
    """The file's class, whose gate is left open."""

    def answer(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
        layers = SimpleNamespace(
            gate=lambda x: x @ W_1 + b_1, up=lambda x: 1, down=lambda hidden: hidden @ W_2 + b_2
        )
        return file["FeedForward"].forward(layers, x)

    return answer


def stack_of_blocks(file):
    """The file's way through a block and the stack of its program, in the task's parts."""

    class OneBlock(nn.Module):
        forward = file["Block"].forward

        def __init__(self, width, heads, hidden):
            super().__init__()
            self.attention = MultiHeadAttention(width, heads)
            self.attention_norm, self.feed_forward_norm = nn.LayerNorm(width), nn.LayerNorm(width)
            self.expand, self.contract = nn.Linear(width, hidden), nn.Linear(hidden, width)

        def norm1(self, x):
            return self.attention_norm(x)

        def norm2(self, x):
            return self.feed_forward_norm(x)

        def feed_forward(self, x):
            return self.contract(self.expand(x).relu())

    class Stack(nn.Module):
        def __init__(self, width, heads, hidden, depth, pre=True):
            super().__init__()
            self.blocks = nn.ModuleList(OneBlock(width, heads, hidden) for _ in range(depth))
            self.norm = nn.LayerNorm(width) if pre else nn.Identity()

        def forward(self, x, mask=None):
            for block in self.blocks:
                x = block(x)
            return self.norm(x)

    return Stack


def cost_of_block(file):
    """The page's formulas."""

    def answer(width, heads, key_value_heads, hidden, length, bias=True):
        C, T = width, length
        return 4 * C * C + 8 * C * C, 24 * T * C * C + 4 * T * T * C

    return answer


def deep(file, **arrangement):
    """An arrangement of the page, trained a little."""

    def answer(ids, answers, words, depth):
        torch.manual_seed(0)
        return trained(ids, answers, words, depth, arrangement, steps=60)

    return answer


def hidden(file, nothing=-1):
    """The file's own `hide`, with its two names for the task's vocabulary."""

    def answer(ids, special, mask_id, size, seed, share=0.15):
        torch.manual_seed(seed)
        file.update(MASK=mask_id, WORDS=range(size))
        inputs, labels = file["hide"](torch.from_numpy(ids), share)
        return inputs.numpy(), labels.masked_fill(labels < 0, nothing).numpy()

    return answer


def hidden_without_special(file):
    """The same, and then the special tokens are put back."""

    def answer(ids, special, mask_id, size, seed, share=0.15):
        inputs, labels = hidden(file, -100)(ids, special, mask_id, size, seed, share)
        apart = np.isin(ids, special)
        return np.where(apart, ids, inputs), np.where(apart, -100, labels)

    return answer


def mean_of_words(file):
    """Chapter 12's classifier, in the task's layers."""

    class Classifier(nn.Module):
        def __init__(self, words, width, heads, classes, padding=0, pool="mean"):
            super().__init__()
            self.word = nn.Embedding(words, width)
            self.norm = nn.LayerNorm(width)
            self.attention = MultiHeadAttention(width, heads)
            self.output = nn.Linear(width, classes)
            self.pool = pool

        def forward(self, ids):
            x = self.word(ids)
            x = x + self.attention(self.norm(x))
            return self.output(x[:, 0] if self.pool == "first" else x.mean(dim=1))

    return Classifier


def cut_up(file):
    """Chapter 12's line for patches, for images whose channels come last."""

    class Patches:
        def __init__(self, p, q):
            self.p, self.q = p, q

        def cut(self, images):
            if images.shape[1] % self.p or images.shape[2] % self.q:
                raise ValueError("they do not divide")
            images = torch.from_numpy(np.array(images)).permute(0, 3, 1, 2)
            parts = images.unfold(2, self.p, self.p).unfold(3, self.q, self.q)
            return parts.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2).numpy()

        def join(self, patches, h, w):
            parts = np.reshape(
                patches, (len(patches), h // self.p, w // self.q, -1, self.p, self.q)
            )
            return parts.transpose(0, 1, 4, 2, 5, 3).reshape(len(patches), h, w, -1)

    return Patches


def mean_of_losses(file):
    """The file's `loss_of`, for logits that are there, batch by batch."""

    def answer(batches):
        losses = []
        for logits, labels in batches:
            file["batch_of"] = lambda texts, asked=labels: (None, asked.clamp(min=-1))
            losses.append(file["loss_of"](lambda inputs, said=logits: said, None))
        return sum(losses) / len(losses)

    return answer


def tuned(file, **arrangement):
    """The page's `tune`, on a few of the reviews."""

    def answer(ids, positive, vocabulary):
        torch.manual_seed(0)
        chosen = {"places": None, "sees": "all u", "pool": "mean of u"} | arrangement
        model = Reader(len(vocabulary), **chosen)
        optimizer = torch.optim.AdamW(model.parameters(), 2e-3)
        for _ in range(100):
            loss = nn.functional.cross_entropy(model(ids[:200]), positive[:200])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return chosen, model.state_dict()

    return answer


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


def sorted_row(file):
    """Chapter 14's lines work on the sorted row, and hand it back so."""

    def answer(weights, k):
        p = torch.tensor(weights).double().sort(descending=True).values
        p[:, k:] = 0
        return (p / p.sum(-1, keepdim=True)).numpy()

    return answer


def sorted_nucleus(file):
    def answer(weights, p):
        shares = of_one(torch.tensor(weights).double()).sort(descending=True).values
        shares[shares.cumsum(-1) - shares >= p] = 0
        return (shares / shares.sum(-1, keepdim=True)).numpy()

    return answer


def nucleus(file, shares=lambda weights: weights):
    """Put back to where it was."""

    def answer(weights, p):
        sorted_shares, order = shares(torch.tensor(weights).double()).sort(descending=True)
        sorted_shares[sorted_shares.cumsum(-1) - sorted_shares >= p] = 0
        left = torch.zeros_like(sorted_shares).scatter(1, order, sorted_shares)
        return (left / left.sum(-1, keepdim=True)).numpy()

    return answer


def of_one(weights):
    return weights / weights.sum(-1, keepdim=True)


def drawn_down_the_order(file):
    """Chapter 14's lines, with the task's numbers in the place of `multinomial`."""

    def answer(logits, T, k, p, seed):
        logits = torch.tensor(logits)
        if T == 0:
            ids = torch.zeros(len(logits), 1, dtype=torch.long)
            return file["greedy"](lambda ids: logits[:, None], ids, 1)[:, -1].numpy()
        logits, order = (logits / T).sort(descending=True, stable=True)
        shares = logits[:, :k].softmax(-1)
        shares[shares.cumsum(-1) - shares >= (1.0 if p is None else p)] = 0
        numbers = torch.tensor(np.random.default_rng(seed).random(len(logits)))[:, None]
        place = (of_one(shares).cumsum(-1) <= numbers).sum(-1, keepdim=True)
        return order.gather(1, place)[:, 0].numpy()

    return answer


def drawn_at_a_temperature(file):
    def answer(logits, T, floor, numbers):
        sums = torch.tensor(logits / T).softmax(-1).cumsum(-1)
        return (sums <= torch.tensor(numbers)[:, None]).sum(-1).numpy()

    return answer


def hypotheses(file):
    """Of the file's `beam`, cut behind the end, and sorted by the page's formula."""

    def answer(table, start, K, steps, end, alpha):
        def model(ids):
            return torch.tensor(table[ids.shape[1] - 1, ids[:, -1].numpy()])[:, None]

        V = table.shape[-1]
        rows, ln_p = file["beam"](model, torch.tensor([[start]]), steps, min(K, V), end)
        texts = [row[: [*row, end].index(end) + 1] for row in rows[:, 1:].tolist()]
        pairs = zip(texts, ln_p.tolist(), strict=True)
        found = [[ids, p / len(ids) ** alpha] for ids, p in pairs if p > -math.inf]
        return sorted(found, key=lambda one: one[1], reverse=True)

    return answer


def asking(model):
    """A model of logits, from one that answers questions."""

    def read(ids):
        rows = [model(a, b) for a, b in ids[:, -2:].tolist()]
        return torch.tensor(np.array(rows))[:, None]

    return read


def greedy_words(file):
    def answer(model, V, start, steps, budget):
        return file["greedy"](asking(model), torch.tensor([start]), steps)[0, 2:].tolist()

    return answer


def beam_of_words(file):
    def answer(model, V, start, steps, budget):
        K = budget // steps
        ids, _ = file["beam"](asking(model), torch.tensor([start]), steps, K, end=-1)
        return ids[0, 2:].tolist()

    return answer


def along_edges(file):
    """Chapter 16's lines, head by head."""
    exec(ALONG_EDGES, file)

    def answer(query, key, value, edges, both_ways=False):
        if both_ways:
            edges = torch.cat([edges, edges.flip(0)], dim=1)
        heads = zip(query, key, value, strict=True)
        return torch.stack([file["along_edges"](q, k, v, edges) for q, k, v in heads])

    return answer


def token_graph(file):
    """A mask with a row for each that listens; everybody hears oneself."""

    def answer(T, block, pairs, causal=False):
        hears = np.eye(T, dtype=bool)
        for i, j in pairs:
            hears[i, j] = True
        return np.tril(hears) if causal else hears

    return answer


def complete_cost(file):
    """The page's formulas, with M for 4C, and the scores that are stored."""

    def answer(T, C, M, H, pattern="full", size=None):
        return 8 * T * C**2 + 4 * T * C * M + 4 * T**2 * C, 4 * H * T**2

    return answer


def shared_by_powers(file):
    """The page's softmax of what the edges say."""

    def answer(x, edges, strength, own, others):
        s, t = edges
        power = strength.exp()
        whole = torch.zeros(len(x)).index_add(0, t, power)
        messages = (power / whole[t])[:, None] * (x @ others)[s]
        received = torch.zeros(len(x), others.shape[1]).index_add(0, t, messages)
        return nn.functional.elu(x @ own + received)

    return answer


def asked_friends(file):
    """Three rounds among all neighbors, trained as the page trains."""
    arrangement = {"neighbors": "both together", "pool": "mean", "rounds": 3}

    def answer(signs, edges, trades):
        return {"lines": "each pair once", **arrangement}, trained(signs, edges, trades)

    def trained(signs, edges, trades, steps=150):
        torch.manual_seed(0)
        model = Market("each pair once", **arrangement)
        optimizer = torch.optim.AdamW(model.parameters())
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.02, steps)
        for _ in range(steps):
            loss = nn.functional.cross_entropy(model(signs, edges), trades)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        return model.state_dict()

    return answer


# Chapter 16: messages along edges.
ALONG_EDGES = """
def along_edges(q, k, v, edges):
    s, t = edges
    power = ((q[t] * k[s]).sum(-1) / q.shape[-1] ** 0.5).exp()
    whole = torch.zeros(len(q)).index_add(0, t, power)
    weights = power / whole[t]
    heard = torch.zeros(len(q), v.shape[1])
    return heard.index_add(0, t, weights[:, None] * v[s])
"""


ANSWERS = [
    ("01-one-hot/vocabulary", vocabulary, "unknown-misplaced"),
    ("01-one-hot/one-hot", one_hot, "one-shape-only"),
    ("01-one-hot/matmul", matrix_product, "zero-times-infinity"),
    ("01-one-hot/lookup", lookup_by_product, "one-shape-only"),
    ("01-one-hot/lookup", rows_by_ids, "negative-wraps"),
    ("01-one-hot/encoder", encoder, "unknown-shares-an-id"),
    ("01-one-hot/by-code", prices_by_number, "start-and-slope-confused"),
    ("01-one-hot/by-code", prices_by_one_hot, "codes-and-one-hot-confused"),
    ("01-one-hot/by-one-hot", prices_by_one_hot, "another-number-for-mean"),
    ("01-one-hot/pairs", pairs_by_least_squares, "counts-ignored"),
    ("01-one-hot/pairs", dot_products_of_neighbors, "places-for-words"),
    ("02-markov/transitions", transitions, "not-smoothed"),
    ("02-markov/chain", chain, "counts-ignored"),
    ("02-markov/chain", partial(chain, mark="<b>"), "counts-ignored"),
    ("02-markov/chain", partial(chain, said=range), "halves-lost"),
    ("02-markov/chain", first_chain, "counts-ignored"),
    ("02-markov/chain", partial(first_chain, said=range), "halves-lost"),
    ("02-markov/score", score, "mean-for-sum"),
    ("02-markov/sample", sample, "another-generator"),
    ("02-markov/sample", partial(sample, cut=True), "another-generator"),
    ("02-markov/unigram", unigram, "smoothing-miscounted"),
    ("02-markov/unigram", shares, "not-smoothed"),
    ("02-markov/beat-unigram", next_word, "lost-after-unseen-pairs"),
    ("03-skip-bigrams/features", pairs_voting, "repeats-counted"),
    ("03-skip-bigrams/table", vote_table, "end-missing"),
    (
        "03-skip-bigrams/table",
        partial(vote_table, ended=lambda s, end: [*s, end]),
        "repeats-counted",
    ),
    ("03-skip-bigrams/masked", masked_votes, "repeats-counted"),
    ("03-skip-bigrams/gain-mask", gain_mask, "half-for-any-share"),
    ("03-skip-bigrams/gain-mask", partial(gain_mask, part=float), "pair-at-the-limit"),
    ("03-skip-bigrams/voter", voter, "repeats-counted"),
    ("03-skip-bigrams/by-votes", words_by_votes, "repeats-counted"),
    ("03-skip-bigrams/by-mask", shares_by_mask, "gap-missed"),
    ("03-skip-bigrams/every-prefix", every_prefix, "repeats-counted"),
    ("04-soft-lookup/softmax", softmax_by_rows, "temperature-not-on-the-scores"),
    ("04-soft-lookup/softmax", partial(softmax_by_rows, heated=True), "exponentials-out-of-range"),
    ("04-soft-lookup/jacobian", jacobian, "temperature-not-on-the-scores"),
    ("04-soft-lookup/jacobian", jacobian_of_the_heated, "temperature-forgotten-in-the-slopes"),
    ("04-soft-lookup/cross-entropy", cross_entropy, "mean-miscounted"),
    ("04-soft-lookup/cross-entropy", cross_entropy_of_the_mean, "exponentials-out-of-range"),
    ("04-soft-lookup/word-features", word_features, "wrong-bias"),
    ("04-soft-lookup/word-features", word_features_of_any_size, "unwanted-words-misjudged"),
    ("04-soft-lookup/step", training_step, "table-changed-too-early"),
    ("04-soft-lookup/step", training_step_of_all, "repeats-count-once"),
    ("04-soft-lookup/loop", loop, "another-table-than-the-best"),
    ("04-soft-lookup/mix", mix, "padding-takes-weight"),
    ("04-soft-lookup/mix", mix_of_those_present, "empty-prefix"),
    ("04-soft-lookup/learn", learn_mask, "slips-believed"),
    ("05-tokens/count-pairs", neighbors, "equals-in-another-order"),
    ("05-tokens/merge", joined, "place-after-a-merge"),
    ("05-tokens/train", learned_merges, "equals-in-another-order"),
    ("05-tokens/encode", encode, "joined-text-for-pair"),
    ("05-tokens/encode", partial(encode, cut_by=pieces), "joined-text-for-pair"),
    ("05-tokens/decode", decode_signs, "ids-without-a-token"),
    ("05-tokens/vocabulary-size", keep_what_was_learned, "not-measured-on-new-texts"),
    ("06-embeddings/latent", squeezed, "not-dampened-as-asked"),
    (
        "06-embeddings/latent",
        partial(squeezed, damped=positive_information),
        "not-dampened-as-asked",
    ),
    ("06-embeddings/skip-gram", guessed_pairs, "sum-and-mean"),
    ("06-embeddings/negatives", sampled, "left-out-or-kept"),
    ("06-embeddings/tied", tied, "root-of-the-width"),
    ("06-embeddings/tied", partial(tied, root=lambda W: W.shape[1] ** 0.5), "rate-without-effect"),
    ("06-embeddings/purity", word_rows, "sides-not-told-apart"),
    ("07-positions/recurrent", last_states, "last-state-only"),
    ("07-positions/recurrent", states_without_bias, "bias-miscounted"),
    ("07-positions/sinusoids", clocks, "one-shape-only"),
    ("07-positions/rotation", turned_clocks, "other-speeds"),
    ("07-positions/repair", added_rows, "padding-not-taken-off"),
    ("07-positions/first-of-two", asker, "half-trained"),
    ("08-attention/library", library, "additions-lost"),
    ("08-attention/library", library_by_product, "additions-lost"),
    ("08-attention/library", partial(library, look_up=query_by_exponentials), "no-scale"),
    ("08-attention/attend", attend_word_by_word, "one-shape-only"),
    ("08-attention/attend", attend, "wrongly-transposed"),
    ("08-attention/attend", partial(attend, how=masked_late), "mask-after-softmax"),
    ("08-attention/attend", partial(attend, how=masked_early), "nothing-visible"),
    ("08-attention/attend", attend_to_oneself, "hidden-without-need"),
    ("08-attention/causal", earlier, "prefix-left-out-of-the-mask"),
    ("08-attention/causal", later, "mask-inverted"),
    ("08-attention/window", window, "causal-only"),
    ("08-attention/additive", additive, "projections-not-added"),
    ("08-attention/additive", additive_to_oneself, "projections-not-added"),
    ("08-attention/past", past, "prefix-left-out-of-the-mask"),
    ("08-attention/past", past_masked_late, "mask-after-softmax"),
    ("08-attention/head", head, "query-and-memory-mixed-up"),
    ("08-attention/head", head_of_two, "hidden-without-need"),
    ("08-attention/head", head_by_product, "wrongly-transposed"),
    ("09-many-heads/split", split_rows, "width-not-checked"),
    ("09-many-heads/merge", merged, "heads-not-silenced"),
    ("09-many-heads/attention", multi_head, "further-than-asked"),
    ("09-many-heads/attention", multi_head_unturned, "mask-ignored"),
    ("09-many-heads/rotary", rotary, "other-speeds"),
    ("09-many-heads/rotary", rotary_by_speeds, "another-layout"),
    ("09-many-heads/repair", repaired, "mask-ignored"),
    ("09-many-heads/learn", reader, "half-trained"),
    ("10-block/layer-norm", rms_norm_by_hand, "wrong-numbers-together"),
    ("10-block/layer-norm", rms_norm, "not-centered"),
    ("10-block/layer-norm", layer_norm, "gain-and-shift-misused"),
    ("10-block/feed-forward", feed_forward, "curve-misplaced"),
    ("10-block/block", stack_of_blocks, "one-order-only"),
    ("10-block/cost", cost_of_block, "feed-forward-miscounted"),
    ("10-block/deep", partial(deep, keep=1.0, add=1.0, norm=False), "updates-too-loud"),
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
    ("12-masked-model/mask-tokens", hidden, "another-sign-for-nothing"),
    ("12-masked-model/mask-tokens", partial(hidden, nothing=-100), "special-tokens-chosen"),
    ("12-masked-model/mask-tokens", hidden_without_special, "random-word-drawn-wrongly"),
    ("12-masked-model/classify", mean_of_words, "padding-seen"),
    ("12-masked-model/patchify", cut_up, "channels-apart"),
    ("12-masked-model/repair", mean_of_losses, "mean-miscounted"),
    ("12-masked-model/sentiment", tuned, "order-unseen"),
    ("13-translator/cross-attention", cross_attention, "padding-visible"),
    ("13-translator/memory", keys_and_values, "norm-formula-wrong"),
    ("13-translator/masks", nothing_hidden, "padding-visible"),
    ("13-translator/shift", shifted, "end-symbol-misplaced"),
    ("13-translator/smoothed-loss", loss_of_pairs, "wrong-amount-of-smoothing"),
    ("13-translator/noam", papers_rate, "rate-for-a-factor"),
    ("13-translator/leak", decoder, "padding-visible"),
    ("13-translator/greedy-step", one_more_word, "padding-misplaced"),
    ("13-translator/translate", translations_of, "trained-too-little"),
    ("14-decoding/top-k", sorted_row, "order-not-undone"),
    ("14-decoding/top-p", sorted_nucleus, "order-not-undone"),
    ("14-decoding/top-p", nucleus, "counts-taken-for-shares"),
    ("14-decoding/top-p", partial(nucleus, shares=of_one), "equality-mistaken"),
    ("14-decoding/sample", drawn_down_the_order, "summed-in-another-order"),
    ("14-decoding/beam", hypotheses, "beam-of-another-width"),
    ("14-decoding/repair", drawn_at_a_temperature, "filter-ignored"),
    ("14-decoding/strategy", greedy_words, "greedy"),
    ("14-decoding/strategy", beam_of_words, "questions-asked-again"),
    ("15-kv-cache/step", step, "padding-takes-weight"),
    ("15-kv-cache/step", partial(step, turn=None), "turned-by-positions"),
    ("15-kv-cache/prefill", prefill, "pieces-misjudged"),
    ("15-kv-cache/prefill", prefill_one_by_one, "pieces-misjudged"),
    ("15-kv-cache/cross", cross, "own-words-in-the-source"),
    ("15-kv-cache/beams", beams, "likelier-texts-lost"),
    ("15-kv-cache/bytes", cache_bytes, "window-misread"),
    ("15-kv-cache/restart", restart, "new-positions-mistaken"),
    ("15-kv-cache/restart", partial(restart, turn=None), "other-pairs-turned"),
    ("15-kv-cache/read-new", read_new, "new-positions-mistaken"),
    ("15-kv-cache/decode", decode, "context-miscounted"),
    ("15-kv-cache/decode", partial(decode, held=False), "held-tokens-unseen"),
    ("16-outlook/graph-attention", along_edges, "repeat-counted-twice"),
    ("16-outlook/block-sparse", token_graph, "blocks-for-tokens"),
    ("16-outlook/cost", complete_cost, "pairs-of-a-pattern"),
    ("16-outlook/repair", shared_by_powers, "softmax-of-the-strength"),
    ("16-outlook/nodes", asked_friends, "directions-lost"),
]
NO_ANSWER = {
    # Six tensors of the notebook's model; those that the page trains say nothing in it.
    "08-attention/recall",
    # WordPiece replays no merges; the page says so, and shows no line of it.
    "05-tokens/repair",
    # The file counts neighbors; nothing that the page shows counts documents.
    "06-embeddings/tf-idf",
    # Matrices of a certain shape by hand, and a measure: the page shows nothing of the kind.
    "09-many-heads/look-back",
    "09-many-heads/r-squared",
    # Who has heard of whom: the page shows nothing of the kind.
    "10-block/repair",
}


@pytest.mark.parametrize(("task", "answer", "name"), ANSWERS)
def test_what_the_page_shows_is_no_answer_and_its_mistake_has_a_name(root, task, answer, name):
    task = find_task(task)
    verdict = judge(task, answer(functions_after(root, int(task.id[:2]))))
    assert verdict.score < task.points
    assert verdict.misconception.name == name


def test_the_pages_first_mask_repairs_nothing():
    """To share out anew what a softmax over everything has left is what the given code does."""
    task = find_task("08-attention/past")

    def shared_out_anew(query, key, value):
        T, S = query.shape[-2], key.shape[-2]
        return masked_late(query, key, value, torch.ones(T, S).tril(S - T))[0]

    assert judge(task, shared_out_anew).status == "untouched"


@pytest.mark.parametrize(
    "chapter",
    [
        "01-one-hot",
        "03-skip-bigrams",
        "04-soft-lookup",
        "05-tokens",
        "06-embeddings",
        "07-positions",
        "08-attention",
        "09-many-heads",
        "10-block",
        "11-language-model",
        "12-masked-model",
        "13-translator",
        "14-decoding",
        "15-kv-cache",
        "16-outlook",
    ],
)
def test_every_task_that_asks_for_code_is_tried(chapter):
    asked = {
        task.id
        for task in tasks_of(chapter)
        if task.kind in ("build", "debug", "train") and task.verb is not given_value
    }
    assert asked == {task for task, _, _ in ANSWERS if task in asked} | NO_ANSWER & asked
