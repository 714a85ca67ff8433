"""The figures of chapter 14: their searches and filters are the package's."""

import re

import numpy as np
import pytest
import torch

from headway.figures.gallery.decoding.beam_tree import END, beam_tree, beginnings_of, in_order
from headway.figures.gallery.decoding.nucleus import PS, nucleus, reach, shares
from headway.figures.gallery.decoding.search_tree import factors, search_tree
from headway.figures.gallery.decoding.sentences import grown, searched
from headway.inference.beam import beam_search
from headway.inference.decoding import Sampling
from headway.inference.filters import top_p
from headway.inference.predictor import ChainPredictor
from headway.ngram.markov import MarkovChain
from headway.text.vocabulary import Vocabulary
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_whole, part, svg_of, texts

SPLIT = {"a b c": 4, "a b d": 3, "a c": 2, "b": 1, "c c c": 6, "c d c": 1}
# An end that is third is dropped, and what ranks behind it lives on in place of the end before it.
CROWDED = {
    "a": 30, "a c e": 7, "a c f": 6, "a c g": 6, "a c h": 5, "a c i": 5,
    "b": 20, "b c": 10, "d": 11,
}  # fmt: skip
LEFT = [["a", 0.3], ["b c", 0.1]]
LOGITS = 3 * normal(30)
LOGITS_OF = {"a": LOGITS, "b": 0.1 * LOGITS}


def drawn(sentences=SPLIT, beams=2):
    return search_tree(sentences, beams, "It branches", "Play.")


def check_tree(**changes):
    given = {"sentences": SPLIT, "title": "It branches", "caption": "Take a step."}
    return beam_tree(**given | changes)


def check_nucleus(**changes):
    given = {"beginnings": LOGITS_OF, "words": [f"w{i}" for i in range(30)], "title": "It is cut"}
    return nucleus(**given | {"caption": "Move it."} | changes)


def random_sentences(seed: int, lengths: tuple[int, int] = (1, 6)) -> dict[str, int]:
    """Sentences, written 1, 2, 4, … times, so that no two beginnings are equally likely."""
    rng = np.random.default_rng(seed)
    found = {" ".join(rng.choice(list("abc"), size=rng.integers(*lengths))) for _ in range(9)}
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


def test_the_package_drops_an_end_behind_the_best_two():
    assert hypotheses(CROWDED, 2) == LEFT


