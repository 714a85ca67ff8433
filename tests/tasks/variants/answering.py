"""Right answers to assignment 17 that are written in other ways than the reference."""

import math
from itertools import product

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.models.animals import new_model

# --- what counts -----------------------------------------------------------------------------


def batch_arrays(rows, question, answer, end, padding, context):
    """Exchange by exchange, in arrays of the right size."""
    kept = []
    for row in rows:
        exchanges = []
        for token in row:
            if token == question:
                exchanges.append([])
            exchanges[-1].append(token)
        while sum(map(len, exchanges)) - 1 > context:
            del exchanges[0]
        kept.append(exchanges)
    T = max(sum(map(len, exchanges)) for exchanges in kept) - 1
    inputs, targets = np.full((len(rows), T), padding), np.full((len(rows), T), -100)
    for b, exchanges in enumerate(kept):
        row = [token for exchange in exchanges for token in exchange]
        inputs[b, : len(row) - 1] = row[:-1]
        at = 0
        for exchange in exchanges:
            first = exchange.index(answer) + 1
            said = exchange[first:]
            targets[b, at + first - 1 : at + first - 1 + len(said)] = said
            at += len(exchange)
    return inputs, targets


def batch_counts(rows, question, answer, end, padding, context):
    """Who speaks, by how many markers of each kind have come."""
    rows = [torch.tensor(row) for row in rows]
    for b, row in enumerate(rows):
        for at in (row == question).nonzero()[:, 0].tolist():
            if len(row) - at <= context + 1:
                rows[b] = row[at:]
                break
    inputs, targets = [], []
    for row in rows:
        begun, ended = (row == answer).cumsum(0), (row == end).cumsum(0)
        speaks = (begun > ended)[:-1]
        inputs.append(row[:-1])
        targets.append(row[1:].where(speaks, torch.tensor(-100)))
    pad = nn.utils.rnn.pad_sequence
    return [
        pad(inputs, batch_first=True, padding_value=padding),
        pad(targets, batch_first=True, padding_value=-100),
    ]


# --- low rank --------------------------------------------------------------------------------


