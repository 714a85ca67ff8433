"""The file that grows from page to page: how it is put together, and what its cells may hold."""

import ast
import math
import random
import re
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from docutils import nodes
from headway_book.one_file import (
    PROGRAM,
    Cell,
    FileError,
    State,
    cells_of,
    changed_lines,
    chapter_pages,
    history,
    mark_cells,
    states,
    states_until,
    with_file_before,
)
from torch import nn

from headway.chapters import CHAPTERS
from headway.inference.beam import beam_search
from headway.inference.decoding import Sampling, generate
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.predictor import Uncached
from headway.models.one_file import language_model_of, translator_of
from headway.ngram.discounting import DiscountedChain
from headway.ngram.markov import MarkovChain
from headway.ngram.skipbigram import SkipBigrams
from headway.ngram.soft_lookup import SoftLookup
from headway.nn.attention import attend
from headway.nn.block import Block, PreNorm
from headway.nn.experts import MixtureOfExperts, balancing_loss
from headway.nn.feed_forward import GatedFeedForward
from headway.nn.low_rank import LowRank
from headway.nn.masks import causal_mask
from headway.nn.multihead import MultiHeadAttention
from headway.nn.norm import RMSNorm
from headway.nn.position import RotaryPosition, frequencies
from headway.nn.quantization import quantize
from headway.nn.word_vectors import negative_sampling_loss, pairs
from headway.text.byte_letters import to_bytes
from headway.text.byte_pair import BytePairTokenizer
from headway.text.counts import nearest
from headway.text.vocabulary import Vocabulary, look_up, one_hot
from headway.training.answers import answer_batch
from headway.training.masking import mask_tokens
from headway.training.preferences import answer_log_probability, dpo_loss
from tests.full import full_but, seeds

PAGE = """---
kernelspec: {display_name: Python 3, name: python3}
---

# A page

```{code-cell}
:tags: [file]

import random
from collections import Counter


# What was typed.
REQUESTS = ["show my files"]


def count(texts):
    return Counter(" ".join(texts).split())
```

```{code-cell}
print("not in the file")
```

```{code-cell}
:tags: [file]

if __name__ == "__main__":
    print(count(REQUESTS))
```
"""


LATER = """---
kernelspec: {display_name: Python 3, name: python3}
---

# Another page

```{code-cell}
:tags: [file]
:drop: REQUESTS

from collections import Counter, defaultdict


def count(texts):
    words = " ".join(texts).split()
    return Counter(words)


def last(texts):
    return texts[-1]


if __name__ == "__main__":
    print(last(["a b", "c c"]), count(["c c"])["c"])
```
"""


def state_of(*sources):
    state = State()
    for source in sources:
        state.add(Cell(source), 1)
    return state


