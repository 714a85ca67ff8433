"""Markdown of an assignment as HTML, with formulas as MathML, which browsers draw themselves."""

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath


class MathMLRenderer(IPythonRenderer):
    """nbconvert's HTML renderer, but formulas become MathML, so no script is needed."""

    def __init__(self):
        super().__init__(escape=False, exclude_anchor_links=True)

    def inline_math(self, body: str) -> str:
        return convert(body)

    def block_math(self, body: str) -> str:
        return convert(body, display="block")

    def latex_environment(self, name: str, body: str) -> str:
        return convert(rf"\begin{{{name}}}{body}\end{{{name}}}", display="block")


def markdown_to_html(source: str) -> str:
    """Markdown as HTML. The source must be the instructor's: HTML in it is not escaped."""
    return MarkdownWithMath(renderer=MathMLRenderer()).render(source)
