"""Right answers to assignment 07 that are written in other ways than the reference."""

import cmath
import math
from fractions import Fraction

import numpy as np
import torch
from torch import nn
from torch.nn import functional

# --- the waves -------------------------------------------------------------------------------


def waves_of_complex_numbers(positions, width, base=10_000.0):
    """A pair is a point on the circle: its angle, then imaginary and real part."""
    if width % 2 != 0:
        raise ValueError("odd")
    i = np.arange(width // 2)
    points = np.exp(1j * np.multiply.outer(positions, base ** (-2 * i / width)))
    out = np.zeros((*np.shape(positions), width))
    out[..., ::2], out[..., 1::2] = points.imag, points.real
    return out


def waves_in_torch(positions, width, base=10_000.0):
    if width % 2:
        raise ValueError(width)
    p = torch.as_tensor(np.array(positions)).double().unsqueeze(-1)
    exponents = torch.arange(0, width, 2, dtype=torch.float64) * (-math.log(base) / width)
    angles = p * exponents.exp()
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2).float()


def waves_one_by_one(positions, width, base=10_000.0):
    """Plain Python on a flat list; the cosine is a sine a quarter of a turn on."""
    if divmod(width, 2)[1]:
        raise ValueError("width")
    rows = [
        [
            math.sin(p / base ** ((column - column % 2) / width) + column % 2 * math.pi / 2)
            for column in range(width)
        ]
        for p in np.ravel(positions).tolist()
    ]
    return np.array(rows).reshape(*np.shape(positions), width)


# --- the matrix ------------------------------------------------------------------------------


def rotation_by_kronecker(offset, speeds):
    parts = []
    for pair, speed in enumerate(speeds):
        here = np.diag(np.eye(len(speeds))[pair])
        c, s = math.cos(offset * speed), math.sin(offset * speed)
        parts.append(np.kron(here, np.array([[c, s], [-s, c]])))
    return sum(parts)


def rotation_by_exponential(offset, speeds):
    """exp(k Ω), with speeds beside the diagonal; exact in blocks."""
    generator = torch.block_diag(
        *[torch.tensor([[0.0, float(w)], [-float(w), 0.0]]).double() for w in speeds]
    )
    angle = np.remainder(offset * np.asarray(speeds, dtype=float), 2 * math.pi)
    small = torch.block_diag(*[torch.tensor([[0.0, a], [-a, 0.0]]).double() for a in angle])
    return torch.matrix_exp(small if generator.any() else generator)


def rotation_by_solving(offset, speeds):
    """The matrix that leads from C encodings to those further on, found from the equations."""
    C = 2 * len(speeds)
    R = np.zeros((C, C))
    for i in range(len(speeds)):
        turn = cmath.exp(1j * offset * float(speeds[i]))
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = turn.real
        R[2 * i, 2 * i + 1], R[2 * i + 1, 2 * i] = turn.imag, -turn.imag
    return R.tolist()


# --- the bias --------------------------------------------------------------------------------


def bias_in_loops(table, query_positions, key_positions):
    H, columns = table.shape
    R = (columns - 1) // 2
    out = np.empty((H, len(query_positions), len(key_positions)))
    for h in range(H):
        for t, p in enumerate(query_positions):
            for s, q in enumerate(key_positions):
                out[h, t, s] = table[h, max(-R, min(R, q - p)) + R]
    return out


def bias_by_one_hot(table, query_positions, key_positions):
    R = table.shape[1] // 2
    column = np.subtract.outer(key_positions, query_positions).T + R
    column = np.minimum(np.maximum(column, 0), 2 * R)
    return np.einsum("tsr,hr->hts", np.eye(2 * R + 1)[column], table)


def bias_in_torch(table, query_positions, key_positions):
    numbers, p, s = map(torch.as_tensor, (table, query_positions, key_positions))
    reach = numbers.size(1) // 2
    far = (s[None] - p[:, None]).clamp(-reach, reach) + reach
    return numbers.index_select(1, far.flatten()).view(len(numbers), len(p), len(s))


# --- rotary ----------------------------------------------------------------------------------


def rotary_of_complex_numbers(query, key, query_positions, key_positions, speeds):
    def points(x, positions):
        first, second = x.tensor_split(2, dim=-1)
        turns = torch.polar(torch.ones(len(positions), len(speeds)), positions[:, None] * speeds)
        return torch.complex(first.contiguous(), second.contiguous()) * turns

    a, b = points(query, query_positions), points(key, key_positions)
    return (a @ b.mH).real