def run(text, folder, *options):
    """What the file prints; with `options`, run as they say and not on its own (`-I`)."""
    (folder / "transformer.py").write_text(text)
    command = [sys.executable, *(options or ["-I"]), "transformer.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_only_cells_with_the_tag_belong_to_it():
    assert [cell.source.splitlines()[0] for cell in cells_of(PAGE)] == [
        "import random",
        'if __name__ == "__main__":',
    ]


def test_each_state_is_a_program(tmp_path):
    found = states([(1, PAGE), (2, LATER)])
    assert run(found[1].text(1, "A"), tmp_path) == "Counter({'show': 1, 'my': 1, 'files': 1})\n"
    assert run(found[2].text(2, "B"), tmp_path) == "c c 2\n"


def test_a_definition_takes_the_place_of_the_one_of_the_same_name_and_imports_join():
    found = states([(1, PAGE), (2, LATER)])
    text = found[2].text(2, "B")
    assert text.count("def count(") == text.count('if __name__ == "__main__":') == 1
    assert "from collections import Counter\n" in text
    assert text.index("def count(") < text.index("def last(") < text.index("if __name__")
    assert "# What was typed." in found[1].text(1, "A")
    assert "REQUESTS" not in text


@pytest.mark.parametrize(
    ("tags", "head"), [("file", "transformer.py"), ("file, fold", "lines to copy")]
)
def test_the_page_marks_new_lines_under_the_files_name_or_a_fold(tmp_path, tags, head):
    (tmp_path / "book").mkdir()
    for chapter, page in zip(CHAPTERS, (PAGE, LATER.replace("[file]", f"[{tags}]")), strict=False):
        (tmp_path / "book" / f"{chapter.name}.md").write_text(page)
    code = nodes.literal_block("", "the code")
    cell = nodes.container("", nodes.container("", code))
    cell["classes"] += ["cell", *(f"tag_{tag}" for tag in tags.split(", "))]
    doctree = nodes.section("", cell)
    env = SimpleNamespace(docname=f"book/{CHAPTERS[1].name}", srcdir=tmp_path)
    mark_cells(SimpleNamespace(env=env), doctree)
    (changed,) = cells_of(LATER)
    lines = changed_lines(changed, states([(1, PAGE)])[1])
    assert code["highlight_args"] == {"hl_lines": lines}
    gone, shown = cell.children
    assert gone.astext() == "Delete from transformer.py: REQUESTS"
    above, *below = shown.children
    assert head in above.astext()
    assert [node.astext() for node in below] == (
        ["the code"] if tags == "file" else ["the code", "</details>"]
    )


def test_imports_join_and_go_once_nothing_uses_them():
    state = state_of("import math\nfrom collections import deque as D\nA = D")
    assert "math" not in state.text(1, "A")
    state.add(Cell("import os.path\nfrom collections import Counter\nB = Counter, os.sep"), 2)
    assert "import os.path\nfrom collections import Counter, deque as D\n" in state.text(2, "B")
    state.add(Cell("C = 1", drop=("A",)), 3)
    assert "import os.path\nfrom collections import Counter\n" in state.text(3, "C")


def test_a_page_that_uses_it_begins_with_what_it_was_before_and_without_its_program(tmp_path):
    first, second = (tmp_path / f"{chapter.name}.md" for chapter in CHAPTERS[:2])
    first.write_text(PAGE)
    page = LATER.replace(
        "# Another page\n",
        "# Another page\n\n```{code-cell}\n:tags: [file-before, remove-cell]\n```\n",
    )
    second.write_text(page)
    cell = with_file_before(page, second).split("[file-before, remove-cell]\n")[1].split("```")[0]
    names = {"__name__": "__main__"}
    exec(cell, names)
    assert names["count"](names["REQUESTS"]) == {"show": 1, "my": 1, "files": 1}
    assert "last" not in names
    assert PROGRAM not in cell
    assert with_file_before(LATER, second) == LATER


def test_the_history_has_a_line_for_each_chapter_that_adds():
    found = states([(1, PAGE), (2, LATER)])
    heads, _, first, second = history(found, {1: "counts", 2: "counts the last"})
    assert heads.startswith("| Chapter |")
    lines = len(found[1].text(1, CHAPTERS[0].title).splitlines())
    assert (
        first
        == f"| [1 · {CHAPTERS[0].title}](01-one-hot.md) | counts | `REQUESTS`, `count` | {lines} |"
    )
    assert "| counts the last | `count`, `last` |" in second
    with pytest.raises(FileError, match=r"lines for the chapters \[1\]"):
        history(found, {1: "counts"})


def test_it_says_what_it_needs():
    for source, needs in (
        ("import math\nA = math", "It needs Python 3.11 or newer: "),
        ("import numpy as np\nA = np", "It needs Python 3.11 or newer, with NumPy: "),
        ("from torch import nn\nA = nn", "It needs Python 3.11 or newer, with PyTorch: "),
    ):
        assert needs in state_of(source).text(1, "A")


def test_new_and_changed_lines_are_told():
    before = states([(1, PAGE)])[1]
    (cell,) = cells_of(LATER)
    lines = cell.source.splitlines()
    assert [lines[number - 1] for number in changed_lines(cell, before)] == [
        "from collections import Counter, defaultdict",
        '    words = " ".join(texts).split()',
        "    return Counter(words)",
        "def last(texts):",
        "    return texts[-1]",
        '    print(last(["a b", "c c"]), count(["c c"])["c"])',
    ]
    again = cells_of(PAGE)[0]
    (number,) = changed_lines(again, before)
    assert again.source.splitlines()[number - 1] == "import random"  # unused, it has gone


@pytest.mark.parametrize(
    "source", ["print(1)", "x.y = 1", "for i in x:\n    pass", "if x:\n    y = 1"]
)
def test_what_is_no_definition_is_refused(source):
    with pytest.raises(FileError, match="Line 1 is"):
        state_of(source)


def test_what_the_file_lacks_cannot_be_dropped():
    with pytest.raises(FileError, match="It drops 'b'"):
        State().add(Cell("a = 1", drop=("b",)), 1)


STATES = {
    1: (
        "find old songs: search\n",
        "remove my photos: erase\n",
        "show my cat: display\n",
    ),
    2: ("order 1: perplexity ", "order 2: perplexity ", "order 3: perplexity "),
    3: (
        "may speak: battery clock engine job laptop loop phone program query radio script server "
        "service test torch watch\n",
        "a chain of order 3: 58% right\n",
        "all pairs: 58% right\n",
        "pairs that know something: 100% right\n",
    ),
    4: (
        "all equally loud:  right in 63 of 100, p of the right word 0.541",
        "chapter 3's mask:  right in 82 of 100, p of the right word 0.910",
        "learned:           right in 100 of 100, p of the right word 0.99",
    ),
    5: (
        "1000 tokens. Learned first: ",
        "Ġun|",
        " → This book is unputdownable.\n",
        " → good 🙂\n",
        "the same again: True",
    ),
    6: (
        "step 1: king is near ",
        "step 3,000: king is near ",
        "rightwards - right + left: rightwards leftwards",
    ),
    7: (
        "Asker: 100% of new sentences are right; counted from place 1,000: 100%",
        "\nthe man beats the boy: boy\nthe boy beats the man: man\n",
    ),
    8: (
        "the flower in a pot smells: great",
        "the pot in a flower smells: musty",
        "144 of 144 new sentences are right",
    ),
    9: (
        "H = 1, G = 1, openers: 1; ",
        "H = 3, G = 3, openers: 3; who 100%, what 100%, how 100%",
        "H = 3, G = 1, openers: 3; who 100%, ",
    ),
    10: ("1 block: 100% ", "2 blocks: 100% 100% "),
    11: ("step 1: loss 3.", ", held out 3.", "\ncat ", "\nsmiling face with "),
    12: (
        "looks only back: 2",
        "looks both ways: 100% of the hidden nouns are found",
        "my sister noticed the bank by the river in the reeds",
        "about the loan",
    ),
    13: (
        "step 400: loss 0.0",
        ": le chat bleu voit une fleur blanche\n",
        " of 300 new sentences are exactly right",
    ),
    14: (
        "greedy: J'aime apprendre les langues\n",
        "4 beams: J'adore apprendre les langues\n",
        "drawn: ",
        "drawn, p = 0.9: ",
    ),
    15: ("without the cache: ", "with the cache: ", "the same text: True"),
    17: (
        "before: what ",
        "what does the owl eat ? the owl eats ",
        " of 90 answers about the other thirty animals are right",
    ),
    18: (
        "step 0: loss 4.",
        "step 300: loss 2.",
        ", unevenness 2.0",
        "expert 1 reads ",
        "expert 8 reads ",
    ),
    19: (
        "alone: 50 readings",
        "with a draft of 8 bits: 1",
        "with a draft of 2 bits: 4",
        " readings, the same text: True",
    ),
}  # what each chapter's state prints


SPEED = re.compile(r"[\d.]+ (?=tokens a second)")  # differs from run to run


def defined(text):
    """What a state of the file defines, by name; its program doesn't run."""
    names = {"__name__": "transformer"}
    exec(text, names)
    return names


MOST_LINES = 400  # when the book is done


@pytest.fixture(scope="module")
def files(root):
    """Number → the file after the chapter, for the chapters that add something.

    A training of minutes is cut short.
    """
    found = states_until(root / "book", len(CHAPTERS))
    texts = {n: state.text(n, CHAPTERS[n - 1].title) for n, state in found.items()}
    return {n: text.replace("STEPS = 800", "STEPS = 2") for n, text in texts.items()}


def test_each_chapter_that_adds_to_the_file_is_held_to_what_it_prints(files):
    assert set(files) == set(STATES)
    assert len(files[max(files)].splitlines()) <= MOST_LINES


# The build runs their cells, too, but for the programs.
LONGEST = {6, 9, 10, 12, 13}


@pytest.mark.parametrize("number", full_but(lambda number: number not in LONGEST, STATES))
def test_each_state_runs_by_itself_and_does_what_its_chapter_promises(files, number, tmp_path):
    modules = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(files[number]))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    tops = {module.split(".")[0] for module in modules}
    assert tops <= sys.stdlib_module_names | {"numpy", "torch"}
    said = run(files[number], tmp_path)
    for line in STATES[number]:
        assert line in said


