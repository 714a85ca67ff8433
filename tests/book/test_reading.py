"""How long pages take to read: computed from what is on them, and said on each of them."""

import re

import pytest

from headway.chapters import CHAPTERS

PAGE = """---
kernelspec: {name: python3}
---
# Title

WORDS

```{code-cell}
:tags: [hide-input]

from headway.figures.core.plot import Plot
from headway.figures.parts.table import table
from headway.text.vocabulary import one_hot
```

```{code-cell}
:tags: [hide-input]

def draw(ax):
    ax.plot([0, 1])


Plot(draw, title="Up", alt="A line.")
```

```{code-cell}
x = 1

y = 2
one_hot(x, 3)
```

```{code-cell}
:tags: [hide-input]

table(["x"], [[x]], caption="A number")
```

:::{predict} How much?
Two.
:::
"""


@pytest.fixture
def reading():
    from headway_book import reading

    return reading


def test_prose_code_figures_tables_and_predictions_take_their_minutes(reading):
    page = PAGE.replace("WORDS", "word " * (400 - 7))  # "# Title" and the question are seven more
    assert reading.reading_minutes(page) == pytest.approx(400 / 200 + 3 / 5 + 3 + 1 + 1)
    unfolded = page.replace(":tags: [hide-input]\n", "")
    more = reading.reading_minutes(unfolded) - reading.reading_minutes(page)
    assert more == pytest.approx(7 / reading.LINES_A_MINUTE)
    folded = page.replace(":tags: [hide-input]", ":tags: [file, fold]")
    assert reading.reading_minutes(folded) == reading.reading_minutes(page)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (2, "5 minutes"),
        (33, "35 minutes"),
        (58, "an hour"),
        (85, "an hour and a half"),
        (112, "an hour and three quarters"),
        (113, "2 hours"),
        (262, "4.5 hours"),
    ],
)
def test_durations_are_said_as_one_says_them(reading, minutes, words):
    assert reading.in_words(minutes) == words


def test_several_pages_are_added_up(reading, root):
    names = [chapter.name for chapter in CHAPTERS[:2]]
    pages = [(root / "book" / f"{name}.md").read_text(encoding="utf-8") for name in names]
    both = reading.in_words(sum(map(reading.reading_minutes, pages)))
    assert reading.reading_time(root / "book", ", ".join(names)) == both


@pytest.mark.parametrize("name", ["tensors", *(chapter.name for chapter in CHAPTERS)])
def test_each_page_says_its_own_computed_time(root, name):
    page = (root / "book" / f"{name}.md").read_text(encoding="utf-8")
    assert re.findall(r"^Reading takes about (\{[\w-]+\}`[^`]*`)", page, re.M) == [
        f"{{reading-time}}`{name}`"
    ]
