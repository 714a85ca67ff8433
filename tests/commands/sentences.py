"""What every command does with bad input."""


def assert_sentence(result, *parts: str, code: int = 2):
    """The command ended with a sentence on standard error and no traceback."""
    assert result.code == code
    assert "Traceback" not in result.err
    assert result.err.strip().endswith((".", ")", ']"', "--help", "headway release"))
    for part in parts:
        assert part in result.err
