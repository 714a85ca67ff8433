"""Build weights by hand: a head that brings back the word which stood some places earlier."""

import numpy as np
import torch

from headway.nn.attention import attend
from headway.nn.masks import causal_mask
from headway.tasks.chapters.many_heads.mistakes import INFINITE_SCORES, SCORES_TOO_SMALL
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

NAMES = ("W_Q", "W_K", "W_V", "W_O")
FIRM = 100.0


def look_back(words, places, back):
    """W_Q, W_K (C, P), W_V (C, V) and W_O (V, C) of a head that looks `back` places back."""
    C = words + places
    W_Q, W_K = torch.zeros(C, places), torch.zeros(C, places)
    for place in range(places):
        W_K[words + place, place] = 1
        if place >= back:
            W_Q[words + place, place - back] = FIRM
    W_V = torch.eye(C, words)
    return W_Q, W_K, W_V, W_V.T.clone()


def look_cases(rng: np.random.Generator) -> list[Case]:
    def size(low, high):
        return int(rng.integers(low, high))

    def case(label, words, places, back, **kind):
        return Case(label, words, places, back, truth=_sentences(rng, words, places), **kind)

    return [
        case("the previous word", size(2, 8), size(5, 13), 1, core=True),
        case("some places back", size(2, 8), size(7, 13), size(2, 4), core=True),
        case("the word itself", 3, 5, 0),
        case("a long sentence", 3, 40, 1),
        case("one word, again and again", 1, 4, 1),
        case("only the last token can look so far back", 4, 4, 3),
    ]


def brought_back(weights, words: int, places: int, ids: torch.Tensor) -> torch.Tensor:
    """What the head adds to each token, (T, C), of a sentence of word ids (T,)."""
    W_Q, W_K, W_V, W_O = weights
    x = _tokens(words, places, ids)
    return attend(x @ W_Q, x @ W_K, x @ W_V, causal_mask(len(ids)))[0] @ W_O


def _tokens(words: int, places: int, ids: torch.Tensor) -> torch.Tensor:
    """One-hot word and place of each token, (T, C)."""
    return torch.cat([torch.eye(words)[ids], torch.eye(places)[: len(ids)]], dim=1)


