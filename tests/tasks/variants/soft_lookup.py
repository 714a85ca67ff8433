"""Right answers to assignment 04 that are written in other ways than the reference."""

import math
from collections import Counter
from fractions import Fraction

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


def softmax_by_differences(scores, temperature=1.0):
    """1 / Σ_j exp(s_j − s_i): no maximum, and infinity becomes a weight of zero."""
    apart = np.expand_dims(scores, -2) - np.expand_dims(scores, -1)
    return 1 / np.exp(apart / temperature).sum(axis=-1)


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


def jacobian_centered(scores, temperature=1.0):
    """Diag(p) (I − 1 pᵀ) / τ: another grouping of the same product."""
    p = softmax_by_differences(scores, temperature)
    return p[:, None] * (np.eye(len(p)) - np.tile(p, (len(p), 1))) / temperature


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


def cross_entropy_logaddexp(logits, targets):
    rows = np.arange(len(targets))
    log_p = logits - np.logaddexp.reduce(logits, axis=1)[:, None]
    gradient = np.exp(log_p)
    gradient[rows, targets] -= 1
    return -np.mean(log_p[rows, targets]), gradient / rows.size


# --- word features ---------------------------------------------------------------------------


def features_loops(X, groups):
    size = X.shape[1]
    W = [[0.0] * len(groups) for _ in range(size + 1)]
    for f, (wanted, unwanted) in enumerate(groups):
        for word in range(size):
            W[word][f] = float((word in wanted) - (word in unwanted))
        W[size][f] = 1.0 - len(wanted)
    active = []
    for x in X:
        sums = [sum(x[i] * W[i][f] for i in range(size)) for f in range(len(groups))]
        active.append([max(0.0, z + bias) for z, bias in zip(sums, W[size], strict=True)])
    return W, active


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


def step_one_hot(W, ids, next_ids, rate):
    X, Y = np.eye(len(W))[ids], np.eye(len(W))[next_ids]
    P = softmax_by_differences(X @ W)
    apart = np.logaddexp.reduce(X @ W, axis=1) - (X @ W * Y).sum(1)
    return apart.mean(), W - rate * X.T @ (P - Y) / len(ids)


def step_torch(W, ids, next_ids, rate):
    W = torch.tensor(W, requires_grad=True)
    loss = functional.cross_entropy(W[ids], torch.from_numpy(next_ids))
    optimizer = torch.optim.SGD([W], lr=rate)
    loss.backward()
    optimizer.step()
    return loss, W


def step_by_counts(W, ids, next_ids, rate):
    """All pairs of one word at once: its count times p, minus the counts of its next words."""
    counts = Counter(zip(ids.tolist(), next_ids.tolist(), strict=True))
    C = np.array([[counts[a, b] for b in range(len(W))] for a in range(len(W))])
    log_p = W - np.logaddexp.reduce(W, axis=1)[:, None]
    n = C.sum()
    gradient = (C.sum(axis=1, keepdims=True) * np.exp(log_p) - C) / n
    return -(C * log_p).sum() / n, W - rate * gradient


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


def loop_in_numpy(ids, next_ids, size, steps, rate):
    W, best = np.zeros((size, size)), (math.inf, None)
    for _ in range(steps + 1):
        loss, after = step_one_hot(W, ids.numpy(), next_ids.numpy(), rate)
        best = (loss, W) if loss < best[0] else best
        W = after
    return best[1]


# --- the mask --------------------------------------------------------------------------------


def mix_loops(scores, votes, features, present):
    rows = []
    for here, there in zip(features, present, strict=True):
        ids = here[there]
        if len(ids) == 0:
            rows.append(torch.zeros(votes.shape[1]))
            continue
        weights = functional.softmax(scores[ids], dim=0)
        rows.append(sum(w * votes[i] for w, i in zip(weights, ids, strict=True)))
    return torch.stack(rows)


def mix_log_sum(scores, votes, features, present):
    hidden = torch.where(present, scores[features], -torch.inf)
    weights = (hidden - hidden.logsumexp(1, keepdim=True)).exp()
    weights = torch.where(present, weights, 0.0)
    return (weights.unsqueeze(1) @ votes[features]).squeeze(1)


def mix_as_one_product(scores, votes, features, present):
    """Weights over all F features, absent ones with zero, times the vote table."""
    there = torch.zeros(len(features), len(votes)).index_put_(
        (torch.arange(len(features))[:, None].expand_as(features), features),
        present.float(),
        accumulate=True,
    )
    hidden = scores.expand_as(there).masked_fill(there == 0, -1e30)
    return (hidden.softmax(1) * (there > 0)) @ votes


