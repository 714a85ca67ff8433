"""An interactive figure on a page, as the tests of the chapters' figures look at it."""

import json
import re

from playwright.sync_api import Locator, Page, expect

# A figure's script mounts its figures; once more, it mounts them as they were at first.
MOUNT_ANEW = """(name) => new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = document.querySelector(`script[src*='headway/${name}.js']`).src;
  Object.assign(script, { onload: done, onerror: failed });
  document.head.append(script);
}).then(() => 1)"""
# What was set before is not in the address, and will not come into it.
FORGET = """document.querySelectorAll(".hw-copy-link").forEach((link) => link.remove());
history.replaceState(null, "", location.pathname);"""
# Where scrolling is smooth, the next step of a test would begin while the page still moves.
AT_ONCE = "(figure) => figure.scrollIntoView({ block: 'center', behavior: 'instant' })"
OPEN_SIDE_ROADS = """document.querySelectorAll("details.hw-side-road")
  .forEach((fold) => (fold.open = true))"""
# An open answer uncovers the output that shows it.
OPEN_ANSWERS = """document.querySelectorAll("details.hw-predict")
  .forEach((fold) => (fold.open = true))"""

REACHING_OUT = """(drawing, parts) => {
  const frame = drawing.getBoundingClientRect();
  return [...drawing.querySelectorAll(parts)].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((part) => part.outerHTML);
}"""

# Texts of a drawing that reach over its edge, over the box in whose middle they are, or into one
# another. What a text takes up is less high than its line.
CROWDED = """(drawing) => {
  const fits = (inner, outer) => inner.left > outer.left - 1 && inner.right < outer.right + 1
    && inner.top > outer.top - 1 && inner.bottom < outer.bottom + 1;
  const around = (box, x, y) => box.left < x && x < box.right && box.top < y && y < box.bottom;
  const boxes = [...drawing.querySelectorAll(".hw-box, .hw-cell")]
    .map((box) => box.getBoundingClientRect());
  const texts = [...drawing.querySelectorAll("text")]
    .filter((text) => !text.closest("[opacity='0']"))
    .map((text) => {
      const { left, right, top, bottom, height } = text.getBoundingClientRect();
      const seen = { left, right, top: top + 0.2 * height, bottom: bottom - 0.2 * height };
      return { ...seen, said: text.textContent };
    });
  const frame = drawing.getBoundingClientRect();
  const found = [];
  for (const [i, text] of texts.entries()) {
    const x = (text.left + text.right) / 2, y = (text.top + text.bottom) / 2;
    if (!fits(text, frame)) found.push(`${text.said}: over the edge`);
    for (const box of boxes)
      if (around(box, x, y) && !fits(text, box)) found.push(`${text.said}: over its box`);
    for (const other of texts.slice(i + 1))
      if (Math.min(text.right, other.right) - Math.max(text.left, other.left) > 1
        && Math.min(text.bottom, other.bottom) - Math.max(text.top, other.top) > 1)
        found.push(`${text.said}: over ${other.said}`);
  }
  return found;
}"""
# How large the letters of a drawing are on the screen, in pixels.
LETTERS = """(drawing) => [...drawing.querySelectorAll("text")].map((text) =>
  parseFloat(getComputedStyle(text).fontSize) * drawing.getScreenCTM().a)"""


def figure_of(page: Page, name: str, which: int = 0) -> tuple[Locator, dict]:
    """The figure of this name, in its first state and scrolled to, and the data it was given."""
    page.mouse.move(0, 0)  # where it hovers over nothing
    page.evaluate(OPEN_SIDE_ROADS)
    page.evaluate(OPEN_ANSWERS)
    page.evaluate(FORGET)
    page.evaluate(MOUNT_ANEW, name)
    figure = page.locator(f"[data-headway-figure={name}]").nth(which)
    figure.evaluate(AT_ONCE)
    data = figure.locator("script[type='application/json']").text_content()
    return figure, json.loads(data)


def drag(figure: Locator, handle: Locator, right: float, down: float = 0) -> None:
    """Take hold of a part of a figure by its middle, and move it by so many pixels."""
    mouse, box = figure.page.mouse, handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + right, y + down, steps=5)
    mouse.up()
    mouse.move(x - right, y - down)  # it was let go, and stays


def announced(figure: Locator) -> str:
    """What the figure tells screen readers, as soon as it tells something."""
    region = figure.get_by_role("status")
    figure.page.wait_for_function("(node) => node.textContent", arg=region.element_handle())
    return region.text_content()


def expect_announced(figure: Locator, text: str) -> None:
    """Wait until the figure tells screen readers something with this text, after other things."""
    expect(figure.get_by_role("status")).to_contain_text(text)


def number(text: str) -> float:
    """A number as it is printed: with a minus sign, and commas between thousands."""
    return float(text.replace("−", "-").replace(",", ""))


def numbers(text: str) -> list[float]:
    """The numbers in a text."""
    return [number(found) for found in re.findall(r"[−-]?\d+(?:\.\d+)?", text)]


def amounts(parts: Locator) -> list[float]:
    """The first number in each of some parts; what is too small to be shown is nothing."""
    texts = parts.all_text_contents()
    return [0.0 if text.startswith("<") else numbers(text)[0] for text in texts]


def readings(figure: Locator) -> dict[str, str]:
    """What a figure's list of numbers says, by their names."""
    said = "(all) => all.map((one) => [one.dataset.reading, one.textContent])"
    return dict(figure.locator("dd[data-reading]").evaluate_all(said))


def reaching_out(drawing: Locator, parts: str = "text, path, circle") -> list[str]:
    """What of a drawing reaches over its frame."""
    return drawing.evaluate(REACHING_OUT, parts)


def crowded(drawing: Locator) -> list[str]:
    """What is written in a drawing where something else is, or nothing should be."""
    return drawing.evaluate(CROWDED)


def letters(drawing: Locator) -> list[float]:
    """How large each text of a drawing is on the screen, in pixels."""
    return drawing.evaluate(LETTERS)
