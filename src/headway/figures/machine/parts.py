"""The parts of the machine: encoder and decoder, from a text to the choice of the next word."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """One part.

    Attributes:
        id: short name, which the table of chapters uses too.
        name: as a reader calls it.
        does: what it does, in a sentence.
    """

    id: str
    name: str
    does: str


_ALL = (
    Part("text", "text", "Characters go in: on one side what is to be translated, on the other "
         "what has been written so far."),
    Part("tokens", "tokens", "The text is cut into pieces from a vocabulary, and each piece has "
         "a number."),
    Part("one-hot", "one-hot", "Each number becomes a vector that is 1 in one place and 0 in all "
         "others, so that a product with it picks a row of a table."),
    Part("embedding", "embedding", "A learned table gives each token its row, a vector with "
         "meaning in it."),
    Part("position", "position", "A vector for the place is added, so that order counts."),
    Part("encoder", "encoder", "Blocks read the whole source text, and each word may look at all "
         "others; what they find is the memory."),
    Part("decoder", "decoder", "Blocks read what has been written so far, look into the memory, "
         "and end in a guess of what comes next."),
    Part("residual", "residual stream", "One row for each word runs through all blocks; every "
         "sub-layer reads the rows and adds to them."),
    Part("attention", "attention", "Each word looks for the words that fit what it is asking, and "
         "takes a mean of what they say; who fits best counts most."),
    Part("heads", "heads", "Several attentions run side by side, each with weights of its own."),
    Part("mask", "mask", "It says which words may be looked at: in the decoder, only those that "
         "are written already."),
    Part("cross-attention", "cross-attention", "The decoder asks and the memory of the encoder "
         "answers: queries from one side, keys and values from the other."),
    Part("feed-forward", "feed-forward", "Two layers that work on the row of each word alone."),
    Part("cache", "cache", "Keys and values of the words already read are kept, so that a new "
         "word costs one row of work only."),
    Part("logits", "logits", "The last row becomes one score for each word of the vocabulary."),
    Part("softmax", "softmax", "The scores become shares that are positive and sum to one."),
    Part("next-word", "probabilities", "How likely each word of the vocabulary is to come next."),
    Part("choice", "choice", "One word is chosen, written down, and read in the next step."),
)  # fmt: skip
PARTS = {part.id: part for part in _ALL}


def find_part(name: str) -> Part:
    """The part of this id.

    Raises:
        LookupError: if there is none; the message lists those there are.
    """
    if name not in PARTS:
        raise LookupError(f"The machine has no part {name!r}. Its parts are: {', '.join(PARTS)}.")
    return PARTS[name]
