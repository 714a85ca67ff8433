"""What a spreadsheet would take for a formula, and text that it does not."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def no_formula(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would compute it."""
    return f"'{text}" if text.startswith(FORMULA) else text
