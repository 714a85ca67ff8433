"""Texts that are read: the docstrings of the standard library, and files of one's own."""

import inspect
import os
import re
import subprocess
import sys
import textwrap

import pytest

from headway.text.corpus.local import pairs, paragraphs
from headway.text.corpus.standard_library import docstrings, plain_sentences, source_of
from headway.text.corpus.translation import Translation


def test_docstrings_are_distinct_real_and_in_the_order_of_the_modules():
    texts = docstrings()
    assert len(set(texts)) == len(texts) > 2_000
    assert sum(map(len, texts)) > 500_000
    assert all(text.strip() == text != "" for text in texts)
    assert texts[0] == "Abstract Base Classes (ABCs) according to PEP 3119."
    abc, bisect = docstrings(("abc",)), docstrings(("bisect",))
    assert docstrings(("abc", "bisect", "abc")) == abc + bisect
    assert {inspect.getdoc(textwrap.TextWrapper), inspect.getdoc(textwrap.dedent)} <= {*texts}


def test_plain_sentences_are_words_of_the_docstrings_in_order():
    texts = plain_sentences()
    assert len(texts) > 2_000
    assert all(re.fullmatch(r"[a-z']+( [a-z']+)*", text) for text in texts)
    flat = " ".join(re.findall(r"[a-z]+(?:'[a-z]+)*", " ".join(docstrings()).lower()))
    assert all(f" {text} " in f" {flat} " for text in texts)
    assert plain_sentences(("abc",))[:2] == (
        "a decorator indicating abstract methods",
        "requires that the metaclass is abcmeta or derived from it",
    )


def test_docstrings_are_the_same_in_another_process_with_another_hash_seed():
    modules = ("abc", "bisect", "collections", "textwrap")
    code = f"from headway.text.corpus import standard_library as s; print(s.docstrings({modules}))"
    own = os.environ | {"PYTHONHASHSEED": "12345", "PYTHONIOENCODING": "utf-8"}
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, encoding="utf-8", check=True, env=own)
    assert done.stdout == f"{docstrings(modules)}\n"


def test_a_module_without_source_is_named():
    with pytest.raises(FileNotFoundError, match="'math'"):
        source_of("math")
    assert source_of("json").name == "__init__.py"
    assert source_of("json.decoder").name == "decoder.py"


def test_paragraphs_of_a_folder_come_in_the_order_of_the_paths(tmp_path):
    (tmp_path / "b.txt").write_bytes("\ufeffZwei\r\nZeilen\r\n\r\n \r\nEnde".encode())
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "z.txt").write_text("eins\n\n", encoding="utf-8")
    (tmp_path / "a" / "notes.md").write_text("nothing", encoding="utf-8")
    assert paragraphs(tmp_path) == ["eins", "Zwei Zeilen", "Ende"]
    assert paragraphs(str(tmp_path / "b.txt")) == ["Zwei Zeilen", "Ende"]


def test_pairs_are_read_from_a_file_with_tabs(tmp_path):
    file = tmp_path / "fra.txt"
    file.write_text("Go.\tVa !\tCC-BY 2.0\n\nHi.\tSalut !\n", encoding="utf-8")
    assert pairs(file) == [Translation("Go.", "Va !", ()), Translation("Hi.", "Salut !", ())]
    file.write_text("Go.\tVa !\nHi. Salut !\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2 has no tab"):
        pairs(file)


def test_files_that_are_not_there_or_not_utf8_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nor a folder with"):
        paragraphs(tmp_path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        paragraphs(tmp_path / "nowhere")
    (tmp_path / "latin.txt").write_bytes("café".encode("latin-1"))
    with pytest.raises(ValueError, match=r"latin\.txt is not UTF-8 \(byte 3\)"):
        paragraphs(tmp_path)
