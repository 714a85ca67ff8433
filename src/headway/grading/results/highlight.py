"""Code of strangers as colored HTML, for a page of feedback or of the formgrader."""

from collections.abc import Mapping
from functools import lru_cache

from nbconvert.filters.highlight import Highlight2HTML

PYTHON = "ipython3"
REMEMBERED_LENGTH = 20_000

colored = Highlight2HTML(pygments_lexer=PYTHON)
_remembered = lru_cache(maxsize=256)(colored)  # a class shares most of its code


def language_of(metadata: Mapping | None) -> str:
    """The language of a cell's code; nbconvert notes another one than Python."""
    return (metadata or {}).get("magics_language", PYTHON)


def highlight_filter(source: str, metadata: Mapping | None = None) -> str:
    """Code of a cell as colored HTML. In the place of nbconvert's `highlight_code`."""
    kept = len(source) <= REMEMBERED_LENGTH
    return (_remembered if kept else colored)(source, language_of(metadata))
