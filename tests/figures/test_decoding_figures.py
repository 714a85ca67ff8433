"""The figures of chapter 14: their searches and filters are the package's."""

import numpy as np
import pytest
import torch

from headway.figures.gallery.beam_tree import END, beam_tree, beginnings_of, in_order
from headway.figures.gallery.nucleus import PS, nucleus, reach, shares
from headway.inference.beam import beam_search
from headway.inference.decoding import Sampling
from headway.inference.filters import top_p
from headway.inference.predictor import ChainPredictor
from headway.ngram.markov import MarkovChain
from headway.text.vocabulary import Vocabulary
from tests.figures.node import Cases, normal

SPLIT = {"a b c": 3, "a b d": 2, "a c c": 2, "b": 1, "c c c": 6, "c d c": 1}
LOGITS = 3 * normal(30)


def check_tree(**changes):
    given = {"sentences": SPLIT, "title": "It branches", "caption": "Take a step."}
    return beam_tree(**given | changes)


def check_nucleus(**changes):
    given = {"beginnings": {"a": LOGITS, "b": 0.1 * LOGITS}, "words": [f"w{i}" for i in range(30)]}
    return nucleus(**given | {"title": "It is cut", "caption": "Move it."} | changes)


def test_sentences_that_begin_alike_stand_together_and_the_frequent_come_first():
    rows = in_order(dict(reversed(SPLIT.items())))
    assert [" ".join(words) for words, _ in rows] == [
        "a b c", "a b d", "a c c", "c c c", "c d c", "b",
    ]  # fmt: skip
    assert [beginnings_of(words, rows) for words, _ in rows[:2]] == [[7, 5, 3], [7, 5, 2]]


def test_the_tree_says_the_probability_of_each_beginning():
    figure = check_tree()
    assert figure.rows[0] == ["a b c", "0.2", "0.47, 0.33, 0.2"]
    assert "“c c c” 0.4" in figure.alt


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"sentences": {"a": 1}}, "2 to 16 sentences"),
        ({"sentences": {"a b c d e f": 1, "a": 1}}, "1 to 5 words"),
        ({"sentences": {"": 1, "a": 1}}, "1 to 5 words"),
        ({"sentences": {"a": 1, "b": 0}}, "once at least"),
        ({"beams": 0}, "got 0, 2"),
        ({"beams": 5}, "got 5, 2"),
        ({"steps": 5}, "got 2, 5"),
    ],
)
def test_a_tree_that_cannot_be_searched_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        check_tree(**changes)


@pytest.mark.parametrize("p", PS)
def test_the_nucleus_has_as_many_words_as_the_packages(p):
    kept = (top_p(torch.from_numpy(LOGITS)[None], p) > -torch.inf).sum()
    assert reach(LOGITS, p) == kept
    assert check_nucleus(p=p).rows[0][1 + PS.index(p)] == str(int(kept))
    assert f"has {kept} of 30 words after “a”" in check_nucleus(p=p).alt


def test_the_shares_are_those_of_the_softmax_the_largest_first():
    expected = torch.from_numpy(LOGITS).softmax(-1).sort(descending=True).values
    np.testing.assert_allclose(shares(LOGITS), expected)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"beginnings": {}}, "got 0 and 30"),
        ({"words": list("abc")}, "13 to 1000 words"),
        ({"beginnings": {"a": LOGITS[1:]}}, "30 finite logits"),
        ({"beginnings": {"a": LOGITS - np.inf}}, "30 finite logits"),
        ({"p": 0.33}, "got 0.33"),
    ],
)
def test_a_distribution_that_cannot_be_shown_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        check_nucleus(**changes)


# In Node ----------------------------------------------------------------------------------

CASES = Cases()


def random_sentences(seed: int) -> dict[str, int]:
    """Nine sentences, written 1, 2, 4, … times, so that no two beginnings are equally likely."""
    rng = np.random.default_rng(seed)
    found = set()
    while len(found) < 9:
        found.add(" ".join(rng.choice(list("abc"), size=rng.integers(1, 6))))
    return {text: 2**i for i, text in enumerate(rng.permutation(sorted(found)).tolist())}


def hypotheses(sentences: dict[str, int], beams: int) -> list[list]:
    """What the package's beam search finishes in a chain that remembers whole sentences."""
    words = Vocabulary(" ".join(sentences).split(), specials=())
    said = [words.encode(text.split()) for text, n in sentences.items() for _ in range(n)]
    chain = MarkovChain(said, len(words), order=5)
    start, end = torch.tensor([[chain.boundary]]), chain.boundary
    found = beam_search(ChainPredictor(chain), start, 7, beams, end=end, length_penalty=0.0)
    texts = [" ".join(words.decode([i for i in row.tolist() if i != end])) for row in found.ids[0]]
    scores = found.scores[0].exp().tolist()
    return [[text, round(p, 9)] for text, p in zip(texts, scores, strict=True) if p > 0]


