"""Texts that are made: the same from the same seed, and with what chapters say of them."""

import hashlib
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.text.corpus.commands import (
    CHECK,
    CHECK_LOG,
    CHECK_LOGS,
    RUN,
    RUN_DOWN,
    SHOW,
    check_logs,
)
from headway.text.corpus.company import COMPANY
from headway.text.corpus.grammar import Grammar
from headway.text.corpus.sentiment import BAD, GOOD, reviews
from headway.text.corpus.smells import SMELL_OF, SMELLS
from headway.text.corpus.split import choose, generator, hold_out, shuffled
from headway.text.corpus.translation import hold_out_combinations, translations

seeds = st.integers(0, 2**32)

# The first 16 digits of the SHA-256 of the texts from seed 7.
GENERATED = {
    "5287fa3d65e24c18": lambda rng: SHOW.sample(rng, 200),
    "4436d7c1c624f4b5": lambda rng: CHECK.sample(rng, 200),
    "c0fdbefaa0f8c146": lambda rng: CHECK_LOG.sample(rng, 200),
    "bfdd6adff00d3403": lambda rng: CHECK_LOGS.sample(rng, 200),
    "e80d9c53fe0fec59": lambda rng: SMELLS.sample(rng, 200),
    "8dbbf2967ea79049": lambda rng: COMPANY.sample(rng, 200),
    "2d17dda0ec4484b8": lambda rng: reviews(rng, 200),
    "cdec98f25b34348d": lambda rng: translations(rng, 200),
    "65250bdba5f968c7": lambda rng: hold_out(rng, CHECK_LOGS.sample(rng, 200), 0.3),
    "144be97577194672": lambda rng: hold_out_combinations(rng, translations(rng, 200)),
}


@pytest.mark.parametrize("digest", GENERATED)
def test_a_seed_gives_the_bytes_it_always_gave_and_no_other_chance_is_touched(digest):
    before = np.random.get_state()[1].copy()
    texts, others = (repr(GENERATED[digest](generator(seed))) for seed in (7, 8))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == digest
    assert others != texts
    np.testing.assert_array_equal(np.random.get_state()[1], before)


@given(seeds, st.lists(st.integers(0, 30)), st.floats(0, 1))
def test_held_out_parts_share_nothing_and_lose_nothing(seed, items, share):
    kept, held = hold_out(generator(seed), items, share)
    assert not set(kept) & set(held)
    assert Counter(kept) + Counter(held) == Counter(items)
    assert len(set(held)) == round(share * len(set(items)))
    kept, held = hold_out(generator(seed), items, 0.5, key=lambda item: item % 10)
    assert not {item % 10 for item in kept} & {item % 10 for item in held}


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_beyond_the_whole_is_refused(share):
    with pytest.raises(ValueError, match="in 0 … 1"):
        hold_out(generator(0), [1], share)
    with pytest.raises(ValueError, match="in 0 … 1"):
        hold_out_combinations(generator(0), [], share)


def test_choices_and_orders_are_uniform():
    rng = generator(0)
    picked = Counter(choose(rng, "abc") for _ in range(9000))
    orders = Counter("".join(shuffled(rng, "abc")) for _ in range(9000))
    for counts, options in ((picked, 3), (orders, 6)):
        assert len(counts) == options
        expected = counts.total() / options
        assert all(abs(n - expected) < 5 * expected**0.5 for n in counts.values())


def test_show_and_check_have_the_probabilities_of_the_book():
    shares = {text.split()[3]: p for text, p in SHOW.probabilities().items()}
    assert shares == pytest.approx({"directories": 0.2, "files": 0.3, "photos": 0.5})
    assert CHECK.probabilities() == pytest.approx(
        {
            "check whether the battery ran down please": 0.4,
            "check whether the program ran please": 0.6,
        }
    )


def test_expansions_may_be_empty_and_weighted():
    grammar = Grammar({"START": ("A b", "b"), "A": {"": 1, "a c": 3}})
    assert grammar.probabilities() == pytest.approx({"b": 0.625, "a c b": 0.375})
    counts = Counter(grammar.sample(generator(0), 10_000))
    assert counts["b"] + counts["a c b"] == 10_000
    assert abs(counts["b"] - 6_250) < 250


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"A": "a"}, "begins at START"),
        ({"START": "a A", "A": ("b", "c START")}, "START → A → START"),
        ({"START": ()}, "needs expansions"),
        ({"START": {"a": 0}}, "positive weights"),
    ],
)
def test_a_grammar_that_cannot_write_is_refused(rules, message):
    with pytest.raises(ValueError, match=message):
        Grammar(rules)


def test_in_check_logs_the_noun_decides_and_the_last_five_words_do_not():
    followers = defaultdict(set)
    for text in CHECK_LOGS.probabilities():
        words = text.split()
        ran = words.index("ran")
        followers[tuple(words[ran - 5 : ran + 1])].add(words[ran + 1])
        assert (words[2] in RUN_DOWN) == (words[ran + 1] == "down")
        assert (words[2] in RUN) == (words[ran + 1] == "please")
        assert 6 <= ran - 2 <= 11
    assert all(words == {"down", "please"} for words in followers.values())
    assert len(CHECK_LOGS.probabilities()) > 8_000


def test_check_logs_have_the_share_of_each_kind_and_slips_end_as_the_other_kind_should():
    def is_usual(text: str) -> bool:
        words = text.split()
        return " ".join(words[words.index("the") - 1 :]) in CHECK_LOGS.probabilities()

    def runs_down(text: str) -> bool:
        return any(noun in text.split() for noun in RUN_DOWN)

    texts = check_logs(generator(0), 200, run_down=0.35)
    assert all(map(is_usual, texts))
    assert len({text.split().index("the") for text in texts}) == 4
    assert sum(" down " in text for text in texts) == 70
    assert not all(" down " in text for text in texts[:70])  # they are mixed
    texts = check_logs(generator(0), 400, run_down=0.25, slips=0.2)
    slips = [text for text in texts if not is_usual(text)]
    assert 50 < len(slips) < 110
    assert {" down " in text for text in slips} == {True, False}
    assert all((" down " in text) != runs_down(text) for text in slips)
    assert sum(map(runs_down, texts)) == 100
    assert check_logs(generator(0), 0) == []


def test_the_first_noun_of_a_smell_decides_and_any_other_may_stand_in_the_way():
    smelled = defaultdict(set)
    for text in SMELLS.probabilities():
        *before, verb, smell = text.split()
        subject, other = (word for word in before if word in SMELL_OF)
        assert verb == "smells"
        smelled[subject, other].add(smell)
    assert len(smelled) == len(SMELL_OF) ** 2
    assert all(smells == {SMELL_OF[subject]} for (subject, _), smells in smelled.items())


def test_the_clause_after_but_decides_and_the_first_tells_nothing():
    def is_praise(clause: str) -> bool:
        words = clause.split()
        assert (words[-1] in GOOD) != (words[-1] in BAD)
        return (words[-1] in GOOD) != ("not" in words)

    praised, agree = 0, 0
    for text, positive in reviews(generator(0), 4000):
        first, second = map(is_praise, text.split(" but "))
        assert positive == second
        praised, agree = praised + positive, agree + (first == positive)
    for count in (praised, agree):
        assert abs(count - 2000) < 5 * 1000**0.5
