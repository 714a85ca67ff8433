"""Texts that are read: the docstrings of the standard library."""

import inspect
import os
import re
import subprocess
import sys
import textwrap

import pytest

from headway.text.corpus.standard_library import docstrings, plain_sentences, source_of


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
