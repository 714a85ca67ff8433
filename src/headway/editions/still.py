"""A page without what moves, unfolds or asks.

Interactive figures become their static pictures, folds open, and code that is folded on the site
(it only formats) is left out, as when a browser prints a page. How a claim was tested is left to
the page on all claims.
"""

from lxml.html import HtmlElement

from headway.editions.trees import element, is_empty, of_class, remove, rename

LEFT_OUT = (
    "headerlink",
    "hw-stage",
    "hw-numbers",
    "hw-dark",
    "hw-guess",
    "hw-editions",
    "hw-scene-links",
    "hw-ticks",
)
ON_THE_SITE = "On the site: "
CONTROLS = ("tabindex", "aria-pressed")


def make_still(page: HtmlElement, with_tests: bool = False) -> None:
    """Change a page in place.

    Args:
        with_tests: whether it says how each claim was tested.
    """
    for figure in page.xpath(".//figure[@data-headway-figure]"):
        say_where(figure)
    remove(*page.xpath(".//script | .//style"), *of_class(page, *LEFT_OUT))
    if not with_tests:
        remove(*of_class(page, "hw-tests"))
    remove(*page.xpath(".//details[contains(@class, 'hide')]"))
    for cell in of_class(page, "cell"):
        if is_empty(cell):
            remove(cell)
    for fold in page.xpath(".//details"):
        unfold(fold)
    for alone in page.xpath(".//*[self::td or self::th]/p[not(../*[2])]"):
        alone.drop_tag()  # a paragraph in a cell widens it in some readers, and nothing else
    for caption in page.xpath(".//figure/figcaption"):
        caption.getparent().append(caption)  # it stands last, also where a fold was below it
    for name in CONTROLS:
        for control in page.xpath(f".//*[@{name}]"):
            del control.attrib[name]
    for region in of_class(page, "hw-scroll"):
        rename(region, "div")


def say_where(figure: HtmlElement) -> None:
    """The caption of an interactive figure says what to try, so it also says where."""
    caption = figure.find("figcaption")
    if caption is not None:
        label = element("span", ON_THE_SITE, class_="hw-online")
        label.tail, caption.text = caption.text, None
        caption.insert(0, label)


def unfold(fold: HtmlElement) -> None:
    """A fold with its summary as a line in bold."""
    summary = fold.find("summary")
    if summary is not None:
        rename(summary, "p", "hw-summary")
    rename(fold, "div")
