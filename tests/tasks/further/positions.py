"""Wrong answers to assignment 07, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.positions.look_back import look_back


def states_by_weights_of_layers(x, W, U, b):
    """As nn.Linear multiplies."""
    h, out = torch.zeros(len(x), len(b)), []
    for word in x.unbind(1):
        h = torch.tanh(functional.linear(word, W, b) + functional.linear(h, U))
        out.append(h)
    return torch.stack(out, 1)


def states_of_a_loop_over_texts(x, W, U, b):
    """The state is made once, before the loop over the texts."""
    out, h = torch.empty_like(x), torch.zeros(len(b))
    for i in range(len(x)):
        for t in range(x.size(1)):
            h = torch.tanh(x[i, t] @ W + h @ U + b)
            out[i, t] = h
    return out


def states_written_into_the_words(x, W, U, b):
    h = torch.zeros(x.shape[0], x.shape[2])
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        x[:, t] = h
    return x


def states_of_the_words_before(x, W, U, b):
    """All at once, with the words moved by one: no state is handed on."""
    before = functional.pad(x, (0, 0, 1, 0))[:, :-1]
    return torch.tanh(x @ W + before @ U + b)


def states_with_a_first_step_of_its_own(x, W, U, b):
    h = torch.tanh(x[:, 0] @ W)
    out = [h]
    for t in range(1, x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        out.append(h)
    return torch.stack(out, 1)


def states_that_begin_at_the_first_word(x, W, U, b):
    h, out = x[:, 0], [x[:, 0]]
    for t in range(1, x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        out.append(h)
    return torch.stack(out, 1)


def states_of_two_biases(x, W, U, b):
    """b stands for both biases of PyTorch's layer."""
    layer = nn.RNN(len(b), len(b), batch_first=True)
    with torch.no_grad():
        for mine, given in zip(layer.parameters(), (W.T, U.T, b, b), strict=True):
            mine.copy_(given)
        return layer(x)[0]


def states_of_relu(x, W, U, b):
    h, out = 0 * x[:, 0], []
    for t in range(x.shape[1]):
        h = functional.relu(x[:, t] @ W + h @ U + b)
        out += [h]
    return torch.stack(out, 1)


def states_all_the_same(x, W, U, b):
    h = 0 * x[:, 0]
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
    return torch.stack([h] * x.shape[1], 1)


def states_stacked_in_time(x, W, U, b):
    h, out = 0 * x[:, 0], []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        out += [h]
    return torch.stack(out)


def waves_of_the_tutorial(positions, width, base=10_000.0):
    """The well-known lines with `div_term`, in single precision."""
    if width % 2:
        raise ValueError("even widths only")
    p = torch.tensor(positions, dtype=torch.float32).unsqueeze(-1)
    div_term = torch.exp(torch.arange(0, width, 2).float() * (-math.log(base) / width))
    pe = torch.zeros(*p.shape[:-1], width)
    pe[..., 0::2] = torch.sin(p * div_term)
    pe[..., 1::2] = torch.cos(p * div_term)
    return pe


def waves_concatenated(positions, width, base=10_000.0):
    if width % 2:
        raise ValueError("even widths only")
    half = width // 2
    a = np.asarray(positions)[..., None] / base ** (np.arange(half) / half)
    return np.concatenate((np.sin(a), np.cos(a)), axis=-1)


def waves_with_column_exponent(positions, width, base=10_000.0):
    """The i of the formula is taken for the column."""
    if width % 2 == 1:
        raise ValueError
    out = np.zeros((*np.shape(positions), width))
    for i in range(width):
        a = positions / base ** (2 * i / width)
        out[..., i] = np.sin(a) if i % 2 == 0 else np.cos(a)
    return out


