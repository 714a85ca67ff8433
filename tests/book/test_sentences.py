"""A page's source has one sentence a line, so that a diff shows which sentences have changed."""

import re
from itertools import zip_longest
from textwrap import dedent

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

PARSER = (
    MarkdownIt("commonmark")
    .enable("table")
    .use(front_matter_plugin)
    .use(myst_block_plugin)
    .use(dollarmath_plugin)
    .use(colon_fence_plugin)
)
OPTION = re.compile(r"^:[\w-]+:.*$", re.MULTILINE)
TERM = re.compile(r"^\S.*$", re.MULTILINE)
# A dot in code, in a formula or in a link's address ends no sentence, nor does a head in bold.
CLOSED = re.compile(r"(`+).+?\1|\$[^$]+\$|\]\([^)]*\)|^\*\*[^*]+\*\*")
# Nor does the dot of an initial or of an abbreviation.
SHORT = ("[A-Z]", "e[.]g", "i[.]e", "al", "cf", "vs", "Dr", "Eq", "Fig", "p", "pp")
NOT_SHORT = "".join(rf"(?<!\b{short})" for short in SHORT)
END = r"[.?!][\"”’)\]*_]*"
TWO_SENTENCES = re.compile(rf"{NOT_SHORT}{END}(?= +[^\sa-z–—…])")
WHOLE = re.compile(rf"({END}|<br>|\\|  )$")


def paragraphs(source: str, line: int = 1):
    """The prose of a page, paragraph by paragraph: the number of its first line, and its lines.

    Headings, tables and code are left out; what stands in a `:::` directive is read like a page.
    """
    tokens = PARSER.parse(source)
    for token, inside in zip_longest(tokens, tokens[1:]):
        if token.type == "paragraph_open":
            yield line + token.map[0], inside.content.split("\n")
        elif token.type == "colon_fence":
            body = OPTION.sub("", token.content)
            if token.info.strip() == "{glossary}":
                body = dedent(TERM.sub("", body))
            yield from paragraphs(body, line + token.map[0] + 1)


def faults(source: str):
    """What breaks the rule: the number of the line, and what to do about it."""
    for first, lines in paragraphs(source):
        for number, line in enumerate(lines, first):
            open_text = CLOSED.sub(lambda closed: "x" * len(closed[0]), line)
            if two := TWO_SENTENCES.search(open_text):
                yield number, f'begin a new line after "{line[: two.end()][-30:]}"'
            if number < first + len(lines) - 1 and not WHOLE.search(open_text):
                yield number, f'join the next line to "{line[-30:]}", in the middle of a sentence'


def test_each_sentence_of_a_page_has_a_line_of_its_own(root):
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted(root.glob("book/*.md"))]
    found = [
        f"{page.relative_to(root)}:{number}: {what}"
        for page in pages
        for number, what in faults(page.read_text(encoding="utf-8"))
    ]
    assert not found, "One sentence a line:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("One.\nTwo, by A. A. Markov (Fig. 3).", []),
        ("**Head.** One `a. B` and $c. D$.", []),
        ("Is it? (Yes.) It is.", [1]),
        ("Half of\na sentence.", [1]),
        ("```python\nOne. Two.\n```\n\n$$\nA. B\n$$", []),
        (":::{predict} One? Two?\nOne.\nTwo. Three.\n:::", [3]),
    ],
)
def test_the_rule_finds_lines_of_two_sentences_and_of_none(source, lines):
    assert [number for number, _ in faults(source)] == lines
