"""What the scripts of chapters 8 to 16 compute, in Node, beside what Python computes."""

import numpy as np
import pytest

from headway.figures.gallery.attention import Reading
from headway.figures.gallery.cache_memory import GIB, CacheSizes
from headway.figures.gallery.cost_curves import costs, crossing
from headway.figures.gallery.family_chooser import Rule, decide
from headway.figures.gallery.patch_reach import reach
from headway.figures.gallery.shape_tracker import Stage
from tests.figures.node import Cases, normal

CASES = Cases()

# Chapter 8 --------------------------------------------------------------------------------

CASES.add(
    "a weight is told as none or all only if it is",
    *("attention_explorer", "[share(0.0004), share(0.25), share(0.9996, 2), share(1, 1)]"),
    ["< 0.001", "0.25", "> 0.999", "1"],
)
T, V = 5, 7
READING = Reading("", ["w"] * T, 3 * normal(T, T), normal(T, V, seed=1), normal(T, V, seed=2))
for name, mask in {
    "causal": np.tri(T, dtype=bool),
    "strict": np.tri(T, k=-1, dtype=bool),
    "whole": np.ones((T, T), dtype=bool),
}.items():
    given = {"mask": mask, "scores": READING.scores, "base": READING.base, "says": READING.says}
    next_word = READING.next_word(mask)
    CASES.add(
        f"the weights under a {name} mask",
        *("mask_painter", "scores.map((row, t) => softmax(row, mask[t]))", READING.weights(mask)),
        **given,
    )
    CASES.add(
        f"the next word under a {name} mask",
        "mask_painter",
        "scores.map((row, t) => likeliest(base[t], softmax(row, mask[t]), says))",
        np.stack([next_word.argmax(axis=1), next_word.max(axis=1)], axis=1),
        **given,
    )
CASES.add(
    "a softmax of large scores stays finite",
    *("mask_painter", "softmax([1000, 1000, -1000], [1, 1, 1])", np.array([0.5, 0.5, 0])),
)

PRODUCT = {
    "left": {"values": [[-1.5, -0.004, -1]], "digits": 2},
    "right": {"values": [[-2.0], [1.0], [0.5]], "digits": 1},
    "out": {"values": [[2.496]], "digits": 2},
}
CASES.add(
    "a product is written out number by number, without a minus before zero",
    *("matrix_product", "[sum(one, 0, 0), sum({ ...one, divided: '√2' }, 0, 0)]"),
    [
        "−1.50 · (−2.0) + 0.00 · 1.0 + (−1.00) · 0.5 = 2.50",
        "(−1.50 · (−2.0) + 0.00 · 1.0 + (−1.00) · 0.5) / √2 = 2.50",
    ],
    one=PRODUCT,
)
CASES.add(
    "steps go through the cells in reading order and stop at the ends",
    "matrix_product",
    "[further([0, 1], 1, out), further([1, 0], -1, out), further([0, 0], -1, out), "
    "further([1, 1], 1, out)]",
    [[1, 0], [0, 1], [0, 0], [1, 1]],
    out={"values": [[1, 2], [3, 4]]},
)

# Chapter 9 --------------------------------------------------------------------------------

