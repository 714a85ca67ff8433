"""The model explorer: what a page takes along, what is refused, and what its scripts compute."""

import json

import pytest

from headway.figures.core.scripts import figure_folder
from headway.figures.gallery.outlook.model_explorer import key_of, model_explorer, requests
from tests.figures.explored import FACTS, TEXT, ids_of, recorded
from tests.figures.node import run
from tests.figures.shown import assert_on_page

COMPUTE = """
const { keyOf, answers } = await import(given.figure + "asking.js");
const { sizes, windowOf } = await import(given.figure + "figure.js");
const { bytes, leads, partName, works } = await import(given.figure + "words.js");
const ask = answers({ url: null, recorded: given.recorded });
const known = [];
for (const request of given.requests) known.push(await ask(request));
const another = { ask: "tokens", text: "Another", drawn: [], off: [] };
answer({
  keys: given.requests.map(keyOf),
  known,
  refused: await ask(another).catch((error) => error.message),
  windows: given.windows.map((one) => windowOf(...one)),
  leads: given.ranks.map(leads),
  told: given.told.map((facts) => sizes(facts)),
  parts: ["3", "3.attention", "0.h5"].map(partName),
  works: given.switches.map(([part, off]) => works(off, 2, part)),
  bytes: [0, 999, 4096, 2_500_000, 12_000_000_000].map(bytes),
});
"""
# What a part shows while questions "a", "b" … are answered late, and one is not answered at first.
WAIT = """
const { answered } = await import(given.figure + "asking.js");
const [asked, shown, waiting] = [[], [], {}];
const box = { setAttribute() {}, removeAttribute() {}, classList: { toggle() {} } };
const line = {};
let wanted = null;
const ask = (request) => {
  asked.push(request.ask);
  return new Promise((done, failed) => (waiting[request.ask] = { done, failed }));
};
const shows = (answer) => shown.push(answer);
const refresh = answered({ box, line, ask, needs: () => wanted && { ask: wanted }, shows });
const want = (name) => refresh((wanted = name));
const settled = () => new Promise((done) => setTimeout(done));
for (const name of [null, "a", "b", "c"]) want(name);
waiting.a.done("of a");
await settled();
waiting.c.done("of c");
await settled();
want("c");
want("d");
waiting.d.failed(new Error("no answer"));
await settled();
const said = line.textContent;
want("d");
waiting.d.done("of d");
await settled();
answer({ asked, shown, said, last: line.textContent });
"""
GIVEN = {
    "figure": figure_folder("model_explorer").as_uri() + "/",
    # The first position that was shown, the one that asks, and how many there are.
    "windows": [[0, 3, 4], [0, 11, 30], [0, 12, 30], [18, 29, 30], [18, 17, 30], [4, 0, 30]],
    "told": [
        FACTS, FACTS | {"longest": FACTS["context"]}, FACTS | {"template": True},
        FACTS | {"template": True, "chat": True},
    ],
    "ranks": [[9, 1, 3, 1, 1], [1, 1], [4, 2, 1]],
    "switches": [
        ["h1", []], ["h1", ["2"]], ["h1", ["2.attention"]], ["h1", ["2.h1"]], ["h0", ["2.h1"]],
        ["feed-forward", ["2.attention"]],
    ],
}  # fmt: skip


def figure(answers=None, facts=FACTS, text=TEXT):
    return model_explorer(facts, text, answers or recorded(), title="T", caption="C")


def test_a_page_takes_the_answers_about_one_text_along():
    made = figure()
    assert_on_page(made)
    assert made.data["url"] is None
    assert "After “␣sat” the answer is “␣on”, which is first the likeliest after block 2 of 3" in (
        made.alt
    )
    assert made.header == ["after", "<end>", "The", "␣cat", "␣sat"]
    assert [row[-1] for row in made.rows] == ["␣sat", "␣sat", "␣on", "␣on"]
    asked = [json.loads(key)["ask"] for key in made.data["recorded"]]
    assert {kind: asked.count(kind) for kind in asked} == {
        "tokens": 1, "heads": 1, "lens": 1, "neighbors": 4, "pattern": 6, "lens-at": 4, "next": 4,
        "to": 10,
    }  # fmt: skip


def test_the_scripts_find_what_python_recorded_and_compute_what_they_show():
    asked = list(requests(FACTS, TEXT, ids_of({"drawn": []})))
    found = run(COMPUTE, GIVEN | {"recorded": recorded(), "requests": asked})
    assert found["keys"] == [key_of(request) for request in asked]
    assert found["known"] == list(recorded().values())
    assert found["refused"].startswith("This page knows one text.")
    assert found["windows"] == [0, 0, 4, 18, 9, 0]
    plain, whole, template, chat = found["told"]
    assert plain.endswith("learned positions up to 16. This page reads 12 tokens at most.")
    assert whole.endswith("learned positions up to 16.")
    assert template.endswith(
        "your text as it is. To ask it questions, start headway explore with --chat."
    )
    assert chat.endswith(
        "Your question goes into its chat template, and what you draw is the answer."
    )
    assert found["leads"] == [
        {"first": 1, "steady": 3}, {"first": 0, "steady": 0}, {"first": 2, "steady": 2},
    ]  # fmt: skip
    assert found["parts"] == ["block 4", "attention of block 4", "head 6 of block 1"]
    assert found["works"] == [True, False, False, False, True, True]
    assert found["bytes"] == ["0 bytes", "999 bytes", "4.1 kB", "2.5 MB", "12 GB"]


def test_an_old_answer_never_stands_where_a_newer_one_was_asked_for():
    found = run(WAIT, GIVEN)
    assert found["asked"] == ["a", "c", "d", "d"]
    assert found["shown"] == ["of c", "of c", "of d"]
    assert (found["said"], found["last"]) == ("no answer", "")


def without(kind):
    return {key: a for key, a in recorded().items() if json.loads(key)["ask"] != kind}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"text": "Another"}, '"text":"Another"} is not recorded'),
        ({"answers": without("lens-at")}, '"ask":"lens-at"'),
        ({"facts": FACTS | {"layers": 4}}, '"layer":3'),
        ({"answers": recorded() | {"more": ["x" * 60_000]}}, "a page holds 60,000"),
    ],
)
def test_what_a_page_cannot_show_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        figure(**change)


def test_a_text_for_a_page_is_short():
    with pytest.raises(ValueError, match="1 to 12 tokens, got 13"):
        list(requests(FACTS, TEXT, range(13)))


def test_a_page_keeps_four_digits():
    key = key_of({"ask": "to", "at": 1, "to": 0, "text": TEXT, "drawn": [], "off": []})
    made = figure(recorded() | {key: {"weights": [[0.123456, 1]]}})
    assert made.data["recorded"][key] == {"weights": [[0.1235, 1]]}
