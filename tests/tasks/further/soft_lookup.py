"""Wrong answers to assignment 04, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch.nn.functional import cross_entropy, one_hot


def softmax_in_plain_python(scores, temperature=1.0):
    def row(xs):
        es = [math.e ** (x / temperature) for x in xs]
        return [e / sum(es) for e in es]

    flat = np.asarray(scores, dtype=float).reshape(-1, np.shape(scores)[-1]).tolist()
    return np.array([row(xs) for xs in flat]).reshape(np.shape(scores))


def softmax_minus_mean(scores, temperature=1.0):
    z = torch.as_tensor(scores, dtype=torch.float64) / temperature
    e = torch.exp(z - z.mean(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def jacobian_all_positive(scores, temperature=1.0):
    p = torch.softmax(torch.tensor(scores) / temperature, 0).tolist()
    n = len(p)
    J = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[i]) if i == j else p[i] * p[j]
    return J / temperature


def cross_entropy_with_epsilon(epsilon):
    def with_epsilon(logits, targets):
        p = torch.softmax(torch.tensor(logits), 1)
        y = one_hot(torch.tensor(targets), p.shape[1])
        return float(-torch.log((p * y).sum(1) + epsilon).mean()), (p - y) / len(p)

    return with_epsilon


def cross_entropy_minus_ids(logits, targets):
    p = torch.softmax(torch.tensor(logits), 1).numpy()
    loss = cross_entropy(torch.tensor(logits), torch.tensor(targets)).item()
    return loss, (p - targets.reshape(-1, 1)) / len(targets)


def features_by_logic(X, groups):
    W = np.zeros((X.shape[1] + 1, len(groups)))
    out = []
    for f, (wanted, unwanted) in enumerate(groups):
        for w in wanted:
            W[w][f] += 1
        for u in unwanted:
            W[u][f] -= 1
        out.append([float(all(x[list(wanted)]) and not any(x[list(unwanted)])) for x in X])
    return W, np.array(out).T


def step_while_reading(W, ids, next_ids, rate):
    W, losses = np.array(W), []
    for a, b in zip(ids, next_ids, strict=True):
        p = np.exp(W[a] - W[a].max())
        p /= p.sum()
        losses.append(-np.log(p[b]))
        p[b] -= 1
        W[a] -= rate * p / len(ids)
    return np.mean(losses), W


def step_fancy_index(W, ids, next_ids, rate):
    T = torch.tensor(W)
    g = torch.softmax(T[ids], 1)
    loss = cross_entropy(T[ids], torch.tensor(next_ids))
    g[torch.arange(len(ids)), next_ids] -= 1
    T[ids] -= rate * g / len(ids)
    return loss, T


def train_without_gradient(ids, next_ids, size, steps, rate):
    table = torch.nn.Parameter(torch.zeros(size, size))
    opt, losses, tables = torch.optim.SGD([table], rate), [], []
    for _ in range(steps + 1):
        loss = cross_entropy(table[ids], next_ids)
        losses.append(loss.item())
        tables.append(table.tolist())
        loss.backward()
        opt.zero_grad(set_to_none=True)
        opt.step()
    return torch.tensor(tables[losses.index(min(losses))])


def train_one_table_each(ids, next_ids, size, steps, rate):
    best = torch.zeros(size, size)
    for _ in range(steps):
        table = torch.zeros(size, size, requires_grad=True)
        cross_entropy(table[ids], next_ids).backward()
        table = (table - rate * table.grad).detach()
        if cross_entropy(table[ids], next_ids) < cross_entropy(best[ids], next_ids):
            best = table
    return best


def train_to_the_end(ids, next_ids, size, steps, rate):
    table = torch.zeros(size, size, requires_grad=True)
    opt = torch.optim.SGD([table], rate)
    for _ in range(steps):
        opt.zero_grad()
        cross_entropy(table[ids], next_ids).backward()
        opt.step()
    return table


def train_keeps_gradients(ids, next_ids, size, steps, rate):
    table = torch.zeros(size, size, requires_grad=True)
    best, lowest = None, math.inf
    for _ in range(steps + 1):
        loss = cross_entropy(table[ids], next_ids)
        if loss.item() < lowest:
            best, lowest = table.detach().numpy().copy(), loss.item()
        loss.backward()
        table.data -= rate * table.grad
    return best


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


def learn_the_votes(votes, features, present, targets):
    s, v = torch.zeros(len(votes)), torch.nn.Parameter(votes.clone())
    opt = torch.optim.Adam([v], 0.05)
    for _ in range(20):
        w = torch.softmax(s[features].masked_fill(~present, -1e9), -1)
        p = torch.einsum("bn,bnv->bv", w, v[features])
        opt.zero_grad()
        cross_entropy(p, targets).backward()
        opt.step()
    return s


def gradient_added_up(scores, temperature, votes, features, present, targets):
    s, t = (torch.tensor(x, requires_grad=True) for x in (scores, temperature))
    for f, here, y in zip(features, present, targets, strict=True):
        w = torch.softmax(s[f[here]] / t, 0)
        (-(w @ torch.tensor(votes[f[here], y])).log()).backward()
    return s.grad, t.grad


def softmax_second_axis(scores, temperature=1.0):
    z = scores / temperature
    e = np.exp(z - np.expand_dims(z.max(1), 1))
    return e / np.expand_dims(e.sum(1), 1)


def jacobian_as_vector(scores, temperature=1.0):
    p = torch.tensor(scores).div(temperature).softmax(-1)
    return p * (1 - p) / temperature


def cross_entropy_of_each(logits, targets):
    x = torch.tensor(logits, requires_grad=True)
    each = cross_entropy(x, torch.tensor(targets), reduction="none")
    each.mean().backward()
    return each, x.grad


def cross_entropy_y_minus_p(logits, targets):
    x = torch.tensor(logits)
    y = one_hot(torch.tensor(targets), x.shape[-1])
    return cross_entropy(x, y.double()), (y - x.softmax(-1)).div(len(x))


def features_half_way(X, groups):
    words = range(X.shape[1])
    W = [[(i in a) - (i in b) for a, b in groups] for i in words]
    W += [[0.5 - len(a) for a, _ in groups]]
    x1 = [[*x, 1] for x in X]
    return W, np.array(x1).dot(W).clip(min=0)


def step_by_a_summed_loss(W, ids, next_ids, rate):
    table = torch.tensor(W, requires_grad=True)
    loss = cross_entropy(table[ids], torch.tensor(next_ids), reduction="sum")
    (g,) = torch.autograd.grad(loss, table)
    return loss / len(ids), W - rate * g.numpy()


def train_zeroed_in_place(ids, next_ids, size, steps, rate):
    table = torch.zeros(size, size, requires_grad=True)
    best, lowest = None, math.inf
    for _ in range(steps + 1):
        loss = cross_entropy(table[ids], next_ids)
        if loss.item() < lowest:
            best, lowest = table.tolist(), loss.item()
        loss.backward()
        table.grad.mul_(0)
        table.data.add_(table.grad, alpha=-rate)
    return best


def softmax_less_the_largest_score(scores, temperature=1.0):
    e = np.exp(scores / temperature - np.max(scores, -1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def jacobian_of_squares(scores, temperature=1.0):
    p = torch.tensor(scores).div(temperature).softmax(0)
    return (torch.diag(p) - p**2) / temperature


def mix_without_feature_0(scores, votes, features, present):
    s = torch.where(features != 0, scores[features], -torch.inf)
    w = s.softmax(1).nan_to_num()
    return (w[:, None] @ votes[features])[:, 0]


def mix_minus_a_hundred(scores, votes, features, present):
    s = scores[features]
    s[~present] = -100
    w = torch.softmax(s, dim=1) * present
    return torch.einsum("bn,bnv->bv", w, votes[features])


def mix_zeroed_after_the_exponent(scores, votes, features, present):
    s = scores[features]
    e = torch.exp(s - s.max(dim=1, keepdim=True).values)
    e = torch.where(present, e, 0.0)
    w = e / e.sum(1, keepdim=True).clamp_min(1e-30)
    return (w.unsqueeze(2) * votes[features]).sum(1)


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


def learn_by_small_steps(votes, features, present, targets):
    s = torch.nn.Parameter(torch.zeros(len(votes)))
    opt = torch.optim.SGD([s], 3)
    for _ in range(300):
        w = torch.softmax(s[features].masked_fill(~present, -1e9), -1)
        p = torch.einsum("bn,bnv->bv", w, votes[features])
        opt.zero_grad()
        cross_entropy(p, targets).backward()
        opt.step()
    return s


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


def mix_hidden_and_shown_swapped(scores, votes, features, present):
    s = torch.where(present, -torch.inf, scores[features])
    return (torch.softmax(s, 1).unsqueeze(1) @ votes[features]).squeeze(1)


def gradient_with_inverse_temperature(scores, temperature, votes, features, present, targets):
    """The slope with respect to 1/τ given for that with respect to τ."""
    s, b = torch.tensor(scores, requires_grad=True), torch.tensor(1 / temperature)
    b.requires_grad_()
    w = (s[features] * b).masked_fill(~torch.tensor(present), -1e9).softmax(1)
    p = (w * torch.tensor(votes)[features, targets[:, None]]).sum(1)
    (-p.log()).mean().backward()
    return s.grad, b.grad


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


FURTHER = {
    "the temperature at the end": (
        "jacobian",
        jacobian_divided_at_the_end,
        "temperature-not-on-the-scores",
    ),
    "the mean of all places": ("cross-entropy", cross_entropy_mean_of_all, "mean-miscounted"),
    "the smallest epsilon": (
        "cross-entropy",
        cross_entropy_with_epsilon(1e-300),
        "log-of-a-rounded-zero",
    ),
    "half against each of two": (
        "word-features",
        features_half_against,
        "unwanted-words-misjudged",
    ),
    "divided twice": ("mask-gradient", gradient_in_numpy(power=2), "temperature-slope-wrong"),
    "exponentials as they are": ("mask-gradient", gradient_in_numpy(shifted=False), "overflow"),
    "no step after a rise": ("loop", train_until_it_rises, "another-table-than-the-best"),
    "less one number": ("softmax", softmax_less_one_number, "overflow-half-averted"),
    "softmax in plain Python": ("softmax", softmax_in_plain_python, "exponentials-out-of-range"),
    "softmax around the mean": ("softmax", softmax_minus_mean, "overflow-half-averted"),
    "all slopes positive": ("jacobian", jacobian_all_positive, "wrong-off-the-diagonal"),
    "logarithm with an epsilon": (
        "cross-entropy",
        cross_entropy_with_epsilon(1e-9),
        "log-of-a-rounded-zero",
    ),
    "ids in place of one-hot": ("cross-entropy", cross_entropy_minus_ids, "ids-for-one-hot"),
    "features by logic": ("word-features", features_by_logic, "wrong-bias"),
    "table changed while it is read": ("step", step_while_reading, "table-changed-too-early"),
    "index on the left": ("step", step_fancy_index, "repeats-count-once"),
    "gradient set to None": ("loop", train_without_gradient, "stale-or-missing-gradient"),
    "a new table each time": ("loop", train_one_table_each, "moves-only-once"),
    "divided by the sum of all": ("mix", mix_divided_by_all, "mask-after-softmax"),
    "logarithms times one-hot": ("learn", learn_log_of_everything, "log-of-zero"),
    "votes as parameters": ("learn", learn_the_votes, "nothing-learned"),
    "one backward a prefix": ("mask-gradient", gradient_added_up, "mean-miscounted"),
    "less the largest score, before it is divided": (
        "softmax",
        softmax_less_the_largest_score,
        "overflow-half-averted",
    ),
    "squares for products": ("jacobian", jacobian_of_squares, "wrong-off-the-diagonal"),
    "the last table": ("loop", train_to_the_end, "another-table-than-the-best"),
    "gradients never cleared": ("loop", train_keeps_gradients, "stale-or-missing-gradient"),
    "feature 0 as padding": ("mix", mix_without_feature_0, "padding-told-by-its-number"),
    "padding at minus a hundred": ("mix", mix_minus_a_hundred, "padding-takes-weight"),
    "zeroed after the exponent": ("mix", mix_zeroed_after_the_exponent, "padding-takes-weight"),
    "nothing learned": ("learn", learn_nothing, "nothing-learned"),
    "every slip believed": (
        "learn",
        learned_by(torch.optim.RMSprop, 250, lr=0.05),
        "slips-believed",
    ),
    "small steps": ("learn", learn_by_small_steps, "undertrained"),
    "sums over axis 1": ("softmax", softmax_second_axis, "softmax-over-the-wrong-axis"),
    "diagonal as a vector": ("jacobian", jacobian_as_vector, "own-weight-alone-moves"),
    "a loss for each prediction": ("cross-entropy", cross_entropy_of_each, "mean-miscounted"),
    "y minus p": ("cross-entropy", cross_entropy_y_minus_p, "sign-flipped"),
    "threshold half-way": ("word-features", features_half_way, "wrong-bias"),
    "a summed loss": ("step", step_by_a_summed_loss, "mean-miscounted"),
    "gradient times zero": ("loop", train_zeroed_in_place, "stale-or-missing-gradient"),
    "hidden and shown swapped": ("mix", mix_hidden_and_shown_swapped, "mask-inverted"),
    "ten steps": ("learn", learned_by(torch.optim.Adam, 10, lr=0.1), "undertrained"),
    "slope of the inverse temperature": (
        "mask-gradient",
        gradient_with_inverse_temperature,
        "temperature-slope-wrong",
    ),
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
