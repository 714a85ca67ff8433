"""What style sheets say of the shapes of a drawing, written into the shapes themselves.

A file of its own, an EPUB's reader and a program that makes pixels know no custom properties, mix
no colors, and often read no style sheet at all. They all know attributes: `fill="#b84500"`.
"""

import re
from collections.abc import Iterator
from functools import cache

from headway.figures.core.styles import base_style, site_style

# What is said of shapes and of letters. The rest of a style sheet places the drawing on a page.
PRESENTATION = {
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"),
    *("stroke-dasharray", "stroke-opacity", "opacity", "font-size", "font-style", "font-weight"),
    *("letter-spacing", "text-anchor", "dominant-baseline", "paint-order", "visibility"),
    *("stroke-dashoffset", "stroke-miterlimit", "text-decoration"),
}
PROPERTY = re.compile(r"--([\w-]+)\s*:\s*([^;}]+)")
USE = re.compile(r"var\(--([\w-]+)(?:,\s*([^()]*))?\)")
MIX = re.compile(r"color-mix\(\s*in srgb,\s*(#\w{6})\s+([\d.]+)%,\s*(#\w{6})\s*\)")
PIXELS = re.compile(r"(?<=\d)px\b")


@cache
def named_colors(dark: bool = False) -> dict[str, str]:
    """The custom properties that the base sets, "hw-blue" and so on, on light or dark paper."""
    found: dict[str, str] = {}
    for prelude, declared in sheet_rules(base_style()):
        if ":root" in prelude or (dark and 'html[data-theme="dark"]' in prelude):
            found |= {name[2:]: value for name, value in declared.items() if name[:2] == "--"}
    return found


def write_out(tree, known: dict[str, str]) -> None:
    """Give all shapes below an lxml element the attributes that the site's style sheets ask for.

    Args:
        tree: HTML around drawings; the elements of SVG have no namespace.
        known: as from `named_colors`.

    Raises:
        ValueError: for a value that is not understood here.
    """
    said = declarations(tree)
    for drawing in list(tree.iter("svg")):
        write_below(drawing, said, inherited(drawing, said, known))


def inherited(drawing, said: dict, known: dict[str, str]) -> dict[str, str]:
    """The custom properties that hold where a drawing begins."""
    for outer in reversed(list(drawing.iterancestors())):
        known = with_own(outer, said, known)
    return known


def with_own(element, said: dict, known: dict[str, str]) -> dict[str, str]:
    """The custom properties that hold for an element, which is in what these hold for."""
    declared = said.get(element, {})
    own = {name[2:]: value for name, value in declared.items() if name.startswith("--")}
    own |= {name: value.strip() for name, value in PROPERTY.findall(element.get("style") or "")}
    return known | {name: resolved(value, known) for name, value in own.items()} if own else known


def write_below(element, said: dict, known: dict[str, str]) -> None:
    if not isinstance(element.tag, str):
        return  # a comment
    known = with_own(element, said, known)
    for name, value in said.get(element, {}).items():
        if name in PRESENTATION:
            plain = PIXELS.sub("", resolved(value, known))
            if "(" in plain:
                raise ValueError(f"<{element.tag}> has {name}: {value}, which is {plain} here")
            element.set(name, plain)
    for child in element:
        write_below(child, said, known)


def resolved(value: str, known: dict[str, str]) -> str:
    """A value with its properties replaced and its colors mixed."""
    before = None
    while before != value:
        before = value
        value = USE.sub(lambda use: known.get(use[1], use[2] or use[0]), value)
        value = MIX.sub(lambda mix: mixed(mix[1], mix[3], float(mix[2]) / 100), value)
    return value


def mixed(one: str, other: str, share: float) -> str:
    """Two colors as "#rrggbb", mixed: a share of the one, the rest of the other."""
    pairs = zip(parts(one), parts(other), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def parts(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def declarations(tree) -> dict:
    """For each element what the site's sheets say of it, where they speak of shapes."""
    found: dict = {}
    for find, declared in rules():
        for element in find(tree):
            found.setdefault(element, {}).update(declared)
    return found


@cache
def rules() -> list[tuple]:
    """The rules of the site's sheets as (finds their elements, what they say), the last wins."""
    import cssselect
    from lxml.etree import XPath

    found = []
    translator = cssselect.HTMLTranslator()
    for prelude, declared in sheet_rules(site_style()):
        if ":root" in prelude:
            continue  # the light colors, which `named_colors` has
        try:
            selectors = cssselect.parse(prelude)
            paths = [translator.selector_to_xpath(one, "descendant-or-self::") for one in selectors]
        except cssselect.SelectorError:
            continue  # of what a reader does: the state of a control
        for one, path in zip(selectors, paths, strict=True):
            found.append((one.specificity(), len(found), XPath(path), declared))
    return [(find, declared) for _, _, find, declared in sorted(found, key=lambda rule: rule[:2])]


def sheet_rules(style: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The selectors of a sheet's rules, each with what it says of shapes.

    Rules for some media or for narrow pages only are left out.
    """
    import tinycss2

    plain = {"skip_comments": True, "skip_whitespace": True}
    for rule in tinycss2.parse_stylesheet(style, **plain):
        if rule.type == "qualified-rule":
            declared = {
                one.name: tinycss2.serialize(one.value).strip()
                for one in tinycss2.parse_declaration_list(rule.content, **plain)
                if one.type == "declaration"
                and (one.name in PRESENTATION or one.name.startswith("--"))
            }
            if declared:
                yield tinycss2.serialize(rule.prelude).strip(), declared
