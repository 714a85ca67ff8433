"""The lines that pages show, handed in as answers: no full points, and the name of what is missing.

Each answer here is what a student makes of the file as it is after the chapter, or of lines that
the page shows beside it, with as little as possible around them to fit the task's arguments.
"""

import math
import random
from collections import Counter
from functools import cache, partial
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
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import value as given_value


def functions_after(root, number):
    """What the file defines after a chapter, by name."""
    names = {"__name__": "transformer"}
    exec(states_until(root / "book", number)[number].text(number, ""), names)
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
    mixed = attention(attention.query(None), held)
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

ANSWERS = [
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
]
NO_ANSWER = {
    # Matrices of a certain shape by hand, and a measure: the page shows nothing of the kind.
    "09-many-heads/look-back",
    "09-many-heads/r-squared",
    # Who has heard of whom: the page shows nothing of the kind.
    "10-block/repair",
    # Six tensors of the notebook's model; those that the page trains say nothing in it.
    "08-attention/recall",
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
    "chapter", ["08-attention", "09-many-heads", "10-block", "11-language-model", "15-kv-cache"]
)
def test_every_task_that_asks_for_code_is_tried(chapter):
    asked = {
        task.id
        for task in tasks_of(chapter)
        if task.kind in ("build", "debug", "train") and task.verb is not given_value
    }
    assert asked == {task for task, _, _ in ANSWERS if task in asked} | NO_ANSWER & asked
