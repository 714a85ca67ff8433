"""The lines that pages show, handed in as answers: no full points, and the name of what is missing.

Each answer here is what a student makes of the file as it is after the chapter, or of lines that
the page shows beside it, with as little as possible around them to fit the task's arguments.
"""

import math
import random
from collections import Counter
from functools import cache, partial

import numpy as np
import pytest
import torch
from headway_book.one_file import states_until
from torch import nn

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
from headway.text.corpus.translation import hold_out_combinations, translations


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
    ("13-translator/cross-attention", cross_attention, "padding-visible"),
    ("13-translator/memory", keys_and_values, "norm-formula-wrong"),
    ("13-translator/masks", nothing_hidden, "padding-visible"),
    ("13-translator/shift", shifted, "end-symbol-misplaced"),
    ("13-translator/smoothed-loss", loss_of_pairs, "wrong-amount-of-smoothing"),
    ("13-translator/noam", papers_rate, "rate-for-a-factor"),
    ("13-translator/leak", decoder, "padding-visible"),
    ("13-translator/greedy-step", one_more_word, "padding-misplaced"),
    ("13-translator/translate", translations_of, "trained-too-little"),
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
    "chapter", ["08-attention", "11-language-model", "13-translator", "15-kv-cache"]
)
def test_every_task_that_asks_for_code_is_tried(chapter):
    asked = {
        task.id
        for task in tasks_of(chapter)
        if task.kind in ("build", "debug", "train") and task.verb is not given_value
    }
    assert asked == {task for task, _, _ in ANSWERS if task in asked} | NO_ANSWER & asked