class LowRankLinears(nn.Module):
    """Three linear layers, and torch's own descent."""

    def __init__(self, weight, bias, A, alpha):
        super().__init__()
        r, inside = A.shape
        self.frozen = nn.Linear(inside, len(weight), bias is not None)
        self.down, self.up = nn.Linear(inside, r, False), nn.Linear(r, len(weight), False)
        self.frozen.weight.data = weight.detach().clone()
        if bias is not None:
            self.frozen.bias.data = bias.detach().clone()
        self.down.weight.data = A.detach().clone()
        nn.init.zeros_(self.up.weight)
        self.frozen.requires_grad_(False)
        self.strength = alpha / r

    def forward(self, x):
        return self.frozen(x) + self.strength * self.up(self.down(x))

    def learn(self, x, targets, rate):
        thawed = [part for part in self.parameters() if part.requires_grad]
        optimizer = torch.optim.SGD(thawed, lr=rate)
        loss = functional.mse_loss(self(x), targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    def merged(self):
        return self.frozen.weight + self.strength * (self.up.weight @ self.down.weight)


class LowRankByHand:
    """The gradients by the chain rule, and the whole matrix at each call."""

    def __init__(self, weight, bias, A, alpha):
        self.W = weight.numpy().astype(float)
        self.b = 0.0 if bias is None else bias.numpy().astype(float)
        self.A = A.numpy().astype(float)
        self.B, self.s = np.zeros((len(self.W), len(self.A))), alpha / len(self.A)

    def forward(self, x):
        return np.asarray(x, dtype=float) @ self.merged().T + self.b

    def learn(self, x, targets, rate):
        x, targets = np.asarray(x, dtype=float), np.asarray(targets, dtype=float)
        error = self.forward(x) - targets
        rows = (-1, error.shape[-1])
        G = 2 / error.size * error.reshape(rows).T @ x.reshape(-1, x.shape[-1])  # ∂loss/∂W
        B, A = self.s * G @ self.A.T, self.s * self.B.T @ G
        self.B, self.A = self.B - rate * B, self.A - rate * A
        return (error**2).mean()

    def merged(self):
        return self.W + self.s * self.B @ self.A


# --- preferences -----------------------------------------------------------------------------


def preferences_loops(logits, reference, targets, beta):
    N = len(targets) // 2
    rewards = np.zeros((N, 2))
    for i, side in product(range(N), range(2)):
        row = N * side + i
        for t, target in enumerate(targets[row].tolist()):
            if target != -100:
                for sign, scores in ((beta, logits), (-beta, reference)):
                    here = scores[row, t].double()
                    rewards[i, side] += sign * (here[target] - here.logsumexp(0)).item()
    losses = [
        math.log1p(math.exp(worse - better))
        if worse < better
        else worse - better + math.log1p(math.exp(better - worse))
        for better, worse in rewards.tolist()
    ]
    return losses, rewards


def preferences_softplus(logits, reference, targets, beta):
    B, _, V = logits.shape
    ratios = logits.log_softmax(2) - reference.log_softmax(2)
    chosen = functional.one_hot(targets.clamp(min=0), V) * (targets >= 0)[..., None]
    strayed = (ratios * chosen).flatten(1).sum(1)
    preferred, rejected = beta * strayed[: B // 2], beta * strayed[B // 2 :]
    return functional.softplus(rejected - preferred), torch.stack((preferred, rejected), dim=-1)


# --- a chat ----------------------------------------------------------------------------------


def chat_one_list(model, questions, question, answer, end, most):
    row, answers = [], []
    for asked in questions:
        row.extend([question, *asked, answer])
        begin = len(row)
        while len(row) - begin < most and row[-1] != end:
            row.append(int(torch.as_tensor(model(list(row))).argmax()))
        if row[-1] == end:
            row.pop()
        answers.append(row[begin:])
        row.append(end)
    return answers


def chat_again(model, questions, question, answer, end, most):
    """Writes down the whole conversation for every token."""
    answers = []
    for turn in range(len(questions)):
        answers.append([])
        for _ in range(most):
            row = []
            for asked, said in zip(questions[: turn + 1], answers, strict=True):
                row += [question, *asked, answer, *said, end]
            best = np.asarray(model(np.array(row[:-1]))).argmax().item()
            if best == end:
                break
            answers[-1].append(best)
    return answers


# --- answers and texts -----------------------------------------------------------------------


def answer_in_turns(weights, conversations, texts):
    """A batch of conversations and a batch of texts, one after the other, without a schedule."""
    torch.manual_seed(1)
    model = new_model()
    model.load_state_dict(weights)
    answer = max(max(row) for row in conversations) - 1
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    pad = nn.utils.rnn.pad_sequence
    for _ in range(220):
        loss = 0.0
        for rows in (conversations, texts):
            some = [torch.tensor(rows[i]) for i in torch.randint(len(rows), (24,)).tolist()]
            targets = [row[1:].clone() for row in some]
            if rows is conversations:
                for row, target in zip(some, targets, strict=True):
                    target[: row.tolist().index(answer)] = -100
            logits = model(pad([row[:-1] for row in some], True))
            loss = loss + functional.cross_entropy(logits.mT, pad(targets, True, -100))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {name: weight.numpy() for name, weight in model.state_dict().items()}


def answer_held_to_the_reference(weights, conversations, texts):
    """On texts, the divergence from what the model said before."""
    generator = torch.Generator().manual_seed(2)
    model, before = new_model(), new_model()
    for one in (model, before):
        one.load_state_dict(weights)
    pad = nn.utils.rnn.pad_sequence
    read = pad([torch.tensor(text) for text in texts], True)
    rows = pad([torch.tensor(row) for row in conversations], True, padding_value=-100)
    answer = rows.max() - 1
    said = ((rows == answer).cumsum(1) > 0)[:, :-1]
    targets = rows[:, 1:].where(said, torch.tensor(-100))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.0)
    steps = 180
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 2e-3 * math.cos(math.pi / 2 * step / steps)
        some = torch.randperm(len(rows), generator=generator)[:32]
        old = read[torch.randperm(len(read), generator=generator)[:32]]
        logits = model(rows[some, :-1].clamp(min=0))
        loss = functional.cross_entropy(logits.mT, targets[some])
        with torch.no_grad():
            was = before(old).log_softmax(-1)
        apart = functional.kl_div(
            model(old).log_softmax(-1), was, log_target=True, reduction="none"
        )
        loss = loss + apart.sum(-1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.state_dict()


# --- the best of n ---------------------------------------------------------------------------


def best_of_groups(log_probabilities, reward, truth, n):
    """One level of reward after another, from the lowest."""
    p, q, below = np.exp(log_probabilities), np.zeros(len(reward)), 0.0
    for level in sorted(set(reward.tolist())):
        here = reward == level
        upto = min(below + p[here].sum(), 1.0)
        if p[here].sum() > 0:
            q[here] = (upto**n - below**n) * p[here] / p[here].sum()
        below = upto
    terms = [b * math.log(b / a) for a, b in zip(p.tolist(), q.tolist(), strict=True) if b > 0]
    return q, math.fsum(terms), float(q @ reward), float(q @ truth)


def best_of_sums(log_probabilities, reward, truth, n):
    """How likely k of the n are of its level and all others lower, as a geometric sum."""
    p = [math.exp(x) for x in log_probabilities]
    q = []
    for mine, level in zip(p, reward, strict=True):
        lower = math.fsum(a for a, r in zip(p, reward, strict=True) if r < level)
        upto = math.fsum(a for a, r in zip(p, reward, strict=True) if r <= level)
        q.append(mine * math.fsum(upto**k * lower ** (n - 1 - k) for k in range(n)))
    divergence = sum(b * (math.log(b) - math.log(a)) for a, b in zip(p, q, strict=True) if b > 0)
    return q, divergence, np.dot(q, reward), np.dot(q, truth)


VARIANTS = {
    "17-answering/counted": {"tuple": (23, 9), "array": np.array([23, 9])},
    "17-answering/adapter-size": {"float": 5520.0, "array": np.array(5520)},
    "17-answering/preference": {"rounded": 0.554, "numpy": np.log(1 + np.exp(-0.3))},
    "17-answering/batch": {"arrays": batch_arrays, "counts": batch_counts},
    "17-answering/low-rank": {"linear layers": LowRankLinears, "by hand": LowRankByHand},
    "17-answering/preferences": {"loops": preferences_loops, "softplus": preferences_softplus},
    "17-answering/faulty-line": {"float": 11.0, "numpy": np.int64(11)},
    "17-answering/chat": {"one list": chat_one_list, "again": chat_again},
    "17-answering/answer": {
        "in turns": answer_in_turns,
        "held to the reference": answer_held_to_the_reference,
    },
    "17-answering/best-of-n": {"groups": best_of_groups, "sums": best_of_sums},
}