def _sentences(rng: np.random.Generator, words: int, places: int) -> list[torch.Tensor]:
    lengths = {places, (places + 1) // 2, min(places, 3)}
    return [torch.from_numpy(rng.integers(words, size=T)) for T in lengths]


def _tensors(got, words: int, places: int) -> list[torch.Tensor] | Difference:
    """The four matrices, if they fit."""
    C = words + places
    try:
        W_Q, W_K, W_V, W_O = (torch.from_numpy(np.array(W, dtype=np.float32)) for W in got)
    except (TypeError, ValueError):
        return Difference("four matrices of numbers are asked for: W_Q, W_K, W_V and W_O.")
    widths = (places, places, words)
    for name, W, width in zip(NAMES, (W_Q, W_K, W_V), widths, strict=False):
        if tuple(W.shape) != (C, width):
            return Difference(f"{name}: the shape is {tuple(W.shape)}, expected {(C, width)}.")
    if tuple(W_O.shape) != (words, C):
        return Difference(f"W_O: the shape is {tuple(W_O.shape)}, expected {(words, C)}.")
    return [W_Q, W_K, W_V, W_O]


def _outputs(weights, case) -> np.ndarray:
    words, places, back = case.inputs
    outputs = [brought_back(weights, words, places, ids)[back:] for ids in case.truth]
    return torch.cat(outputs).numpy()


def _difference(got, expected, case, atol: float) -> Difference | None:
    words, places, back = case.inputs
    mine = _tensors(got, words, places)
    if isinstance(mine, Difference):
        return mine
    theirs = _tensors(expected, words, places)
    one, other = _outputs(mine, case), _outputs(theirs, case)
    wrong = ~np.isclose(one, other, atol=atol, equal_nan=True)
    if not wrong.any():
        return None
    at = int(np.argwhere(wrong)[0][0])
    ids = np.concatenate([ids.numpy()[back:] for ids in case.truth])
    return Difference(
        f"with these weights, a token (its word is number {ids[at]}) gets "
        f"{_list(one[at])}, expected {_list(other[at])}.",
        one,
        other,
    )


def _list(row: np.ndarray) -> str:
    shown = ", ".join(f"{x:.3g}" for x in row[:8])
    return f"[{shown}{', …' if len(row) > 8 else ''}]"


def behaves(got, expected, case) -> Difference | None:
    """Whether the head brings back the right words; weights may differ that do."""
    return _difference(got, expected, case, 1e-2)


def _alike(got, expected, case) -> Difference | None:
    """The same, or both look at the right place more than anywhere else, however firmly."""
    words, places, _ = case.inputs
    both = [_tensors(weights, words, places) for weights in (got, expected)]
    fit = not any(isinstance(each, Difference) for each in both)
    if fit and all(_leads(each, case) for each in both):
        return None
    return _difference(got, expected, case, 1e-2)


def _leads(weights, case) -> bool:
    """Whether the right place gets the largest weight, and words are passed on as they are."""
    words, places, back = case.inputs
    W_Q, W_K, W_V, W_O = weights
    passed = torch.eye(words, words + places)
    for ids in case.truth:
        x = _tokens(words, places, ids)
        look = attend(x @ W_Q, x @ W_K, x, causal_mask(len(ids)))[1][back:]
        right = torch.arange(len(look))
        others = look.clone()
        others[right, right] = 0
        if not (look[right, right] > 1.01 * others.amax(-1)).all():  # a tie does not lead
            return False
        if not (x @ W_V @ W_O - x[:, :words] @ passed).abs().max() < 1e-2:
            return False
    return True


def _by_slices(words, places, back):
    """The columns up to −`back`: none at all where it is 0."""
    W_Q, W_K, W_V, W_O = look_back(words, places, 0)
    W_Q = torch.zeros_like(W_Q)
    W_Q[words + back :, :-back] = FIRM * torch.eye(places - back)
    return W_Q, W_K, W_V, W_O


previous = Task(
    id="09-many-heads/look-back",
    title="Weights by hand: a head that looks back",
    kind="build",
    points=2,
    minutes=20,
    answer="look_back",
    cases=look_cases,
    reference=look_back,
    misconceptions=(
        SCORES_TOO_SMALL.by(changed(look_back, "FIRM", "1.0")),
        INFINITE_SCORES.by(changed(look_back, "FIRM", "torch.inf")),
        Misconception(
            "wrong-distance",
            any_of(
                changed(
                    *changed(look_back, "place >= back", "place + back < places"),
                    "- back",
                    "+ back",
                ),
                changed(
                    *changed(look_back, "place >= back", "True"),
                    "place - back",
                    "(place + back) % places",
                ),
                lambda words, places, back: look_back(words, places, 0),
                lambda words, places, back: look_back(words, places, 1),
                lambda words, places, back: look_back(words, places, back + 1),
                lambda words, places, back: look_back(words, places, 2 * back),
                changed(look_back, "place - back", "place - back - 1", "max(place - back - 1, 0)"),
                changed(look_back, "W_K[words + place, place]", "W_K[words + place, place - 1]"),
                changed(look_back, "W_Q[words + place,", "W_Q[words + place - 1,"),
            ),
            "Your head points to another place than asked. If place 5 should look back by 2, to "
            "which place does yours point?",
        ),
        Misconception(
            "edge-forgotten",
            any_of(
                changed(look_back, "place >= back", "place > back"),
                _by_slices,
            ),
            "This is right but at an edge. Where does the first token stand that can look back so "
            "far, and which columns come before column −0?",
        ),
        Misconception(
            "word-and-place-confused",
            changed(
                look_back,
                "W_Q, W_K, W_V, W_V.T.clone()",
                "W_Q.roll(-words, 0), W_K.roll(-words, 0), W_V, W_V.T.clone()",
                "W_Q, W_K, W_V.roll(words, 0), W_V.T.clone()",
                "W_Q, W_K, W_V, W_V.T.roll(-words, 1)",
            ),
            "One of your matrices, or more, takes columns of words for those of places, or the "
            "other way round. What does a token hold, and where?",
        ),
    ),
    compare=behaves,
    alike=_alike,
)