@pytest.mark.parametrize("number", full_but({1, 2, 3, 5, 14}.__contains__, STATES))
def test_a_state_says_the_same_each_time(files, number, tmp_path, monkeypatch):
    said = set()
    for seed in "1", "2":  # of hashes, by which sets of words are in another order
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        said.add(SPEED.sub("", run(files[number], tmp_path, "-P", "-s")))
    assert len(said) == 1


def test_who_types_along_has_typed_all_that_a_cell_uses(root, tmp_path):
    pages = chapter_pages(root / "book")
    found = states_until(root / "book", len(CHAPTERS))
    for number in found:
        before = [found[n] for n in found if n < number][-1:]
        texts = [
            state.text(number - 1, "").split(f"if __name__ == '{PROGRAM}'")[0] for state in before
        ]
        texts += [cell.source for cell in cells_of(pages[number].read_text("utf-8"))]
        (tmp_path / f"typed_{number}.py").write_text("\n\n".join(texts))
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821", tmp_path]
    ruff = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ruff.returncode == 0, ruff.stdout


def test_02_the_file_counts_writes_and_measures_as_the_package_does(files):
    file = defined(files[2])
    names = file["read_names"]()
    assert len(names) == 1_622
    seen, held_out = names[160:], names[:160]
    words = Vocabulary.from_text(" ".join(map(" ".join, names)), specials=())
    ids = [[words.encode(" ".join(name)) for name in part] for part in (seen, held_out)]
    for order in range(4):
        chain = MarkovChain(ids[0], len(words), order)
        table, symbols = file["count"](seen, order), [*words.symbols, ""]
        rows = [table[tuple(symbols[i] for i in context)] for context in chain.contexts]
        counted = [[row[symbol] for symbol in symbols] for row in rows[::50]]
        assert sum(len(context) == order for context in table) == len(rows)
        assert np.array_equal(counted, chain.table.dense(np.arange(len(rows)))[::50])
        given = [
            file["probability"](table, *pair, len(words) + 1)
            for name in held_out
            for pair in file["windows"](name, order)
        ]
        expected = DiscountedChain(ids[0], len(words), order).perplexity(ids[1])
        assert file["perplexity"](given) == pytest.approx(expected)
    assert file["perplexity"]([0.5, 0]) == math.inf


def test_08_the_file_attends_as_the_package_does(files):
    file = defined(files[8])
    torch.manual_seed(0)
    attention, x = file["Attention"](C=6, D=4), torch.randn(2, 5, 6)
    q, k, v = attention.query(x), attention.key(x), attention.value(x)
    mixed, weights = attend(q, k, v, causal_mask(5))
    assert torch.allclose(attention(x), mixed, atol=1e-6)
    model = file["OneLook"](V=9, T=5, C=6, D=4)
    model.attention, model.enter = attention, lambda ids: x[0, : len(ids)]
    said, looks = file["finish"](model, "abcde", "abcdefghi")
    assert looks == pytest.approx(weights[0, -1].tolist(), abs=1e-6)
    assert said == "abcdefghi"[model.score(x[0, -1] + mixed[0, -1]).argmax()]


def test_15_the_cache_takes_sixteen_lines_besides_the_program(root):
    before = states_until(root / "book", 14)
    page = (root / "book" / f"{CHAPTERS[14].name}.md").read_text("utf-8")
    state, changed = before[max(before)].copy(), []
    for cell in cells_of(page):
        if PROGRAM not in cell.source:
            changed += changed_lines(cell, state)
        state.add(cell, 15)
    assert len(changed) == 16
    assert "takes sixteen lines of `transformer.py`" in page


@pytest.fixture
def file_15(files):
    """What the file defines after chapter 15, by name."""
    return defined(files[15])