@pytest.mark.parametrize("beams", [1, 2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_what_the_drawing_finds_is_what_the_packages_beam_search_finds(seed, beams):
    sentences = random_sentences(seed, (2 + seed, 3 + seed))  # none begins another
    best, probability = hypotheses(sentences, beams)[0]
    tree = grown(sentences)
    found = searched(tree, beams)[-1].kept[0]
    assert " ".join(found) == best
    assert tree.shares[found] == pytest.approx(probability)


def test_a_step_keeps_the_likeliest_of_all_continuations_and_whole_sentences_wait():
    steps = searched(grown(SPLIT), 2)
    kept = [["".join(beginning) for beginning in step.kept] for step in steps]
    assert kept == [["a", "c"], ["ab", "cc"], ["ccc", "abc"]]
    assert [len(step.candidates) for step in steps] == [3, 4, 3]
    waiting = searched(grown({"a": 4, "b c": 3, "b d": 2, "c c": 1}), 2)
    assert waiting[-1].kept == [("a",), ("b", "c")]


def thickness(branch):
    """How thick a branch is where it ends."""
    y = [float(number) for number in re.findall(r"[\d.]+", branch.get("d"))][1::2]
    upper, lower = y[4:6]
    return lower - upper


def branches(step, tone):
    found = step.iter("path")
    return [one for one in found if one.get("class") == f"hw-band hw-of-{tone}"]


def test_the_drawing_has_branches_as_thick_as_they_are_likely_and_says_what_lives():
    figure, tree = drawn(), grown(SPLIT)
    assert_whole(figure)
    whole = branches(part(figure, 1), "faint")
    wanted = [thickness(whole[0]) * share for share in tree.shares.values()]
    assert sorted(map(thickness, whole)) == pytest.approx(sorted(wanted), abs=0.3)
    assert len(whole) == len(tree.shares)
    said = texts(svg_of(figure))
    assert {word for beginning in tree.shares for word in beginning} <= set(said)
    assert {"0.53", "0.41", "0.35"} <= set(said), "what lives, and what is found"
    assert "0.06" not in said, "and nothing else"
    kept = [len(branches(part(figure, step), "ochre")) for step in (3, 4, 5)]
    assert kept == [3, 4, 3]
    fading = [group for group in svg_of(figure).iter("g") if group.get("data-until")]
    fades = [(group.get("data-step"), group.get("data-until")) for group in fading]
    assert fades == [("3", "4"), ("4", "5"), ("5", "6")], "what is dropped, one step later"


def test_the_tree_tells_in_sentences_and_in_its_table_what_it_draws():
    figure, tree = drawn(), grown(SPLIT)
    assert factors(tree, ("a", "b", "c")) == "0.53 · 0.78 · 0.57"
    assert "0.53 · 0.78 · 0.57 = 0.24" in figure.data["steps"][1]
    assert "0.41 · 0.86 · 1 = 0.35" in figure.data["steps"][-1]
    assert figure.rows[0] == ["1", "“a”", "0.53", "b 0.06"]
    assert "Found: “c c c” 0.35" in figure.alt


def test_the_tree_says_the_probability_of_each_beginning_the_frequent_first():
    rows = in_order(dict(reversed(SPLIT.items())))
    in_their_order = ["a b c", "a b d", "a c", "c c c", "c d c", "b"]
    assert [" ".join(words) for words, _ in rows] == in_their_order
    assert beginnings_of(rows[0][0], rows) == [9, 7, 4]
    figure = check_tree()
    assert_on_page(figure)
    assert figure.rows[0] == ["a b c", "0.24", "0.53, 0.41, 0.24"]
    assert "“c c c” 0.35" in figure.alt


@pytest.mark.parametrize("p", PS)
def test_the_nucleus_has_as_many_words_as_the_packages(p):
    kept = (top_p(torch.from_numpy(LOGITS)[None], p) > -torch.inf).sum()
    figure = check_nucleus(p=p)
    assert reach(LOGITS, p) == kept
    assert figure.rows[0][1 + PS.index(p)] == str(int(kept))
    assert f"has {kept} of 30 words after “a”" in figure.alt


def test_the_shares_are_those_of_the_softmax_the_largest_first():
    expected = torch.from_numpy(LOGITS).softmax(-1).sort(descending=True).values
    np.testing.assert_allclose(shares(LOGITS), expected)
    assert_on_page(check_nucleus())


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"sentences": {"a": 1}}, "2 to 16 sentences"),
        (drawn, {"sentences": {"a b c d e": 1, "b": 1}}, "1 to 4 words"),
        (drawn, {"sentences": {"a": 1, "anticonstitutionnellement": 1}}, "up to 10 letters"),
        (drawn, {"sentences": {"a": 1, "a b": 1}}, "“a” begins another sentence"),
        (drawn, {"sentences": {"a": 0, "b": 1}}, "1 at least"),
        (drawn, {"beams": 0}, "1 at least"),
        (check_tree, {"sentences": {"a": 1}}, "2 to 16 sentences"),
        (check_tree, {"sentences": {"a b c d e f": 1, "a": 1}}, "1 to 5 words"),
        (check_tree, {"sentences": {"": 1, "a": 1}}, "1 to 5 words"),
        (check_tree, {"sentences": {"a": 1, "b": 0}}, "once at least"),
        (check_tree, {"beams": 5}, "got 5, 2"),
        (check_tree, {"steps": 5}, "got 2, 5"),
        (check_nucleus, {"beginnings": {}}, "got 0 and 30"),
        (check_nucleus, {"words": list("abc")}, "13 to 1000 words"),
        (check_nucleus, {"beginnings": {"a": LOGITS[1:]}}, "30 finite logits"),
        (check_nucleus, {"beginnings": {"a": LOGITS - np.inf}}, "30 finite logits"),
        (check_nucleus, {"p": 0.33}, "got 0.33"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_tree, of_nucleus = CASES.of("beam_tree"), CASES.of("nucleus")


def rows_of(sentences: dict[str, int]) -> list[dict]:
    return [{"words": words, "count": count} for words, count in in_order(sentences)]


FOUND = (
    "search(grow(rows, end), beams, false).at(-1).finished.map(({ words, p }) => "
    "[words.slice(0, -1).join(' '), Math.round(p * 1e9) / 1e9])"
)
LIVING = (
    "search(grow(rows, end), 2, %s).map(({ living }) => living.map(({ words }) => words.join('')))"
)
for seed in range(3):
    sentences = random_sentences(seed)
    for beams in (1, 2, 4):
        of_tree(
            f"{beams} beams finish what the package's finish, sentences {seed}",
            FOUND,
            hypotheses(sentences, beams),
            **{"rows": rows_of(sentences), "end": END, "beams": beams},
        )
of_tree(
    "an end makes the beam no narrower, and one behind the best K is dropped",
    FOUND,
    LEFT,
    **{"rows": rows_of(CROWDED), "end": END, "beams": 2},
)
ONCE = {"rows": rows_of(SPLIT), "end": END}
of_tree(
    "each beam has any number of children",
    LIVING % "false",
    [["a", "c"], ["ab", "cc"], ["ccc", "abc"], []],
    **ONCE,
)
of_tree(
    "where one beam has the two best children, the rule decides",
    f"[{LIVING % 'false'}, {LIVING % 'true'}]",
    [[["a", "b"], ["ab", "ac"], []], [["a", "b"], ["ab", "bb"], []]],
    **{"rows": rows_of({"a b": 4, "a c": 3, "b b": 2}), "end": END},
)
of_tree(
    "a beginning is kept, dropped, never seen or not yet come to",
    "((tree) => ((steps) => [[0], [1], [2], [0, 0], [0, 1], [0, 0, 0], [1, 0]].map((path) => "
    "fate(path.reduce((node, i) => node.children[i], tree), steps)))"
    "(search(tree, 1, false).slice(0, 2)))(grow(rows, end))",
    ["kept", "dropped", "dropped", "kept", "dropped", "later", "unseen"],
    **ONCE,
)
for T, k, p in [(1, None, 0.9), (0.4, 5, 1), (2, 20, 0.5), (1.25, None, 0.05)]:
    drawn_from = Sampling(generator=torch.Generator(), temperature=T, top_k=k, top_p=p)
    row = torch.from_numpy(LOGITS)[None]
    after = drawn_from.filtered(row, torch.zeros(1, 1, dtype=torch.int64)).softmax(-1)[0].numpy()
    warmed = (row / T).softmax(-1)[0].numpy()
    of_nucleus(
        f"what is left at temperature {T}, top-k {k} and top-p {p}, and how much that was",
        "(({ after, kept, held }) => [...after, kept, held])(left(logits, T, k, p))",
        np.array([*after, (after > 0).sum(), warmed[after > 0].sum()]),
        **{"logits": LOGITS, "T": T, "k": k, "p": p},
    )
of_nucleus(
    "the words stand in the order of the model's own probabilities",
    "left(logits, 2, null, 0.5).order",
    np.argsort(-LOGITS, kind="stable").tolist(),
    logits=LOGITS,
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
