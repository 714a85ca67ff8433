"""Starting quickly: what need not be imported."""

import sys


def skip_slow_imports() -> None:
    """Spare this process what jsonschema would import and notebooks never need.

    To check addresses with letters of all scripts, jsonschema builds a parser when it is imported,
    which takes longer than all else together; where it is not there, such formats go unchecked.
    Notebooks have none.
    """
    sys.modules.setdefault("rfc3987_syntax", None)
