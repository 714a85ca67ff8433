"""Words of strangers as cells of a spreadsheet."""

from headway.grading.words import visible

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def no_formula(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would compute it.

    What is not seen, such as a control character, is shown by its number.
    """
    return f"'{visible(text)}" if text.startswith(FORMULA) else visible(text)
