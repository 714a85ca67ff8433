"""Starting quickly: what need not be imported."""

import sys


def skip_slow_imports() -> None:
    """Spare this process what jsonschema would import and notebooks never need.

    To check addresses with letters of all scripts, jsonschema builds a parser when it is imported,
    which takes longer than all else together, and for spans of time it loads the calendars of all
    languages. Where these are not there, such formats go unchecked. Notebooks have none.
    """
    for name in ("rfc3987_syntax", "isoduration"):
        sys.modules.setdefault(name, None)
