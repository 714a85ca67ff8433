"""Wrong answers to assignment 07, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional


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


def bias_from_key_to_query(table, query_positions, key_positions):
    R = (table.shape[1] - 1) // 2
    d = np.array([[p - s for s in key_positions] for p in query_positions])
    return table[:, np.clip(d, -R, R) + R]


def bias_of_places_in_a_row(table, query_positions, key_positions):
    T, S = len(query_positions), len(key_positions)
    R = table.shape[1] // 2
    d = np.arange(S)[None] - np.arange(T)[:, None]
    return table[:, d.clip(-R, R) + R]


def bias_by_python_index(table, query_positions, key_positions):
    """Negative distances count from the end of the row."""
    R = table.shape[1] // 2
    d = np.clip(key_positions[None] - query_positions[:, None], -R, R)
    return np.stack([row[d] for row in table])


def bias_within_reach(table, query_positions, key_positions):
    R = table.shape[1] // 2
    out = np.zeros((len(table), len(query_positions), len(key_positions)))
    for t, p in enumerate(query_positions):
        for s, q in enumerate(key_positions):
            if -R <= q - p <= R:
                out[:, t, s] = table[:, q - p + R]
    return out


def bias_heads_last(table, query_positions, key_positions):
    R = table.shape[1] // 2
    return table.T[np.clip(key_positions[None] - query_positions[:, None], -R, R) + R]


def rotary_of_llama_weights(query, key, query_positions, key_positions, speeds):
    """Pairs side by side, as complex numbers."""

    def turned(x, p):
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
        z = z * torch.polar(torch.ones(len(p), len(speeds)), torch.outer(p.float(), speeds))
        return torch.view_as_real(z).flatten(-2)

    return turned(query, query_positions) @ turned(key, key_positions).mT


def rotary_mixed_up(query, key, query_positions, key_positions, speeds):
    """Angles repeated side by side, partners from the other half."""

    def turned(x, p):
        a = (p[:, None] * speeds).repeat_interleave(2, dim=-1)
        h = x.shape[-1] // 2
        return x * a.cos() + torch.cat((-x[..., h:], x[..., :h]), -1) * a.sin()

    return turned(query, query_positions) @ turned(key, key_positions).mT


def half_turned(x, p, speeds):
    a, b = x.chunk(2, -1)
    t = p[:, None] * speeds
    return torch.cat([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], -1)


def rotary_of_queries(query, key, query_positions, key_positions, speeds):
    relative = half_turned(query, query_positions, speeds)
    return torch.matmul(relative, key.transpose(-2, -1))


def rotary_from_zero(query, key, query_positions, key_positions, speeds):
    q = half_turned(query, torch.arange(query.shape[-2]), speeds)
    return q @ half_turned(key, torch.arange(key.shape[-2]), speeds).mT


def rotary_by_distance_backwards(query, key, query_positions, key_positions, speeds):
    d = (key_positions[None] - query_positions[:, None])[..., None] * speeds
    a, b = (x.unsqueeze(-2) for x in query.chunk(2, -1))
    e, f = (x.unsqueeze(-3) for x in key.chunk(2, -1))
    return ((a * e + b * f) * d.cos() + (a * f - b * e) * d.sin()).sum(-1)


def rotary_scaled(query, key, query_positions, key_positions, speeds):
    q = half_turned(query, query_positions, speeds)
    k = half_turned(key, key_positions, speeds)
    return q @ k.mT / math.sqrt(query.shape[-1])


def rotary_overwritten(query, key, query_positions, key_positions, speeds):
    """The second number of a pair is made of the new first one."""

    def turned(x, p):
        h, t, x = x.shape[-1] // 2, p[:, None] * speeds, x.clone()
        x[..., :h] = x[..., :h] * t.cos() - x[..., h:] * t.sin()
        x[..., h:] = x[..., :h] * t.sin() + x[..., h:] * t.cos()
        return x

    return turned(query, query_positions) @ turned(key, key_positions).mT


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


def back_that_looks_ahead(back, length):
    w = math.pi / length
    strong = 10 / (1 - math.cos(w))
    query = [strong, 0.0]
    return query, [math.cos(back * w), -math.sin(back * w)], [w]


def back_with_one_radian(back, length):
    return [200 * math.cos(back), -200 * math.sin(back)], [1.0, 0.0], [1.0]


def back_too_soft(back, length):
    w = 1 / length
    return (
        np.array([5 * np.cos(back * w), -5 * np.sin(back * w)]),
        np.array([5.0, 0]),
        np.array([w]),
    )


def back_one_further(back, length):
    w = math.pi / length
    a = (back + 1) * w
    return [1e7 * math.cos(a), -1e7 * math.sin(a)], [1.0, 0.0], [w]


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
    "the speeds doubled": (
        "wave",
        [math.sin(2 * math.pi), 1, 0, -1, 1, 0],
        None,
    ),
    "sine and cosine of one angle mixed up": (
        "wave",
        [0, -1, 0, 1, 0.707, 0.707],
        "sine-and-cosine-swapped",
    ),
    "the cosine of half a turn is 1": ("wave", [0, 1, 1, 0, 0.71, 0.71], "sign-lost"),
    "sines twice": ("wave", [0, 0, 1, 1, 0.71, 0.71], "sines-only"),
    "the other sign": ("distance", 5, "sign-lost"),
    "the first pair only": ("distance", -9, "one-pair-only"),
    "keys interleaved": ("distance", -1.09, "layouts-mixed"),
    "turned the other way": ("distance", -13, "turned-backwards"),
    "no distance 0": ("parameters", [9600, 0, 240, 0], "distance-zero-forgotten"),
    "a row for every position": ("parameters", [9600, 9600, 246, 0], "fixed-counted-as-learned"),
    "the well-known lines": ("sinusoids", waves_of_the_tutorial, "precision-lost"),
    "all sines first": ("sinusoids", waves_concatenated, "another-layout"),
    "the column in the exponent": (
        "sinusoids",
        waves_with_column_exponent,
        "a-speed-for-each-column",
    ),
    "rows of a list": ("sinusoids", waves_of_a_list, "one-shape-only"),
    "an assertion": ("sinusoids", waves_asserted, "another-exception"),
    "ends counted": ("sinusoids", waves_slower_last, "speeds-fall-at-another-rate"),
    "the matrix of the text book": ("rotation", rotation_of_the_text_book, "turned-backwards"),
    "quadrants": ("rotation", rotation_in_quadrants, "another-layout"),
    "one sign": ("rotation", rotation_of_one_sign, "not-a-rotation"),
    "powers of a step": (
        "rotation",
        rotation_by_powers,
        "offset-without-direction-or-size",
    ),
    "from key to query": ("bias", bias_from_key_to_query, "bias-sign"),
    "places in a row": ("bias", bias_of_places_in_a_row, "other-positions"),
    "an index below zero": ("bias", bias_by_python_index, "distance-wraps"),
    "nothing beyond the reach": ("bias", bias_within_reach, "cut-off-beyond-the-reach"),
    "heads last": ("bias", bias_heads_last, "rows-and-columns-swapped"),
    "pairs side by side": ("rotary", rotary_of_llama_weights, "another-layout"),
    "angles and partners apart": ("rotary", rotary_mixed_up, "layouts-mixed"),
    "queries only": ("rotary", rotary_of_queries, "one-side-turned"),
    "from zero on": ("rotary", rotary_from_zero, "other-positions"),
    "the distance with the wrong sign": (
        "rotary",
        rotary_by_distance_backwards,
        "turned-backwards",
    ),
    "scaled": ("rotary", rotary_scaled, "further-than-asked"),
    "overwritten": ("rotary", rotary_overwritten, "not-a-rotation"),
    "another line": ("faulty-line", 5, "right-line-suspected"),
    "the other axis": ("repair", repair_other_axis, "sentence-for-word"),
    "the last n": ("repair", repair_slices, "slice-from-minus-zero"),
    "the last n, as many as there are": (
        "repair",
        repair_slices_that_fit,
        "slice-from-minus-zero",
    ),
    "no mask": ("repair", repair_mask_forgotten, "padding-gets-a-position"),
    "padding behind": ("repair", repair_right_padding, "padding-on-the-right"),
    "rows counted from the end": ("repair", repair_other_rows, "other-positions"),
    "rows of other sentences": ("repair", repair_rows_of_strangers, "sentence-for-word"),
    "columns for positions": ("repair", repair_columns, "padding-not-taken-off"),
    "the mean first": ("first-of-two", order_pooled_first, "order-blind"),
    "hardly trained": ("first-of-two", order_hardly_trained, "half-trained"),
    "logits": ("first-of-two", order_as_logits, "scores-for-answers"),
    "below zero for yes": ("first-of-two", order_turned_round, "answer-turned-round"),
    "answers of other rows": ("first-of-two", order_of_strangers, "no-better-than-a-guess"),
    "a key behind": ("look-back", back_that_looks_ahead, "looks-ahead"),
    "one radian": ("look-back", back_with_one_radian, "comes-round-again"),
    "too soft": ("look-back", back_too_soft, "weights-too-even"),
    "one further": ("look-back", back_one_further, "another-distance"),
}
