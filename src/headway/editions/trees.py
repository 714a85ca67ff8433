"""Small changes to a tree."""

from collections.abc import Iterator

from lxml import html
from lxml.html import HtmlElement

CONTENT = ("img", "svg", "hr")


def element(tag: str, text: str = "", /, *children: HtmlElement, **attributes: str) -> HtmlElement:
    """An element; `class_` is its class, and underscores in other names are hyphens."""
    made = html.Element(
        tag, {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    )
    made.text = text or None
    made.extend(children)
    return made


def of_class(tree: HtmlElement, *names: str) -> Iterator[HtmlElement]:
    """Elements with one of these classes, in a list of their own, so that they can be removed."""
    for name in names:
        yield from list(tree.find_class(name))


def remove(*elements: HtmlElement) -> None:
    """Take elements out, and leave the text behind them."""
    for one in elements:
        if one.getparent() is not None:
            one.drop_tree()


def rename(old: HtmlElement, tag: str, class_: str = "") -> None:
    """Give an element another name, and no attributes but its id and a class."""
    kept = {"id": old.get("id"), "class": class_ or old.get("class")}
    old.attrib.clear()
    old.attrib.update({key: value for key, value in kept.items() if value})
    old.tag = tag


def is_empty(tree: HtmlElement) -> bool:
    """Whether an element shows nothing."""
    return (
        not tree.text_content().strip()
        and tree.find(".//*[@src]") is None
        and not any(tree.find(f".//{name}") is not None for name in CONTENT)
    )
