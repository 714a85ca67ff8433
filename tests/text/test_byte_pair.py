import copy
import json
import pickle
import random
from codecs import BOM_UTF8
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from headway.text.byte_letters import LETTERS, to_bytes
from headway.text.byte_pair import BYTES, BytePairTokenizer
from headway.text.corpus.standard_library import docstrings
from headway.text.pair_counts import PairCounts, merge_pair
from headway.text.pieces import pieces

# Some 250 kB of English.
TEXTS = docstrings(("argparse", "difflib", "doctest", "inspect", "logging", "tarfile", "typing"))
TEXTS += docstrings(("email.message", "statistics", "threading", "unittest.mock", "zipfile"))
END = "<|endoftext|>"
ODD = [
    "abab" * 50 + " " + "baba" * 50 + " aaaa aaaaa aaaaaa aaaaaaa" * 3,
    "a" * 1_000 + " " * 500,
    "".join(random.Random(0).choices("ACGT", k=10_000)),  # DNA has no spaces: it is one piece
    "🙂🙂🙃 👩‍👩‍👧 é é é ñ 漢字漢字仮名 हिन्दी",
    "I'll can't we've it's DON'T 1 22 333 ²³ ½ Ⅷ snake_case\n\n\t \r\n  x\n\x00\x1c\x85\xa0",
    "",
]
# Unicode's later versions know letters that this Python does not, and cut them as such.
known = st.text(st.characters(codec="utf-8", exclude_categories=("Cn",)))
# Few letters and long words: the more pairs overlap and tie, the more conventions are put to test.
repetitive = st.lists(st.text("ab", max_size=40) | st.text("abc ", max_size=20), max_size=8)


def like_theirs(model: models.BPE) -> Tokenizer:
    """Hugging Face's byte-level BPE."""
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def production(texts, size, min_count=2, specials=()) -> Tokenizer:
    """The same, trained on texts."""
    tokenizer = like_theirs(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=min_count,
        special_tokens=list(specials),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def learned(tokenizer: Tokenizer) -> list[tuple[bytes, bytes]]:
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(to_bytes(left), to_bytes(right)) for left, right in merges]


@cache
def ours_and_theirs() -> tuple[BytePairTokenizer, Tokenizer]:
    return BytePairTokenizer.train(TEXTS, 2_000, (END,)), production(TEXTS, 2_000, 2, (END,))


@given(repetitive, st.integers(256, 330), st.integers(1, 3))
def test_merges_and_ids_are_those_of_hugging_face_however_pairs_overlap_and_tie(
    texts, size, min_count
):
    ours = BytePairTokenizer.train(texts, size, min_count=min_count)
    theirs = production(texts, size, min_count)
    assert list(ours.merges) == learned(theirs)
    for text in texts:
        assert ours.encode(text) == theirs.encode(text).ids


def test_merges_and_ids_are_those_of_hugging_face_on_the_docstrings():
    ours, theirs = ours_and_theirs()
    assert sum(map(len, TEXTS)) > 200_000
    assert len(ours) == 2_000 == theirs.get_vocab_size()
    assert list(ours.merges) == learned(theirs)
    for text in TEXTS:
        assert ours.encode(text) == theirs.encode(text).ids


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_give_the_merges_and_ids_of_hugging_face(text):
    ours, theirs = BytePairTokenizer.train([text], 400), production([text], 400)
    assert list(ours.merges) == learned(theirs)
    assert ours.encode(text) == theirs.encode(text).ids


@given(known, st.lists(st.integers(1, 1_999)))
def test_any_text_has_the_ids_of_hugging_face_and_any_ids_their_text(text, ids):
    ours, theirs = ours_and_theirs()
    assert ours.encode(text) == theirs.encode(text).ids
    assert ours.decode(ids) == theirs.decode(ids)


@given(repetitive, st.integers(256, 300), st.sampled_from(["smallest", "greatest"]))
@example(["aaabdaaabac"], 300, "greatest")
def test_the_merges_are_those_of_counting_anew_and_the_rule_decides_ties(texts, size, ties):
    """The greatest pair by its bytes is what subword-nmt's learn_bpe.py takes."""
    words = [[bytes([byte]) for byte in piece.encode()] for text in texts for piece in pieces(text)]
    ids = {symbol: i for i, symbol in enumerate(BYTES)}
    expected = []
    while len(ids) < size:
        counts = Counter(pair for word in words for pair in pairwise(word))
        often = [pair for pair, count in counts.items() if count == max(counts.values()) > 1]
        if not often:
            break
        best = max(often) if ties == "greatest" else min(often, key=lambda p: [ids[t] for t in p])
        expected.append(best)
        ids.setdefault(b"".join(best), len(ids))
        words = [merge_pair(word, best, b"".join(best)) for word in words]
    assert list(BytePairTokenizer.train(texts, size, ties=ties).merges) == expected


def test_a_pair_in_three_equal_letters_is_counted_twice():
    assert PairCounts({(1, 1, 1): 5}).most_frequent() == ((1, 1), 10)
    assert merge_pair([1, 1, 1, 2], (1, 1), 9) == [9, 1, 2]


