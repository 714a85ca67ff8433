"""The tokenizer of a GGUF file, made anew with the `tokenizers` library.

    "gpt2"     byte pairs with ranked merges, over the bytes of pieces (GPT-2, Llama 3, Qwen)
    "llama"    SentencePiece: tokens with scores, a space before each stretch of text between
               special tokens, bytes for unknown letters (Llama 2, Mistral)

How text is cut into pieces first is not in the file: it has the name of a rule, and those that are
in `PIECES` are known. The ids are those of llama.cpp, but for Qwen, whose own tokenizer puts
letters and accents together first; llama.cpp leaves this out.
"""

from collections import Counter
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
from headway.models.gguf.ends import AFTER_GAPS, ENDS, NAMED_ENDS, WITHIN
from headway.models.gguf.file import GgufFile, shown

NORMAL, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4  # types; the last three are found whole
MOST, LONGEST, LETTERS = 2**20, 1000, 2**22  # tokens or merges; letters of a token, of all
SPECIAL = {
    "bos_token": "bos_token_id",
    "eos_token": "eos_token_id",
    "unk_token": "unknown_token_id",
    "pad_token": "padding_token_id",
}
USUAL = {"unknown_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}  # of SentencePiece


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


def split(*patterns: str) -> pre_tokenizers.PreTokenizer:
    """Text cut by each pattern in turn, into matches and what lies between, and then as bytes."""
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
    as_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return pre_tokenizers.Sequence([*cuts, as_bytes])


def words(digits: str) -> str:
    """Words with the sign or space before them, numbers, runs of signs, and white space."""
    return (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
        + digits
        + r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )


GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"  # its own
PIECES = {
    "default": Pieces(split(r"[\p{P}$+<=>^~|]+", GPT2, r"\p{N}+", "[0-9]{3}")),
    "gpt-2": Pieces(split(GPT2)),
    "smollm": Pieces(split(r"\p{N}", GPT2)),
    "llama-bpe": Pieces(split(words(r"\p{N}{1,3}")), whole=True, begun=True),
    "qwen2": Pieces(split(words(r"\p{N}")), composed=True),
}


def tokenizer_of(file: GgufFile) -> Tokenizer:
    """The tokenizer that a file describes.

    Raises:
        UserError: if it is of another kind, or broken.
    """
    kind = entry(file, "model", None)
    if not isinstance(kind, str) or kind not in KINDS:
        raise UserError(
            f"{file.path} has a tokenizer of the kind {shown(kind)}; those that can be read are "
            f"{', '.join(KINDS)}."
        )
    try:
        tokenizer, begun = KINDS[kind](file)
        add_tokens(tokenizer, file)
        put_around(tokenizer, file, begun)
    except UserError:
        raise
    except Exception as error:  # the library raises nothing narrower
        raise UserError(f"The tokenizer in {file.path} is broken: {error}.") from error
    return tokenizer


def tokens_of(file: GgufFile) -> list[str]:
    """The tokens by their ids.

    Raises:
        KeyError: if there are none.
        ValueError: if two are the same, or they are more or longer than any of use.
    """
    tokens = entry(file, "tokens")
    if len(set(tokens)) < len(tokens):
        ((token, _),) = Counter(tokens).most_common(1)
        raise ValueError(f"two of its tokens are {shown(token)}")
    longest, letters = max(map(len, tokens), default=0), sum(map(len, tokens))
    if len(tokens) > MOST or longest > LONGEST or letters > LETTERS:
        raise ValueError(
            f"it has {len(tokens):,} tokens of {letters:,} letters, one of them of {longest:,}; "
            f"{MOST:,}, {LETTERS:,} and {LONGEST:,} are the most"
        )
    return tokens


def put_around(tokenizer: Tokenizer, file: GgufFile, begun: bool) -> None:
    """Have the tokens put around each text that the file asks for, or the kind of its tokenizer."""
    named = special_tokens(file)
    first = named.get("bos_token") if entry(file, "add_bos_token", begun) else None
    last = named.get("eos_token") if entry(file, "add_eos_token", False) else None
    around = [(token, tokenizer.token_to_id(token)) for token in (first, last) if token is not None]
    if around:
        single = [token for token in (first, "$A", last) if token is not None]
        tokenizer.post_processor = processors.TemplateProcessing(
            single=single, special_tokens=around
        )


def entry(file: GgufFile, name: str, *absent: Any) -> Any:
    """What the metadata say of the tokenizer; KeyError if nothing, and nothing is given for it."""
    name = f"tokenizer.ggml.{name}"
    return file.metadata.get(name, *absent) if absent else file.metadata[name]


def byte_pairs(file: GgufFile) -> tuple[Tokenizer, bool]:
    """A tokenizer of the kind "gpt2", and whether its texts have a first token."""
    name = entry(file, "pre", None)
    if name is None:
        raise UserError(
            f"The tokenizer in {file.path} does not say how it cuts text into pieces, as files did "
            "not before May 2024, and a wrong cut gives the model other tokens than it learned. "
            "Look for a newer file of the same model, or for it in safetensors."
        )
    if not isinstance(name, str) or name not in PIECES:
        raise UserError(
            f"The tokenizer in {file.path} cuts text into pieces by a rule of the name "
            f"{shown(name)}, which is not known here; known are {', '.join(PIECES)}. The same "
            "model in safetensors comes with the rule itself."
        )
    pieces, merges = PIECES[name], entry(file, "merges")
    check_merges(len(merges))
    ids = {token: id for id, token in enumerate(tokens_of(file))}
    pairs = [tuple(merge.split(" ")) for merge in merges]
    tokenizer = Tokenizer(models.BPE(ids, pairs, ignore_merges=pieces.whole))
    if pieces.composed:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pieces.cut
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer, pieces.begun


def sentence_pieces(file: GgufFile) -> tuple[Tokenizer, bool]:
    """A tokenizer of the kind "llama", and whether its texts have a first token."""
    tokens, space = tokens_of(file), entry(file, "add_space_prefix", True)
    tokenizer = Tokenizer(
        models.BPE(
            {token: id for id, token in enumerate(tokens)},
            merges_of(tokens, entry(file, "scores").tolist(), types(file)),
            unk_token=special_tokens(file).get("unk_token"),
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    # Of what stands between special tokens, each stretch by itself.
    before = [normalizers.Prepend("▁")] if space else []
    tokenizer.normalizer = normalizers.Sequence([*before, normalizers.Replace(" ", "▁")])
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence(steps + ([decoders.Strip(" ", 1, 0)] if space else []))
    return tokenizer, True


KINDS: dict[str, Callable[[GgufFile], tuple[Tokenizer, bool]]] = {
    "gpt2": byte_pairs,
    "llama": sentence_pieces,
}


def merges_of(
    tokens: list[str], scores: list[float], kinds: dict[str, int]
) -> list[tuple[str, str]]:
    """The merges of tokens that have scores: all pairs that make a token, the highest score first.

    Among equal scores the merge farthest to the left comes first. That can't be said by an order of
    pairs, but for runs of one letter: with longer left parts before shorter ones, the first run
    grows until it can't.

    Raises:
        ValueError: if other tokens have equal scores.
    """
    ids, pairs, scored = {token: id for id, token in enumerate(tokens)}, [], {}
    for whole, token in enumerate(tokens):
        cuts = ((token[:cut], token[cut:]) for cut in range(1, len(token)))
        found = [(ids[a], ids[b], whole) for a, b in cuts if a in ids and b in ids]
        ranked = found and kinds.get(token, NORMAL) == NORMAL and len(set(token)) > 1
        if ranked and (other := scored.setdefault(scores[whole], token)) != token:
            raise ValueError(
                f"{shown(other)} and {shown(token)} have the same score, and nothing else says "
                "which of them is made first"
            )
        pairs += found
        check_merges(len(pairs))
    pairs.sort(key=lambda p: (-scores[p[2]], -len(tokens[p[0]]), -len(tokens[p[1]]), p[2]))
    return [(tokens[left], tokens[right]) for left, right, _ in pairs]


def check_merges(count: int) -> None:
    """Raise ValueError for more merges than any tokenizer has."""
    if count > MOST:
        raise ValueError(f"it has more than {MOST:,} merges")


def types(file: GgufFile) -> dict[str, int]:
    """The type of each token; those that end a text by their names are found whole in any case."""
    tokens, given = entry(file, "tokens"), entry(file, "token_type", None)
    found = {} if given is None else dict(zip(tokens, given.tolist(), strict=True))
    return found | dict.fromkeys(ENDS & set(tokens), CONTROL)


def add_tokens(tokenizer: Tokenizer, file: GgufFile) -> None:
    """Have the tokens found whole that the file marks as control, or as a user's own."""
    kinds = types(file)
    for marked, special in (((UNKNOWN, CONTROL), True), ((USER_DEFINED,), False)):
        tokens = [token for token, kind in kinds.items() if kind in marked]
        tokenizer.add_tokens([AddedToken(t, normalized=False, special=special) for t in tokens])


def token_ids(file: GgufFile, *names: str) -> dict[str, int]:
    """The ids that the metadata give under these names, those that are of tokens."""
    tokens = file.entry("tokenizer.ggml.tokens", list, [])
    usual = USUAL if entry(file, "model", None) == "llama" else {}
    found = {name: file.entry(f"tokenizer.ggml.{name}", int, usual.get(name)) for name in names}
    return {name: id for name, id in found.items() if id is not None and 0 <= id < len(tokens)}


def special_tokens(file: GgufFile) -> dict[str, str]:
    """The texts of the special tokens by the names that chat templates use."""
    ids = token_ids(file, *SPECIAL.values())
    tokens = file.entry("tokenizer.ggml.tokens", list, [])
    return {name: tokens[ids[theirs]] for name, theirs in SPECIAL.items() if theirs in ids}


def end_ids(file: GgufFile) -> frozenset[int]:
    """The ids after which a text has ended: those that the metadata name, and those by their names.

    Which these are, `headway.models.gguf.ends` says.
    """
    named = token_ids(file, *NAMED_ENDS)
    names = ENDS.union(*(texts for name, texts in AFTER_GAPS.items() if name not in named))
    tokens = file.entry("tokenizer.ggml.tokens", list, [])
    by_name = {token: id for id, token in enumerate(tokens) if token in names}
    within = {by_name.get(token) for signs, token in WITHIN if signs <= by_name.keys()}
    return frozenset({*named.values(), *by_name.values()} - within)


def chat_template(file: GgufFile) -> str | None:
    """The template in which a chat model reads its questions, if the file has one."""
    return file.metadata.get("tokenizer.chat_template")
