"""Build the label-smoothed loss, and the part of it that no model can avoid."""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.compare import close
from headway.tasks.task import Case, Misconception, Task
from headway.tasks.translator.cross import draw_tensor


def smoothed_loss(logits, target, smoothing, padding):
    """Mean over the words of H(q, p), and H(q): q is 1 − ε + ε/V for the true word, else ε/V."""
    q = smoothed(target, logits.shape[-1], smoothing)
    kept = target != padding
    return crossed(q, logits)[kept].mean(), entropy(q)[kept].mean()


def smoothed(target, V, smoothing):
    """Target distributions (..., V)."""
    return (1 - smoothing) * functional.one_hot(target, V).double() + smoothing / V


def crossed(q: Tensor, logits: Tensor) -> Tensor:
    """−Σ q ln p of each position, with 0 · ln 0 = 0."""
    return -torch.where(q > 0, q * logits.double().log_softmax(-1), 0.0).sum(-1)


def entropy(q: Tensor) -> Tensor:
    """−Σ q ln q of each position, whether the shares of q sum to one or not."""
    return -torch.xlogy(q, q).sum(-1)


def loss_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V, lengths, smoothing, padding=0, scale=1.5):
        T = max(lengths)
        logits = draw_tensor(rng, len(lengths), T, V) * scale
        words = [v for v in range(V) if v != padding]
        target = torch.from_numpy(rng.choice(words, (len(lengths), T)))
        target[torch.arange(T) >= torch.tensor(lengths)[:, None]] = padding
        return logits, target, smoothing, padding

    return [
        Case("one sentence", *draw(5, [4], 0.1), core=True),
        Case("sentences of different lengths", *draw(6, [2, 5, 3], 0.2), core=True),
        Case("no smoothing", *draw(4, [3, 2], 0.0)),
        Case("much smoothing", *draw(4, [1, 3], 0.8)),
        Case("another id for the padding", *draw(5, [4, 1], 0.1, padding=3)),
        Case("a single word", *draw(7, [1], 0.1)),
        Case("logits hundreds apart", *draw(5, [3, 2], 0.1, scale=300.0)),
        Case("more padding than words", *draw(5, [1, 6, 1], 0.3)),
    ]


def _other_target(distribution):
    """Another q: distribution(one_hot (..., V), V, smoothing, padding)."""

    def both(logits, target, smoothing, padding):
        V = logits.shape[-1]
        q = distribution(functional.one_hot(target, V).double(), V, smoothing, padding)
        kept = target != padding
        return crossed(q, logits)[kept].mean(), entropy(q)[kept].mean()

    return both


def _annotated(y, V, smoothing, padding):
    others = torch.ones(V).double()
    others[padding] = 0
    return (1 - smoothing) * y + smoothing / (V - 2) * others * (1 - y)


def _beside_padding(y, V, smoothing, padding):
    others = torch.ones(V).double()
    others[padding] = 0
    return (1 - smoothing) * y + smoothing / (V - 1) * others


def _other_mean(mean):
    """Other means: mean(values (B, T), kept (B, T))."""

    def both(logits, target, smoothing, padding):
        q, kept = smoothed(target, logits.shape[-1], smoothing), target != padding
        return mean(crossed(q, logits), kept), mean(entropy(q), kept)

    return both


def _spread_over_padding(logits, target, smoothing, padding):
    kept, log_p = target != padding, logits.double().log_softmax(-1)
    true = -log_p.gather(-1, target[..., None])[..., 0][kept].mean()
    everywhere = -log_p.mean(-1).mean()
    floor = smoothed_loss(logits, target, smoothing, padding)[1]
    return (1 - smoothing) * true + smoothing * everywhere, floor


def _sentence_means(values, kept):
    return ((values * kept).sum(1) / kept.sum(1)).mean()


def _changed(change):
    """Another pair from the right one: change(loss, floor, logits, target, smoothing, padding)."""

    def both(*args):
        return change(*smoothed_loss(*args), *args)

    return both


