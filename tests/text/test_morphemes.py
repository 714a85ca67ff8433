import re

from headway.text.corpus.morphemes import MORPHEMES, borders
from headway.text.corpus.standard_library import docstrings


def test_the_words_stand_in_the_documentation_and_have_two_parts_at_least():
    known = set(re.findall(r"[a-z]+", " ".join(docstrings()).lower()))
    words = ["".join(parts) for parts in MORPHEMES]
    assert len(set(words)) == len(words) >= 60
    missing = [word for word in words if word not in known]
    assert len(missing) < 5, missing  # between versions of Python the documentation changes
    assert all(len(parts) >= 2 and all(parts) for parts in MORPHEMES)


def test_the_borders_are_where_a_morpheme_ends_inside_the_word():
    assert borders(("un", "read", "able")) == {2, 6}
    assert borders(("sub", "set")) == {3}