H, D = 3, 2
ORDER = np.arange(4 * H * D).reshape(4, H, D).transpose(1, 0, 2)  # (H, T, D)
CASES.add(
    "in wide form a word is a line, and its columns stand in order",
    "head_reshape",
    "placesOf(order).map(({ wide: [x, y] }, _, [first, second, , , , , below]) => ["
    "(x - first.wide[0]) / (second.wide[0] - first.wide[0]),"
    "(y - first.wide[1]) / (below.wide[1] - first.wide[1])])",
    np.stack([np.arange(24) % 6, np.arange(24) // 6], axis=1),
    order=ORDER,
)
CASES.add(
    "split and apart by head, each number stays in its head",
    *("head_reshape", "placesOf(order).map(({ head }) => head)", np.arange(24) % 6 // D),
    order=ORDER,
)
CASES.add(
    "each head becomes a table of its own width",
    "head_reshape",
    "order.map((block) => block.map((line) => line.map((id) => placesOf(order)[id].heads[0])))",
    np.tile([84, 124], (H, 4, 1)),
    order=ORDER,
)
CASES.add(
    "the tables of the heads stand below each other, a gap between them",
    "head_reshape",
    "order.map((block) => block.map((line) => placesOf(order)[line[0]].heads[1]))",
    26 + np.add.outer((4 * 26 + 14) * np.arange(H), 26 * np.arange(4)),
    order=ORDER,
)

# Chapter 12 -------------------------------------------------------------------------------

CASES.add(
    "a typed sentence is words and blanks, without its marks",
    *("fill_in", "wordsOf(' She noticed, the _ . ')", ["she", "noticed", "the", "_"]),
)
KNOWN = {"words": ["[CLS]", "[MASK]", "[SEP]", "the", "owl"]}
KNOWN |= {"specials": 3, "first": 0, "mask": 1, "last": 2}
CASES.add(
    "words become ids between the two ends, and a special symbol is no word to type",
    "fill_in",
    "[idsOf(['the', '_'], known), idsOf(['cat', '[CLS]'], known).unknown]",
    [{"ids": [0, 3, 1, 2], "unknown": []}, ["cat", "[CLS]"]],
    known=KNOWN,
)
CASES.add(
    "each blank takes the likeliest words that are no special symbols, with their own shares",
    "fill_in",
    "fill(['the', '_'], [0, 3, 1, 2], { fill: (ids) => ({ logits: ids.map((id) => "
    "[9, 0, 0, id, 1].map(Math.abs)) }) }, known).map((five) => five.map(([word]) => word))",
    [["the", "owl"]],
    known=KNOWN,
)
POINTS = [[0, 0], [1, 0], [0.9, 0.2]]
CASES.add(
    "the nearest mention on the map is another one",
    *("sense_layers", "[0, 1, 2].map((i) => nearestTo(points, i))", [2, 2, 1]),
    points=POINTS,
)
CASES.add(
    "a click chooses the nearest mention",
    *("sense_layers", "[mentionAt(points, 0.8, 0.3), mentionAt(points, -1, 0)]", [2, 0]),
    points=POINTS,
)
CASES.add(
    "layers are told as they are in Python",
    *("sense_layers", "[told(0), told(2)]", ["before the first layer", "after layer 2"]),
)
for kind in ("attention", "convolution"):
    CASES.add(
        f"the reach of {kind} is that of Python",
        "patch_reach",
        "[0, 1, 2, 5].flatMap((n) => [0, 4, 11].map((place) => "
        f"Object.values(reachOf(sizes, place, n, '{kind}'))))",
        np.array(
            [
                [
                    end
                    for axis in reach((6, 8), 2, place, n, kind)
                    for end in (axis.start, axis.stop)
                ]
                for n in (0, 1, 2, 5)
                for place in (0, 4, 11)
            ]
        ),
        sizes={"height": 6, "width": 8, "patch": 2},
    )
CASES.add(
    "pixels in a reach are counted",
    *("patch_reach", "pixelsIn({ top: 1, bottom: 4, left: 0, right: 2 })", 6),
)

# Chapter 13 -------------------------------------------------------------------------------

CASES.add(
    "the reading goes back where the largest weights do",
    *("alignment", "crossings(weights)", [[2, 0], [3, 1]]),
    weights=np.eye(4)[[2, 0, 0, 3, 1]],
)
CASES.add(
    "words that are not the true ones are counted, and places without a word are not",
    *("decoder_inputs", "untrue(['<start>', 'a', '', 'b'], ['<start>', 'a', 'c', 'd'])", 1),
)
CASES.add(
    "a rate keeps five decimals and no zeros",
    *("schedule_curves", "[0.0007, 0.000123456, 0.25].map(small)", ["0.0007", "0.00012", "0.25"]),
)
CASES.add(
    "the axis has round marks, at most five, up to its top",
    *("schedule_curves", "ticksTo(0.0021)", np.array([0, 0.0005, 0.001, 0.0015, 0.002])),
)
CASES.add(
    "a rate rises up to the warm-up, and falls behind it",
    *("schedule_curves", "[3999, 4000, 4001].map((step) => course(step, 4000))"),
    ["rises", "at its peak", "falls"],
)
SIZES = {"B": 2, "H": 8, "T": 20, "S": 10}
STAGE = Stage("decoder", "cross weights", "B H T S", "…", "…")
CASES.add(
    "a stage has the sizes of its letters",
    *("shape_tracker", "inNumbers(['B', 'H', 'T', 'S'], sizes)", list(STAGE.sizes(SIZES))),
    sizes=SIZES,
)
CASES.add(
    "a shape with a number in it keeps it, and its numbers are multiplied",
    *("shape_tracker", "countOf(inNumbers(['B', 3, 'S'], sizes))", 60),
    sizes=SIZES,
)

# Chapter 15 -------------------------------------------------------------------------------

for sizes in (
    CacheSizes(2, 4, 8, 100),
    CacheSizes(3, 1, 64, 5000, 4096),
    CacheSizes(1, 2, 3, 4, 9),
):
    CASES.add(
        f"the bytes of {sizes}",
        "cache_memory",
        f"[1, 3].map((B) => bytesOf([...sizes, {sizes.window or 0}, B], 2).total)",
        [sizes.bytes(batch) for batch in (1, 3)],
        sizes=[sizes.layers, sizes.heads, sizes.width, sizes.length],
    )
CASES.add(
    "a window limits what is kept, and a token costs the same",
    *("cache_memory", "bytesOf([3, 1, 64, 5000, 4096, 1], 2)"),
    {"kept": 4096, "token": 768, "total": 768 * 4096},
)
CASES.add(
    "what is typed becomes a whole number within the limits",
    "cache_memory",
    "['', '-5', '0', '7.9', 'x', '5000'].map((text) => wholeNumber(text, 1, 1000))",
    [1, 1, 1, 7, 1, 1000],
)
CASES.add(
    "GiB with two decimals, or two digits",
    *("cache_memory", f"[{GIB}, {GIB // 3}, {GIB // 1000}].map(inGib)", ["1", "0.33", "0.001"]),
)
CASES.add(
    "small numbers have three digits, large ones all of theirs",
    *("step_cost", "[0.123456, 12.3456, 999.9, 1234567.8].map(spell)"),
    ["0.123", "12.3", "1000", "1,234,568"],
)
CASES.add(
    "powers of ten",
    *("step_cost", "[-1, 0, 2, 3, 12].map(spellPower)", ["0.1", "1", "100", "10³", "10¹²"]),
)
CASES.add(
    "the axis holds all values in whole decades",
    "step_cost",
    "[[20, 30000], [1000, 1000], [0.5, 10]].map(decades)",
    [{"floor": 1, "span": 4}, {"floor": 3, "span": 1}, {"floor": -1, "span": 2}],
)

# Chapter 10 -------------------------------------------------------------------------------

CASES.add(
    "the parts of a sub-layer, from left to right",
    "block_switches",
    "[partsOf(0, 0, 'f'), partsOf(0, 1, 'f'), partsOf(1, 1, 'f'), partsOf(1, 2, 'f')]",
    [["norm", "f", "+"], ["f", "+", "norm"], ["f", "norm"], ["f"]],
)
MEASURED = np.exp(4 * normal(2, 3, 2, 5))
FROM, TO = np.floor(np.log10(MEASURED.min())), np.ceil(np.log10(MEASURED.max()))
CASES.add(
    "all curves stand between powers of ten",
    "block_switches",
    "values.flat(3).map((value) => height(value, limits(values, true), true))",
    (np.log10(MEASURED.ravel()) - FROM) / (TO - FROM),
    values=MEASURED,
)
CASES.add(
    "a straight axis begins at zero, or below where a number does",
    *("block_switches", "[limits([[[[1, 4]]]], false), limits([[[[-1, 4]]]], false)]"),
    [[0, 4], [-1, 4]],
)
CASES.add(
    "an axis has few marks",
    "block_switches",
    "[ticks([1e-3, 1e5], true).map(few), ticks([0, 1], false).map(few)]",
    [["0.001", "0.1", "10", "1000", "10⁵"], ["0", "0.5", "1"]],
)
CASES.add(
    "the course of a curve in words",
    *("block_switches", "course([0.0123, 5, 4.56e-7])"),
    "0.012 before the first block, 4.6 · 10⁻⁷ after block 2.",
)

# Chapter 16 -------------------------------------------------------------------------------

EDGES = [[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.76, 0.04]]
CASES.add(
    "edges as heavy as the limit, from the column to the row",
    *("sentence_graph", "edgesFrom(weights, 0.5)"),
    [
        {"from": 0, "to": 0, "weight": 1},
        {"from": 0, "to": 1, "weight": 0.5},
        {"from": 1, "to": 1, "weight": 0.5},
        {"from": 1, "to": 2, "weight": 0.76},
    ],
    weights=EDGES,
)
CASES.add(
    "a weight of zero is no edge, at no limit",
    *("sentence_graph", "edgesFrom(weights, 0).length"),
    int(np.count_nonzero(EDGES)),
    weights=EDGES,
)
CASES.add(
    "the edges into a word and out of one, the heaviest first",
    "sentence_graph",
    "[true, false].map((into) => touching(edgesFrom(weights, 0), 1, into).map((e) => e.weight))",
    [[0.5, 0.5], [0.76, 0.5]],
    weights=EDGES,
)
CASES.add(
    "arcs turn to the right in both directions, and a loop comes back",
    "sentence_graph",
    "[arc(10, 0, 40, 24), arc(10, 40, 0, 24), arc(10, 6, 6, 24)]",
    ["M10,0A15,20 0 0 1 10,40", "M10,40A15,20 0 0 0 10,0", "M10,0a8,6 0 1 1 0,12"],
)
SITUATIONS = [(1, 64), (1_024, 768), (262_144, 12_288)]
CASES.add(
    "FLOPs that grow with the length and with its square, and where they cross",
    "cost_curves",
    "given.flatMap(([T, C]) => [true, false].flatMap("
    "(whole) => [...costs(T, C, whole), crossing(C, whole)]))",
    np.array(
        [
            number
            for T, C in SITUATIONS
            for whole in (True, False)
            for number in (*costs(T, C, whole), crossing(C, whole))
        ],
        dtype=float,
    ),
    given=SITUATIONS,
)
CASES.add(
    "large numbers and shares as a reader writes them",
    "cost_curves",
    "[spell(14495514624), spell(98304), percent(0.182), percent(0.001), percent(0.999)]",
    ["1.4 · 10¹⁰", "9.8 · 10⁴", "18 %", "less than 1 %", "more than 99 %"],
)
RULES = [
    Rule("both", "", {"color": ["red"], "size": ["large"]}),
    Rule("green", "", {"color": ["green"]}),
    Rule("rest", ""),
]
OPTIONS = {"color": ["red", "green"], "size": ["small", "large"]}
ANSWERS = [(i, j) for i in (0, 1) for j in (0, 1)]
CASES.add(
    "the first rule that fits decides",
    "family_chooser",
    "answers.map((given) => decide(rules, given))",
    [
        RULES.index(
            decide(RULES, {q: OPTIONS[q][at] for q, at in zip(OPTIONS, answer, strict=True)})
        )
        for answer in ANSWERS
    ],
    answers=ANSWERS,
    rules=[{"when": [[0, [0]], [1, [1]]]}, {"when": [[0, [1]]]}, {"when": []}],
)


@pytest.fixture(scope="module")
def answers():
    return CASES.answers()


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
