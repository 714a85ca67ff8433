"""The tokenizer of a GGUF file, made anew with the `tokenizers` library.

    "gpt2"     byte pairs with ranked merges, over the bytes of pieces (GPT-2, Llama 3, Qwen)
    "llama"    SentencePiece: tokens with scores, a space before a text, bytes for unknown letters
               (Llama 2, Mistral)

How text is cut into pieces first is not in the file: it has the name of a rule, and those that are
in `PIECES` are known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

from headway.errors import UserError
from headway.models.gguf.file import GgufFile

CONTROL, USER_DEFINED = 3, 4  # types of tokens that are found whole in any text
SPECIAL = {
    "bos_token": "bos_token_id",
    "eos_token": "eos_token_id",
    "unk_token": "unknown_token_id",
    "pad_token": "padding_token_id",
}


@dataclass(frozen=True)
class Pieces:
    """How a family of models cuts text into pieces, and what it does besides.

    Attributes:
        cut: the rule.
        whole: whether a piece that is a token is one, without regard to merges.
        composed: whether letters and their accents are put together first (NFC).
        begun: whether a text begins with a token of its own, if the file does not say.
    """

    cut: pre_tokenizers.PreTokenizer
    whole: bool = False
    composed: bool = False
    begun: bool = False


def by_regex(digits: str) -> pre_tokenizers.PreTokenizer:
    """Words with the sign or space before them, numbers, runs of signs, and white space."""
    pattern = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
        + digits
        + r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    return pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )


GPT2 = pre_tokenizers.ByteLevel(add_prefix_space=False)
PIECES = {
    "default": Pieces(GPT2),
    "gpt-2": Pieces(GPT2),
    "smollm": Pieces(pre_tokenizers.Sequence([pre_tokenizers.Digits(True), GPT2])),
    "llama-bpe": Pieces(by_regex(r"\p{N}{1,3}"), whole=True, begun=True),
    "qwen2": Pieces(by_regex(r"\p{N}"), composed=True),
}


def tokenizer_of(file: GgufFile) -> Tokenizer:
    """The tokenizer that a file describes.

    Raises:
        UserError: if it is of another kind, or broken.
    """
    kind = entry(file, "model", None)
    if kind not in KINDS:
        raise UserError(
            f"{file.path} has a tokenizer of the kind {kind!r}; those that can be read are "
            f"{', '.join(KINDS)}."
        )
    try:
        tokenizer, begun = KINDS[kind](file)
        add_tokens(tokenizer, file)
        first = special_tokens(file).get("bos_token")
    except UserError:
        raise
    except Exception as error:  # the library raises nothing narrower
        raise UserError(f"The tokenizer in {file.path} is broken: {error}.") from error
    if first is not None and entry(file, "add_bos_token", begun):
        tokenizer.post_processor = processors.TemplateProcessing(
            single=[first, "$A"], special_tokens=[(first, tokenizer.token_to_id(first))]
        )
    return tokenizer


def entry(file: GgufFile, name: str, *absent: Any) -> Any:
    """What the metadata say of the tokenizer; KeyError if nothing, and nothing is given for it."""
    name = f"tokenizer.ggml.{name}"
    return file.metadata.get(name, *absent) if absent else file.metadata[name]


def byte_pairs(file: GgufFile) -> tuple[Tokenizer, bool]:
    """A tokenizer of the kind "gpt2", and whether its texts have a first token."""
    name = entry(file, "pre", "default")
    if name not in PIECES:
        raise UserError(
            f"The tokenizer in {file.path} cuts text into pieces by a rule of the name {name!r}, "
            f"which is not known here; known are {', '.join(PIECES)}. The same model in "
            "safetensors comes with the rule itself."
        )
    pieces = PIECES[name]
    merges = [tuple(merge.split(" ")) for merge in entry(file, "merges")]
    ids = {token: id for id, token in enumerate(entry(file, "tokens"))}
    tokenizer = Tokenizer(models.BPE(ids, merges, ignore_merges=pieces.whole))
    if pieces.composed:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pieces.cut
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer, pieces.begun


def sentence_pieces(file: GgufFile) -> tuple[Tokenizer, bool]:
    """A tokenizer of the kind "llama", and whether its texts have a first token."""
    tokens, space = entry(file, "tokens"), entry(file, "add_space_prefix", True)
    ids = {token: id for id, token in enumerate(tokens)}
    tokenizer = Tokenizer(
        models.BPE(
            ids,
            merges_of(ids, entry(file, "scores")),
            unk_token=special_tokens(file).get("unk_token"),
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(
        prepend_scheme="first" if space else "never", split=False
    )
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence(steps + ([decoders.Strip(" ", 1, 0)] if space else []))
    return tokenizer, True


KINDS: dict[str, Callable[[GgufFile], tuple[Tokenizer, bool]]] = {
    "gpt2": byte_pairs,
    "llama": sentence_pieces,
}


def merges_of(ids: dict[str, int], scores: list[float]) -> list[tuple[str, str]]:
    """The merges of tokens that have scores: all pairs that make a token, the highest score first.

    Among equal scores longer left parts come first, as with Hugging Face.
    """
    pairs = [
        (token[:cut], token[cut:], id)
        for token, id in ids.items()
        for cut in range(1, len(token))
        if token[:cut] in ids and token[cut:] in ids
    ]
    pairs.sort(key=lambda p: (-scores[p[2]], -len(p[0]), -len(p[1]), p[2], ids[p[0]], ids[p[1]]))
    return [(left, right) for left, right, _ in pairs]


def add_tokens(tokenizer: Tokenizer, file: GgufFile) -> None:
    """Have the tokens found whole that the file marks as control, or as a user's own."""
    kinds = list(zip(entry(file, "tokens"), entry(file, "token_type", []), strict=False))
    for marked, special in ((CONTROL, True), (USER_DEFINED, False)):
        tokens = [token for token, kind in kinds if kind == marked]
        tokenizer.add_tokens([AddedToken(t, normalized=False, special=special) for t in tokens])


def special_tokens(file: GgufFile) -> dict[str, str]:
    """The texts of the special tokens by the names that chat templates use."""
    tokens = entry(file, "tokens")
    ids = {name: entry(file, theirs, None) for name, theirs in SPECIAL.items()}
    return {name: tokens[id] for name, id in ids.items() if id is not None and id < len(tokens)}


def chat_template(file: GgufFile) -> str | None:
    """The template in which a chat model reads its questions, if the file has one."""
    return file.metadata.get("tokenizer.chat_template")
