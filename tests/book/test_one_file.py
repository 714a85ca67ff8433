"""The file that grows from page to page: how it is put together, and what its cells may hold."""

import ast
import math
import re
import subprocess
import sys
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
from headway.models.one_file import language_model_of
from headway.ngram.discounting import DiscountedChain
from headway.ngram.markov import MarkovChain
from headway.nn.attention import attend
from headway.nn.masks import causal_mask
from headway.text.vocabulary import Vocabulary

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


def run(text, folder):
    (folder / "transformer.py").write_text(text)
    command = [sys.executable, "-I", "transformer.py"]
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
    above, *below = cell[0].children
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
    assert changed_lines(cells_of(PAGE)[0], before) == []


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
    2: ("order 1: perplexity ", "order 2: perplexity ", "order 3: perplexity "),
    8: (
        "the flower in a pot smells: great",
        "the pot in a flower smells: musty",
        "144 of 144 new sentences are right",
    ),
    11: ("step 1: loss 3.", ", held out 3.", "\ncat ", "\nsmiling face with "),
    14: (
        "greedy: J'aime apprendre les langues\n",
        "4 beams: J'adore apprendre les langues\n",
        "drawn: ",
        "drawn, p = 0.9: ",
    ),
    15: ("without the cache: ", "with the cache: ", "the same text: True"),
}  # what each chapter's state prints


SPEED = re.compile(r"[\d.]+ (?=tokens a second)")  # differs from run to run
MOST_LINES = 400


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
    assert max(len(text.splitlines()) for text in files.values()) <= MOST_LINES


@pytest.mark.parametrize("number", STATES)
def test_each_state_runs_by_itself_does_what_its_chapter_promises_and_again_the_same(
    files, number, tmp_path, monkeypatch
):
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
    path = tmp_path / "transformer.py"
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    command = [sys.executable, "-P", "-s", path.name]  # unlike -I, heeds the seed
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert SPEED.sub("", again.stdout) == SPEED.sub("", said)


def test_02_the_file_counts_writes_and_measures_as_the_package_does(files):
    file = {"__name__": "transformer"}
    exec(files[2], file)
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
    file = {"__name__": "transformer"}
    exec(files[8], file)
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


@pytest.fixture
def file_14(files):
    """What the file defines after chapter 14, by name."""
    names = {"__name__": "transformer"}
    exec(files[14], names)
    return names


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
    names = {"__name__": "transformer"}
    exec(files[15], names)
    return names


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