def waves_of_a_list(positions, width, base=10_000.0):
    """Loops over a first axis only."""
    if width % 2:
        raise ValueError("odd")
    rows = []
    for p in positions:
        row = []
        for i in range(width // 2):
            w = base ** (-2 * i / width)
            row += [math.sin(p * w), math.cos(p * w)]
        rows.append(row)
    return np.array(rows).reshape(len(rows), width)


def waves_asserted(positions, width, base=10_000.0):
    assert width % 2 == 0, "odd width"
    w = base ** (-np.arange(0, width, 2) / width)
    a = np.asarray(positions)[..., None] * w
    return np.stack((np.sin(a), np.cos(a)), -1).reshape(*np.shape(positions), width)


def waves_slower_last(positions, width, base=10_000.0):
    """The last pair is as slow as 1/base: the ends are counted, not the steps."""
    if width % 2:
        raise ValueError("odd")
    n = width // 2
    w = base ** -(np.arange(n) / max(n - 1, 1))
    a = np.asarray(positions)[..., None] * w
    return np.stack((np.sin(a), np.cos(a)), -1).reshape(*np.shape(positions), width)


def rotation_of_the_text_book(offset, speeds):
    """The matrix that turns points of the plane, in every block."""
    C = 2 * len(speeds)
    R = np.zeros((C, C))
    for i, w in enumerate(speeds):
        t = offset * w
        R[2 * i, 2 * i], R[2 * i, 2 * i + 1] = np.cos(t), -np.sin(t)
        R[2 * i + 1, 2 * i], R[2 * i + 1, 2 * i + 1] = np.sin(t), np.cos(t)
    return R


def rotation_in_quadrants(offset, speeds):
    n = len(speeds)
    R = np.zeros((2 * n, 2 * n))
    R[:n, :n] = R[n:, n:] = np.diag(np.cos(offset * speeds))
    R[:n, n:], R[n:, :n] = np.diag(np.sin(offset * speeds)), -np.diag(np.sin(offset * speeds))
    return R


def rotation_of_one_sign(offset, speeds):
    """sin(a + b) twice."""
    blocks = []
    for w in speeds:
        c, s = math.cos(offset * w), math.sin(offset * w)
        blocks.append(torch.tensor([[c, s], [s, c]]))
    return torch.block_diag(*blocks)


def rotation_by_powers(offset, speeds):
    """As many single steps as the offset has; none for half a step or back."""
    step = np.zeros((2 * len(speeds),) * 2)
    for i, w in enumerate(speeds):
        c, s = np.cos(w), np.sin(w)
        step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return np.linalg.matrix_power(step, int(offset))


def repair_other_axis(x, table, lengths):
    T = x.shape[1]
    position = torch.arange(T).unsqueeze(1) - (T - lengths)
    added = table[position.clamp(min=0)].masked_fill((position < 0)[..., None], 0.0)
    return x + added


def repair_mask_forgotten(x, table, lengths):
    T = x.shape[1]
    place = torch.arange(T) - (T - lengths).unsqueeze(1)
    return x + table[torch.relu(place)]


def repair_right_padding(x, table, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] += table[:n]
    return out


def repair_columns(x, table, lengths):
    """Every word keeps the number of its column, and so does the padding."""
    return x + table[: x.shape[1]]


def repair_other_rows(x, table, lengths):
    """As many rows as words, but counted from the end of each sentence."""
    T = x.shape[1]
    added = torch.zeros_like(x)
    words = torch.arange(T) >= (T - lengths)[:, None]
    back = (T - 1 - torch.arange(T)).expand(len(x), T)
    added[words] = table[back[words]]
    return x + added


def repair_rows_of_strangers(x, table, lengths):
    """The masks of words and rows are those of different sentences."""
    T = x.shape[1]
    words = torch.arange(T) >= T - lengths[:, None]
    rows = torch.arange(T) < lengths.flip(0)[:, None]
    added = torch.zeros_like(x)
    added[words] = table[:T].expand_as(x)[rows]
    return x + added


def fit(model, ids, first, new_ids, steps, rate=0.01):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(steps):
        rows = torch.randint(len(ids), (128,))
        loss = functional.binary_cross_entropy_with_logits(model(ids[rows]), first[rows].float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return model(new_ids)


class PooledFirst(nn.Module):
    """Words and places are averaged, and only then comes the network."""

    def __init__(self, words, length):
        super().__init__()
        self.word, self.place = nn.Embedding(words, 16), nn.Parameter(torch.randn(length, 16))
        self.network = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, ids):
        return self.network((self.word(ids) + self.place).mean(1))[:, 0]


class WordByWord(PooledFirst):
    def forward(self, ids):
        return self.network(self.word(ids) + self.place).mean(1)[:, 0]


def order_pooled_first(ids, person_first, new_ids, words):
    return fit(PooledFirst(words, ids.shape[1]), ids, person_first, new_ids, 20) > 0


def order_hardly_trained(ids, person_first, new_ids, words):
    return fit(WordByWord(words, ids.shape[1]), ids, person_first, new_ids, 85) > 0


def order_as_logits(ids, person_first, new_ids, words):
    return fit(WordByWord(words, ids.shape[1]), ids, person_first, new_ids, 1)


def order_turned_round(ids, person_first, new_ids, words):
    return fit(WordByWord(words, ids.shape[1]), ids, person_first, new_ids, 130, 0.03) < 0


def order_of_strangers(ids, person_first, new_ids, words):
    """Answers are drawn for other rows than the sentences."""
    mixed = person_first[torch.randperm(len(ids))]
    return fit(WordByWord(words, ids.shape[1]), ids, mixed, new_ids, 300) > 0


def turned_by(angle, strength):
    c, s = math.cos(angle), math.sin(angle)
    return [[strength * c, strength * s], [-strength * s, strength * c]]


def back_that_looks_ahead(back, length):
    w = math.pi / length
    return [w], turned_by(back * w, 10 / (1 - math.cos(w)))


def back_with_one_radian(back, length):
    return [1.0], turned_by(-back, 200)


def back_too_soft(back, length):
    w = 1 / length
    return np.array([w]), np.array(turned_by(-back * w, 25))


def back_one_further(back, length):
    w = math.pi / length
    return [w], turned_by(-(back + 1) * w, 1e7)


def waves_of_another_precedence(positions, width, base=10_000.0):
    if width % 2:
        raise ValueError("odd")
    w = base ** (-np.arange(0.0, width, 2)) / width
    a = np.asarray(positions)[..., None] * w
    return np.stack((np.sin(a), np.cos(a)), -1).reshape(*np.shape(positions), width)


def waves_counted_anew(positions, width, base=10_000.0):
    """0, 1, 2, … in whatever shape the positions have."""
    if width % 2:
        raise ValueError("odd")
    p = np.arange(np.size(positions)).reshape(np.shape(positions))
    a = p[..., None] * base ** (-np.arange(0, width, 2) / width)
    return np.stack((np.sin(a), np.cos(a)), -1).reshape(*np.shape(positions), width)


def rotation_by_least_squares(offset, speeds):
    """From many positions and those further on; what a hand at speed 0 never shows is lost."""
    at, R = np.arange(50.0), np.zeros((2 * len(speeds),) * 2)
    for i, w in enumerate(speeds):
        before, after = (np.stack((np.sin(p * w), np.cos(p * w)), 1) for p in (at, at + offset))
        pair = slice(2 * i, 2 * i + 2)
        R[pair, pair] = np.linalg.lstsq(before, after, rcond=None)[0].T
    return R


def repair_with_the_longest(x, table, lengths):
    """The shift of the longest sentence for all; the padding stays as it is."""
    T = x.shape[1]
    words = torch.arange(T) >= (T - lengths)[:, None]
    place = (torch.arange(T) - (T - lengths.max())).clamp(min=0)
    return x + table[place] * words[..., None]


def repair_with_the_first(x, table, lengths):
    T = x.shape[1]
    words = torch.arange(T) >= (T - lengths)[:, None]
    place = (torch.arange(T) - (T - lengths[0])).clamp(min=0)
    return x + table[place] * words[..., None]


def repair_slices(x, table, lengths):
    """The last n columns get the first n rows, which goes wrong for n = 0."""
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, -n:] += table[:n]
    return out


