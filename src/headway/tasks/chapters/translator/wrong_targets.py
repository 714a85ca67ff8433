"""Ways in which the smoothed loss goes wrong: what is spread over which symbols, and the mean."""

import torch
from torch.nn import functional

from headway.tasks.chapters.translator.smoothing import crossed, entropy, smoothed, smoothed_loss
from headway.tasks.engine.mistakes import Misconception


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


def _column_emptied(y, V, smoothing, padding):
    q = (1 - smoothing) * y + smoothing / V
    q[..., padding] = 0
    return q


def _only_in_the_floor(logits, target, smoothing, padding):
    loss, _ = smoothed_loss(logits, target, 0.0, padding)
    return loss, smoothed_loss(logits, target, smoothing, padding)[1]


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


def _loss_by_all(logits, target, smoothing, padding):
    loss, floor = smoothed_loss(logits, target, smoothing, padding)
    return loss * (target != padding).double().mean(), floor


def _sentence_means(values, kept):
    return ((values * kept).sum(1) / kept.sum(1)).mean()


MISTAKES = (
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
        "smoothing-only-in-the-floor",
        _only_in_the_floor,
        "The floor is right. Your loss is the one without smoothing. Where does the ε come in?",
    ),
    Misconception(
        "spread-by-v-minus-one-over-all",
        _other_target(lambda y, V, e, pad: (1 - e) * y + e / (V - 1)),
        "Your targets add up to more than one: V symbols get a part, and you divide by V − 1. How "
        "many share the ε?",
    ),
    Misconception(
        "padding-column-emptied",
        _other_target(_column_emptied),
        "Your targets add up to less than one: the part of the padding symbol is taken away, and "
        "nobody gets it. Is the padding symbol one of those that share the ε here?",
    ),
    Misconception(
        "padding-taken-for-zero",
        lambda logits, target, smoothing, padding: smoothed_loss(logits, target, smoothing, 0),
        "Right where the padding has the id 0. Here it has another one, and it is given.",
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
        _loss_by_all,
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
)