@pytest.fixture
def model_15(file_15):
    """A small model with grouped heads, whose weights are large enough to show in the logits."""
    torch.manual_seed(0)
    model = file_15["Transformer"](V=13, C=32, H=4, G=2, M=48, L=2, base=500.0)
    for weight in model.parameters():
        nn.init.normal_(weight, std=0.4)
    return model


@torch.no_grad()
def test_15_in_pieces_of_any_size_the_logits_are_those_of_the_whole_and_of_the_package(model_15):
    ids = torch.randint(13, (3, 12), generator=torch.Generator().manual_seed(0))
    whole, theirs = model_15(ids), language_model_of(model_15)
    close = {"rtol": 1e-4, "atol": 1e-4}
    torch.testing.assert_close(theirs(ids), whole, **close)
    for size in (1, 2, 5, 12):
        cache, cached, pieces = {}, CachedLanguageModel(theirs, batch=3), ids.split(size, dim=1)
        logits = [model_15(piece, cache) for piece in pieces]
        torch.testing.assert_close(torch.cat(logits, dim=1), whole, **close)
        for piece, mine in zip(pieces, logits, strict=True):
            torch.testing.assert_close(cached.feed(piece), mine[:, -1], **close)


@torch.no_grad()
def test_15_each_token_is_read_once_and_the_text_is_that_of_reading_all_again(file_15, model_15):
    read, prompt = [], torch.tensor([[1, 2, 3], [4, 5, 6]])
    hook = model_15.register_forward_pre_hook(lambda model, given: read.append(given[0].shape[1]))
    for _ in range(2):  # a second text begins anew
        ids = file_15["generate"](model_15, prompt, 6, temperature=0)
        assert read == [3, 1, 1, 1, 1, 1]
        read.clear()
    hook.remove()
    for length in range(3, 9):
        chosen = model_15(ids[:, :length])[:, -1].argmax(-1)
        assert torch.equal(chosen, ids[:, length])


def test_01_the_file_encodes_and_looks_up_as_the_package_does_and_follows_all_new_requests(files):
    file = defined(files[1])
    words = file["vocabulary"](file["EXAMPLES"])
    theirs, table = Vocabulary(words[1:]), file["learn"](file["EXAMPLES"], words)
    assert words == list(theirs.symbols)
    verbs = {text.split()[0]: button for text, button in file["EXAMPLES"].items()}
    things = [f"{a} {b}" for a in ("my", "old") for b in ("files", "photos", "songs")]
    requests = [f"{verb} {thing}" for verb in verbs for thing in things]
    assert len(set(requests) - set(file["EXAMPLES"])) == 24
    for text in [*requests, "show my cat"]:
        ids, V = file["encode"](text, words), len(words)
        assert ids == theirs.encode(text).tolist()
        vectors = file["one_hot"](ids, V)
        assert np.array_equal(vectors, one_hot(ids, V))
        assert np.array_equal(vectors @ table, look_up(ids, table))
        assert file["follow"](text, words, table) == verbs[text.split()[0]]


def test_03_the_pairs_the_votes_and_the_mask_are_those_of_the_package(files):
    file = defined(files[3])
    texts = file["commands"](random.Random(3), 1_000)
    assert all(len(set(text)) == len(text) for text in texts)  # so no pair is there twice
    words = Vocabulary.from_text(" ".join(map(" ".join, texts)), specials=())
    model, pairs = SkipBigrams(map(words.encode, texts), len(words)), file["count_pairs"](texts)
    mask, gains = model.mask_by_gain(), model.information_gain() / math.log(2)
    names, latest = np.array([*words.symbols, ""])[model.pairs], {text[-1] for text in texts}
    rows = zip(map(tuple, names.tolist()), model.votes(), gains, mask, strict=True)
    for pair, votes, gain, kept in rows:
        if pair[1] not in latest:  # the package counts the ends of texts as well
            own = file["shares"](pairs[pair])
            assert [own.get(word, 0) for word in words.symbols] == votes[:-1].tolist()
            assert file["gains"](pairs, pair[1])[pair] == pytest.approx(gain, abs=1e-9)
            assert (pair in file["informed"](pairs, pair[1])) == kept
    for text in texts[:50]:
        prefix = text[: text.index("ran") + 1]
        for may_speak, of_package in (pairs, None), (file["informed"](pairs, "ran"), mask):
            votes = file["vote"](pairs, prefix, may_speak)
            given = model.predict(words.encode(prefix), of_package)
            assert [votes[word] for word in words.symbols] == pytest.approx(given[:-1].tolist())


def test_04_the_file_weighs_votes_and_learns_as_the_package_does(files):
    file = defined(files[4])
    rng = random.Random(3)
    texts = file["with_rooms"](file["commands"](rng, 60), rng)
    assert all(text[text.index("and") - 3 :][:2] == ["in", "room"] for text in texts)
    assert all(len(set(text)) == len(text) for text in texts)  # so no pair is there twice
    words = Vocabulary.from_text(" ".join(map(" ".join, texts)), specials=())
    model, pairs = SkipBigrams(map(words.encode, texts), len(words)), file["count_pairs"](texts)
    drawn = torch.randn(len(pairs), generator=torch.Generator().manual_seed(0))
    names = np.array([*words.symbols, ""])[model.pairs].tolist()
    row_of = {pair: row for row, pair in enumerate(pairs)}
    of_theirs = [row_of.get(tuple(pair)) for pair in names]
    inside = [row is not None for row in of_theirs]  # the package has pairs with the end as well
    assert sum(inside) == len(pairs)
    ours = [row for row in of_theirs if row is not None]
    given = torch.zeros(len(model))
    given[inside] = drawn[ours]
    lookup = SoftLookup(torch.from_numpy(model.votes()).float(), given)
    examples = file["examples_after"](pairs, texts, "ran")
    optimizer = torch.optim.SGD(lookup.parameters(), lr=10)
    for text, (rows, votes) in zip(texts, examples, strict=True):
        t = text.index("ran") + 1
        features = torch.from_numpy(model.features(words.encode(text[:t])))[None]
        mixed, _ = lookup(features, torch.ones_like(features, dtype=torch.bool))
        p = mixed[0, words.id(text[t])]
        assert torch.isclose(file["chance"](drawn, rows, votes), p, atol=1e-5)
    optimizer.zero_grad()
    (-p.log()).backward()
    optimizer.step()
    learned = drawn.clone().requires_grad_()
    file["learn"](learned, examples[-1:], rng, steps=1)
    assert torch.allclose(learned[ours], lookup.scores[inside], atol=1e-4)


