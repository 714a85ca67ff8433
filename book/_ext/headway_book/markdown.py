"""MyST Markdown turned into the plain Markdown that JupyterLab shows.

Directives become what a notebook has for them: folds become `<details>`, admonitions become
quotes, formulas stay formulas. Roles become text. What only a built page can show (the list of
references, the assignment's card) becomes a line that leads to the page.
"""

import re
from collections.abc import Callable
from html import escape

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

DIRECTIVE = re.compile(r"\{(?P<name>[\w:.-]+)\}\s*(?P<argument>.*)", re.S)
OPTIONS = re.compile(r"\A(?::[\w-]+:[^\n]*\n?)+|\A---\n.*?\n---\n", re.S)
# A code span is matched first and left alone, so that roles inside it stay as they are.
ROLE_OR_CODE = re.compile(
    r"\{(?P<role>[a-zA-Z][\w:.-]*)\}(?P<ticks>`+)(?P<text>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?P<code>`+)(?!`).+?(?<!`)(?P=code)(?!`)",
    re.S,
)
TITLE_AND_TARGET = re.compile(r"(?P<title>.*?)\s*<(?P<target>[^<>]*)>", re.S)
LABEL_OR_COMMENT = re.compile(r"^(\([\w:.-]+\)=|%.*)[ \t]*\n?", re.M)
ON_PAGE = re.compile(r"\[([^\]]*)\]\((#[\w-]+)\)")
PAGE_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<page>[\w./-]+)\.md(?P<anchor>#[\w-]+)?\)")

ADMONITIONS = {"admonition", "attention", "caution", "danger", "error", "hint", "important"}
ADMONITIONS |= {"note", "seealso", "tip", "warning", "margin", "sidebar"}

# Gives the text for a role: its name, its target, and the title that the author wrote, or "".
RoleText = Callable[[str, str, str], str]


def plain_markdown(source: str, page_url: str, role_text: RoleText, titles: dict[str, str]) -> str:
    """Markdown of one cell without MyST's own syntax.

    Args:
        source: the cell's MyST Markdown.
        page_url: public address of the page, for what only the page can show; "" if it has none.
        role_text: gives the text of a role.
        titles: titles of pages by file name without suffix, for links without a text.
    """
    parser = MarkdownIt("commonmark").use(colon_fence_plugin)
    lines = source.splitlines()
    out, done = [], 0
    for token in parser.parse(source):
        if token.type in ("fence", "colon_fence") and token.level == 0:
            match = DIRECTIVE.fullmatch(token.info.strip())
            if match or token.type == "colon_fence":
                start, end = token.map
                out.append(plain_text("\n".join(lines[done:start]), page_url, role_text, titles))
                name, argument = (match["name"], match["argument"]) if match else ("", "")
                inner = OPTIONS.sub("", token.content).strip("\n")
                if name not in VERBATIM:
                    inner = plain_markdown(inner, page_url, role_text, titles)
                    argument = plain_text(argument, page_url, role_text, titles)
                out.append(directive(name, argument, inner, page_url))
                done = end
    out.append(plain_text("\n".join(lines[done:]), page_url, role_text, titles))
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(part.strip("\n") for part in out)).strip("\n")


VERBATIM = {"math", "code-block", "code"}


def directive(name: str, argument: str, inner: str, page_url: str) -> str:
    """What a notebook shows for a directive."""
    match name:
        case "predict":
            question = f"<b>Predict first:</b> {inline_html(argument)}"
            return f"<details><summary>{question}</summary>\n\n{inner}\n\n</details>"
        case "math":
            return f"$$\n{argument}{inner}\n$$"
        case "code-block" | "code":
            return f"```{argument}\n{inner}\n```"
        case "assignment":
            return (
                f"{inner}\n\nThe tasks and the notebook: {led('on the chapter’s page', page_url)}."
            )
        case "machine":
            return f"{inner}\n\nThe drawing: {led('on the chapter’s page', page_url)}."
        case "side-road":
            return f"*Side road:* {inner}"
        case "elsewhere":
            return f"**What you may read elsewhere**\n\n{inner}"
        case "bibliography" | "glossary":
            return f"See {led('the page in the book', page_url)}."
    if name in ADMONITIONS:
        title = argument or name.capitalize()
        quoted = "\n".join(f"> {line}".rstrip() for line in inner.splitlines())
        return f"> **{title}**\n>\n{quoted}"
    return f"{argument}\n\n{inner}"


def inline_html(markdown: str) -> str:
    """One line of Markdown as HTML, for places where Markdown is not read; formulas keep their
    dollar signs, which is what JupyterLab looks for."""
    parser = MarkdownIt("commonmark").use(
        dollarmath_plugin, renderer=lambda formula, _: f"${escape(formula)}$"
    )
    return parser.renderInline(markdown)


def plain_text(source: str, page_url: str, role_text: RoleText, titles: dict[str, str]) -> str:
    """Text between directives: roles as text, labels and comments dropped, links absolute."""

    def replace(match: re.Match) -> str:
        if match["code"]:
            return match[0]
        given = TITLE_AND_TARGET.fullmatch(match["text"])
        target = given["target"] if given else match["text"]
        return role_text(match["role"], target, given["title"] if given else "")

    def link(match: re.Match) -> str:
        name = match["page"].rsplit("/", 1)[-1]
        folder = page_url.rpartition("/")[0]
        page = f"{folder}/{match['page']}.html{match['anchor'] or ''}" if folder else ""
        return led(match["text"] or titles.get(name, name), page)

    plain = LABEL_OR_COMMENT.sub("", ROLE_OR_CODE.sub(replace, source))
    linked = PAGE_LINK.sub(link, plain)
    return ON_PAGE.sub(lambda at: led(at[1], page_url and page_url + at[2]), linked)


def led(text: str, address: str) -> str:
    """A link; only its text, if there is no address to lead to."""
    return f"[{text}]({address})" if address else text