def test_special_tokens_come_first_and_are_one_token_wherever_they_stand():
    ours, theirs = ours_and_theirs()
    text = f"{END}one{END}{END} two <|end"
    assert ours.specials == (END,)
    assert ours.tokens(text)[:2] == [END, b"one"]
    assert ours.encode(text) == theirs.encode(text).ids
    assert ours.decode(ours.encode(text)) == text
    assert ours.encode_ordinary(END) != ours.encode(END) == [0]
    assert ours.decode(ours.encode_ordinary(END)) == END
    nested = BytePairTokenizer.train([], 258, specials=("<a>", "<a><b>"))
    assert nested.tokens("<a><b><a>") == ["<a><b>", "<a>"], "the longest is found"


def test_no_merge_is_learned_from_or_across_special_tokens():
    texts = ["a<end>b<end>a<end>b", "ab<end>ab"] * 9
    ours = BytePairTokenizer.train(texts, 300, specials=("<end>",))
    assert list(ours.merges) == [(b"a", b"b")]
    as_text = BytePairTokenizer.train(texts, 300)
    assert list(as_text.merges) == learned(production(texts, 300, 2, ("<end>",)))


def test_hugging_face_reads_our_files_and_we_read_theirs(tmp_path):
    ours, theirs = ours_and_theirs()
    text = "# A text, with signs: # # 🙂\n\n  and an indented line." + TEXTS[0]
    vocabulary, merges = str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")
    ours.save(vocabulary, merges)
    read = like_theirs(models.BPE.from_file(vocabulary, merges))
    assert read.encode(text).ids == theirs.encode(text).ids
    loaded = BytePairTokenizer.load(*theirs.model.save(str(tmp_path), "theirs"))
    assert loaded.symbols == ours.symbols
    assert loaded.encode(text) == theirs.encode(text).ids


def test_files_in_the_layout_of_gpt2_are_read_with_their_ids(tmp_path):
    """256 bytes, then the merges (these are GPT-2's first seven), then <|endoftext|>."""
    lines = ["Ġ t", "Ġ a", "h e", "i n", "r e", "o n", "Ġt he"]
    names = [*LETTERS.values(), *(line.replace(" ", "") for line in lines), END]
    files = str(tmp_path / "encoder.json"), str(tmp_path / "vocab.bpe")
    Path(files[0]).write_text(json.dumps({name: i for i, name in enumerate(names)}))
    Path(files[1]).write_bytes("\n".join(["#version: 0.2", *lines, ""]).encode())
    theirs = like_theirs(models.BPE.from_file(*files))
    theirs.add_special_tokens([AddedToken(END, special=True)])
    loaded = BytePairTokenizer.load(*files)
    assert loaded.specials == (END,)
    assert loaded.encode("! the" + END) == [0, 262, 263] == theirs.encode("! the" + END).ids


def test_files_are_read_as_saved_and_as_other_editors_save_them(tmp_path):
    ours = BytePairTokenizer.train(["aaabdaaabac"], 300, ("<pad>", "né 漢"))
    vocabulary, merges = tmp_path / "vocab.json", tmp_path / "merges.txt"
    ours.save(vocabulary, merges)
    written = merges.read_bytes()
    others = written.replace(b"\n", b"\r\n"), written.replace(b"#version: 0.2\n", b"")
    for content in (written, *others, BOM_UTF8 + written):
        merges.write_bytes(content)
        loaded = BytePairTokenizer.load(vocabulary, merges)
        assert (loaded.symbols, loaded.merges) == (ours.symbols, ours.merges)


def test_a_copy_and_a_pickle_encode_alike():
    ours, text = ours_and_theirs()[0], "quokkas in a new text" + END
    for twin in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert twin.encode(text) == ours.encode(text)


train = BytePairTokenizer.train


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: train("a text", 300), TypeError, "is one string; expected a list"),
        (lambda: train(["a text"], 300, "<s>"), TypeError, "is one string; expected a list"),
        (lambda: train(["a"], 256, ("<s>",)), ValueError, "at least 257 .* got size=256"),
        (lambda: train(["a"], 300, (), 0), ValueError, "min_count at least 1, .* min_count=0"),
        (lambda: train(["a"], 300, ties="largest"), ValueError, "smallest, greatest, got 'largest"),
        (lambda: BytePairTokenizer([b"a"]), ValueError, "255 symbols are missing"),
        (
            lambda: BytePairTokenizer([*BYTES, b"ab"], [(b"a", b"bc")]),
            ValueError,
            "2 symbols .* b'bc'",
        ),
        (lambda: BytePairTokenizer([*BYTES, b"a"]), ValueError, "b'a' twice"),
        (lambda: BytePairTokenizer([*BYTES, ""]), ValueError, "at least one letter"),
        (lambda: train([], 256).encode("\ud83d"), UnicodeEncodeError, "surrogates"),
    ],
)
def test_what_makes_no_tokenizer_or_is_no_text_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("vocabulary", "merges", "message"),
    [
        ({"a": 0, "b": 2}, "", "2 ids in .* are not 0 … 1"),
        ({"a": 0}, "#version: 0.2\na b c\n", "no pair of tokens: 'a b c'"),
    ],
)
def test_files_that_are_no_tokenizer_are_refused(tmp_path, vocabulary, merges, message):
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
    (tmp_path / "merges.txt").write_text(merges)
    with pytest.raises(ValueError, match=message):
        BytePairTokenizer.load(tmp_path / "vocab.json", tmp_path / "merges.txt")


def test_a_special_token_written_like_a_byte_cannot_be_saved(tmp_path):
    ours = BytePairTokenizer.train([], 257, specials=("Ġ",))
    with pytest.raises(ValueError, match="'Ġ' is written like another token"):
        ours.save(tmp_path / "vocab.json", tmp_path / "merges.txt")
