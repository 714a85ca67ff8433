"""Wrong answers to assignment 17, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.models.animals import new_model

# --- what counts -----------------------------------------------------------------------------


def _batch(tell, cut=True, fill=-100, shift=1, count=None):
    """A batch whose targets `tell` chooses: (row, at, question, answer, end) -> whether it counts.

    Args:
        cut: whether the context is minded.
        fill: what stands behind the targets; None for the padding.
        shift: how far behind what is read its target stands.
        count: (row, padding) -> how many tokens are one's own; all if not given.
    """

    def answer_batch(rows, question, answer, end, padding, context):
        inputs, targets = [], []
        for row in rows:
            if cut:
                starts = [at for at, token in enumerate(row) if token == question]
                row = row[next(at for at in starts if len(row) - at - 1 <= context) :]
            counts = [tell(row, at, question, answer, end) for at in range(len(row))]
            if count:
                counts = [c and row[at] != padding for at, c in enumerate(counts)]
            wanted = [t if c else -100 for t, c in zip(row, counts, strict=True)]
            inputs.append(torch.tensor(row[:-1]))
            targets.append(torch.tensor(wanted[shift:] if shift else wanted[:-1]))
        behind = padding if fill is None else fill
        pad = nn.utils.rnn.pad_sequence
        return pad(inputs, True, padding), pad(targets, True, behind)

    return answer_batch


def said_at(row, at, question, answer, end):
    """Whether the model says the token there."""
    before = row[:at]
    return before.count(answer) > before.count(end)


def without_ends(row, at, question, answer, end):
    return said_at(row, at, question, answer, end) and row[at] != end


def with_answer_markers(row, at, question, answer, end):
    return said_at(row, at, question, answer, end) or row[at] == answer


def everything(row, at, question, answer, end):
    return True


def the_last_answer(row, at, question, answer, end):
    last = max(i for i, token in enumerate(row) if token == answer)
    return at > last


def not_empty(row, at, question, answer, end):
    return said_at(row, at, question, answer, end) and row[at - 1 : at + 1] != [answer, end]


def nothing(row, at, question, answer, end):
    return False


def whole_rows(rows, question, answer, end, padding, context):
    inputs, targets = _batch(said_at)(rows, question, answer, end, padding, context)
    extra = torch.full((len(rows), 1), padding)
    return torch.cat([inputs, extra], 1), torch.cat([targets, extra * 0 - 100], 1)


def a_place_late(row, at, question, answer, end):
    return at > 0 and said_at(row, at - 1, question, answer, end)


def padded_first(rows, question, answer, end, padding, context):
    """All rows are as long as the longest before the last token of each is taken off."""
    _, targets = _batch(said_at)(rows, question, answer, end, padding, context)
    T = targets.shape[1]
    rows = [row[row.index(question, max(0, len(row) - context - 1)) :] for row in rows]
    return torch.tensor([[*row, *[padding] * (T + 1 - len(row))][:-1] for row in rows]), targets


def answers_hidden(rows, question, answer, end, padding, context):
    inputs, targets = _batch(said_at)(rows, question, answer, end, padding, context)
    return inputs.masked_fill(inputs == end, padding), targets


def newest_tokens(rows, question, answer, end, padding, context):
    cut = [row[-(context + 1) :] for row in rows]
    return _batch(said_at, cut=False)(cut, question, answer, end, padding, context)


def needs_a_reply(rows, question, answer, end, padding, context):
    if any(row[-1] == answer for row in rows):
        raise ValueError("a question without an answer")
    return _batch(said_at)(rows, question, answer, end, padding, context)


# --- low rank --------------------------------------------------------------------------------


class _Layer(nn.Module):
    """A right layer, whose parts others replace."""

    forgets = True  # the gradients of a step, before the next

    def __init__(self, weight, bias, A, alpha):
        super().__init__()
        self.W, self.b = weight.clone(), None if bias is None else bias.clone()
        self.A, self.B = nn.Parameter(A.clone()), nn.Parameter(self.begin(weight, A))
        self.alpha, self.r = alpha, len(A)

    def begin(self, weight, A):
        return torch.zeros(weight.shape[0], A.shape[0])

    def forward(self, x):
        y = x @ self.W.T + self.alpha / self.r * (x @ self.A.T @ self.B.T)
        return y if self.b is None else y + self.b

    def loss(self, x, targets):
        return ((self(x) - targets) ** 2).mean()

    def learn(self, x, targets, rate):
        loss = self.loss(x, targets)
        loss.backward()
        with torch.no_grad():
            for part in self.learning():
                part -= rate * part.grad
                if self.forgets:
                    part.grad = None
        return loss

    def learning(self):
        return list(self.parameters())

    def merged(self):
        return self.W + self.alpha / self.r * self.B @ self.A


class DrawnB(_Layer):
    def begin(self, weight, A):
        return torch.linspace(-1, 1, len(weight) * len(A)).view(len(weight), len(A))


class WholeMatrix(_Layer):
    """The matrix learns as well."""

    def __init__(self, weight, bias, A, alpha):
        super().__init__(weight, bias, A, alpha)
        self.W = nn.Parameter(weight.clone())


class OnlyB(_Layer):
    def learning(self):
        return [self.B]


class UpdateAlone(_Layer):
    def merged(self):
        return self.alpha / self.r * self.B @ self.A


class SummedLoss(_Layer):
    def loss(self, x, targets):
        return ((self(x) - targets) ** 2).sum(-1).mean()


class Uphill(_Layer):
    def learn(self, x, targets, rate):
        return super().learn(x, targets, -rate)


class GradientsKept(_Layer):
    forgets = False


class MergedInPlace(_Layer):
    """The update is in the matrix from then on, and beside it."""

    def merged(self):
        self.W = super().merged().detach()
        return self.W


class SharedA(_Layer):
    """A parameter has the memory of the tensor that it is made from."""

    def __init__(self, weight, bias, A, alpha):
        super().__init__(weight, bias, A, alpha)
        self.A = nn.Parameter(A)


class Pairs(_Layer):
    """Only matrices go in."""

    def forward(self, x):
        y = torch.einsum("ni,oi->no", x, self.merged())
        return y if self.b is None else y + self.b


class BiasAlways(_Layer):
    def forward(self, x):
        return functional.linear(x, self.merged()) + self.b


class NoScale(_Layer):
    def __init__(self, weight, bias, A, alpha):
        super().__init__(weight, bias, A, len(A))


# --- preferences -----------------------------------------------------------------------------


def _pairs(logits, reference, targets, beta, loss=None, logs=None, each=None, split=None):
    logs = logs or (lambda scores: scores.log_softmax(-1))
    counts = targets != -100
    place = targets.clamp(min=0)[..., None]
    policy, before = (
        logs(scores).gather(-1, place)[..., 0] * counts for scores in (logits, reference)
    )
    each = each or (lambda part: part.sum(1))
    strayed = beta * (each(policy) - each(before))
    better, worse = split(strayed) if split else strayed.chunk(2)
    loss = loss or (lambda margin: -functional.logsigmoid(margin))
    return loss(better - worse), torch.stack([better, worse], 1)


def preferences_with(**options):
    return lambda *given: _pairs(*given, **options)


def mean_of_tokens(logits, reference, targets, beta):
    lengths = (targets != -100).sum(1)
    return _pairs(logits, reference, targets, beta, each=lambda part: part.sum(1) / lengths)


def policy_alone(logits, reference, targets, beta):
    return _pairs(logits, torch.zeros_like(reference), targets, beta, logs=_or_zero)


def _or_zero(scores):
    return scores.log_softmax(-1) if scores.any() else scores


def first_token_only(logits, reference, targets, beta):
    def first(part):
        return part.gather(1, (targets != -100).int().argmax(1)[:, None])[:, 0]

    return _pairs(logits, reference, targets, beta, each=first)


# --- a chat ----------------------------------------------------------------------------------


def _chat(keep, show=lambda said, end: said, stop=lambda token, end: token == end):
    """A chat that goes on with `keep(row, asked, said, special)`."""

    def chat(model, questions, question, answer, end, most):
        row, answers = [], []
        for asked in questions:
            prompt = [*row, question, *asked, answer]
            said = []
            for _ in range(most):
                token = int(np.asarray(model(prompt + said)).argmax())
                if stop(token, end):
                    break
                said.append(token)
            answers.append(show(said, end))
            row = keep(prompt, said, end, len(said) < most)
        return answers

    return chat


def without_cut_ends(prompt, said, end, ended):
    return [*prompt, *said, end] if ended else [*prompt, *said]


def without_empty_ends(prompt, said, end, ended):
    return [*prompt, *said, end] if said else prompt


def one_more(model, questions, question, answer, end, most):
    right = _chat(lambda p, s, end, ended: [*p, *s, end])
    return right(model, questions, question, answer, end, most + 1)


def odd_second(prompt, said, end, ended):
    return [end, *prompt, *said, end]


# --- answers and texts -----------------------------------------------------------------------


def _tuned(weights, conversations, texts, steps=100, rate=3e-3, texts_too=True, first=None, end=0):
    torch.manual_seed(3)
    model = new_model()
    model.load_state_dict(weights)
    answer = max(max(row) for row in conversations) - 1
    rows = [(row, row.index(answer) if first is None else first) for row in conversations]
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    pad = nn.utils.rnn.pad_sequence
    for _ in range(steps):
        some = [rows[i] for i in torch.randint(len(rows), (32,)).tolist()]
        old = [(texts[i], 0) for i in torch.randint(len(texts), (32,)).tolist()]
        inputs, targets = [], []
        for row, begin in [*some, *(old if texts_too else [])]:
            inputs.append(torch.tensor(row[:-1]))
            targets.append(torch.tensor([-100] * begin + row[begin + 1 :]))
            if end and row[-1]:
                targets[-1][-1] = -100
        loss = functional.cross_entropy(model(pad(inputs, True)).mT, pad(targets, True, -100))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.state_dict()


def tuned(**options):
    return lambda *given: _tuned(*given, **options)


def with_not_a_number(weights, conversations, texts):
    return {name: weight * torch.nan for name, weight in weights.items()}


def with_adapters(weights, conversations, texts):
    return {**weights, "blocks.0.A": torch.zeros(2, 32)}


# --- the best of n ---------------------------------------------------------------------------


def _best(log_probabilities, reward, truth, n, q=None, divergence=None, means=None):
    p = np.exp(log_probabilities)
    below = np.array([p[reward < r].sum() for r in reward])
    same = np.array([p[reward == r].sum() for r in reward])
    if q is None:
        q = np.where(p > 0, (below + same) ** n - below**n, 0) * p / np.where(same > 0, same, 1)
    else:
        q = q(p, below, same, n)
    with np.errstate(all="ignore"):
        terms = np.nan_to_num(q * np.log(q / p))
    found = terms.sum() if divergence is None else divergence(p, q, n)
    weights = q if means is None else means(p, q)
    return q, found, q @ reward, weights @ truth


def best_with(**options):
    return lambda *given: _best(*given, **options)


def bare_logarithms(log_probabilities, reward, truth, n):
    """Divides by every probability."""
    q = _best(log_probabilities, reward, truth, n)[0]
    return q, (q * (np.log(q) - log_probabilities)).sum(), q @ reward, q @ truth


WRONG_ANSWERS = {
    "nothing counts": ("batch", _batch(nothing), "answers-not-counted"),
    "a token more is read": ("batch", whole_rows, "inputs-spoiled"),
    "padded, then shifted": ("batch", padded_first, "inputs-spoiled"),
    "what is read is asked": ("batch", _batch(said_at, shift=0), "marks-and-targets-apart"),
    "a place late": ("batch", _batch(a_place_late), "marks-and-targets-apart"),
    "padding among the targets": ("batch", _batch(said_at, fill=None), "padding-counted"),
    "padding by its id": ("batch", _batch(said_at, count=True), "padding-guessed-from-the-ids"),
    "the newest tokens": ("batch", newest_tokens, "cut-elsewhere"),
    "no cut": ("batch", _batch(said_at, cut=False), "cut-elsewhere"),
    "no end where nothing is said": ("batch", _batch(not_empty), "taken-for-granted"),
    "an open question refused": ("batch", needs_a_reply, "taken-for-granted"),
    "the last answer": ("batch", _batch(the_last_answer), "answers-not-counted"),
    "everything counts": ("batch", _batch(everything), "given-tokens-counted"),
    "no end counts": ("batch", _batch(without_ends), "end-not-counted"),
    "answer markers count": ("batch", _batch(with_answer_markers), "given-tokens-counted"),
    "inputs without ends": ("batch", answers_hidden, "inputs-spoiled"),
    "B drawn": ("low-rank", DrawnB, "not-as-it-was"),
    "the matrix learns": ("low-rank", WholeMatrix, "more-is-trained"),
    "only B learns": ("low-rank", OnlyB, "later-steps-off"),
    "the update alone": ("low-rank", UpdateAlone, "another-merge"),
    "a sum over the widths": ("low-rank", SummedLoss, "another-loss"),
    "uphill": ("low-rank", Uphill, "another-step"),
    "gradients that add up": ("low-rank", GradientsKept, "later-steps-off"),
    "merged in place": ("low-rank", MergedInPlace, "another-merge"),
    "the caller's own A": ("low-rank", SharedA, "argument-changed"),
    "matrices only": ("low-rank", Pairs, "taken-for-granted"),
    "a bias always": ("low-rank", BiasAlways, "taken-for-granted"),
    "no α": ("low-rank", NoScale, "scale-mistaken"),
    "means": ("preferences", mean_of_tokens, "mean-over-the-tokens"),
    "the policy alone": ("preferences", policy_alone, "reference-ignored"),
    "worse than better": (
        "preferences",
        preferences_with(loss=lambda margin: -functional.logsigmoid(-margin)),
        "sides-swapped",
    ),
    "neighbors": (
        "preferences",
        preferences_with(split=lambda strayed: (strayed[::2], strayed[1::2])),
        "other-pairs",
    ),
    "a hinge": (
        "preferences",
        preferences_with(loss=lambda margin: functional.relu(2 - margin)),
        "no-log-of-a-sigmoid",
    ),
    "log of softmax": (
        "preferences",
        preferences_with(logs=lambda scores: scores.softmax(-1).log()),
        "underflow",
    ),
    "log of sigmoid": (
        "preferences",
        preferences_with(loss=lambda margin: -margin.sigmoid().log()),
        "underflow",
    ),
    "the mean of the pairs": (
        "preferences",
        lambda *given: (_pairs(*given)[0].mean(), _pairs(*given)[1]),
        "another-shape",
    ),
    "the first token": ("preferences", first_token_only, "log-probabilities-off"),
    "cut answers stay open": ("chat", _chat(without_cut_ends), "end-not-in-the-row"),
    "empty answers stay open": ("chat", _chat(without_empty_ends), "end-not-in-the-row"),
    "what was said is lost": (
        "chat",
        _chat(lambda prompt, said, end, ended: [*prompt, end]),
        "turns-forgotten",
    ),
    "ends handed back": (
        "chat",
        _chat(lambda p, s, end, ended: [*p, *s, end], show=lambda said, end: [*said, end]),
        "end-in-the-answer",
    ),
    "one token more": ("chat", one_more, "another-answer"),
    "an end in front": ("chat", _chat(odd_second), "another-answer"),
    "no texts": ("answer", tuned(texts_too=False, rate=1e-3, steps=150), "texts-forgotten"),
    "not enough steps": ("answer", tuned(steps=6), "half-trained"),
    "ends left out": ("answer", tuned(end=1), "ends-not-learned"),
    "as it was": ("answer", lambda weights, *_: weights, "weights-unchanged"),
    "numbers alone": ("answer", lambda *_: 0.9, "weights-of-another-model"),
    "an adapter beside it": ("answer", with_adapters, "weights-of-another-model"),
    "not a number": ("answer", with_not_a_number, None),
    "a large rate": ("answer", tuned(rate=2e-2, texts_too=False), "answers-learned-by-heart"),
    "all powers": (
        "best-of-n",
        best_with(q=lambda p, below, same, n: p**n / (p**n).sum()),
        "another-choice",
    ),
    "ties not shared": (
        "best-of-n",
        best_with(q=lambda p, below, same, n: (below + same) ** n - below**n),
        "ties-unshared",
    ),
    "0 · −∞": ("best-of-n", bare_logarithms, "what-never-comes"),
    "the other direction": (
        "best-of-n",
        best_with(divergence=lambda p, q, n: np.nansum(p * np.log(p / q))),
        "another-mean",
    ),
    "truth as it was": ("best-of-n", best_with(means=lambda p, q: p), "another-mean"),
}
