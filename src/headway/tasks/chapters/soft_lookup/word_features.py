"""Build a layer whose weights are set by hand: it detects words that stand together."""

from itertools import product

import numpy as np

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def with_one(X):
    """The words, (B, V), and the input that is always one behind them: (B, V+1)."""
    return np.concatenate([X, np.ones((len(X), 1))], axis=1)


def weights_by_hand(groups, size, bias=lambda wanted, unwanted: 1 - len(wanted), against=-1):
    """W (V+1, F): 1 at the wanted words, `against` at the unwanted, the bias in the last row."""
    W = np.zeros((size + 1, len(groups)))
    for f, (wanted, unwanted) in enumerate(groups):
        W[list(wanted), f] = 1
        W[list(unwanted), f] = against
        W[size, f] = bias(wanted, unwanted)
    return W


def word_features_by_hand(X, groups):
    """W, and ReLU([X, 1] W)."""
    W = weights_by_hand(groups, X.shape[1])
    return W, np.maximum(with_one(X) @ W, 0)


def all_sets(size: int) -> np.ndarray:
    """Every set of words, one a row, float (2^V, V)."""
    return np.array(list(product([0.0, 1.0], repeat=size)))


def behaves(got, expected, case) -> Difference | None:
    """Whether both the features and the weights do the same, on every set of words.

    Weights may differ that detect the same: what counts is what the layer gives.
    """
    size = case.inputs[0].shape[1]
    mine, theirs = _parts(got), _parts(expected)
    if mine is None:
        return Difference("two arrays of numbers are asked for: the weights and the features.")
    for name, one, other in zip(("W", "the features"), mine, theirs, strict=True):
        if one.shape != other.shape:
            return Difference(f"{name}: the shape is {one.shape}, expected {other.shape}.")
    if not np.allclose(mine[1], theirs[1], atol=1e-6):
        return Difference("the features are not those expected.", mine[1], theirs[1])
    sets = all_sets(size)
    fires, should = (np.maximum(with_one(sets) @ W, 0) for W in (mine[0], theirs[0]))
    wrong = ~np.isclose(fires, should, atol=1e-6)
    if wrong.any():
        row, f = np.argwhere(wrong)[0]
        return Difference(
            f"your features are right, but W gives others: for the words {_words(sets[row])}, "
            f"ReLU([x, 1] W) is {fires[row, f]:.6g} for feature {f}, expected {should[row, f]:.6g}."
        )
    return None


def _parts(value) -> tuple[np.ndarray, np.ndarray] | None:
    try:
        W, features = (np.asarray(part, dtype=float) for part in value)
    except (TypeError, ValueError):
        return None
    return W, features


def _words(row) -> list[int]:
    return [int(i) for i in np.flatnonzero(row)]


def _exactly_alike(got, expected, case) -> Difference | None:
    """Whether two answers make the same mistake.

    That is, the same W and the same features; or the same faulty W, beside right features that
    somebody found without it.
    """
    mine, theirs = _parts(got), _parts(expected)
    if mine is None or theirs is None:
        return None if mine is theirs else Difference("one of the two is no pair of arrays.")
    right_W, right = word_features_by_hand(*case.inputs)
    if not _same(mine[0], theirs[0]):
        return Difference("the weights differ.")
    faulty = not _same(theirs[0], right_W)
    if _same(mine[1], theirs[1]) or (faulty and _same(mine[1], right)):
        return None
    return Difference("the features differ.")


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, atol=1e-6)


def layer_cases(rng: np.random.Generator) -> list[Case]:
    a, b, c, d, e = (int(i) for i in rng.permutation(5))
    some = all_sets(5)[rng.permutation(32)[:6]]
    most = np.zeros((1, 5))
    most[0, [a, b, c]] = 1
    pairs = [((a, c), ()), ((b, c), ())]
    against = [((a, c), (b,)), ((b, c), (a,)), ((d,), (e, a))]
    return [
        Case("two pairs with the same latest word", np.concatenate([most, some]), pairs),
        Case("pairs, on all sets of words", all_sets(5), [*pairs, ((a, e), ())], core=True),
        Case("three words", all_sets(4), [((0, 1, 3), ()), ((1, 2, 3), ())]),
        Case(
            "one, two and four words", all_sets(4), [((2,), ()), ((3, 0), ()), ((0, 1, 2, 3), ())]
        ),
        Case("unwanted words", all_sets(5), against),
        Case("several unwanted words", all_sets(4), [((1,), (0, 2, 3)), ((0, 3), (1, 2))]),
        Case("a set without words", np.zeros((1, 3)), [((0, 2), ()), ((1, 2), (0,))]),
        Case("a single set", all_sets(3)[-1:], [((0, 1), ())]),
    ]


def _by(weights, activate=lambda z: np.maximum(z, 0)):
    def features_of(X, groups):
        W = weights(groups, X.shape[1])
        return W, activate(with_one(X) @ W)

    return features_of


def _bias_first(X, groups):
    W = weights_by_hand(groups, X.shape[1])
    return np.concatenate([W[-1:], W[:-1]]), word_features_by_hand(X, groups)[1]


def _bias_after(X, groups):
    W = weights_by_hand(groups, X.shape[1])
    return W, np.maximum(X @ W[:-1], 0) + W[-1]


