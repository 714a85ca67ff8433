"""What is explored: a language model, with what turns a text into its ids and an id into a sign."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from headway.explore.recorded import writer_of
from headway.explore.signs import printed
from headway.inference.cost import cache_bytes, decoder_parameters
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.training.runs import kept_run

LONGEST = 400  # tokens of a text: a pattern of attention has as many rows and columns
END = "<end>"


@dataclass(frozen=True)
class Subject:
    """A model that is explored.

    Attributes:
        name: as the page calls it.
        model: in evaluation mode; its context may be shorter than the published one.
        sizes: as published.
        encode: the T ids of a text, with what the model expects before it.
        spell: an id as the page shows it, white space as signs.
        ends: the ids after which a text has ended.
        text: what the page begins with.
        chat: whether each text is put into the model's chat template as a question.
        template: whether the model has one.
    """

    name: str
    model: LanguageModel
    sizes: LanguageModelConfig
    encode: Callable[[str], list[int]]
    spell: Callable[[int], str]
    ends: frozenset[int]
    text: str
    chat: bool = False
    template: bool = False

    @property
    def longest(self) -> int:
        """The most tokens that a text may have."""
        return min(self.model.config.context, LONGEST)

    def cache_bytes(self, tokens: int) -> int:
        """The memory of the keys and values of a text."""
        sizes, item = self.sizes, self.model.embedding.weight.itemsize
        kept = sizes.layers, sizes.shared_heads, sizes.per_head
        return cache_bytes(*kept, tokens, item_bytes=item, window=sizes.cache_window)

    def facts(self) -> dict:
        """What the page says of the model."""
        sizes = self.sizes
        return {
            "name": self.name,
            "parameters": decoder_parameters(sizes),
            "layers": sizes.layers,
            "heads": sizes.heads,
            "key_value_heads": sizes.shared_heads,
            "width": sizes.width,
            "head_width": sizes.per_head,
            "hidden": sizes.feed_forward_width,
            "vocabulary": sizes.vocabulary,
            "context": sizes.context,
            "longest": self.longest,
            "position": sizes.position,
            "dtype": str(self.model.embedding.weight.dtype).removeprefix("torch."),
            "bytes_per_token": self.cache_bytes(1),
            "chat": self.chat,
            "template": self.template,
        }

    def data(self, url: str | None = None, recorded: Mapping[str, dict] | None = None) -> dict:
        """What the page's script begins with.

        Args:
            url: where it asks; None if it knows only what is recorded.
            recorded: answers by their keys (`headway.explore.answers.record`).
        """
        begun = {"model": self.facts(), "text": self.text}
        return begun | {"url": url, "recorded": dict(recorded or {})}


def recorded(text: str = "Return the") -> Subject:
    """The model of chapter 11, which has read the docstrings of Python's library.

    Args:
        text: what the page begins with.
    """
    model, tokenizer = writer_of(kept_run("11-docstrings"))
    end = len(tokenizer)
    return Subject(
        name="The model of chapter 11",
        model=model.requires_grad_(False),
        sizes=model.config,
        encode=lambda text: [end, *tokenizer.encode(text)],
        spell=lambda token: END if token == end else printed(tokenizer.symbols[token]),
        ends=frozenset([end]),
        text=text,
    )
