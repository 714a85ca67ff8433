"""Avoid slow imports that are not needed."""

import sys


def skip_slow_imports() -> None:
    """Hide slow libraries from jsonschema that notebooks never need.

    To check international URLs, jsonschema builds a parser on import, which takes longer than all
    other imports together. For durations, it loads the calendars of all languages. Without these
    libraries jsonschema does not check such formats, which notebooks do not have.
    """
    for name in ("rfc3987_syntax", "isoduration"):
        sys.modules.setdefault(name, None)
