import copy
import json
import pickle
import random
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from headway.text.byte_letters import LETTERS, to_bytes
from headway.text.byte_pair import BytePairTokenizer
from headway.text.corpus.standard_library import docstrings
from headway.text.pair_counts import PairCounts, merge_pair
from headway.text.pieces import pieces
from headway.text.vocabulary import Vocabulary

# Some 250 kB of English.
TEXTS = docstrings(("argparse", "difflib", "doctest", "inspect", "logging", "tarfile", "typing"))
TEXTS += docstrings(("email.message", "statistics", "threading", "unittest.mock", "zipfile"))
END = "<|endoftext|>"
ADVERSARIAL = [
    "aaabdaaabac",
    "a" * 1_000,
    " " * 500 + "x" + " " * 500,
    "abab" * 50 + " " + "baba" * 50 + " aaaa aaaaa aaaaaa aaaaaaa" * 3,
    "🙂🙂🙃 👩‍👩‍👧 é é é ñ 漢字漢字仮名 हिन्दी",
    "\n\n\t \r\n  x\n" * 5,
    "I'll can't we've it's DON'T x'y ''s",
    "1 22 333 ²³ ½ Ⅷ 1_000 snake_case",
    "\x00\x1c\x1f\x85\xa0",
    "x",
    "",
]
encodable = st.text(st.characters(codec="utf-8"))
# Unicode's later versions know letters that this Python does not, and cut them as such.
known = st.text(st.characters(codec="utf-8", exclude_categories=("Cn",)))
# Few letters and long words: the more pairs overlap and tie, the more conventions are put to test.
repetitive = st.lists(st.text("ab", max_size=40) | st.text("abc ", max_size=20), max_size=8)


def production(texts, size, min_count=2, specials=()) -> Tokenizer:
    """Hugging Face's byte-level BPE, trained on the same texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
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


def trained_on(text: str, size: int = 300) -> BytePairTokenizer:
    return BytePairTokenizer.train([text], size)


@given(repetitive, st.integers(256, 330), st.integers(1, 3))
def test_merges_and_ids_are_those_of_hugging_face_however_pairs_overlap_and_tie(
    texts, size, min_count
):
    ours, theirs = (
        BytePairTokenizer.train(texts, size, min_count=min_count),
        production(texts, size, min_count),
    )
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


@pytest.mark.parametrize("text", ADVERSARIAL)
def test_odd_texts_give_the_merges_and_ids_of_hugging_face(text):
    ours, theirs = trained_on(text), production([text], 300)
    assert list(ours.merges) == learned(theirs)
    assert ours.encode(text) == theirs.encode(text).ids
    english, its_peer = ours_and_theirs()
    assert english.encode(text) == its_peer.encode(text).ids


@given(encodable)
def test_any_text_comes_back_from_its_ids(text):
    ours = ours_and_theirs()[0]
    assert ours.decode(ours.encode(text)) == text
    assert [ours.symbols[i] for i in ours.encode(text)] == ours.tokens(text)


@given(known)
def test_any_text_has_the_ids_of_hugging_face(text):
    ours, theirs = ours_and_theirs()
    assert ours.encode(text) == theirs.encode(text).ids


@given(st.lists(st.integers(1, 1_999)))
def test_any_ids_are_decoded_as_hugging_face_does_also_where_they_are_no_text(ids):
    ours, theirs = ours_and_theirs()
    assert ours.decode(ids) == theirs.decode(ids)


@given(st.binary())
def test_any_bytes_are_decoded_with_a_replacement_for_what_is_no_text(raw):
    ours = ours_and_theirs()[0]
    ids = [ours.symbols.index(bytes([byte])) for byte in raw]
    assert ours.decode(ids) == raw.decode("utf-8", errors="replace")


def test_a_letter_spread_over_tokens_is_decoded_as_one():
    plain = BytePairTokenizer.train([], 256)
    first, second = plain.encode("é")
    assert plain.decode([first, second]) == "é"
    assert plain.decode([first]) + plain.decode([second]) == "��"


def test_the_pair_with_the_smaller_ids_wins_a_tie():
    """In aa b d aa ... both (a, b) and (aa, a) stand twice; a has a smaller id than aa."""
    assert trained_on("aaabdaaabac").merges == ((b"a", b"a"), (b"a", b"b"), (b"aa", b"ab"))
    assert trained_on("aaabdaaabac").tokens("aaabdaaabac") == [b"aaab", b"d", b"aaab", b"a", b"c"]


@given(repetitive, st.integers(256, 300), st.sampled_from(["smallest", "greatest"]))
def test_the_merges_are_those_of_counting_anew_and_the_rule_decides_ties(texts, size, ties):
    """The greatest pair by its bytes is what subword-nmt's learn_bpe.py takes."""
    words = [[bytes([byte]) for byte in piece.encode()] for text in texts for piece in pieces(text)]
    ids = {symbol: i for i, symbol in enumerate(map(bytes, zip(LETTERS)))}
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