def _no_bias_row(X, groups):
    W = weights_by_hand(groups, X.shape[1])[:-1]
    return W, np.maximum(X @ W, 0)


def _averaging(groups, size):
    W = weights_by_hand(groups, size, bias=lambda wanted, unwanted: 0)
    return W / np.array([len(wanted) for wanted, _ in groups])


def _shares_with_bias(groups, size):
    W = weights_by_hand(groups, size)
    for f, (wanted, _) in enumerate(groups):
        W[list(wanted), f] /= len(wanted)
    return W


def _others_unwanted(groups, size):
    """Every word outside the group counts against it."""
    everything = set(range(size))
    return weights_by_hand([(wanted, everything - set(wanted)) for wanted, _ in groups], size)


word_features = Task(
    id="04-soft-lookup/word-features",
    title="Weights by hand: words that stand together",
    kind="build",
    points=2,
    minutes=15,
    answer="word_features",
    cases=layer_cases,
    reference=word_features_by_hand,
    misconceptions=(
        Misconception(
            "bias-forgotten",
            _by(lambda groups, size: weights_by_hand(groups, size, lambda wanted, _: 0)),
            "Your features count how many wanted words are there: one word of two gives 1 already. "
            "Which row of W can take something away whatever the words are?",
        ),
        Misconception(
            "bias-row-left-out",
            _no_bias_row,
            "Your W has a row for each word and no more. Which row belongs to the input that is "
            "always 1?",
        ),
        Misconception(
            "bias-after-relu",
            _bias_after,
            "Where all wanted words are there you are right; elsewhere some features are negative. "
            "Can anything negative come out of a ReLU? What was added behind it?",
        ),
        Misconception(
            "relu-forgotten",
            _by(weights_by_hand, lambda z: z),
            "Right where all wanted words are there. Elsewhere your features are 0 or negative: "
            "which step is missing?",
        ),
        Misconception(
            "bias-of-pairs",
            _by(lambda groups, size: weights_by_hand(groups, size, lambda wanted, _: -1)),
            "Right for pairs. How high is the sum when two words of three are there, and when all "
            "three are?",
        ),
        Misconception(
            "bias-half-way",
            _by(
                lambda groups, size: weights_by_hand(
                    groups, size, lambda wanted, _: 0.5 - len(wanted)
                )
            ),
            "Your features are 0 where they should be. Where all wanted words are there they reach "
            "one half. A ReLU does not round up: how high must the sum be?",
        ),
        Misconception(
            "bias-too-low",
            _by(lambda groups, size: weights_by_hand(groups, size, lambda wanted, _: -len(wanted))),
            "Your features never rise above 0. How high is the sum when all wanted words are "
            "there, and how much do you take away?",
        ),
        Misconception(
            "bias-sign",
            _by(
                lambda groups, size: weights_by_hand(
                    groups, size, lambda wanted, _: len(wanted) - 1
                )
            ),
            "Your features are largest when all words are there, and for pairs they are above 0 "
            "even without any. In which direction does your bias move them?",
        ),
        Misconception(
            "bias-counts-unwanted",
            _by(
                lambda groups, size: weights_by_hand(
                    groups, size, lambda wanted, unwanted: 1 - len(wanted) - len(unwanted)
                )
            ),
            "Right where nothing is unwanted. Otherwise your feature never fires: an unwanted word "
            "that is absent takes something away too. What should its absence change?",
        ),
        Misconception(
            "unwanted-ignored",
            _by(lambda groups, size: weights_by_hand(groups, size, against=0)),
            "Your features fire whether unwanted words are there or not. Which sign must a weight "
            "have that speaks against a feature?",
        ),
        Misconception(
            "unwanted-wanted",
            _by(
                lambda groups, size: weights_by_hand(
                    [((*wanted, *unwanted), ()) for wanted, unwanted in groups], size
                )
            ),
            "Your features fire when the unwanted words are there too. What should those do to the "
            "sum?",
        ),
        Misconception(
            "mean-with-threshold",
            _by(_shares_with_bias),
            "Together your wanted words add up to 1, and then the bias takes some of it away. How "
            "high is the sum when all are there, and when one is missing?",
        ),
        Misconception(
            "others-unwanted",
            _by(_others_unwanted),
            "Your features vanish when any other word is there. A sentence holds many words: do "
            "all of them speak against the feature?",
        ),
        Misconception(
            "bias-row-first",
            _bias_first,
            "Your features are right, and W has the bias in its first row. At which end of the "
            "inputs does the 1 stand here?",
        ),
        Misconception(
            "transposed",
            lambda X, groups: (
                weights_by_hand(groups, X.shape[1]).T,
                word_features_by_hand(X, groups)[1],
            ),
            "Your features are right, and your W has a row for each feature. Which axis of W meets "
            "the words in the product?",
        ),
        Misconception(
            "averaged",
            _by(_averaging),
            "When all wanted words are there you give 1, and for a part of them a part. When "
            "should a feature be exactly 0?",
        ),
        Misconception(
            "any-for-all",
            _by(
                lambda groups, size: weights_by_hand(groups, size, lambda wanted, _: 0),
                lambda z: np.clip(z, 0, 1),
            ),
            "Your features are 1 as soon as one wanted word is there. How many are asked?",
        ),
    ),
    compare=behaves,
    alike=_exactly_alike,
)