loss = Task(
    id="13-translator/smoothed-loss",
    title="The smoothed loss and its floor",
    kind="build",
    points=2,
    minutes=18,
    answer="smoothed_loss",
    cases=loss_cases,
    reference=smoothed_loss,
    misconceptions=(
        Misconception(
            "annotated-variant",
            _other_target(_annotated),
            "This is the variant of The Annotated Transformer: 1 − ε for the true word, nothing "
            "for the padding symbol, and ε over V − 2 for each of the others. Which words share "
            "the ε here?",
        ),
        Misconception(
            "spread-over-the-others",
            _other_target(lambda y, V, e, pad: (1 - e) * y + e / (V - 1) * (1 - y)),
            "This is a variant in which only the V − 1 wrong words share the ε. Does the true word "
            "get a part of it in PyTorch?",
        ),
        Misconception(
            "padding-symbol-spared",
            _other_target(_beside_padding),
            "You spread over all words but the padding symbol. That is sensible, and it is not "
            "what is asked: over how many words does PyTorch spread?",
        ),
        Misconception(
            "padding-in-the-loss",
            _other_mean(lambda values, kept: values.mean()),
            "Padding counts like any word. Is there anything to learn about what follows the end?",
        ),
        Misconception(
            "smoothing-mass-on-padding",
            _spread_over_padding,
            "The true words are counted right. The part that is spread is counted at the padding "
            "as well. Which positions have a target at all?",
        ),
        Misconception(
            "divided-by-all-positions",
            _other_mean(lambda values, kept: (values * kept).mean()),
            "Padding adds nothing and is still counted below the bar. How many words are there?",
        ),
        Misconception(
            "loss-divided-by-all-positions",
            _changed(
                lambda loss, floor, logits, target, e, pad: (
                    loss * (target != pad).double().mean(),
                    floor,
                )
            ),
            "Your floor is right. In the loss, padding adds nothing and is still counted below "
            "the bar. How many words are there?",
        ),
        Misconception(
            "mean-of-sentence-means",
            _other_mean(_sentence_means),
            "A word in a short sentence weighs more than one in a long sentence. Over what is the "
            "mean taken?",
        ),
        Misconception(
            "sum-for-mean",
            _other_mean(lambda values, kept: (values * kept).sum()),
            "This is the sum over the words. What is asked for?",
        ),
        Misconception(
            "smoothing-ignored",
            lambda logits, target, smoothing, padding: smoothed_loss(logits, target, 0.0, padding),
            "Right without smoothing, and the same with it. Where does the ε come in?",
        ),
        Misconception(
            "shares-exchanged",
            lambda logits, target, smoothing, padding: smoothed_loss(
                logits, target, 1 - smoothing, padding
            ),
            "You spread 1 − ε and leave ε at its place. How much is taken from the true word?",
        ),
        Misconception(
            "spread-without-taking",
            _other_target(lambda y, V, e, pad: y + e / V),
            "Your targets add up to more than one. Where does the share that is spread come from?",
        ),
        Misconception(
            "true-share-forgotten",
            _other_target(lambda y, V, e, pad: (1 - e) * y + e / V * (1 - y)),
            "Your targets add up to less than one. The spread goes to all symbols: which one of "
            "them goes without its part?",
        ),
        Misconception(
            "logits-for-log-probabilities",
            _changed(
                lambda loss, floor, logits, target, e, pad: (
                    -(smoothed(target, logits.shape[-1], e) * logits).sum(-1)[target != pad].mean(),
                    floor,
                )
            ),
            "You weigh the logits themselves. What turns them into logarithms of probabilities?",
        ),
        Misconception(
            "softmax-before-softmax",
            lambda logits, target, smoothing, padding: smoothed_loss(
                logits.softmax(-1), target, smoothing, padding
            ),
            "Your loss hardly depends on the logits: the softmax was taken twice. Which of your "
            "functions has one inside?",
        ),
        Misconception(
            "divergence-for-cross-entropy",
            _changed(lambda loss, floor, *args: (loss - floor, floor)),
            "The floor is right. In the place of the cross-entropy stands the divergence of "
            "Kullback and Leibler. How do the three numbers hang together?",
        ),
        Misconception(
            "floor-is-zero",
            _changed(lambda loss, floor, *args: (loss, torch.zeros(()))),
            "The loss is right. Can a model that predicts the smoothed targets exactly have a "
            "loss of zero?",
        ),
        Misconception(
            "floor-below-zero",
            _changed(lambda loss, floor, *args: (loss, -floor)),
            "The loss is right. Your floor has the wrong sign: the logarithm of a share is never "
            "above zero. What does the formula of the entropy begin with?",
        ),
        Misconception(
            "floor-of-the-true-word",
            _changed(
                lambda loss, floor, logits, target, e, pad: (
                    loss,
                    -np.log(1 - e + e / logits.shape[-1]),
                )
            ),
            "The loss is right. Your floor is what the true word costs alone. The other words "
            "have a share of the target too: what do they cost?",
        ),
        Misconception(
            "divergence-for-floor",
            _changed(lambda loss, floor, *args: (loss, loss - floor)),
            "The loss is right. The other number is what is left to learn, and the floor is what "
            "cannot be learned. How do the three hang together?",
        ),
        Misconception(
            "zero-times-infinity",
            _changed(
                lambda loss, floor, logits, target, e, pad: (loss, floor if e else float("nan"))
            ),
            "Right but for no smoothing, where your floor is NaN. What is 0 times the logarithm "
            "of 0 meant to be here?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
