"""What a student makes of the lines of chapter 7, and what is then still missing."""

import numpy as np
import torch
from torch import nn


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


ANSWERS = [
    ("07-positions/recurrent", last_states, "last-state-only"),
    ("07-positions/recurrent", states_without_bias, "bias-miscounted"),
    ("07-positions/sinusoids", clocks, "one-shape-only"),
    ("07-positions/rotation", turned_clocks, "other-speeds"),
    ("07-positions/repair", added_rows, "padding-not-taken-off"),
    ("07-positions/first-of-two", asker, "half-trained"),
]
