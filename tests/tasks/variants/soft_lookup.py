"""Right answers to assignment 04 that are written in other ways than the reference."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

# --- softmax ---------------------------------------------------------------------------------


def softmax_recursive(scores, temperature=1.0):
    scores = np.asarray(scores)
    if scores.ndim > 1:
        return np.array([softmax_recursive(part, temperature) for part in scores])
    top = max(scores)
    parts = [math.exp((s - top) / temperature) for s in scores.tolist()]
    return [part / sum(parts) for part in parts]


def jacobian_loops(scores, temperature=1.0):
    p = softmax_recursive(scores, temperature)
    slopes = [[0.0] * len(p) for _ in p]
    for i in range(len(p)):
        for j in range(len(p)):
            slopes[i][j] = (p[i] - p[i] * p[j] if i == j else -p[i] * p[j]) / temperature
    return slopes


def jacobian_autograd(scores, temperature=1.0):
    s = torch.as_tensor(scores, dtype=torch.float64)
    return torch.autograd.functional.jacobian(lambda x: (x / temperature).softmax(0), s)


# --- cross-entropy ---------------------------------------------------------------------------


def cross_entropy_loops(logits, targets):
    total, gradient = 0.0, []
    for row, y in zip(logits.tolist(), targets.tolist(), strict=True):
        top = max(row)
        log_sum = top + math.log(sum(math.exp(s - top) for s in row))
        total += log_sum - row[y]
        p = [math.exp(s - log_sum) for s in row]
        p[y] -= 1
        gradient.append([g / len(targets) for g in p])
    return total / len(targets), gradient


def cross_entropy_torch(logits, targets):
    s = torch.tensor(logits, requires_grad=True)
    loss = functional.cross_entropy(s, torch.from_numpy(targets))
    loss.backward()
    return [loss, s.grad]


# --- word features ---------------------------------------------------------------------------


def features_steep(X, groups):
    """Other weights that detect the same: three for each word but the first, five against."""
    W = np.zeros((X.shape[1] + 1, len(groups)))
    for f, ((first, *others), unwanted) in enumerate(groups):
        W[first, f] = 1
        W[others, f] = 3
        W[list(unwanted), f] = -5
        W[-1, f] = -3 * len(others)
    return W, np.maximum(np.hstack([X, np.ones((len(X), 1))]) @ W, 0)


def features_torch(X, groups):
    layer = nn.Linear(X.shape[1], len(groups)).double()
    places = range(X.shape[1])
    with torch.no_grad():
        signs = [[(i in wanted) - (i in unwanted) for i in places] for wanted, unwanted in groups]
        layer.weight.copy_(torch.tensor(signs))
        layer.bias.copy_(torch.tensor([1 - len(wanted) for wanted, _ in groups]))
        W = torch.cat([layer.weight.T, layer.bias[None]])
        return W, layer(torch.from_numpy(X)).relu()


# --- a step ----------------------------------------------------------------------------------


def step_loops(W, ids, next_ids, rate):
    new, total = W.tolist(), 0.0
    for word, after in zip(ids, next_ids, strict=True):
        p = softmax_recursive(W[word])
        total += (np.logaddexp.reduce(W[word]) - W[word, after]) / len(ids)
        for v in range(len(W)):
            new[word][v] -= rate * (p[v] - (v == after)) / len(ids)
    return total, new


def step_torch(W, ids, next_ids, rate):
    W = torch.tensor(W, requires_grad=True)
    loss = functional.cross_entropy(W[ids], torch.from_numpy(next_ids))
    optimizer = torch.optim.SGD([W], lr=rate)
    loss.backward()
    optimizer.step()
    return loss, W


# --- the loop --------------------------------------------------------------------------------


def loop_cleared_at_the_end(ids, next_ids, size, steps, rate):
    W = torch.zeros(size, size, requires_grad=True)
    optimizer = torch.optim.SGD([W], lr=rate)
    best, lowest = torch.zeros(size, size), math.inf
    for step in range(steps + 1):
        loss = functional.cross_entropy(W[ids], next_ids)
        if loss.item() < lowest:
            best.copy_(W.detach())
            lowest = loss.item()
        if step < steps:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    return best


def loop_of_all_tables(ids, next_ids, size, steps, rate):
    """All tables are kept, and the best is looked for at the end."""
    tables = [torch.zeros(size, size)]
    for _ in range(steps):
        W = tables[-1].clone().requires_grad_()
        functional.cross_entropy(W[ids], next_ids).backward()
        tables.append((W - rate * W.grad).detach())
    return min(tables, key=lambda W: functional.cross_entropy(W[ids], next_ids).item())


# --- the mask --------------------------------------------------------------------------------


def mix_log_sum(scores, votes, features, present):
    hidden = torch.where(present, scores[features], -torch.inf)
    weights = (hidden - hidden.logsumexp(1, keepdim=True)).exp()
    weights = torch.where(present, weights, 0.0)
    mixed = (weights.unsqueeze(1) @ votes[features]).squeeze(1)
    return mixed.masked_fill(~present.any(1)[:, None], 1 / votes.shape[1])


def mix_numpy(scores, votes, features, present):
    s = np.where(present, scores[features], -1e30)
    e = np.exp(s - s.max(axis=1, keepdims=True)) * present.numpy()
    weights = e / np.maximum(e.sum(axis=1, keepdims=True), 1e-30)
    mixed = (weights[:, :, None] * votes[features].numpy()).sum(axis=1)
    mixed[~present.numpy().any(axis=1)] = 1 / votes.shape[1]
    return mixed


def learn_with_module(votes, features, present, targets):
    model = nn.Embedding(len(votes), 1)
    nn.init.zeros_(model.weight)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.2, weight_decay=0)
    for _ in range(150):
        optimizer.zero_grad()
        mixed = mix_log_sum(model.weight[:, 0], votes, features, present)
        (1 - mixed[torch.arange(len(targets)), targets]).mean().backward()
        optimizer.step()
    return model.weight[:, 0]


def learn_in_numpy(votes, features, present, targets):
    """The gradient by hand, its sign alone for a step."""
    votes, features = votes.double().numpy(), features.numpy()
    present, targets = present.numpy(), targets.numpy()
    scores = np.zeros(len(votes))
    right = votes[features, targets[:, None]]
    for _ in range(150):
        share = np.exp(scores)[features] * present
        weights = share / share.sum(1, keepdims=True)
        slopes = weights * (right - (weights * right).sum(1, keepdims=True))
        scores += 0.1 * np.sign(np.bincount(features.ravel(), slopes.ravel(), len(scores)))
    return scores


# --- its gradient ----------------------------------------------------------------------------


def gradient_autograd(scores, temperature, votes, features, present, targets):
    s, t = (torch.tensor(x, requires_grad=True) for x in (scores, temperature))
    mixed = mix_log_sum(s / t, *map(torch.from_numpy, (votes, features, present)))
    functional.nll_loss(mixed.log(), torch.from_numpy(targets)).backward()
    return s.grad, t.grad


def gradient_one_product(scores, votes, features, present, targets):
    """What remains: the share that a feature has in the right word's vote, minus its weight."""
    exponents = np.where(present, scores[features], -np.inf)
    share = np.exp(exponents - exponents.max(1, keepdims=True))
    weights = share / share.sum(1, keepdims=True)
    blame = weights * votes[features, targets[:, None]]
    blame /= blame.sum(1, keepdims=True)
    X = np.eye(len(scores))[features]
    return np.einsum("bn,bnf->f", weights - blame, X) / len(features)