def rows_of(sentences: dict[str, int]) -> list[dict]:
    return [{"words": words, "count": count} for words, count in in_order(sentences)]


FOUND = (
    "search(grow(rows, end), beams, false).at(-1).finished.map(({ words, p }) => "
    "[words.slice(0, -1).join(' '), Math.round(p * 1e9) / 1e9])"
)
for seed in range(6):
    sentences = random_sentences(seed)
    for beams in (1, 2, 3, 4):
        CASES.add(
            f"{beams} beams finish what the package's finish, sentences {seed}",
            *("beam_tree", FOUND, hypotheses(sentences, beams)),
            **{"rows": rows_of(sentences), "end": END, "beams": beams},
        )
# An end that is third is dropped, and what ranks behind it lives on in place of the end before it.
CROWDED = {
    "a": 30, "a c e": 7, "a c f": 6, "a c g": 6, "a c h": 5, "a c i": 5,
    "b": 20, "b c": 10, "d": 11,
}  # fmt: skip
CASES.add(
    "an end makes the beam no narrower, and one behind the best K is dropped",
    *("beam_tree", f"[{FOUND}]", [[["a", 0.3], ["b c", 0.1]]]),
    **{"rows": rows_of(CROWDED), "end": END, "beams": 2},
)


def test_the_package_drops_the_same_end():
    assert hypotheses(CROWDED, 2) == [["a", 0.3], ["b c", 0.1]]


ONCE = {"rows": rows_of(SPLIT), "end": END}
LIVING = (
    "search(grow(rows, end), 2, %s).map(({ living }) => living.map(({ words }) => words.join('')))"
)
CASES.add(
    "each beam has any number of children",
    *("beam_tree", LIVING % "false"),
    [["a", "c"], ["cc", "ab"], ["ccc", "abc"], []],
    **ONCE,
)
TWINS = {"rows": rows_of({"a b": 4, "a c": 3, "b b": 2}), "end": END}
CASES.add(
    "where one beam has the two best children, the rule decides",
    *("beam_tree", f"[{LIVING % 'false'}, {LIVING % 'true'}]"),
    [[["a", "b"], ["ab", "ac"], []], [["a", "b"], ["ab", "bb"], []]],
    **TWINS,
)
CASES.add(
    "a beginning is kept, dropped, never seen or not yet come to",
    "beam_tree",
    "((tree, steps) => [[0], [1], [2], [0, 0], [0, 1], [0, 0, 0]].map((path) => "
    "fate(path.reduce((node, i) => node.children[i], tree), steps)))"
    "(...((tree) => [tree, search(tree, 1, false).slice(0, 2)])(grow(rows, end)))",
    ["kept", "dropped", "dropped", "kept", "dropped", "later"],
    **ONCE,
)
CASES.add(
    "what follows a dropped beginning was never seen",
    "beam_tree",
    "((tree) => fate(tree.children[1].children[0], search(tree, 1, false)))(grow(rows, end))",
    "unseen",
    **ONCE,
)
CASES.add(
    "a step is told in words",
    "beam_tree",
    "((steps) => [0, 1, 4].map((t) => told(steps, t, false)))(search(grow(rows, end), 1, false))",
    [
        "Nothing is written yet.",
        "Step 1: 3 beginnings are compared; kept: “a” 0.47.",
        "Step 4: 1 beginning is compared; finished: “a b c” 0.2.",
    ],
    **ONCE,
)
for T, k, p in [(1, None, 1), (1, None, 0.9), (0.4, 5, 1), (2, 20, 0.5), (1.25, None, 0.05)]:
    drawn_from = Sampling(generator=torch.Generator(), temperature=T, top_k=k, top_p=p)
    row = torch.from_numpy(LOGITS)[None]
    after = drawn_from.filtered(row, torch.zeros(1, 1, dtype=torch.int64)).softmax(-1)[0].numpy()
    warmed = (row / T).softmax(-1)[0].numpy()
    given = {"logits": LOGITS, "T": T, "k": k, "p": p}
    CASES.add(
        f"what is left at temperature {T}, top-k {k} and top-p {p}",
        *("nucleus", "Array.from(left(logits, T, k, p).after)", after),
        **given,
    )
    CASES.add(
        f"how much that was at temperature {T}, top-k {k} and top-p {p}",
        *("nucleus", "(({ kept, held }) => [kept, held])(left(logits, T, k, p))"),
        np.array([(after > 0).sum(), warmed[after > 0].sum()]),
        **given,
    )
CASES.add(
    "the words stand in the order of the model's own probabilities",
    *("nucleus", "left(logits, 2, null, 0.5).order", np.argsort(-LOGITS, kind="stable").tolist()),
    logits=LOGITS,
)


@pytest.fixture(scope="module")
def answers():
    return CASES.answers()


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