def rotary_by_distance(query, key, query_positions, key_positions, speeds):
    """No side is turned: cosine and sine of the distance weigh two products of each pair."""
    angle = (query_positions[:, None] - key_positions)[..., None] * speeds  # (T, S, D/2)
    a, b = query.chunk(2, -1)
    c, d = key.chunk(2, -1)
    a, b, c, d = a.unsqueeze(-2), b.unsqueeze(-2), c.unsqueeze(-3), d.unsqueeze(-3)
    return ((a * c + b * d) * angle.cos() + (a * d - b * c) * angle.sin()).sum(-1)


def rotary_rotate_half(query, key, query_positions, key_positions, speeds):
    """As the Hugging Face library writes it."""

    def rotate_half(x):
        half = x.shape[-1] // 2
        return torch.cat((-x[..., half:], x[..., :half]), dim=-1)

    def apply(x, positions):
        angles = torch.outer(positions.float(), speeds)
        both = torch.cat((angles, angles), dim=-1)
        return x * both.cos() + rotate_half(x) * both.sin()

    q, k = apply(query, query_positions), apply(key, key_positions)
    return torch.einsum("...td,...sd->...ts", q, k)


def rotary_by_matrices(query, key, query_positions, key_positions, speeds):
    """A matrix for each position."""
    D, half = query.shape[-1], query.shape[-1] // 2

    def matrices(positions):
        R = torch.zeros(len(positions), D, D)
        angles = positions[:, None] * speeds
        i = torch.arange(half)
        R[:, i, i] = R[:, i + half, i + half] = angles.cos()
        R[:, i + half, i] = angles.sin()
        R[:, i, i + half] = -angles.sin()
        return R

    q = (matrices(query_positions) @ query[..., None])[..., 0]
    k = (matrices(key_positions) @ key[..., None])[..., 0]
    return q @ k.transpose(-1, -2)


# --- the repair ------------------------------------------------------------------------------


def positions_in_loops(x, table, lengths):
    out = x.clone()
    for sentence, length in enumerate(lengths.tolist()):
        if length:
            out[sentence, -length:] += table[:length]
    return out


def positions_by_counting(x, table, lengths):
    B, T, _ = x.shape
    inside = torch.arange(T).flip(0) < lengths.view(B, 1)
    place = inside.long().cumsum(1) - 1
    return x + torch.where(inside[..., None], table[place.clamp(min=0)], torch.zeros(()))


def positions_by_rows(x, table, lengths):
    """The rows of all sentences one after another, in the order of the words that they go to."""
    T = x.shape[1]
    out = x.clone()
    out[torch.arange(T) >= (T - lengths)[:, None]] += torch.cat([table[:n] for n in lengths])
    return out


def positions_by_embedding(x, table, lengths):
    """A row of zeros in front of the table is what padding gets."""
    T = x.size(1)
    rows = torch.cat([torch.zeros(1, table.size(1)), table])
    place = torch.arange(1, T + 1).repeat(len(x), 1) - (T - lengths).unsqueeze(1)
    return x + functional.embedding(place.clamp(min=0), rows)


# --- who comes first -------------------------------------------------------------------------


