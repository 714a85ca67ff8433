"""A published tokenizer: from a text to the ids that a model of the same folder was trained on.

    tokenizer = read_tokenizer("Llama-3.2-1B")
    ids = encode(tokenizer, "Attention is", vocabulary=128_256)

Special tokens are recognized in any text, also in one that a user has typed: "<|im_end|>" becomes
the one id that ends a turn. Hugging Face's tokenizers do the same. So a text from a stranger can
end a turn and begin another; nothing here keeps it from doing so.
"""

from pathlib import Path

from tokenizers import Tokenizer

from headway.errors import UserError
from headway.models.broken_file import check_size
from headway.models.gguf.file import gguf_in
from headway.models.gguf.tokenizer import tokenizer_of

# Bytes of a file, and entries of its lists; 262,000 tokens and 515,000 merges are 1.3 million.
LARGEST, ENTRIES = 3 * 2**24, 1_700_000


def read_tokenizer(folder: str | Path) -> Tokenizer:
    """The tokenizer in a folder's `tokenizer.json`, or in a GGUF file; it cuts no text, pads none.

    A file may say that it should: whoever saves a tokenizer after training saves the lengths that
    it was last called with. They are no part of the model, and Hugging Face's own classes drop
    them as well.

    Raises:
        UserError: if the file is missing or cannot be read.
    """
    if file := gguf_in(folder):
        return tokenizer_of(file)
    path = Path(folder) / "tokenizer.json"
    if not path.is_file():
        raise UserError(
            f"{folder} has no tokenizer.json, which turns the prompt into ids. Download it along "
            "with the weights."
        )
    check_size(path, LARGEST)
    if (entries := path.read_bytes().count(b",")) > ENTRIES:
        raise UserError(
            f"{path} has {entries:,} entries, and up to {ENTRIES:,} are read; no published model "
            "needs more. Do you trust where it comes from?"
        )
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise UserError(
            f"{path} can't be read as a tokenizer: {error}. Is the download complete?"
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def encode(
    tokenizer: Tokenizer, text: str, vocabulary: int, add_special_tokens: bool = True
) -> list[int]:
    """The ids of a text, each in 0 … V−1.

    Args:
        tokenizer: of the model's folder.
        text: special tokens in it become their ids.
        vocabulary: V of the model.
        add_special_tokens: whether the tokens are added that the tokenizer puts around each text,
            such as one for its beginning. A chat template writes them itself.

    Raises:
        UserError: if the text holds bytes that are no UTF-8, or a token that the model has no row
            for.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError(
            f"The prompt is no text in UTF-8: character {error.start + 1} is a byte that stands "
            f"for no letter ({text[error.start]!r}). Does your terminal, or the file that it comes "
            "from, use another encoding?"
        ) from error
    ids = tokenizer.encode(text, add_special_tokens=add_special_tokens).ids
    if beyond := [i for i in ids if i >= vocabulary]:
        raise UserError(
            f"The prompt holds the token {tokenizer.id_to_token(beyond[0])!r} with the id "
            f"{beyond[0]}, and the model knows the ids 0 to {vocabulary - 1}. The tokenizer was "
            "given tokens that the model was not: take both from the same place, or leave the "
            "token out of the prompt."
        )
    return ids
