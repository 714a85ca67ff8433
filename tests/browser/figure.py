"""An interactive figure on a page, as the tests of the chapters' figures look at it."""

import json
import re

from playwright.sync_api import Locator, Page


def figure_of(page: Page, name: str, which: int = 0) -> tuple[Locator, dict]:
    """The figure of this name, scrolled to, and the data that it was given."""
    figure = page.locator(f"[data-headway-figure={name}]").nth(which)
    figure.scroll_into_view_if_needed()
    data = figure.locator("script[type='application/json']").text_content()
    return figure, json.loads(data)


def number(text: str) -> float:
    """A number as it is printed: with a minus sign, and commas between thousands."""
    return float(text.replace("−", "-").replace(",", ""))


def numbers(text: str) -> list[float]:
    """The numbers in a text."""
    return [number(found) for found in re.findall(r"[−-]?\d+(?:\.\d+)?", text)]


def sums(figure: Locator) -> list[float]:
    """The first number in each cell of a table's foot."""
    return [numbers(text)[0] for text in figure.locator("tfoot td").all_text_contents()]
