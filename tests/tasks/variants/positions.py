"""Right answers to assignment 07 that are written in other ways than the reference."""

import cmath
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

# --- the recurrent network -------------------------------------------------------------------


def states_of_torch(x, W, U, b):
    """PyTorch's own layer, with these weights."""
    layer = nn.RNN(len(b), len(b), batch_first=True)
    with torch.no_grad():
        layer.weight_ih_l0.copy_(W.T)
        layer.weight_hh_l0.copy_(U.T)
        layer.bias_ih_l0.copy_(b)
        layer.bias_hh_l0.zero_()
        return layer(x)[0]


def states_number_by_number(x, W, U, b):
    """Plain Python: one text, one word, one number at a time."""
    x, W, U, b = (part.tolist() for part in (x, W, U, b))
    C, found = len(b), []
    for text in x:
        state, rows = [0.0] * C, []
        for word in text:
            sums = [
                b[j] + sum(word[i] * W[i][j] + state[i] * U[i][j] for i in range(C))
                for j in range(C)
            ]
            state = [math.tanh(number) for number in sums]
            rows.append(state)
        found.append(rows)
    return found


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


# --- the matrix ------------------------------------------------------------------------------


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


# --- the repair ------------------------------------------------------------------------------


def positions_in_loops(x, table, lengths):
    out = x.clone()
    for sentence, length in enumerate(lengths.tolist()):
        if length:
            out[sentence, -length:] += table[:length]
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


def order_by_products(ids, person_first, new_ids, words):
    model = Gated(words, ids.shape[1])
    return (fitted(model, ids, person_first, new_ids, steps=400, rate=0.02) > 0).tolist()


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


def order_by_least_squares(ids, person_first, new_ids, words):
    """Which word is where, as features of a line that is fitted in one step."""

    def features(ids):
        return functional.one_hot(ids, words).float().flatten(1)

    wanted = person_first.float()[:, None] * 2 - 1
    weights = torch.linalg.lstsq(features(ids), wanted, driver="gelsd").solution
    return (features(new_ids) @ weights)[:, 0] > 0


# --- looking back ----------------------------------------------------------------------------


def back_with_many_hands(back, length):
    """The speeds of the paper, each hand turned back by the same distance."""
    speeds = 10_000.0 ** (-np.arange(0, 64, 2) / 64)
    matrix = np.zeros((64, 64))
    for i, angle in enumerate(back * speeds):
        c, s = 100 * np.cos(angle), 100 * np.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return speeds, matrix


def back_by_a_table(back, length):
    """With as many hands as places, any table of scores can be reached: it is solved for."""
    speeds = [2 * math.pi * i / length for i in range(length // 2 + 1)]
    angles = np.outer(np.arange(length), speeds)
    clocks = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, -1)
    inverse = np.linalg.pinv(clocks)
    wanted = 20 * np.eye(length, k=-back)
    return speeds, (inverse @ wanted @ inverse.T).T.tolist()


VARIANTS = {
    "07-positions/wave": {
        "with roots": np.array([0, -1, 1, 0, math.sqrt(0.5), math.sqrt(0.5)]),
        "two decimals": (0, -1, 1, 0, 0.71, 0.71),
    },
    "07-positions/distance": {
        "a tuple": (-0.96, -0.28, 0.8, -0.6),
        "an array": -np.array([0.96, 0.28, -0.8, 0.6]),
    },
    "07-positions/parameters": {
        "an array": np.array([97, 960]),
        "a tensor": torch.tensor([97, 960]),
    },
    "07-positions/recurrent": {
        "PyTorch's layer": states_of_torch,
        "number by number": states_number_by_number,
    },
    "07-positions/sinusoids": {
        "complex numbers": waves_of_complex_numbers,
        "torch": waves_in_torch,
    },
    "07-positions/rotation": {
        "a matrix exponential": rotation_by_exponential,
        "lists": rotation_by_solving,
    },
    "07-positions/faulty-line": {
        "a float": 7.0,
        "NumPy's": np.int64(7),
    },
    "07-positions/repair": {
        "loops": positions_in_loops,
        "a row of zeros": positions_by_embedding,
    },
    "07-positions/first-of-two": {
        "products of word and place": order_by_products,
        "least squares": order_by_least_squares,
        "word by word": order_word_by_word,
    },
    "07-positions/look-back": {
        "many hands": back_with_many_hands,
        "a table": back_by_a_table,
    },
}