def gradient_by_inverse(scores, temperature, *rest):
    """With β = 1/τ: ∂L/∂τ = ∂L/∂β · (−β²)."""
    beta = 1 / temperature
    by_product = gradient_one_product(scores * beta, *rest)
    return [by_product * beta, -(beta**2) * (by_product * scores).sum()]


VARIANTS = {
    "04-soft-lookup/sharing": {
        "rounded": [0.07, 0.286, 0.643],
        "tensor": torch.tensor([0.0, math.log(2), math.log(3)]).mul(2).softmax(0),
    },
    "04-soft-lookup/vote": {
        "number": 0.71,
        "tensor": torch.tensor([3.0, 2.0, 1.0]) @ torch.tensor([1.0, 0.5, 0.25]) / 6,
    },
    "04-soft-lookup/gradient": {
        "tuple": (-0.3, 0.05, 0.25),
        "tensor": torch.tensor([-0.3, 0.05, 0.25]),
    },
    "04-soft-lookup/softmax": {
        "recursion": softmax_recursive,
        "single precision": lambda scores, temperature=1.0: softmax_recursive(
            np.float32(scores), np.float32(temperature)
        ),
        "torch": lambda scores, temperature=1.0: torch.softmax(
            torch.as_tensor(scores).double() / temperature, dim=-1
        ),
    },
    "04-soft-lookup/jacobian": {
        "loops": jacobian_loops,
        "autograd": jacobian_autograd,
    },
    "04-soft-lookup/cross-entropy": {
        "loops": cross_entropy_loops,
        "torch": cross_entropy_torch,
    },
    "04-soft-lookup/word-features": {
        "other weights": features_steep,
        "torch's layer": features_torch,
    },
    "04-soft-lookup/step": {
        "loops": step_loops,
        "torch": step_torch,
    },
    "04-soft-lookup/faulty-line": {
        "float": 8.0,
        "array": np.array(8),
    },
    "04-soft-lookup/loop": {
        "cleared at the end": loop_cleared_at_the_end,
        "all tables kept": loop_of_all_tables,
    },
    "04-soft-lookup/mix": {
        "log-sum-exp": mix_log_sum,
        "NumPy": mix_numpy,
    },
    "04-soft-lookup/learn": {
        "a module": learn_with_module,
        "NumPy": learn_in_numpy,
    },
    "04-soft-lookup/mask-gradient": {
        "autograd": gradient_autograd,
        "the inverse temperature": gradient_by_inverse,
    },
}
