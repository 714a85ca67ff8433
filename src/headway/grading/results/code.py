"""Untrusted code as colored HTML, for feedback pages and the formgrader."""

from functools import lru_cache

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from headway.grading.execution.plain import shown

MOST_COLORED = 20_000  # characters of a cell; coloring longer ones takes too long
LIGHT, DARK = "xcode", "native"

_lexer, _formatter = PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)


@lru_cache(maxsize=256)  # a class shares most of its code
def colored(source: str) -> Markup:
    """Python as HTML, with the classes of Pygments; long code stays without colors."""
    is_short = len(source) <= MOST_COLORED
    html = highlight(source, _lexer, _formatter) if is_short else escape(shown(source))
    return Markup(f'<div class="highlight"><pre>{html}</pre></div>')


def colors() -> Markup:
    """The CSS of colored code, for light and dark pages."""
    light, dark = (HtmlFormatter(style=name, nobackground=True) for name in (LIGHT, DARK))
    dark_rules = dark.get_style_defs(".highlight")
    rules = f"{light.get_style_defs('.highlight')}\n@media (prefers-color-scheme: dark) "
    return Markup(f"{rules}{{\n{dark_rules}\n}}")