def fitted(model, ids, person_first, new_ids, steps=300, rate=0.01, batch=128):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(steps):
        rows = torch.randint(len(ids), (batch,))
        wanted = person_first[rows].float()
        loss = functional.binary_cross_entropy_with_logits(model(ids[rows]), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return model(new_ids)


class Gated(nn.Module):
    """A product of a word's part and a place's part, summed: no ReLU."""

    def __init__(self, words, length):
        super().__init__()
        self.word, self.place = nn.Embedding(words, 8), nn.Parameter(torch.randn(length, 8))

    def forward(self, ids):
        return (self.word(ids) * self.place).sum((1, 2))


class WordAtPlace(nn.Module):
    """One number for each word at each place: logistic regression on which word is where."""

    def __init__(self, words, length):
        super().__init__()
        self.numbers = nn.Parameter(torch.zeros(length, words))

    def forward(self, ids):
        return self.numbers[torch.arange(ids.shape[1]), ids].sum(1)


def order_by_products(ids, person_first, new_ids, words):
    model = Gated(words, ids.shape[1])
    return (fitted(model, ids, person_first, new_ids, steps=400, rate=0.02) > 0).tolist()


def order_by_a_table(ids, person_first, new_ids, words):
    model = WordAtPlace(words, ids.shape[1])
    return (fitted(model, ids, person_first, new_ids, rate=0.05) > 0).int()


class InARow(nn.Module):
    """Reads word by word, and needs no places."""

    def __init__(self, words, length, width=24):
        super().__init__()
        self.word, self.state = nn.Embedding(words, width), nn.GRU(width, width, batch_first=True)
        self.output = nn.Linear(width, 1)

    def forward(self, ids):
        return self.output(self.state(self.word(ids))[0][:, -1])[:, 0]


def order_word_by_word(ids, person_first, new_ids, words):
    return fitted(InARow(words, ids.shape[1]), ids, person_first, new_ids) > 0


def order_side_by_side(ids, person_first, new_ids, words):
    """The words' vectors one after another: each place has weights of its own."""
    T = ids.shape[1]
    model = nn.Sequential(
        nn.Embedding(words, 16), nn.Flatten(), nn.Linear(16 * T, 1), nn.Flatten(0)
    )
    return fitted(model, ids, person_first, new_ids) > 0


def order_by_least_squares(ids, person_first, new_ids, words):
    """Which word is where, as features of a line that is fitted in one step."""

    def features(ids):
        return functional.one_hot(ids, words).float().flatten(1)

    wanted = person_first.float()[:, None] * 2 - 1
    weights = torch.linalg.lstsq(features(ids), wanted, driver="gelsd").solution
    return (features(new_ids) @ weights)[:, 0] > 0


# --- looking back ----------------------------------------------------------------------------


def back_with_many_pairs(back, length):
    """The speeds of the paper; the key is turned ahead in place of the query."""
    speeds = 10_000.0 ** (-np.arange(0, 64, 2) / 64)
    key = np.concatenate([np.cos(back * speeds), np.sin(back * speeds)])
    return np.repeat([100.0, 0.0], 32), key, speeds


def back_in_torch(back, length):
    w = torch.tensor([2 * math.pi / (length + 1)], dtype=torch.float64)
    query = torch.cat([torch.cos(back * w), -torch.sin(back * w)])
    key = torch.tensor([1e7, 0.0], dtype=torch.float64)
    return query, key, w


def back_half_and_half(back, length):
    """Both sides are turned by half of the angle, with numbers of like size."""
    w = 2 / length
    size = 4 / w
    a, b = -back * w / 2, back * w / 2
    query = [size * math.cos(a), size * math.sin(a)]
    return query, [size * math.cos(b), size * math.sin(b)], [w]


VARIANTS = {
    "07-positions/wave": {
        "computed": [f(math.pi / 2**i) for i in range(3) for f in (math.sin, math.cos)],
        "with roots": np.array([0, -1, 1, 0, math.sqrt(0.5), math.sqrt(0.5)]),
        "two decimals": (0, -1, 1, 0, 0.71, 0.71),
    },
    "07-positions/distance": {
        "an integer": -5,
        "by real parts": ((0 + 3j) * -1 * (2 - 3j) + 1 * (2 - 4j) * 1j).real,
        "as a fraction": Fraction(-10, 2),
    },
    "07-positions/parameters": {
        "an array": np.array([9600, 0, 246, 0]),
        "a tuple": (200 * 48, 0, 6 * 41, 0),
        "a tensor": torch.tensor([9600, 0, 246, 0]),
    },
    "07-positions/sinusoids": {
        "complex numbers": waves_of_complex_numbers,
        "torch": waves_in_torch,
        "one by one": waves_one_by_one,
    },
    "07-positions/rotation": {
        "Kronecker products": rotation_by_kronecker,
        "a matrix exponential": rotation_by_exponential,
        "lists": rotation_by_solving,
    },
    "07-positions/bias": {
        "loops": bias_in_loops,
        "one-hot": bias_by_one_hot,
        "torch": bias_in_torch,
    },
    "07-positions/rotary": {
        "complex numbers": rotary_of_complex_numbers,
        "by distance": rotary_by_distance,
        "rotate half": rotary_rotate_half,
        "matrices": rotary_by_matrices,
    },
    "07-positions/faulty-line": {
        "a float": 7.0,
        "NumPy's": np.int64(7),
        "a fraction": Fraction(7),
    },
    "07-positions/repair": {
        "loops": positions_in_loops,
        "counting": positions_by_counting,
        "a row of zeros": positions_by_embedding,
        "rows in a row": positions_by_rows,
    },
    "07-positions/first-of-two": {
        "products of word and place": order_by_products,
        "a number for each word at each place": order_by_a_table,
        "least squares": order_by_least_squares,
        "word by word": order_word_by_word,
        "side by side": order_side_by_side,
    },
    "07-positions/look-back": {
        "many pairs": back_with_many_pairs,
        "torch": back_in_torch,
        "half and half": back_half_and_half,
    },
}
