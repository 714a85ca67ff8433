"""Wrong answers to assignment 11, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

from functools import cache, partial

import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.language_model.assemble import new_block
from headway.tasks.chapters.language_model.byte_counts import scores
from headway.tasks.chapters.language_model.docstring_texts import known
from headway.tasks.chapters.language_model.generate import read
from headway.tasks.chapters.language_model.sort import written
from headway.tasks.chapters.language_model.sorting import (
    ARRANGEMENT,
    mixed,
    questions,
    recorded,
    trained,
)


class Parts(nn.Module):
    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(context, width)
        self.blocks = nn.ModuleList([new_block(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.embedding.weight.data.normal_(0, 0.02)
        self.positions.weight.data.normal_(0, 0.02)

    def start(self, ids):
        if ids.size(1) > self.positions.num_embeddings:
            raise ValueError("the text is too long")
        return self.embedding(ids) + self.positions(torch.arange(ids.size(1)))

    def end(self, x):
        return functional.linear(x, self.embedding.weight)


class NoMask(Parts):
    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x)
        return self.end(self.norm(x))


class NoNorm(Parts):
    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(x)


class NormInTheLoop(Parts):
    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = self.norm(block(x, causal=True))
        return self.end(x)


class NoPlaces(Parts):
    def forward(self, ids):
        self.start(ids)
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(self.norm(x))


class AsTorchDraws(Parts):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.embedding.reset_parameters()
        self.positions.reset_parameters()

    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(self.norm(x))


class AnyLength(Parts):
    """An error of the table where the text is too long."""

    def forward(self, ids):
        x = self.embedding(ids) + self.positions(torch.arange(ids.size(1)))
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(self.norm(x))


class OnlyTheLast(Parts):
    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(self.norm(x[:, -1, :]))


class Probabilities(Parts):
    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return torch.softmax(self.end(self.norm(x)), dim=2)


class SharedBlock(Parts):
    """A list that holds one block so many times."""

    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__(vocabulary, context, width, heads, 0)
        self.blocks = nn.ModuleList([new_block(width, heads)] * layers)

    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(self.norm(x))


class PlacesOfIds(Parts):
    def forward(self, ids):
        x = self.start(ids) * 0 + self.embedding(ids) + self.positions(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(self.norm(x))


class PlacesAsTorchDraws(Parts):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.positions.reset_parameters()

    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.end(self.norm(x))


def loss_without_a_shift(logits, ids, lengths, prompt=1):
    targets = ids.clone()
    for b in range(len(ids)):
        targets[b, lengths[b] :] = -100
        targets[b, :prompt] = -100
    return functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


def loss_of_padding_too(logits, ids, lengths, prompt=1):
    predicted, wanted = logits[:, prompt - 1 : -1], ids[:, prompt:]
    if wanted.numel() == 0:
        return torch.tensor(0.0)
    return functional.cross_entropy(predicted.flatten(0, 1), wanted.flatten())


def loss_text_by_text(logits, ids, lengths, prompt=1):
    losses = []
    for row, text, length in zip(logits, ids, lengths, strict=True):
        if length > prompt:
            losses.append(
                functional.cross_entropy(row[prompt - 1 : length - 1], text[prompt:length])
            )
    return sum(losses) / len(losses) if losses else torch.tensor(0.0)


def loss_without_the_last(logits, ids, lengths, prompt=1):
    total, count = 0.0, 0
    for row, text, length in zip(logits, ids, lengths.tolist(), strict=True):
        for t in range(prompt, length - 1):
            total = total - row[t - 1].log_softmax(0)[text[t]]
            count += 1
    return torch.as_tensor(total / max(count, 1))


def loss_with_the_prompt(logits, ids, lengths, prompt=1):
    total, count = torch.tensor(0.0), 0
    for row, text, length in zip(logits, ids, lengths.tolist(), strict=True):
        for t in range(1, length):
            total = total - row[t - 1].log_softmax(0)[text[t]]
            count += 1
    return total / max(count, 1)


def loss_not_a_number(logits, ids, lengths, prompt=1):
    places = torch.arange(ids.shape[1])
    counts = ((places >= prompt) & (places < lengths.unsqueeze(1)))[:, 1:]
    return functional.cross_entropy(logits[:, :-1][counts], ids[:, 1:][counts])


def loss_by_zeros(logits, ids, lengths, prompt=1):
    """Zero for an id that stands for padding elsewhere."""
    wanted = ids[:, 1:].clone()
    wanted[:, : prompt - 1] = 0
    return functional.cross_entropy(logits[:, :-1].transpose(1, 2), wanted, ignore_index=0)


def loss_of_a_softmax(logits, ids, lengths, prompt=1):
    p = torch.softmax(logits, -1)
    places = torch.arange(ids.shape[1])
    counts = ((places >= prompt) & (places < lengths.unsqueeze(1)))[:, 1:]
    if not counts.any():
        return torch.tensor(0.0)
    return functional.cross_entropy(p[:, :-1][counts], ids[:, 1:][counts])


def loss_in_bits(logits, ids, lengths, prompt=1):
    return loss_by_rows(logits, ids, lengths, prompt) / torch.log(torch.tensor(2.0))


def loss_by_rows(logits, ids, lengths, prompt=1):
    total, count = torch.tensor(0.0), 0
    for row, text, length in zip(logits, ids, lengths.tolist(), strict=True):
        for t in range(prompt, length):
            total = total - row[t - 1].log_softmax(0)[text[t]]
            count += 1
    return total / max(count, 1)


def cut(stream, length, size, step):
    rows = []
    for start in range(0, len(stream) - length, step):
        rows.append((stream[start : start + length], stream[start + 1 : start + length + 1]))
    pairs = []
    for i in range(0, len(rows), size):
        xs, ys = zip(*rows[i : i + size], strict=True)
        pairs.append((torch.tensor(xs), torch.tensor(ys)))
    return pairs


def batches_without_ends(texts, length, size, end):
    return cut([token for text in texts for token in text], length, size, length)


def batches_with_ends_between(texts, length, size, end):
    stream = []
    for i, text in enumerate(texts):
        stream += ([end] if i else []) + list(text)
    return cut(stream, length, size, length)


def batches_sliding(texts, length, size, end):
    return cut([token for text in texts for token in [*text, end]], length, size, 1)


def batches_a_step_too_far(texts, length, size, end):
    return cut([token for text in texts for token in [*text, end]], length, size, length + 1)


def batches_of_each_text(texts, length, size, end):
    made = []
    for text in texts:
        made += cut([*text, end], length, size, length)
    return made


def batches_of_cut_texts(texts, length, size, end):
    """Each text is cut alone, and the pieces go into batches together."""
    rows = []
    for text in texts:
        for inputs, targets in cut([*text, end], length, 1, length):
            rows.append((inputs[0], targets[0]))
    parts = [rows[i : i + size] for i in range(0, len(rows), size)]
    return [tuple(torch.stack(side) for side in zip(*part, strict=True)) for part in parts]


def batches_rolled(texts, length, size, end):
    stream = torch.tensor([token for text in texts for token in [*text, end]]).long()
    pieces = max(len(stream) - 1, 0) // length
    rows = stream[: pieces * length].reshape(pieces, length)
    return [(part, torch.roll(part, -1, dims=1)) for part in rows.split(size)] if pieces else []


def batches_full_only(texts, length, size, end):
    stream = [token for text in texts for token in [*text, end]]
    return [pair for pair in cut(stream, length, size, length) if len(pair[0]) == size]


def batches_last_dropped(texts, length, size, end):
    stream = [token for text in texts for token in [*text, end]]
    return cut(stream[:-1], length, size, length)


def batches_in_columns(texts, length, size, end):
    """Side by side, as one trains a recurrent network."""
    stream = torch.tensor([token for text in texts for token in [*text, end]]).long()
    pieces = max(len(stream) - 1, 0) // length
    x = stream[: pieces * length].reshape(length, pieces).t()
    y = stream[1 : pieces * length + 1].reshape(length, pieces).t()
    return list(zip(x.split(size), y.split(size), strict=True)) if pieces else []


def replies_with_the_end(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        ids = list(prompt)
        for _ in range(steps):
            ids.append(int(read(votes, torch.tensor([ids[-len(votes) :]]))[0, -1].argmax()))
            if ids[-1] == end:
                break
        out.append(ids[len(prompt) :])
    return out


def replies_that_go_on(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        ids = list(prompt)
        for _ in range(steps):
            ids.append(int(read(votes, torch.tensor([ids[-len(votes) :]]))[0, -1].argmax()))
        out.append(ids[len(prompt) :])
    return out


def replies_with_their_prompt(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        ids = list(prompt)
        for _ in range(steps):
            token = int(read(votes, torch.tensor([ids[-len(votes) :]]))[0, -1].argmax())
            if token == end:
                break
            ids.append(token)
        out.append(ids)
    return out


def replies_from_the_front(votes, prompts, steps, end):
    N, out = votes.shape[0], []
    for prompt in prompts:
        ids = list(prompt)
        for _ in range(steps):
            token = int(read(votes, torch.tensor([ids[:N]]))[0, -1].argmax())
            if token == end:
                break
            ids.append(token)
        out.append(ids[len(prompt) :])
    return out


def replies_within_the_context(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        ids = list(prompt)
        for _ in range(steps):
            token = int(read(votes, torch.tensor([ids]))[0, -1].argmax())
            if token == end:
                break
            ids.append(token)
        out.append(ids[len(prompt) :])
    return out


def replies_of_padded_rows(votes, prompts, steps, end):
    if not prompts:
        return []
    width = max(map(len, prompts))
    ids = torch.tensor([p + [0] * (width - len(p)) for p in prompts])
    out, done = [[] for _ in prompts], [False] * len(prompts)
    for _ in range(steps):
        best = read(votes, ids[:, -len(votes) :])[:, -1].argmax(-1)
        ids = torch.cat([ids, best[:, None]], 1)
        for row, token in enumerate(best.tolist()):
            done[row] = done[row] or token == end
            if not done[row]:
                out[row].append(token)
    return out


def replies_of_rows_padded_in_front(votes, prompts, steps, end):
    if not prompts:
        return []
    width = max(map(len, prompts))
    rows = [[end] * (width - len(p)) + list(p) for p in prompts]
    out = []
    for row in rows:
        said = []
        for _ in range(steps):
            token = int(read(votes, torch.tensor([[*row, *said][-len(votes) :]]))[0, -1].argmax())
            if token == end:
                break
            said.append(token)
        out.append(said)
    return out


def replies_to_the_last_word(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        said, token = [], prompt[-1]
        for _ in range(steps):
            token = int(read(votes, torch.tensor([[token]]))[0, 0].argmax())
            if token == end:
                break
            said.append(token)
        out.append(said)
    return out


def replies_that_see_an_end_in_the_prompt(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        ids = list(prompt)
        while end not in ids and len(ids) < len(prompt) + steps:
            ids.append(int(read(votes, torch.tensor([ids[-len(votes) :]]))[0, -1].argmax()))
        said = ids[len(prompt) :]
        out.append(said[:-1] if end in said else said)
    return out


def replies_that_return_at_an_end(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        ids = list(prompt)
        for _ in range(steps):
            token = int(read(votes, torch.tensor([ids[-len(votes) :]]))[0, -1].argmax())
            if token == end:
                return [*out, ids[len(prompt) :]]
            ids.append(token)
        out.append(ids[len(prompt) :])
    return out


def replies_that_wait_for_nobody(votes, prompts, steps, end):
    ids, out = [list(p) for p in prompts], [[] for _ in prompts]
    for _ in range(steps):
        best = [int(read(votes, torch.tensor([row[-len(votes) :]]))[0, -1].argmax()) for row in ids]
        if end in best:
            break
        for row, said, token in zip(ids, out, best, strict=True):
            row.append(token)
            said.append(token)
    return out


def filled(prompts, replies, end, padding):
    texts = [[*p, *r, end] for p, r in zip(prompts, replies, strict=True)]
    width = max(map(len, texts))
    ids = torch.full((len(texts), width), padding)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
    return texts, ids


def examples_of_the_whole_text(prompts, replies, end, padding):
    texts, ids = filled(prompts, replies, end, padding)
    targets = torch.full_like(ids, -100)
    for row, text in enumerate(texts):
        targets[row, : len(text)] = torch.tensor(text)
        ids[row, len(text) - 1] = padding
    return ids[:, :-1], targets[:, 1:]


def examples_without_the_end(prompts, replies, end, padding):
    texts, ids = filled(prompts, replies, end, padding)
    targets = torch.full_like(ids, -100)
    for row, (prompt, text) in enumerate(zip(prompts, texts, strict=True)):
        targets[row, len(prompt) - 1 : len(text) - 2] = torch.tensor(text[len(prompt) : -1])
        ids[row, len(text) - 1] = padding
    return ids[:, :-1], targets[:, :-1]


def examples_without_padding_ids(prompts, replies, end, padding):
    """What looks like padding is not asked for."""
    texts, ids = filled(prompts, replies, end, padding)
    targets = ids[:, 1:].clone()
    for row, (prompt, text) in enumerate(zip(prompts, texts, strict=True)):
        targets[row, : len(prompt) - 1] = -100
        ids[row, len(text) - 1] = padding
    targets[targets == padding] = -100
    return ids[:, :-1], targets


def examples_from_a_word_too_soon(prompts, replies, end, padding):
    """The last word of the prompt has to be said, too, where there is one before it."""
    texts, ids = filled(prompts, replies, end, padding)
    targets = torch.full_like(ids, -100)
    for row, (prompt, text) in enumerate(zip(prompts, texts, strict=True)):
        for place in range(max(len(prompt) - 2, 0), len(text) - 1):
            targets[row, place] = text[place + 1]
        ids[row, len(text) - 1] = padding
    return ids[:, :-1], targets[:, :-1]


def examples_as_read_behind_the_prompt(prompts, replies, end, padding):
    texts, ids = filled(prompts, replies, end, padding)
    targets = torch.full_like(ids, -100)
    for row, (prompt, text) in enumerate(zip(prompts, texts, strict=True)):
        targets[row, len(prompt) : len(text) - 1] = torch.tensor(text[len(prompt) : -1])
        ids[row, len(text) - 1] = padding
    return ids[:, :-1], targets[:, :-1]


def as_trained(**options):
    """What a real training gives."""

    made = cache(partial(trained, 0, **options))

    def sorter(ids):
        arrangement, weights = made()
        return arrangement, written(weights, ids)

    return sorter


def downwards(ids):
    """Learned from answers in the other order: the digits are told apart by their ids alone."""
    return ARRANGEMENT, written(recorded(), torch.cat([ids[:10].flip(0), ids[10:]]))


def shaken(ids):
    """Weights far off, whose replies are no order at all."""
    draw = torch.Generator().manual_seed(0)
    weights = recorded()
    off = {at: w + w.std() * torch.randn(w.shape, generator=draw) for at, w in weights.items()}
    return ARRANGEMENT, written(off, ids)


def of_forty_eight(ids):
    return trained(0, {"width": 48, "heads": 4, "layers": 2}, steps=2)


def scores_of_the_notebooks_loop(ids):
    """Each row has read its own byte and speaks of the next."""
    return scores(torch.cat([ids, ids[:1]]))[1:]


def scores_of_a_single_window(ids):
    if len(ids) > 32:
        raise IndexError("index out of range in self")
    return scores(ids)


def scores_by_frequency(ids):
    shares = torch.bincount(known(), minlength=256).float() + 1
    return (shares / shares.sum()).log().expand(len(ids), 256).clone()


def scores_as_shares(ids):
    return functional.softmax(scores(ids), dim=1)


def scores_that_know(ids):
    return functional.one_hot(ids, 256) * 10.0


FURTHER = {
    "no mask": ("assemble", NoMask, "future-visible"),
    "no last norm": ("assemble", NoNorm, "last-norm-misplaced"),
    "the norm in the loop": ("assemble", NormInTheLoop, "last-norm-misplaced"),
    "no places": ("assemble", NoPlaces, "positions-missing"),
    "as torch draws": ("assemble", AsTorchDraws, "tables-drawn-otherwise"),
    "no word about the length": ("assemble", AnyLength, "context-not-checked"),
    "the last position": ("assemble", OnlyTheLast, "last-position-only"),
    "a softmax": ("assemble", Probabilities, "softmax-too-early"),
    "one block many times": ("assemble", SharedBlock, "one-block-for-all"),
    "rows by ids": ("assemble", PlacesOfIds, "another-position"),
    "one table as torch draws": ("assemble", PlacesAsTorchDraws, "tables-drawn-otherwise"),
    "no shift": ("loss", loss_without_a_shift, "targets-unshifted"),
    "padding too": ("loss", loss_of_padding_too, "padding-counted"),
    "text by text": ("loss", loss_text_by_text, "mean-miscounted"),
    "without the last": ("loss", loss_without_the_last, "end-never-asked-for"),
    "with the prompt": ("loss", loss_with_the_prompt, "given-tokens-counted"),
    "not a number": ("loss", loss_not_a_number, "nothing-to-say"),
    "zeros skipped": ("loss", loss_by_zeros, "padding-guessed-from-the-ids"),
    "a softmax first": ("loss", loss_of_a_softmax, "softmax-too-early"),
    "bits": ("loss", loss_in_bits, "probability-for-loss"),
    "no ends": ("batches", batches_without_ends, "texts-not-parted"),
    "ends between": ("batches", batches_with_ends_between, "texts-not-parted"),
    "sliding": ("batches", batches_sliding, "pieces-overlap"),
    "a step too far": ("batches", batches_a_step_too_far, "target-lost-at-each-cut"),
    "each text": ("batches", batches_of_each_text, "texts-kept-apart"),
    "each text cut alone": ("batches", batches_of_cut_texts, "texts-kept-apart"),
    "rolled": ("batches", batches_rolled, "target-lost-at-each-cut"),
    "full ones only": ("batches", batches_full_only, "last-batch-lost"),
    "the last token dropped": ("batches", batches_last_dropped, "texts-not-parted"),
    "columns": ("batches", batches_in_columns, "another-order"),
    "the end said": ("generate", replies_with_the_end, "reply-cut-out-wrongly"),
    "on and on": ("generate", replies_that_go_on, "never-stops"),
    "prompt and reply": ("generate", replies_with_their_prompt, "reply-cut-out-wrongly"),
    "the front": ("generate", replies_from_the_front, "context-overrun"),
    "nothing cut": ("generate", replies_within_the_context, "context-overrun"),
    "rows filled up": ("generate", replies_of_padded_rows, "another-position-read"),
    "filled up in front": ("generate", replies_of_rows_padded_in_front, "padding-read-as-words"),
    "one word at a time": ("generate", replies_to_the_last_word, "own-words-not-read"),
    "an end in the prompt": (
        "generate",
        replies_that_see_an_end_in_the_prompt,
        "ended-by-another-end",
    ),
    "nobody waits": ("generate", replies_that_wait_for_nobody, "ended-by-another-end"),
    "back at the first end": ("generate", replies_that_return_at_an_end, "ended-by-another-end"),
    "padding by its id": ("repair", examples_without_padding_ids, "padding-guessed-from-the-ids"),
    "the whole text": ("repair", examples_of_the_whole_text, "given-tokens-counted"),
    "no end": ("repair", examples_without_the_end, "end-never-asked-for"),
    "a word too soon": ("repair", examples_from_a_word_too_soon, "given-tokens-counted"),
    "as read": ("repair", examples_as_read_behind_the_prompt, "targets-unshifted"),
    "unshifted in training": ("sort", as_trained(shift=0, steps=300), "targets-unshifted"),
    "two steps on": ("sort", as_trained(shift=2, steps=300), "shifted-wrongly"),
    "a few steps": ("sort", as_trained(steps=150, draw=questions), "half-trained"),
    "a small rate": (
        "sort",
        as_trained(steps=500, rate=1e-3, scheduled=False, draw=mixed),
        "half-trained",
    ),
    "no rate to speak of": ("sort", as_trained(steps=100, rate=1e-5), "not-trained"),
    "far off": ("sort", shaken, "replies-not-in-order"),
    "two of ten missing": (
        "sort",
        lambda ids: ({**ARRANGEMENT, "width": 10}, written(recorded(), ids)),
        "weights-of-another-model",
    ),
    "the weights alone": ("sort", lambda ids: recorded(), "no-arrangement-or-no-weights"),
    "the ids that it learned": (
        "sort",
        lambda ids: (ARRANGEMENT, recorded()),
        "ids-of-the-notebook",
    ),
    "digits at random alone": (
        "sort",
        lambda ids: (ARRANGEMENT, written(recorded("questions"), ids)),
        "rare-questions-not-learned",
    ),
    "the other way": ("sort", downwards, "from-the-highest-down"),
    "as large as the page's": ("sort", of_forty_eight, "model-too-large"),
    "one row late": ("docstrings", scores_of_the_notebooks_loop, "shifted-wrongly"),
    "one window": ("docstrings", scores_of_a_single_window, "context-overrun"),
    "frequencies": ("docstrings", scores_by_frequency, "no-better-than-pairs"),
    "shares": ("docstrings", scores_as_shares, "softmax-too-early"),
    "all known": ("docstrings", scores_that_know, "targets-unshifted"),
    "a number too many": ("positions", [30, 23, 3], "given-tokens-counted"),
    "the last place": ("positions", [30, 20, 9], "another-position-read"),
    "the mean of both": ("perplexity", [2.6, 13.46, 0.94], "mean-miscounted"),
    "bits a token": ("perplexity", [2.3, 9.97, 3.32], "per-token-or-per-character"),
    "no table of places": ("parameters", [25_220, 35_220, 25_220], "positions-missing"),
    "the norm at the end": ("parameters", [25_980, 35_980, 26_780], "last-norm-misplaced"),
}
