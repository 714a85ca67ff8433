"""Byte pair encoding beside Hugging Face's (Rust) and tiktoken's (Rust).

    python benchmarks/byte_pair.py

A ratio above 1 means that `headway`, which is pure Python on one thread, is slower. The peers may
use two threads. Texts are the standard library's sources, cut into paragraphs. *New* encodes with
a tokenizer that has seen no text yet, *again* with one that has encoded this text before (ours and
Hugging Face's remember words). tiktoken has no training, and is left out where it is not installed.
Before anything is timed, the merges and the ids of all of them are found to be equal.
"""

import os

os.environ["RAYON_NUM_THREADS"] = "2"
os.environ["TOKENIZERS_PARALLELISM"] = "true"

import importlib.util
import json
import sysconfig
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from measure import Case, Fresh, Side, report
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from headway.text.byte_letters import to_letters
from headway.text.byte_pair import BytePairTokenizer

ROUNDS = 5
SIZE = 2_000
TARGET = 20.0  # of training; encoding has no target


def paragraphs(size: int) -> list[str]:
    """The first `size` characters of the standard library's sources, cut at empty lines."""
    folder, text = Path(sysconfig.get_path("stdlib")), ""
    for file in (*sorted(folder.glob("*.py")), *sorted(folder.glob("*/*.py"))):
        text += file.read_text(encoding="utf-8", errors="ignore")
        if len(text) >= size:
            break
    return text[:size].split("\n\n")


def hugging_face(texts: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE,
        min_frequency=2,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def tiktoken_like(ours: BytePairTokenizer):
    """tiktoken with our merges; it wants ids in the order of ranks, and ours are."""
    import tiktoken

    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    ids = {symbol: i for i, symbol in enumerate(ours.symbols)}
    return tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ids, special_tokens={})


def training(texts: list[str]) -> dict[str, Side]:
    """Name → training; their merges are equal."""
    ours, theirs = BytePairTokenizer.train(texts, SIZE), hugging_face(texts)
    merges = [[to_letters(left), to_letters(right)] for left, right in ours.merges]
    assert merges == json.loads(theirs.to_str())["model"]["merges"]
    return {
        "headway": partial(BytePairTokenizer.train, texts, SIZE),
        "Hugging Face": partial(hugging_face, texts),
    }


def encoding(texts: list[str], again: bool) -> dict[str, Side]:
    """Name → encoding all texts; their ids are equal."""
    ours, theirs = BytePairTokenizer.train(texts, SIZE), hugging_face(texts)
    saved = theirs.to_str()

    def new_ours():
        return ours if again else BytePairTokenizer(ours.symbols, ours.merges)

    def new_theirs():
        return theirs if again else Tokenizer.from_str(saved)

    ids = [ours.encode(text) for text in texts]
    assert ids == [found.ids for found in theirs.encode_batch(texts)]
    sides = {
        "headway": Fresh(new_ours, lambda it: [it.encode(text) for text in texts]),
        "Hugging Face": Fresh(new_theirs, lambda it: it.encode_batch_fast(texts)),
    }
    if importlib.util.find_spec("tiktoken"):
        third = tiktoken_like(ours)
        assert ids == third.encode_ordinary_batch(texts)
        sides["tiktoken"] = partial(third.encode_ordinary_batch, texts, num_threads=2)
    return sides


def cases() -> Iterator[Case]:
    """Training and encoding of a small and a large text."""
    for size in (100_000, 5_000_000):
        texts = paragraphs(size)
        label = f"{sum(map(len, texts)) / 1e6:.1f} MB"
        yield case(f"train to {SIZE:,}, {label}", training(texts), TARGET)
        for again, how in ((False, "new"), (True, "again")):
            yield case(f"encode, {how}, {label}", encoding(texts, again), None)


def case(name: str, sides: dict[str, Side], target: float | None) -> Case:
    return Case(name, sides.pop("headway"), sides, target, ROUNDS)


if __name__ == "__main__":
    report("byte_pair", "Byte pair encoding", cases())