def repair_slices_that_fit(x, table, lengths):
    added = torch.zeros_like(x)
    for row, n in zip(added, lengths, strict=True):
        words = row[-n:]
        words += table[: words.shape[0]]
    return x + added


FURTHER = {
    "six numbers in halves": ("wave", [0, 1, 0.71, -1, 0, 0.71], "another-layout"),
    "the speeds doubled": ("wave", [math.sin(2 * math.pi), 1, 0, -1, 1, 0], None),
    "sine and cosine of one angle mixed up": (
        "wave",
        [0, -1, 0, 1, 0.707, 0.707],
        "sine-and-cosine-swapped",
    ),
    "the cosine of half a turn is 1": ("wave", [0, 1, 1, 0, 0.71, 0.71], "sign-lost"),
    "sines twice": ("wave", [0, 0, 1, 1, 0.71, 0.71], "sines-only"),
    "the second hand only": ("distance", [0.96, 0.28, 0.8, -0.6], "another-offset"),
    "the clock of position 2 added": (
        "distance",
        [0.96, -0.72, 1.6, 0.8],
        "encoding-of-the-offset",
    ),
    "one place on": ("distance", [0.28, -0.96, 0.99, 0.14], "another-offset"),
    "turned the other way": ("distance", [-0.96, -0.28, -0.8, 0.6], "turned-the-wrong-way"),
    "no bias": ("parameters", [96, 960], "network-miscounted"),
    "no bias, and all rows": ("parameters", [96, 96 * 48], "other-rows-counted"),
    "rows": ("parameters", [97, 20], "rows-and-numbers-confused"),
    "as layers multiply": ("recurrent", states_by_weights_of_layers, "matrix-transposed"),
    "one state for all texts": ("recurrent", states_of_a_loop_over_texts, "texts-meet"),
    "written into the words": ("recurrent", states_written_into_the_words, "argument-changed"),
    "words moved by one": ("recurrent", states_of_the_words_before, "state-forgotten"),
    "no bias in the first step": (
        "recurrent",
        states_with_a_first_step_of_its_own,
        "bias-miscounted",
    ),
    "the first word for a state": (
        "recurrent",
        states_that_begin_at_the_first_word,
        "not-from-zero",
    ),
    "a bias for each matrix": ("recurrent", states_of_two_biases, "bias-miscounted"),
    "ReLU": ("recurrent", states_of_relu, "squeezed-otherwise"),
    "the last state everywhere": ("recurrent", states_all_the_same, "last-state-only"),
    "time first": ("recurrent", states_stacked_in_time, "axes-in-another-order"),
    "the sign before the root": ("sinusoids", waves_of_another_precedence, "other-speeds"),
    "counted anew": ("sinusoids", waves_counted_anew, "other-positions"),
    "least squares": ("rotation", rotation_by_least_squares, "block-mixed-up"),
    "the shift of the longest": ("repair", repair_with_the_longest, "padding-of-another-sentence"),
    "the shift of the first": ("repair", repair_with_the_first, "padding-of-another-sentence"),
    "the well-known lines": ("sinusoids", waves_of_the_tutorial, "precision-lost"),
    "all sines first": ("sinusoids", waves_concatenated, "another-layout"),
    "the column in the exponent": (
        "sinusoids",
        waves_with_column_exponent,
        "a-speed-for-each-column",
    ),
    "rows of a list": ("sinusoids", waves_of_a_list, "one-shape-only"),
    "an assertion": ("sinusoids", waves_asserted, "another-exception"),
    "ends counted": ("sinusoids", waves_slower_last, "other-speeds"),
    "the matrix of the text book": ("rotation", rotation_of_the_text_book, "turned-the-wrong-way"),
    "quadrants": ("rotation", rotation_in_quadrants, "another-layout"),
    "one sign": ("rotation", rotation_of_one_sign, "block-mixed-up"),
    "powers of a step": ("rotation", rotation_by_powers, "another-offset"),
    "another line": ("faulty-line", 5, "right-line-suspected"),
    "the other axis": ("repair", repair_other_axis, "sentence-for-word"),
    "the last n": ("repair", repair_slices, "slice-from-minus-zero"),
    "the last n, as many as there are": ("repair", repair_slices_that_fit, "slice-from-minus-zero"),
    "no mask": ("repair", repair_mask_forgotten, "padding-masked-inexactly"),
    "padding behind": ("repair", repair_right_padding, "padding-on-the-right"),
    "rows counted from the end": ("repair", repair_other_rows, "other-positions"),
    "rows of other sentences": ("repair", repair_rows_of_strangers, "padding-of-another-sentence"),
    "columns for positions": ("repair", repair_columns, "padding-not-taken-off"),
    "the mean first": ("first-of-two", order_pooled_first, "order-blind"),
    "hardly trained": ("first-of-two", order_hardly_trained, "half-trained"),
    "logits": ("first-of-two", order_as_logits, "scores-for-answers"),
    "below zero for yes": ("first-of-two", order_turned_round, "answer-turned-round"),
    "answers of other rows": ("first-of-two", order_of_strangers, "no-better-than-a-guess"),
    "the answers that are known": (
        "first-of-two",
        lambda ids, first, new_ids, words: first,
        "answers-for-other-sentences",
    ),
    "a speed for each number": (
        "look-back",
        lambda back, length: (np.full(2, np.pi / length), look_back(back, length)[1]),
        "parts-of-another-form",
    ),
    "as firm as can be": (
        "look-back",
        lambda back, length: (np.full(1, np.pi / length), np.inf * np.eye(2)),
        "infinite-scores",
    ),
    "minus the cosine": (
        "look-back",
        lambda back, length: (look_back(back, length)[0], -look_back(back, length)[1]),
        "looks-elsewhere",
    ),
    "a key behind": ("look-back", back_that_looks_ahead, "turned-the-wrong-way"),
    "one radian": ("look-back", back_with_one_radian, "comes-round-again"),
    "too soft": ("look-back", back_too_soft, "weights-too-even"),
    "one further": ("look-back", back_one_further, "another-offset"),
}