def mix_numpy(scores, votes, features, present):
    s = np.where(present, scores[features], -1e30)
    e = np.exp(s - s.max(axis=1, keepdims=True)) * present.numpy()
    weights = e / np.maximum(e.sum(axis=1, keepdims=True), 1e-30)
    return (weights[:, :, None] * votes[features].numpy()).sum(axis=1)


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


def learn_by_high_rate(votes, features, present, targets):
    """Plain gradient descent with a rate that suits this loss, the mixture taken for logits."""
    scores = torch.zeros(len(votes), requires_grad=True)
    for _ in range(400):
        mixed = mix_log_sum(scores, votes, features, present)
        loss = functional.cross_entropy(mixed, targets)
        (slope,) = torch.autograd.grad(loss, scores)
        scores = (scores - 60 * slope).detach().requires_grad_()
    return scores


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


def gradient_by_jacobians(scores, temperature, votes, features, present, targets):
    total, slope = np.zeros_like(scores), 0.0
    for row, there, y in zip(features, present, targets, strict=True):
        ids = row[there]
        a = np.array(softmax_recursive(scores[ids], temperature))
        by_weights = -votes[ids, y] / (a @ votes[ids, y])
        by_scores = by_weights @ jacobian_centered(scores[ids], temperature)
        total[ids] += by_scores
        slope -= by_scores @ scores[ids] / temperature
    return total / len(features), slope / len(features)


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
        "fractions": [float(Fraction(n, 14)) for n in (1, 4, 9)],
    },
    "04-soft-lookup/vote": {
        "number": 0.71,
        "array": np.array(17 / 24),
        "tensor": torch.tensor([3.0, 2.0, 1.0]) @ torch.tensor([1.0, 0.5, 0.25]) / 6,
    },
    "04-soft-lookup/gradient": {
        "tuple": (-0.3, 0.05, 0.25),
        "array": np.array([0.5, 0.25, 0.25]) * (1 - np.array([1, 0.5, 0]) * 8 / 5),
        "tensor": torch.tensor([-0.3, 0.05, 0.25]),
    },
    "04-soft-lookup/softmax": {
        "recursion": softmax_recursive,
        "single precision": lambda scores, temperature=1.0: softmax_recursive(
            np.float32(scores), np.float32(temperature)
        ),
        "differences": softmax_by_differences,
        "torch": lambda scores, temperature=1.0: torch.softmax(
            torch.as_tensor(scores).double() / temperature, dim=-1
        ),
        "log-sum-exp": lambda scores, temperature=1.0: np.exp(
            scores / temperature - np.logaddexp.reduce(scores / temperature, axis=-1, keepdims=True)
        ),
    },
    "04-soft-lookup/jacobian": {
        "loops": jacobian_loops,
        "autograd": jacobian_autograd,
        "another grouping": jacobian_centered,
    },
    "04-soft-lookup/cross-entropy": {
        "loops": cross_entropy_loops,
        "torch": cross_entropy_torch,
        "logaddexp": cross_entropy_logaddexp,
    },
    "04-soft-lookup/word-features": {
        "loops": features_loops,
        "other weights": features_steep,
        "torch's layer": features_torch,
    },
    "04-soft-lookup/step": {
        "loops": step_loops,
        "one-hot products": step_one_hot,
        "torch": step_torch,
        "counts": step_by_counts,
    },
    "04-soft-lookup/faulty-line": {"float": 8.0, "array": np.array(8), "int": 8},
    "04-soft-lookup/loop": {
        "cleared at the end": loop_cleared_at_the_end,
        "all tables kept": loop_of_all_tables,
        "NumPy": loop_in_numpy,
    },
    "04-soft-lookup/mix": {
        "loops": mix_loops,
        "log-sum-exp": mix_log_sum,
        "one product": mix_as_one_product,
        "NumPy": mix_numpy,
    },
    "04-soft-lookup/learn": {
        "a module": learn_with_module,
        "plain gradient descent": learn_by_high_rate,
        "NumPy": learn_in_numpy,
    },
    "04-soft-lookup/mask-gradient": {
        "autograd": gradient_autograd,
        "Jacobians": gradient_by_jacobians,
        "the inverse temperature": gradient_by_inverse,
    },
}
