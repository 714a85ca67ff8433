"""What `headway generate` wrote, and what it took."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

GB = 1e9


@dataclass
class Report:
    """What was written and what it took; seconds are measured, bytes counted where not said.

    The text is the prompt and its continuation, or of a chat the answer alone.
    """

    text: str
    prompt_tokens: int
    new_tokens: int = 0
    ended: bool = False
    parameters: int = 0
    dtype: str = ""
    device: str = ""
    loading_seconds: float = 0.0
    prompt_seconds: float = 0.0
    writing_seconds: float = 0.0
    weight_bytes: int = 0
    cache_bytes: int = 0
    measured_bytes: int = 0

    @property
    def tokens_per_second(self) -> float:
        """Of the steps after the prompt; 0 if there was none."""
        steps = self.new_tokens - 1
        return steps / self.writing_seconds if steps > 0 and self.writing_seconds else 0.0


def recorded(pieces: Iterable[str], report: Report) -> Iterator[str]:
    """The pieces of a text as they come, written into the report."""
    for piece in pieces:
        report.text += piece
        yield piece


def sentence(report: Report) -> str:
    """What it took, in three lines."""
    end = "it ended its text" if report.ended else "it was stopped there"
    speed = (
        f"{report.tokens_per_second:.1f} tokens a second" if report.new_tokens > 1 else "one token"
    )
    return (
        f"{report.parameters / 1e6:,.1f} million parameters in {report.dtype} on {report.device}, "
        f"read in {report.loading_seconds:.1f} s.\n"
        f"{report.prompt_tokens} tokens of prompt in {report.prompt_seconds:.2f} s, then "
        f"{report.new_tokens} new in {report.writing_seconds:.2f} s: {speed}; {end}.\n"
        f"Weights {report.weight_bytes / GB:.3f} GB, cache {report.cache_bytes / GB:.3f} GB; "
        f"measured {report.measured_bytes / GB:.3f} GB."
    )
