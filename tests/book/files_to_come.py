"""The file after chapters whose pages do not have its cells yet."""

# As chapter 8 is going to end.
AFTER_08 = '''
import torch
from torch import nn


class Attention(nn.Module):
    """Each word asks the words up to itself, and mixes what they say."""

    def __init__(self, C, D):
        super().__init__()
        self.query = nn.Linear(C, D, bias=False)
        self.key = nn.Linear(C, D, bias=False)
        self.value = nn.Linear(C, C, bias=False)

    def forward(self, x):                                          # (B, T, C)
        q, k, v = self.query(x), self.key(x), self.value(x)        # (B, T, D) twice, (B, T, C)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5      # (B, T, T)
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)  # what comes after
        weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
        return weights @ v                                         # (B, T, C)
'''

# As chapter 11 is going to end.
AFTER_11 = r'''
import random

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence


LETTERS = "\n -abcdefghijklmnopqrstuvwxyz"                # "\n" stands at both ends of a name
LONGEST = 64


def batch_of(names):
    """What is read, and what has to be said: the letter that comes next. −1 fills up."""
    texts = [f"\n{name[: LONGEST - 1]}\n" for name in names]
    rows = [torch.tensor([LETTERS.index(letter) for letter in text]) for text in texts]
    ids = pad_sequence(rows, batch_first=True, padding_value=-1)     # (B, T + 1)
    return ids[:, :-1].clamp(min=0), ids[:, 1:]                      # (B, T) each


def turn(x, t, base):
    """Turn each pair of numbers of x (…, T, D) by an angle that grows with its position t (T,)."""
    D = x.shape[-1]
    angles = t[:, None] * base ** (-torch.arange(0, D, 2) / D)       # (T, D / 2)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))          # (…, T, D / 2)
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


class Attention(nn.Module):
    """H heads of D numbers ask the tokens up to their own; keys and values have G heads."""

    def __init__(self, C, H, G, base):
        super().__init__()
        self.D, self.base = C // H, base
        self.query = nn.Linear(C, C, bias=False)
        self.key = nn.Linear(C, G * self.D, bias=False)
        self.value = nn.Linear(C, G * self.D, bias=False)
        self.out = nn.Linear(C, C, bias=False)

    def forward(self, x):                                            # (B, T, C)
        q, k, v = (
            part(x).unflatten(-1, (-1, self.D)).transpose(1, 2)      # (B, H or G, T, D)
            for part in (self.query, self.key, self.value)
        )
        t = torch.arange(x.shape[1])
        q, k = turn(q, t, self.base), turn(k, t, self.base)
        k, v = (z.repeat_interleave(q.shape[1] // z.shape[1], dim=1) for z in (k, v))
        scores = q @ k.transpose(-2, -1) / self.D**0.5               # (B, H, T, T)
        later = t > t[:, None]
        weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
        return self.out((weights @ v).transpose(1, 2).flatten(2))    # (B, T, C)


class FeedForward(nn.Module):
    def __init__(self, C, M):
        super().__init__()
        self.gate, self.up = nn.Linear(C, M, bias=False), nn.Linear(C, M, bias=False)
        self.down = nn.Linear(M, C, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self, C, H, G, M, base):
        super().__init__()
        self.attention, self.feed_forward = Attention(C, H, G, base), FeedForward(C, M)
        self.norm1, self.norm2 = nn.RMSNorm(C, 1e-5), nn.RMSNorm(C, 1e-5)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self, V, C, H, G, M, L, base=10_000.0):
        super().__init__()
        self.embedding = nn.Embedding(V, C)
        self.blocks = nn.ModuleList(Block(C, H, G, M, base) for _ in range(L))
        self.norm = nn.RMSNorm(C, 1e-5)
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, ids):                                          # (B, T)
        x = self.embedding(ids)                                      # (B, T, C)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embedding.weight.T                # (B, T, V)


def loss_of(model, names):
    inputs, targets = batch_of(names)
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=-1)


def train(model, names, steps, rate=2e-3, size=64):
    """Steps of gradient descent on names; yields the loss of each."""
    optimizer = torch.optim.AdamW(model.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps)
    for _ in range(steps):
        loss = loss_of(model, random.sample(names, size))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        yield loss.item()


@torch.no_grad()
def generate(model, ids, steps, temperature=0.8):                    # (B, T)
    for _ in range(steps):
        logits = model(ids)[:, -1]                                   # (B, V)
        if temperature == 0:
            new = logits.argmax(-1, keepdim=True)
        else:
            new = torch.multinomial((logits / temperature).softmax(-1), 1)
        ids = torch.cat([ids, new], dim=1)
    return ids
'''

# What chapter 15 is going to change.
CHANGES_15 = '''


class Attention(nn.Module):
    """H heads of D numbers ask the tokens up to their own; keys and values have G heads."""

    def __init__(self, C, H, G, base):
        super().__init__()
        self.D, self.base = C // H, base
        self.query = nn.Linear(C, C, bias=False)
        self.key = nn.Linear(C, G * self.D, bias=False)
        self.value = nn.Linear(C, G * self.D, bias=False)
        self.out = nn.Linear(C, C, bias=False)

    def forward(self, x, cache=None):                    # (B, T, C)
        q, k, v = (
            part(x).unflatten(-1, (-1, self.D)).transpose(1, 2)      # (B, H or G, T, D)
            for part in (self.query, self.key, self.value)
        )
        past = cache[self][0].shape[2] if cache is not None and self in cache else 0
        t = torch.arange(past, past + x.shape[1])
        q, k = turn(q, t, self.base), turn(k, t, self.base)
        if past:
            k, v = torch.cat([cache[self][0], k], 2), torch.cat([cache[self][1], v], 2)
        if cache is not None:
            cache[self] = k, v
        k, v = (z.repeat_interleave(q.shape[1] // z.shape[1], dim=1) for z in (k, v))
        scores = q @ k.transpose(-2, -1) / self.D**0.5               # (B, H, T, T)
        later = torch.arange(k.shape[2]) > t[:, None]
        weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
        return self.out((weights @ v).transpose(1, 2).flatten(2))    # (B, T, C)


@torch.no_grad()
def generate(model, ids, steps, temperature=0.8):                    # (B, T)
    cache, new = {}, ids
    for _ in range(steps):
        logits = model(new, cache)[:, -1]                                   # (B, V)
        if temperature == 0:
            new = logits.argmax(-1, keepdim=True)
        else:
            new = torch.multinomial((logits / temperature).softmax(-1), 1)
        ids = torch.cat([ids, new], dim=1)
    return ids
'''

FILES_TO_COME = {8: AFTER_08, 11: AFTER_11, 15: AFTER_11 + CHANGES_15}
