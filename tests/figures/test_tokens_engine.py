"""The tokenizer that runs in the browser, in Node: the package's ids, and the package's merges."""

import random
from itertools import islice

import pytest

from headway.figures.core.scripts import ENGINE
from headway.figures.gallery.shared.tokens import shown
from headway.figures.gallery.tokens.live_tokens import of_size, pairs_of
from headway.text.byte_letters import LETTERS
from headway.text.byte_pair import BytePairTokenizer
from headway.text.corpus.standard_library import docstrings
from headway.text.pieces import pieces
from tests.figures.node import run

SIZES = (256, 300, 1_024, 2_048)
ODD = [
    "", "aaabdaaabac", "a" * 300, "  two  spaces \n\t\r\n x", "I'll can't WE'VE 'S it's DON'T",
    "🙂🙃 👩‍👩‍👧 né né 漢字仮名 हिन्दी Ελληνικά", "1 22 ²³ ½ Ⅷ 1_000",
    "\ufeff\x85\xa0\u2028x\x1c\x1f\x00",
    "The quokka ksowjmckder transformer", "</script><|endoftext|>",
]  # fmt: skip
ENCODE = """
const engine = await import(given.engine + "tokens.js");
const { bytesInOrder, encode, piecesOf, shown, tokenizer } = engine;
answer({
  bytes: bytesInOrder(),
  shown: given.tokens.map(shown),
  pieces: given.texts.map(piecesOf),
  ids: given.sizes.map((size) => {
    const made = tokenizer(given.pairs, size);
    return given.texts.map((text) => encode(text, made));
  }),
});
"""
LEARN = """
const { learn } = await import(given.engine + "tokens.js");
answer(given.texts.map((text) => given.ties.map((ties) => {
  const { symbols, steps } = learn(text, ties, 40);
  const merges = steps.slice(0, -1).map(({ pairs }) => [pairs[0].left, pairs[0].right]);
  return {
    merges: merges.map((pair) => pair.map((id) => symbols[id])),
    words: steps.at(-1).words.map((word) => word.map((id) => symbols[id])),
  };
})));
"""


@pytest.fixture(scope="module")
def trained():
    return BytePairTokenizer.train(docstrings(), SIZES[-1])


def test_the_ids_of_a_thousand_lines_are_the_package_s_at_every_size(trained):
    every = dict.fromkeys(line for text in docstrings() for line in text.splitlines() if line)
    texts = [*islice(every, 0, None, len(every) // 1_000), *ODD]
    tokens = [*trained.symbols[250:280], b"\xf0\x9f", b"a\nb\t", "🙂".encode(), b"\xef\xbb\xbfx"]
    given = {"engine": f"{ENGINE.as_uri()}/", "pairs": pairs_of(trained), "texts": texts}
    found = run(ENCODE, given | {"sizes": SIZES, "tokens": [list(token) for token in tokens]})
    assert found["bytes"] == list(LETTERS)
    assert found["pieces"] == [pieces(text) for text in texts]
    assert found["shown"] == [shown(token) for token in tokens]
    for size, ids in zip(SIZES, found["ids"], strict=True):
        expected = of_size(trained, size)
        assert ids == [expected.encode(text) for text in texts]
    assert of_size(trained, 300).merges == BytePairTokenizer.train(docstrings(), 300).merges


def test_what_it_learns_from_a_short_text_is_what_the_package_learns_with_both_rules():
    draw, ties = random.Random(0), ["smallest", "greatest"]
    drawn = ["".join(draw.choices("ab c", k=draw.randint(1, 50))) for _ in range(150)]
    texts = [*drawn, *(text[:60] for text in ODD), "né né né 漢字漢字"]
    found = run(LEARN, {"engine": f"{ENGINE.as_uri()}/", "texts": texts, "ties": ties})
    for text, answers in zip(texts, found, strict=True):
        for rule, answer in zip(ties, answers, strict=True):
            expected = BytePairTokenizer.train([text], 296, ties=rule)
            assert [tuple(map(bytes, pair)) for pair in answer["merges"]] == list(expected.merges)
            joined = [bytes(token) for word in answer["words"] for token in word]
            assert joined == expected.tokens(text)
