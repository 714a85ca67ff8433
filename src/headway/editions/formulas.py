"""Formulas: pages have them as HTML and as MathML, which holds their TeX (headway_book.formulas).

Readers of books show MathML without scripts and without a network; a table of contents has text.
"""

import re
from copy import deepcopy

from lxml.html import HtmlElement

from headway.editions.trees import element, remove

STICKS = re.compile(r"[.,;:!?)\]”’…%-]+")
LOW = str.maketrans("0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
HIGH = str.maketrans("0123456789+−=()nit", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵗ")


def set_formulas(page: HtmlElement) -> None:
    """Leave MathML of each formula of a page, with its TeX for readers that know none."""
    for formula in page.find_class("math"):
        (made,) = formula.iter("math")
        made.set("alttext", " ".join(tex_of(formula).split()))
        remove(*made.iter("annotation"))
        for around in list(made.iter("semantics")):
            around.drop_tag()
        for child in list(formula):
            formula.remove(child)
        formula.append(made)


def tex_of(formula: HtmlElement) -> str:
    """The TeX that a formula was made from."""
    return next(formula.iter("annotation")).text_content()


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


def words_of(tree: HtmlElement) -> str:
    """The text of a heading, with formulas in line."""
    own = deepcopy(tree)
    own.tail = None
    for formula in list(own.find_class("math")):
        text = element("span", in_line(formula))
        text.tail, formula.tail = formula.tail, None
        formula.getparent().replace(formula, text)
    return " ".join(own.text_content().split())


def in_line(formula: HtmlElement) -> str:
    """A formula as a line of text: √D, xᵢ, a/b."""
    return "".join(map(said, formula.iter("math")))


def said(part: HtmlElement) -> str:
    """What a part of MathML says in a line."""
    if part.tag == "annotation":
        return ""
    own = [said(child) for child in part]
    if part.tag == "msqrt":
        inner = "".join(own)
        return f"√{inner}" if len(inner) == 1 else f"√({inner})"
    if part.tag == "mfrac":
        return "/".join(own)
    if part.tag in ("msub", "munder"):
        return own[0] + script(own[1], LOW, "_")
    if part.tag in ("msup", "mover"):
        return own[0] + script(own[1], HIGH, "^")
    return (part.text or "").strip() + "".join(own)


def script(text: str, letters: dict[int, int], sign: str) -> str:
    """A text as small letters, or behind a sign where it has some that are not there in small."""
    return text.translate(letters) if all(ord(c) in letters for c in text) else sign + text
