"""Formulas as MathML, which readers show without scripts and without a network."""

import re
from html import escape

from latex2mathml.converter import convert
from lxml import html
from lxml.html import HtmlElement

from headway.editions.trees import element, replace

MATHML = "http://www.w3.org/1998/Math/MathML"
# Formulas of several lines, which latex2mathml sets in one line; Sphinx puts `split` around others.
LINES = re.compile(r"\\begin\{(split|aligned|gathered)\}(.*)\\end\{\1\}", re.DOTALL)
BREAKS = re.compile(r"(\\begin\{|\\end\{|\\\\|&)")
# It makes an operator of it, with a space behind it, and knows none with limits below.
OPERATOR = re.compile(r"\\operatorname\{")
LIMITS = re.compile(r"\\operatorname\*\{([^{}]*)\}_\{((?:[^{}]|\{[^{}]*\})*)\}")
STICKS = re.compile(r"[.,;:!?)\]”’…%-]+")


def tex_of(formula: HtmlElement) -> tuple[str, bool]:
    r"""The TeX of a formula, and whether it stands alone: from `\(x\)` or `\[x\]`."""
    marked = formula.text_content().strip()
    return marked[2:-2].strip(), marked.startswith(r"\[")


def mathml(tex: str, alone: bool) -> str:
    """A formula as MathML, with its TeX for readers that know none."""
    kind = "block" if alone else "inline"
    found = LINES.fullmatch(tex)
    while found and len(rows := split_rows(found[2])) == len(rows[0]) == 1:
        tex = rows[0][0]
        found = LINES.fullmatch(tex)
    inner = table(rows, found[1]) if found else converted(tex, kind)
    opening = f'<math xmlns="{MATHML}" display="{kind}" alttext="{escape(" ".join(tex.split()))}">'
    return f"{opening}{inner}</math>"


def converted(tex: str, kind: str) -> str:
    """What stands between `<math>` and `</math>`."""
    if not tex:
        return ""
    plain = LIMITS.sub(r"\\underset{\2}{\\mathrm{\1}}", tex)
    made = convert(OPERATOR.sub(r"\\mathrm{", plain), display=kind)
    return made[made.index(">") + 1 : made.rindex("</math>")]


def table(rows: list[list[str]], environment: str) -> str:
    """Lines below each other; those of `aligned` meet at the sign."""
    align = "center" if environment == "gathered" else "right left"
    cells = [[f"<mtd>{converted(cell, 'block')}</mtd>" for cell in row] for row in rows]
    body = "".join(f"<mtr>{''.join(row)}</mtr>" for row in cells)
    return f'<mtable displaystyle="true" columnalign="{align}">{body}</mtable>'


def split_rows(tex: str) -> list[list[str]]:
    r"""The cells of an environment's rows, cut at its own `\\` and `&`, at none inside of it."""
    rows, depth = [[""]], 0
    for piece in BREAKS.split(tex):
        depth += (piece == r"\begin{") - (piece == r"\end{")
        if depth == 0 and piece == r"\\":
            rows.append([""])
        elif depth == 0 and piece == "&":
            rows[-1].append("")
        else:
            rows[-1][-1] += piece
    return [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]


def set_formulas(page: HtmlElement) -> None:
    """Put MathML in the place of each formula of a page."""
    for formula in list(page.find_class("math")):
        made = html.fragment_fromstring(mathml(*tex_of(formula)))
        replace(formula, element(formula.tag, "", made, class_="math"))


def keep_together(page: HtmlElement) -> None:
    """Keep the full stop or bracket behind a formula in the formula's line."""
    for formula in list(page.find_class("math")):
        sticks = STICKS.match(formula.tail or "")
        if formula.tag == "span" and sticks:
            rest = formula.tail[sticks.end() :]
            formula.tail = None
            both = element("span", class_="hw-nowrap")
            formula.getparent().replace(formula, both)
            both.append(formula)
            formula.tail, both.tail = sticks[0], rest
