"""The file that grows from page to page: how it is put together, and what its cells may hold."""

import subprocess
import sys

import pytest
from headway_book.one_file import Cell, FileError, State, cells_of, changed_lines, states

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
    assert "from collections import Counter, defaultdict\nimport random\n" in text
    assert text.index("def count(") < text.index("def last(") < text.index("if __name__")
    assert "# What was typed." in found[1].text(1, "A")
    assert "REQUESTS" not in text


def test_it_says_what_it_needs():
    assert "NumPy and PyTorch" in state_of("import torch").text(1, "A")
    assert "PyTorch" not in state_of("import numpy").text(1, "A")


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