def test_04_pairs_that_were_never_counted_do_not_vote(files):
    file = defined(files[4])
    pairs = file["count_pairs"]([["see", "the", "phone", "ran", "down", "please"]])
    count = len(pairs)
    new = [["see", "a", "phone", "ran", "please"]]
    ((rows, votes),) = file["examples_after"](pairs, new, "ran")
    assert [list(pairs)[row] for row in rows] == [("see", "ran"), ("phone", "ran")]
    assert votes.tolist() == [0, 0]
    assert len(pairs) == count


@pytest.mark.parametrize("seed", seeds(3))
def test_04_learned_scores_find_the_nouns_and_no_room_where_the_mask_is_fooled(files, seed):
    file = defined(files[4])
    rng = random.Random(seed)
    texts = file["with_rooms"](file["commands"](rng, 400), rng)
    pairs = file["count_pairs"](texts[:300])
    scores = torch.zeros(len(pairs), requires_grad=True)
    known, new = (file["examples_after"](pairs, part, "ran") for part in (texts[:300], texts[300:]))

    def judged(scores):
        return np.array([file["chance"](scores, *example).item() for example in new])

    assert judged(scores).mean() < 0.57
    knows = file["informed"](pairs, "ran")
    assert sum(earlier.isdigit() for earlier, _ in knows) > 16
    assert (judged(torch.tensor([1e4 * (pair in knows) for pair in pairs])) > 0.5).mean() < 0.95
    file["learn"](scores, known, rng)
    best = sorted(zip(scores.tolist(), pairs, strict=True), reverse=True)[:16]
    nouns = {noun for kind in file["THINGS"].values() for noun in kind}
    assert {pair for _, pair in best} == {(noun, "ran") for noun in nouns}
    assert judged(scores).mean() > 0.99
    assert (judged(scores) > 0.5).mean() >= 0.98


def test_05_the_file_cuts_as_the_package_does_and_learns_what_meets_most_often(files):
    file = defined(files[5])
    kept, held_out = file["read_manual"]()
    merges = file["learn_merges"](kept[:6], steps=90)
    tokens = [*file["SIGNS"].values(), *(merge.replace(" ", "") for merge in merges)]
    pairs = [tuple(map(to_bytes, merge.split(" "))) for merge in merges]
    theirs = BytePairTokenizer(map(to_bytes, tokens), pairs)
    for text in [*held_out, "né 🙂 evlerimizde"]:
        ids = file["cut"](text, tokens, merges)
        assert ids == theirs.encode(text)
        assert file["text_of"](ids, tokens) == text
    anew = BytePairTokenizer.train(kept[:6], 256 + 90)
    assert len(set(pairs) & set(anew.merges)) > 80  # ties apart


def test_07_the_file_turns_as_the_package_does_and_only_the_distance_counts(files):
    file = defined(files[7])
    draw = torch.Generator().manual_seed(0)
    x, turn = torch.randn(2, 3, 9, 8, generator=draw), file["turn"]
    theirs = RotaryPosition(20, frequencies(8), pairs="interleaved")
    for start in (0, 5):
        turned = turn(x, torch.arange(9) + start, base=10_000.0)
        assert torch.allclose(turned, theirs(x, start), atol=1e-5)
        scores = turned @ turned.mT
        if start == 0:
            from_zero = scores
    assert torch.allclose(scores, from_zero, atol=1e-4)


def test_06_the_file_guesses_neighbors_as_the_package_does(files):
    file = defined(files[6])
    texts = [[3, 1, 4, 1, 5], [9], [2, 6]]
    for reach in (1, 2, 9):
        theirs = torch.stack(pairs(texts, reach, reach), dim=1).tolist()
        assert sorted(file["pairs_within"](texts, reach)) == sorted(map(tuple, theirs))
    torch.manual_seed(0)
    E, U = torch.randn(2, 10, 4)
    c, o, drawn = torch.tensor([0, 1]), torch.tensor([2, 3]), torch.tensor([[4, 5], [6, 2]])
    expected = negative_sampling_loss(E[c], U, o, drawn)
    assert torch.allclose(file["cost"](E, U, c, o, drawn), expected)
    order, _ = nearest(E.numpy(), 7, 3)
    assert file["nearest"]("abcdefghij", E, E[7], 4) == ["h", *("abcdefghij"[i] for i in order)]
    text = torch.tensor([[0, 1], [1, 0], [2, 3], [3, 2]])
    *_, (E, U) = file["learn"](text, 4, C=3, steps=200)
    scores = E @ U.T
    assert scores[text[:, 0], text[:, 1]].min() > max(scores[:2, 2:].max(), scores[2:, :2].max())


