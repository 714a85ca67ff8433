"""Wrong answers to assignment 04, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch.nn.functional import cross_entropy, one_hot


def step_while_reading(W, ids, next_ids, rate):
    W, losses = np.array(W), []
    for a, b in zip(ids, next_ids, strict=True):
        p = np.exp(W[a] - W[a].max())
        p /= p.sum()
        losses.append(-np.log(p[b]))
        p[b] -= 1
        W[a] -= rate * p / len(ids)
    return np.mean(losses), W


def mix_divided_by_all(scores, votes, features, present):
    out = []
    for f, here in zip(features, present, strict=True):
        e = (scores[f] - scores[f].max()).exp()
        out.append(((e * here) / e.sum()) @ votes[f])
    return torch.stack(out)


def learn_log_of_everything(votes, features, present, targets):
    s = torch.nn.Parameter(torch.zeros(len(votes)))
    opt = torch.optim.Adam([s], 0.05)
    for _ in range(20):
        w = torch.softmax(s[features].masked_fill(~present, -1e9), -1)
        log_p = torch.log(torch.einsum("bn,bnv->bv", w, votes[features]))
        loss = -(one_hot(targets, votes.shape[1]) * log_p).sum(1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return s


def learn_nothing(votes, features, present, targets):
    return 30 * votes.amax(1)


def learned_by(optimizer, steps, **options):
    """Learning with the loss of each slip by itself, by that optimizer and so many steps."""

    def learn(votes, features, present, targets):
        s = torch.nn.Parameter(torch.zeros(len(votes)))
        opt = optimizer([s], **options)
        for _ in range(steps):
            w = torch.softmax(s[features].masked_fill(~present, -1e9), -1)
            p = (w * votes[features, targets[:, None]]).sum(1)
            opt.zero_grad()
            (-p.log()).mean().backward()
            opt.step()
        return s

    return learn


def learned_from_behind(votes, features, present, targets):
    """Climbs where it should descend."""
    s = torch.nn.Parameter(torch.zeros(len(votes)))
    opt = torch.optim.Adam([s], 0.1, maximize=True)
    for _ in range(100):
        w = torch.softmax(s[features].masked_fill(~present, -1e9), -1)
        opt.zero_grad()
        (-(w * votes[features, targets[:, None]]).sum(1)).mean().backward()
        opt.step()
    return s


def learned_for_the_other_word(votes, features, present, targets):
    """A third of the targets exchanged."""
    targets = torch.where(
        torch.arange(len(targets)) % 3 == 0, torch.unique(targets).sum() - targets, targets
    )
    return learned_by(torch.optim.Adam, 250, lr=0.05)(votes, features, present, targets)


def features_half_against(X, groups):
    V = X.shape[1]
    W = np.zeros((V + 1, len(groups)))
    for f, (wanted, unwanted) in enumerate(groups):
        W[[*wanted], f] = 1
        for u in unwanted:
            W[u, f] = -1 / len(unwanted)
        W[-1, f] = 1 - len(wanted)
    return W, np.maximum(X @ W[:V] + W[V], 0)


def gradient_in_numpy(shifted=True, power=1):
    """The slopes by hand, with the largest exponent subtracted or not."""

    def gradient(scores, temperature, votes, features, present, targets):
        z = np.where(present, scores[features] / temperature, -np.inf)
        w = np.exp(z - z.max(1, keepdims=True) if shifted else z)
        w /= w.sum(1, keepdims=True)
        v = votes[features, targets[:, None]]
        G = np.zeros(len(scores))
        np.add.at(G, features, (w - w * v / (w * v).sum(1, keepdims=True)) / len(w) / temperature)
        return G, -(G * scores).sum() / temperature**power

    return gradient


def train_until_it_rises(ids, next_ids, size, steps, rate):
    table = torch.zeros(size, size, requires_grad=True)
    best, lowest = None, math.inf
    for _ in range(steps + 1):
        loss = cross_entropy(table[ids], next_ids)
        if loss.item() >= lowest:
            return best
        best, lowest = table.tolist(), loss.item()
        (g,) = torch.autograd.grad(loss, table)
        table = (table - rate * g).detach().requires_grad_()
    return best


def softmax_less_one_number(scores, temperature=1.0):
    e = np.exp((scores - np.max(scores)) / temperature)
    return e / e.sum(-1, keepdims=True)


def jacobian_divided_at_the_end(scores, temperature=1.0):
    p = torch.softmax(torch.tensor(scores), 0)
    return (torch.diag(p) - torch.outer(p, p)) / temperature


def cross_entropy_mean_of_all(logits, targets):
    x = torch.tensor(logits)
    y = one_hot(torch.tensor(targets), x.shape[1])
    return -(y * x.log_softmax(1)).mean(), (x.softmax(1) - y) / len(x)


WRONG_ANSWERS = {
    "the temperature at the end": (
        "jacobian",
        jacobian_divided_at_the_end,
        "temperature-not-on-the-scores",
    ),
    "the mean of all places": ("cross-entropy", cross_entropy_mean_of_all, "mean-miscounted"),
    "half against each of two": (
        "word-features",
        features_half_against,
        "unwanted-words-misjudged",
    ),
    "divided twice": ("mask-gradient", gradient_in_numpy(power=2), "temperature-slope-wrong"),
    "exponentials as they are": ("mask-gradient", gradient_in_numpy(shifted=False), "overflow"),
    "no step after a rise": ("loop", train_until_it_rises, "another-table-than-the-best"),
    "less one number": ("softmax", softmax_less_one_number, "overflow-half-averted"),
    "table changed while it is read": ("step", step_while_reading, "table-changed-too-early"),
    "divided by the sum of all": ("mix", mix_divided_by_all, "mask-after-softmax"),
    "logarithms times one-hot": ("learn", learn_log_of_everything, "log-of-zero"),
    "nothing learned": ("learn", learn_nothing, "nothing-learned"),
    "every slip believed": (
        "learn",
        learned_by(torch.optim.RMSprop, 250, lr=0.05),
        "slips-believed",
    ),
    "ten steps": ("learn", learned_by(torch.optim.Adam, 10, lr=0.1), "undertrained"),
    "uphill": ("learn", learned_from_behind, "sign-flipped"),
    "weights for scores": (
        "learn",
        lambda *given: learned_by(torch.optim.Adam, 250, lr=0.1)(*given).softmax(0),
        "double-softmax",
    ),
    "a third of the targets exchanged": (
        "learn",
        learned_for_the_other_word,
        "right-words-lost",
    ),
}