def test_the_rule_for_ties_decides_what_is_learned():
    by_bytes = BytePairTokenizer.train(["aaabdaaabac"], 300, ties="greatest")
    assert by_bytes.merges == ((b"a", b"a"), (b"aa", b"a"), (b"aaa", b"b"))
    assert by_bytes.tokens("aaabdaaabac") == trained_on("aaabdaaabac").tokens("aaabdaaabac")
    assert by_bytes.tokens("ab") != trained_on("aaabdaaabac").tokens("ab")


def test_a_rule_for_ties_that_is_none_is_refused():
    with pytest.raises(ValueError, match="one of smallest, greatest, got 'largest'"):
        BytePairTokenizer.train(["a"], 300, ties="largest")


@given(repetitive, st.text("abc ", max_size=60))
def test_encoding_is_the_training_played_again_merge_by_merge(texts, text):
    ours = BytePairTokenizer.train(texts, 300)
    expected = []
    for piece in pieces(text):
        ids = [ours.symbols.index(bytes([byte])) for byte in piece.encode()]
        for left, right in ours.merges:
            pair = (ours.symbols.index(left), ours.symbols.index(right))
            ids = merge_pair(ids, pair, ours.symbols.index(left + right))
        expected += ids
    assert ours.encode(text) == expected


def test_rank_decides_and_neither_length_nor_frequency():
    symbols = [*(bytes([byte]) for byte in LETTERS), b"bc", b"ab", b"abc", b"abcd"]
    merges = [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c"), (b"abc", b"d")]
    assert BytePairTokenizer(symbols, merges).tokens("abcd") == [b"a", b"bc", b"d"]


@given(st.lists(st.lists(st.integers(0, 2), max_size=12).map(tuple), max_size=6), st.randoms())
def test_counts_kept_while_merging_are_the_counts_counted_anew(words, choice):
    words = Counter(words)
    kept = PairCounts(words)
    for new in range(3, 9):
        expected = Counter()
        for word, times in zip(kept.words, kept.times, strict=True):
            for pair in pairwise(word):
                expected[pair] += times
        assert +kept.counts == expected
        best = max(expected.values(), default=0)
        smallest = min((pair for pair in expected if expected[pair] == best), default=None)
        assert kept.most_frequent() == (smallest, best)
        if not expected:
            break
        kept.merge(choice.choice(sorted(expected)), new)


def test_a_pair_in_three_equal_letters_is_counted_twice():
    assert PairCounts({(1, 1, 1): 5}).most_frequent() == ((1, 1), 10)
    assert merge_pair([1, 1, 1, 2], (1, 1), 9) == [9, 1, 2]


@given(encodable)
def test_without_merges_it_is_a_vocabulary_over_bytes(text):
    plain = BytePairTokenizer.train([], 256)
    vocabulary = Vocabulary(LETTERS.values(), specials=())
    letters = [LETTERS[byte] for byte in text.encode()]
    assert plain.encode(text) == vocabulary.encode(letters).tolist()


def test_special_tokens_come_first_and_are_one_token_wherever_they_stand():
    ours, theirs = ours_and_theirs()
    text = f"{END}one{END}{END} two <|end"
    assert ours.specials == (END,)
    assert ours.tokens(text)[:2] == [END, b"one"]
    assert ours.encode(text) == theirs.encode(text).ids
    assert ours.decode(ours.encode(text)) == text
    assert ours.encode_ordinary(END) != ours.encode(END) == [0]
    assert ours.decode(ours.encode_ordinary(END)) == END


def test_the_longest_of_several_special_tokens_is_found():
    ours = BytePairTokenizer.train([], 258, specials=("<a>", "<a><b>"))
    assert ours.tokens("<a><b><a>") == ["<a><b>", "<a>"]


def test_no_merge_is_learned_from_or_across_special_tokens():
    texts = ["a<end>b<end>a<end>b", "ab<end>ab"] * 9
    ours = BytePairTokenizer.train(texts, 300, specials=("<end>",))
    assert list(ours.merges) == [(b"a", b"b")]
    as_text = BytePairTokenizer.train(texts, 300)
    assert as_text.merges == ((b"e", b"n"), (b"en", b"d"), (b"a", b"b"))
    assert list(as_text.merges) == learned(production(texts, 300, 2, ("<end>",)))


def test_no_pair_reaches_from_one_text_into_the_next():
    assert BytePairTokenizer.train(["a", "b"] * 9, 300).merges == ()


def test_training_ends_where_no_pair_is_frequent_enough():
    assert len(BytePairTokenizer.train(["abc abc"], 300)) == 258
    assert len(BytePairTokenizer.train(["abc abc"], 300, min_count=3)) == 256
    assert len(BytePairTokenizer.train([""], 300, min_count=1)) == 256


@given(repetitive, st.lists(st.sampled_from(["<s>", "<pad>", "né 漢"]), unique=True))
def test_a_saved_tokenizer_is_loaded_as_it_was(tmp_path_factory, texts, specials):
    folder = tmp_path_factory.mktemp("tokenizer")
    ours = BytePairTokenizer.train(texts, 300, specials)
    ours.save(folder / "vocab.json", folder / "merges.txt")
    loaded = BytePairTokenizer.load(folder / "vocab.json", folder / "merges.txt")
    assert loaded.symbols == ours.symbols
    assert loaded.merges == ours.merges


def test_hugging_face_reads_our_files_and_we_read_theirs(tmp_path):
    ours, theirs = ours_and_theirs()
    text = "# A text, with signs: # # 🙂\n\n  and an indented line." + TEXTS[0]
    vocabulary, merges = str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")
    ours.save(vocabulary, merges)
    read = Tokenizer(models.BPE.from_file(vocabulary, merges))
    read.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    assert read.encode(text).ids == theirs.encode(text).ids
    vocabulary, merges = theirs.model.save(str(tmp_path), "theirs")
    loaded = BytePairTokenizer.load(vocabulary, merges)
    assert loaded.symbols == ours.symbols
    assert loaded.encode(text) == theirs.encode(text).ids


def test_files_in_the_layout_of_gpt2_are_read_with_their_ids(tmp_path):
    """256 bytes, then the merges (these are GPT-2's first seven), then <|endoftext|>."""
    lines = ["Ġ t", "Ġ a", "h e", "i n", "r e", "o n", "Ġt he"]
    names = [*LETTERS.values(), *(line.replace(" ", "") for line in lines), END]
    files = str(tmp_path / "encoder.json"), str(tmp_path / "vocab.bpe")
    Path(files[0]).write_text(json.dumps({name: i for i, name in enumerate(names)}))
    Path(files[1]).write_bytes("\n".join(["#version: 0.2", *lines, ""]).encode())
    theirs = Tokenizer(models.BPE.from_file(*files))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.add_special_tokens([AddedToken(END, special=True)])
    loaded = BytePairTokenizer.load(*files)
    assert loaded.specials == (END,)
    assert loaded.encode("! the" + END) == [0, 262, 263]
    assert loaded.encode("! the" + END) == theirs.encode("! the" + END).ids


@pytest.mark.parametrize(("before", "after"), [(b"\n", b"\r\n"), (b"#version: 0.2\n", b"")])
def test_merges_are_read_with_other_line_ends_and_without_a_version(tmp_path, before, after):
    ours = trained_on("aaabdaaabac")
    vocabulary, merges = tmp_path / "vocab.json", tmp_path / "merges.txt"
    ours.save(vocabulary, merges)
    written = merges.read_bytes()
    assert before in written
    merges.write_bytes(written.replace(before, after))
    assert BytePairTokenizer.load(vocabulary, merges).merges == ours.merges


def test_a_copy_and_a_pickle_encode_alike():
    ours = ours_and_theirs()[0]
    for twin in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert twin.encode("quokkas in a new text" + END) == ours.encode(
            "quokkas in a new text" + END
        )


def test_a_piece_of_many_thousand_letters_is_merged_as_hugging_face_does():
    """DNA has no spaces: all of it is one piece."""
    letters = "".join(random.Random(0).choices("ACGT", k=30_000))
    ours, theirs = trained_on(letters[:10_000], 800), production([letters[:10_000]], 800)
    assert pieces(letters) == [letters]
    assert ours.encode(letters) == theirs.encode(letters).ids


@pytest.mark.parametrize(("texts", "specials"), [("a text", ()), (["a text"], "<s>")])
def test_one_string_for_a_list_is_refused(texts, specials):
    with pytest.raises(TypeError, match="is one string; expected a list"):
        BytePairTokenizer.train(texts, 300, specials)


@pytest.mark.parametrize(
    ("size", "specials", "count"), [(255, (), 2), (256, ("<s>",), 2), (300, (), 0)]
)
def test_a_size_without_room_for_the_bytes_is_refused(size, specials, count):
    with pytest.raises(ValueError, match=rf"at least {256 + len(specials)} .* got size={size}"):
        BytePairTokenizer.train(["a"], size, specials, count)


@pytest.mark.parametrize(
    ("symbols", "merges", "message"),
    [
        ([b"a"], [], "255 symbols are missing"),
        ([*(bytes([i]) for i in range(256)), b"ab"], [(b"a", b"bc")], "2 symbols .* b'bc'"),
        ([*(bytes([i]) for i in range(256)), b"a"], [], "b'a' twice"),
        ([*(bytes([i]) for i in range(256)), ""], [], "at least one letter"),
    ],
)
def test_symbols_that_do_not_fit_the_merges_are_refused(symbols, merges, message):
    with pytest.raises(ValueError, match=message):
        BytePairTokenizer(symbols, merges)


@pytest.mark.parametrize("ids", [[256], [-1], [0, 999]])
def test_an_id_outside_the_vocabulary_is_refused(ids):
    with pytest.raises(IndexError, match="0 … 255"):
        BytePairTokenizer.train([], 256).decode(ids)


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(UnicodeEncodeError):
        BytePairTokenizer.train([], 256).encode("\ud83d")


@pytest.mark.parametrize(
    ("vocabulary", "merges", "message"),
    [
        ({"a": 0, "b": 2}, "", "2 ids in .* are not 0 … 1"),
        ({"a": 0}, "#version: 0.2\na b c\n", "no pair of tokens: 'a b c'"),
        ({"a": 0}, "#version: 0.2\n", "255 symbols are missing"),
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