@torch.no_grad()
def test_09_the_heads_of_the_file_attend_as_the_packages_do(files):
    file = defined(files[9])
    torch.manual_seed(0)
    for C, H, G in ((12, 3, 3), (12, 3, 1), (24, 6, 2), (8, 1, 1)):
        ours, x = file["Attention"](C, H, G, base=100.0), torch.randn(2, 7, C)
        for part in ours.parameters():
            nn.init.normal_(part, std=0.5)
        turning = RotaryPosition(7, frequencies(C // H, 100.0), pairs="interleaved")
        theirs = MultiHeadAttention(C, H, bias=False, key_value_heads=G, rotary=turning)
        parts = [part.weight for part in (ours.query, ours.key, ours.value)]
        theirs.load_state_dict({"qkv.weight": torch.cat(parts), "output.weight": ours.out.weight})
        torch.testing.assert_close(ours(x), theirs(x, causal=True), atol=1e-4, rtol=1e-4)


@torch.no_grad()
def test_10_the_block_of_the_file_computes_what_the_packages_does(files):
    file = defined(files[10])
    torch.manual_seed(0)
    ours, x = file["Block"](C=24, H=3, G=1, M=40, base=100.0), torch.randn(2, 7, 24)
    for part in ours.parameters():
        nn.init.normal_(part, std=0.5)
    turning = RotaryPosition(7, frequencies(8, 100.0), pairs="interleaved")
    attention = MultiHeadAttention(24, 3, bias=False, key_value_heads=1, rotary=turning)
    around = partial(PreNorm, 24, norm=partial(RMSNorm, eps=1e-5))
    theirs = Block(attention, GatedFeedForward(24, 40), around)
    asks, thinks = ours.attention, ours.feed_forward
    in_one = [part.weight for part in (asks.query, asks.key, asks.value)]
    theirs.load_state_dict(
        {
            "attention.qkv.weight": torch.cat(in_one),
            "attention.output.weight": asks.out.weight,
            "attention_residual.norm.weight": ours.norm1.weight,
            "feed_forward.expand.weight": torch.cat([thinks.gate.weight, thinks.up.weight]),
            "feed_forward.contract.weight": thinks.down.weight,
            "feed_forward_residual.norm.weight": ours.norm2.weight,
        }
    )
    torch.testing.assert_close(ours(x), theirs(x, causal=True), atol=1e-4, rtol=1e-4)


def test_10_the_lists_lead_from_each_thing_to_its_room(files):
    file = defined(files[10])
    torch.manual_seed(0)
    places = [*file["THINGS"], *file["ROOMS"]]
    for parts in zip(*file["lists"](20), strict=True):
        where = {}
        for thing, inside, room, steps in zip(*(part.tolist() for part in parts), strict=True):
            where[places[thing]] = place = places[inside]
            count = 1
            while place in where:
                place, count = where[place], count + 1
            assert (place, count) == (file["ROOMS"][room], steps)
        assert len(where) == 12
        assert sorted(parts[3].tolist()) == sorted([1, 2, 3, 4, 5, 6] * 2)


@torch.no_grad()
def test_12_the_encoder_is_the_package_s_without_its_mask_and_the_decoder_with_it(files):
    file = defined(files[12])
    torch.manual_seed(0)
    ids, close = torch.randint(13, (3, 12)), {"rtol": 1e-4, "atol": 1e-4}
    for causal in (True, False):
        model = file["Transformer"](V=13, C=32, H=4, G=2, M=48, L=2, causal=causal)
        for weight in model.parameters():
            nn.init.normal_(weight, std=0.4)
        for turned in ("halves", "interleaved"):
            theirs = language_model_of(model, pairs=turned)
            torch.testing.assert_close(theirs(ids, causal=causal), model(ids), **close)
        assert not torch.allclose(theirs(ids, causal=not causal), model(ids), **close)


def test_12_each_sentence_has_two_clues_of_what_is_meant_and_none_of_anything_else(files):
    file = defined(files[12])
    senses = file["SENSES"]
    every = [clue for ways in senses.values() for clues in ways.values() for clue in clues]
    assert len(set(every)) == len(every) == 32
    for text, (noun, sense) in file["MEANING"].items():
        found = {clue for clue in every if clue in text}
        assert len(found) == 2
        assert found < set(senses[noun][sense])
        assert len(text.split()) == 11
        assert text.split().count(noun) == 1


def test_12_words_are_hidden_in_the_shares_of_the_package(files):
    file = defined(files[12])
    torch.manual_seed(0)
    V = len(file["WORDS"])
    ids = torch.randint(1, V, (2_000, 100))
    inputs, targets = file["hide"](ids)
    expected = mask_tokens(ids, file["MASK"], range(1, V), torch.Generator().manual_seed(0))
    for found, reference in zip(
        fates(ids, inputs, targets == -1), fates(ids, expected[0], expected[1] < 0), strict=True
    ):
        assert found == pytest.approx(reference, abs=0.005)
    assert torch.equal(targets[targets >= 0], ids[targets >= 0])
    assert torch.equal(inputs[targets < 0], ids[targets < 0])
    assert inputs.max() == V - 1


def fates(ids, inputs, unasked):
    """The shares of words that are chosen, and of those chosen that are blank, and kept."""
    blank, kept = (inputs == 0) & ~unasked, (inputs == ids) & ~unasked
    chosen = (~unasked).float().mean()
    return [(part.float().mean() / by).item() for part, by in
            ((~unasked, 1), (blank, chosen), (kept, chosen))]  # fmt: skip


@pytest.fixture
def file_13(files):
    """What the file defines after chapter 13, by name."""
    return defined(files[13])


@torch.no_grad()
def test_13_the_file_translates_as_the_package_does_and_greedily(file_13):
    torch.manual_seed(0)
    model = file_13["Translator"](S=9, V=13, C=32, H=4, G=4, M=48, L=2)
    for weight in model.parameters():
        nn.init.normal_(weight, std=0.4)
    source, read = torch.randint(9, (3, 5)), torch.randint(13, (3, 7))
    expected = translator_of(model)(source, read)
    torch.testing.assert_close(model(source, read), expected, rtol=1e-4, atol=1e-4)
    longer = torch.cat([read, torch.randint(13, (3, 2))], dim=1)
    torch.testing.assert_close(model(source, longer)[:, :7], model(source, read))
    french = ["<start>", "<end>", *map(str, range(11))]
    said = file_13["translate"](model, [2, 0, 7], range(9), french)
    ids = torch.tensor([[0, *map(french.index, said)]])
    best = model(torch.tensor([[2, 0, 7]]), ids)[0].argmax(-1).tolist()
    assert [french[i] for i in best[: len(said)]] == said
    assert len(said) == 59 or french[best[len(said)]] == "<end>"


def test_13_a_batch_has_one_source_length_and_the_decoder_reads_one_place_behind(file_13):
    pairs = [("a b", "x"), ("c", "y"), ("b a", "y x z"), ("a", "x z")]
    pairs = [(source.split(), target.split()) for source, target in pairs]
    english, french = file_13["words_of"](pairs)
    assert (english, french) == (["a", "b", "c"], ["<start>", "<end>", "x", "y", "z"])
    two, one = file_13["batches_of"](pairs, english, french)
    assert two[0].tolist() == [[0, 1], [1, 0]]
    assert two[1].tolist() == [[2, 1, -1, -1], [3, 2, 4, 1]]
    assert one[1].tolist() == [[3, 1, -1], [2, 4, 1]]
    assert file_13["shift"](two[1]).tolist() == [[0, 2, 1, 0], [0, 3, 2, 4]]


@pytest.fixture
def file_14(files):
    """What the file defines after chapter 14, by name."""
    return defined(files[14])


@torch.no_grad()
def test_14_the_file_chooses_as_the_package_does(file_14):
    torch.manual_seed(0)
    model, prompt = file_14["Transformer"](V=13, C=32, H=4, G=2, M=48, L=2), torch.tensor([[1, 2]])
    for weight in model.parameters():
        nn.init.normal_(weight, std=0.4)
    theirs = language_model_of(model)
    by_greedy = file_14["greedy"](model, prompt, 8)
    first = Sampling(generator=torch.Generator(), top_k=1)
    assert torch.equal(by_greedy, generate(Uncached(theirs), prompt, 8, first))
    assert torch.equal(by_greedy, file_14["sample"](model, prompt, 8, top_k=1))
    for K in (1, 2, 5):  # -1: nothing ends, so no end makes the beam narrower
        ids, ln_p = file_14["beam"](model, prompt, 8, K, end=-1)
        found = beam_search(Uncached(theirs), prompt, 8, K, length_penalty=0.0)
        assert torch.equal(ids, found.ids[0])
        torch.testing.assert_close(ln_p, found.scores[0].float(), rtol=1e-4, atol=1e-4)


def test_14_what_has_ended_stays_as_it_is_in_the_beam(file_14):
    shares = torch.tensor([[0.1, 0.1, 0.8], [0.1, 0.3, 0.6], [0.0, 0.0, 1.0]])
    ids, ln_p = file_14["beam"](lambda ids: shares[ids].log(), torch.tensor([[1]]), 3, 3, end=2)
    assert ids.tolist() == [[1, 2, 2, 2], [1, 1, 2, 2], [1, 1, 1, 2]]
    assert ln_p.exp().tolist() == pytest.approx([0.6, 0.18, 0.054])


@pytest.mark.parametrize(
    "filters", [{}, {"temperature": 0.5}, {"top_k": 3}, {"top_p": 0.6}, {"top_k": 4, "top_p": 0.8}]
)
def test_14_the_file_draws_from_what_the_packages_filters_leave(file_14, filters):
    logits = torch.randn(1, 9, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    sampling = Sampling(generator=torch.Generator(), **filters)
    left = sampling.filtered(logits, torch.zeros(1, 1, dtype=torch.int64)).softmax(-1)[0]
    torch.manual_seed(0)
    ids = torch.zeros(20_000, 1, dtype=torch.int64)
    drawn = file_14["sample"](lambda ids: logits[:, None].expand(len(ids), 1, 9), ids, 1, **filters)
    counts = drawn[:, 1].bincount(minlength=9)
    assert torch.equal(counts > 0, left > 0)
    torch.testing.assert_close(counts / 20_000, left.float(), atol=0.02, rtol=0)


@pytest.fixture
def file_18(files):
    """What the file defines after chapter 18, by name."""
    return defined(files[18])


@pytest.fixture
def file_19(files):
    """What the file defines after chapter 19, by name."""
    return defined(files[19])


@torch.no_grad()
@pytest.mark.parametrize(("E", "k"), [(1, 1), (5, 1), (5, 2), (5, 5)])
def test_18_the_experts_of_the_file_answer_as_the_packages_do(file_18, E, k):
    torch.manual_seed(0)
    ours, x = file_18["Experts"](12, 20, E, k), torch.randn(2, 7, 12)
    for weight in ours.parameters():
        nn.init.normal_(weight, std=0.5)
    theirs = MixtureOfExperts(12, 20, E, k)
    state = {"router.weight": ours.router.weight}
    for e, expert in enumerate(ours.experts):
        both = torch.cat([expert.gate.weight, expert.up.weight])
        state |= {f"experts.{e}.expand.weight": both}
        state |= {f"experts.{e}.contract.weight": expert.down.weight}
    theirs.load_state_dict(state)
    torch.testing.assert_close(ours(x), theirs(x), rtol=1e-4, atol=1e-4)
    uneven = file_18["unevenness"](ours.scores, k)
    torch.testing.assert_close(uneven, balancing_loss(ours.scores.flatten(0, 1), k))


def test_18_the_experts_learn_as_the_packages_do(file_18):
    torch.manual_seed(0)
    ours, x = file_18["Experts"](12, 20, 5, 2), torch.randn(2, 7, 12, requires_grad=True)
    ours(x).square().sum().backward()
    (by_all,) = torch.autograd.grad(dense(ours, x).square().sum(), [x])
    torch.testing.assert_close(x.grad, by_all, rtol=1e-4, atol=1e-5)
    assert ours.router.weight.grad.abs().max() > 0


def dense(mixture, x):
    """What a mixture of the file says, with all experts computed and those not chosen weighed 0."""
    scores = mixture.router(x)
    least = scores.topk(mixture.k).values[..., -1:]
    weights = scores.masked_fill(scores < least, -torch.inf).softmax(-1)
    return sum(weights[..., e, None] * expert(x) for e, expert in enumerate(mixture.experts))


def test_19_a_draft_changes_no_word_of_a_greedy_text_and_both_forget_what_was_lost(file_19):
    torch.manual_seed(0)
    model, other = (file_19["Transformer"](V=13, C=32, H=4, G=2, M=64, L=2) for _ in range(2))
    for weight in [*model.parameters(), *other.parameters()]:
        nn.init.normal_(weight, std=0.4)
    prompt, kept_of = torch.tensor([[1, 2, 3]]), {}
    alone = file_19["generate"](model, prompt, 20, temperature=0)
    drafts = {"itself": model, "3 bits": file_19["quantized"](model, 3), "another": other}
    for name, draft in drafts.items():
        for n in (0, 1, 4):
            rounds = list(file_19["speculate"](model, draft, prompt, 20, n, temperature=0))
            ids, _, kept = zip(*rounds, strict=True)
            assert torch.equal(ids[-1], alone), (name, n)
            assert [len(text[0]) - 3 for text in ids] == np.cumsum(np.array(kept) + 1).tolist()
        kept_of[name] = sum(kept)
    assert kept_of["itself"] == 16
    assert kept_of["itself"] > kept_of["3 bits"] > kept_of["another"]


@pytest.mark.parametrize("temperature", [0.7, 1.0])
def test_19_texts_come_up_as_often_as_the_model_says_whatever_the_draft(file_19, temperature):
    torch.manual_seed(0)
    table = torch.randn(3, 3)
    p = (table / temperature).softmax(-1)
    wanted = p[0][:, None] * p
    for guesses in (table + torch.randn(3, 3), -2 * table):
        found = torch.zeros(3, 3)
        for _ in range(4_000):
            *_, (ids, _, _) = file_19["speculate"](
                *(lambda ids, cache, t=t: t[ids] for t in (table, guesses)),
                *(torch.tensor([[0]]), 2, 1, temperature),
            )
            found[ids[0, 1], ids[0, 2]] += 1 / 4_000
        torch.testing.assert_close(found, wanted, atol=0.03, rtol=0)


def test_19_the_file_rounds_weights_as_the_package_does_and_leaves_norms(file_19):
    torch.manual_seed(0)
    model = file_19["Transformer"](V=13, C=32, H=4, G=2, M=64, L=1)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    for bits in (8, 4, 2):
        small = file_19["quantized"](model, bits).state_dict()
        for name, weight in before.items():
            assert torch.equal(model.state_dict()[name], weight)
            expected = quantize(weight, bits).weights() if weight.dim() == 2 else weight
            assert torch.equal(small[name], expected), name
    model.embedding.weight.data.zero_()
    assert not file_19["quantized"](model, 4).embedding.weight.any()


@torch.no_grad()
def test_17_the_file_asks_for_answers_adapts_and_prefers_as_the_package_does(files):
    file = defined(files[17])
    torch.manual_seed(0)
    talks = [([7, 3, 4], [5, 6]), ([7], [1, 2, 3])]
    marked = [(told + said, [False] * len(told) + [True] * len(said)) for told, said in talks]
    (ids, targets), own = answer_batch(marked), [file["lesson"](*talk) for talk in talks]
    assert own[0][1].tolist() == [-100, -100, 5, 6]
    assert [row.tolist() for row, _ in own] == [ids[0].tolist(), ids[1, :3].tolist()]
    assert [row.tolist() for _, row in own] == [targets[0].tolist(), targets[1, :3].tolist()]

    logits = torch.randn(2, 4, 9)
    found = file["ln_p"](lambda ids: logits, ids, targets)
    torch.testing.assert_close(found, answer_log_probability(logits, targets))
    mean = file["loss_of"](lambda ids: logits, ids, targets)
    torch.testing.assert_close(mean, -found.sum() / 5)
    pairs = torch.randn(4, 6)
    expected = dpo_loss(*pairs, 0.3).mean()
    torch.testing.assert_close(file["dpo_loss"](*pairs, 0.3), expected)

    ours, x = file["LowRank"](nn.Linear(6, 5, bias=False), 2), torch.randn(3, 6)
    assert torch.equal(ours(x), ours.linear(x))
    assert not ours.linear.weight.requires_grad
    nn.init.normal_(ours.B.weight)
    theirs = LowRank(ours.linear, 2, 4.0, torch.Generator())
    theirs.A.copy_(ours.A.weight)
    theirs.B.copy_(ours.B.weight)
    torch.testing.assert_close(ours(x), theirs(x))
