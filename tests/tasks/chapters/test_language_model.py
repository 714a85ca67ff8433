"""What the tasks of assignment 11 owe beyond what all tasks do."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from torch.nn import functional

from headway.models.language_model import LanguageModel as OfTheCourse
from headway.models.language_model import LanguageModelConfig
from headway.tasks.chapters.language_model.assemble import LanguageModel, weights
from headway.tasks.chapters.language_model.byte_counts import bits, by_pairs, pairs, scores
from headway.tasks.chapters.language_model.docstring_texts import (
    DRAWN,
    LONGEST,
    MANY,
    SHORTEST,
    WORDS,
    drawn,
    from_all_over,
    kept_back,
    known,
    new,
    reworded,
)
from headway.tasks.chapters.language_model.docstrings import (
    BETTER,
    CLEARLY,
    LONG,
    docstrings_task,
    foreseen,
    foreseen_in_text,
)
from headway.tasks.chapters.language_model.loss import next_token_loss
from headway.tasks.chapters.language_model.predict import parameters, perplexity, positions
from headway.tasks.chapters.language_model.repair import given_examples, repaired_examples
from headway.tasks.chapters.language_model.sort import (
    OTHER_SIZES,
    TARGET,
    cases,
    examine,
    sort_task,
    written,
)
from headway.tasks.chapters.language_model.sorting import (
    ARRANGEMENT,
    BUDGET,
    new_model,
    questions,
    recorded,
    trained,
)
from headway.tasks.engine.judge import judge
from headway.text.corpus.standard_library import docstrings
from headway.training.loss import cross_entropy
from tests.full import seeds

SEEDS = seeds(1)
FEWER = SEEDS[:5]  # for what fails, and takes as long


def exact(answer, seed):
    """The share of exact replies to each kind of question."""
    arrangement, learned = answer
    shares = []
    for case in cases(np.random.default_rng(seed)):
        shares.append(examine((arrangement, written(learned, *case.inputs)), case).exact)
    return shares


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_the_sorter_reaches_the_target_on_all_questions_with_margin(seed):
    assert min(exact(trained(seed), seed)) >= (1 + TARGET) / 2


@pytest.mark.full
@pytest.mark.parametrize("seed", FEWER)
def test_what_comes_first_to_mind_does_not_reach_the_target(seed):
    first = trained(seed, rate=1e-3, scheduled=False, everything=True, draw=questions)
    _, few, _ = exact(first, seed)
    assert few < 0.8


@pytest.mark.full
@pytest.mark.parametrize("seed", FEWER)
def test_with_digits_at_random_alone_rare_questions_stay_below_the_target(seed):
    at_random, few, _ = exact(trained(seed, draw=questions), seed)
    assert at_random >= TARGET > few


def test_an_untrained_sorter_is_far_from_the_target_and_within_the_budget():
    model = new_model(ARRANGEMENT)
    assert sum(p.numel() for p in model.parameters()) <= BUDGET
    assert max(exact((ARRANGEMENT, model.state_dict()), 0)) < 0.1


@pytest.mark.parametrize("sizes", [{"layers": 10**9}, {"layers": 10**9, "width": 0}])
def test_no_sorter_is_made_that_cannot_be_of_the_weights(sizes):
    verdict = judge(sort_task, lambda ids: ({**ARRANGEMENT, **sizes}, recorded()))
    assert OTHER_SIZES in verdict.reason


def test_the_assembled_model_is_the_course_s_own_and_its_first_loss_that_of_a_guess():
    V, N, C, H, L = sizes = 50, 12, 64, 4, 2
    config = LanguageModelConfig(vocabulary=V, context=N, width=C, heads=H, layers=L)
    ours = OfTheCourse(config, torch.Generator().manual_seed(0))
    mine = LanguageModel(*sizes)
    numbers = weights(np.random.default_rng(0), *sizes)
    mine.load_state_dict(numbers)
    renamed = {
        "embedding.": "embedding.",
        "positions.weight": "input.position.table",
        "blocks.": "stack.blocks.",
        "norm.": "stack.norm.",
    }
    moved = {}
    for name, part in numbers.items():
        old = next(old for old in renamed if name.startswith(old))
        moved[renamed[old] + name.removeprefix(old)] = part
    ours.load_state_dict(moved)
    ids = torch.from_numpy(np.random.default_rng(1).integers(0, V, (3, N)))
    torch.testing.assert_close(mine(ids), ours(ids), atol=1e-4, rtol=1e-4)

    logits = LanguageModel(*sizes)(ids)
    loss = functional.cross_entropy(logits.flatten(0, 1), ids.flatten())
    assert loss.item() == pytest.approx(math.log(V), abs=0.15)


def test_the_loss_is_the_course_s_own_where_padding_has_an_id():
    rng = torch.Generator().manual_seed(0)
    logits, ids = torch.randn(2, 6, 9, generator=rng), torch.randint(1, 9, (2, 6), generator=rng)
    ids[1, 4:] = 0
    ours = cross_entropy(logits[:, :-1], ids[:, 1:], ignore_index=0)
    assert next_token_loss(logits, ids, torch.tensor([6, 4])) == pytest.approx(ours.item())


def test_the_faulty_examples_ask_for_no_first_word_and_the_repaired_ones_for_the_reply():
    _, targets = given_examples([[5, 6]], [[7, 8]], end=1, padding=0)
    assert targets.tolist() == [[-100, -100, 8, 1]]
    _, targets = repaired_examples([[5, 6]], [[7, 8]], end=1, padding=0)
    assert targets.tolist() == [[-100, 7, 8, 1]]


def test_the_values_by_hand_are_those_that_are_counted():
    lengths = [2 + words for words in (5, 9, 3)]
    longest = max(lengths)
    asked = sum(length - 1 for length in lengths)
    assert positions.reference == [3 * (longest - 1), asked, lengths[2] - 2]

    def count(context, heads):
        model = LanguageModel(500, context, 20, heads, 3)
        return sum(p.numel() for p in model.parameters())

    assert parameters.reference == [count(40, 4), count(40, 4) + 500 * 20, count(80, 10)]
    nats = np.repeat([2.0, 3.2], [600, 200])
    expected = [nats.mean(), math.exp(nats.mean()), nats.sum() / math.log(2) / 3_200]
    assert perplexity.reference == pytest.approx(expected)


def test_counts_of_three_bytes_are_clearly_better_than_pairs_and_pairs_than_a_guess():
    text = new()[:3_000]
    pairs = bits(by_pairs(text), text)
    assert bits(scores(text), text) < pairs - 2 * CLEARLY < pairs - BETTER < 8


def test_no_single_place_of_the_docstrings_decides_over_a_text():
    """By counts of three bytes against pairs: what is gained in a text, wherever it begins."""
    text = new()
    worst = min(
        bits(by_pairs(part), part) - bits(scores(part), part)
        for start in range(0, len(text), len(text) // 40)
        for part in [from_all_over(text.roll(start), LONG)]
    )
    whole = bits(by_pairs(text), text) - bits(scores(text), text)
    assert worst > whole - 0.4
    assert len(from_all_over(text, LONG)) == LONG


@pytest.mark.parametrize("seed", SEEDS)
def test_words_that_have_changed_places_make_a_text_of_the_same_words_on_no_disk(seed):
    text, mixed = new(), reworded(np.random.default_rng(seed), new())
    words = [sorted(WORDS.findall(bytes(x.tolist()).decode())) for x in (text, mixed)]
    assert words[0] == words[1]
    on_disk = library()
    runs = [bytes(mixed[t : t + 24].tolist()) for t in range(0, len(mixed) - 24, 97)]
    assert np.mean([run in on_disk for run in runs]) < 0.2
    assert bits(scores(mixed[:3_000]), mixed[:3_000]) < bits(by_pairs(mixed[:3_000]), mixed[:3_000])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_byte_that_is_kept_back_stands_in_nothing_that_an_answer_is_given(seed):
    rng = np.random.default_rng(seed)
    text = torch.from_numpy(np.random.default_rng(seed).permutation(40_000))  # no number twice
    pieces, last = kept_back(rng, text)
    before = {number for piece in pieces for number in piece[:-1].tolist()}
    assert len(set(last.tolist())) == len(pieces) == MANY
    assert not before & set(last.tolist())
    assert all(SHORTEST <= len(piece) <= LONGEST for piece in pieces)
    place = text.argsort()
    assert all(
        text[place[piece[-2]] + 1] == asked for piece, asked in zip(pieces, last, strict=True)
    )


def test_who_looks_at_the_byte_that_is_asked_for_earns_nothing_however_it_hides():
    assert judge(docstrings_task, foreseen).score == 0
    verdict = judge(docstrings_task, foreseen_in_text)
    assert verdict.score == 0
    assert verdict.misconception.name == "targets-unshifted"
    passed = dict(verdict.cases)
    assert not passed["docstrings of other modules, with words exchanged"]
    assert not passed["a text longer than most contexts"]
    assert passed["bytes that nobody can know"]
    assert not passed["bytes that are kept back, of texts on no disk"]


def honest_but_for(suits):
    """Looks at the bytes that are asked for in texts that suit, and is honest with the others."""
    return lambda ids: foreseen(ids) if suits(ids) else scores(ids)


def test_who_peeks_only_at_texts_of_the_library_gains_nothing():
    """The long text is on no disk, and nor are the pieces."""
    asked = []

    def on_disk(ids):
        asked.append(bytes(ids.tolist()) in library())
        return asked[-1] and len(ids) > SHORTEST

    assert judge(docstrings_task, honest_but_for(on_disk)).status == "passed"
    assert np.mean(asked) < 0.1


def test_who_peeks_at_long_texts_only_is_found_out():
    verdict = judge(docstrings_task, honest_but_for(lambda ids: len(ids) > LONGEST))
    assert not dict(verdict.cases)["a text longer than most contexts"]
    assert verdict.score < docstrings_task.points


SURE = 0.95


@cache
def library() -> bytes:
    return "\n\n".join(docstrings()).encode()


def looked_up(text: bytes, length: int):
    """Logits by what stands in a text behind the last bytes; where they do not, by pairs."""
    behind = {text[t - length : t]: text[t] for t in range(length, len(text))}

    def answer(ids):
        read, rows = bytes(ids.tolist()), by_pairs(ids).softmax(-1)
        for t in range(length, len(ids)):
            then = behind.get(read[t - length : t])
            if then is not None:
                rows[t] *= 1 - SURE
                rows[t, then] += SURE
        return rows.log()

    return answer


@pytest.mark.parametrize("seed", SEEDS)
def test_who_looks_texts_up_in_the_library_earns_nothing(seed):
    answer, text = looked_up(library(), 12), new()
    assert bits(answer(text), text) < bits(by_pairs(text), text) - 2  # it is there
    task = replace(docstrings_task, misconceptions=())  # whose names are not asked for
    assert judge(task, answer, seed).score == 0


@pytest.mark.full
@pytest.mark.parametrize("length", [3, 6, 12])
def test_of_drawn_texts_the_library_says_no_more_than_what_was_given_to_learn_from(length):
    ids = drawn(np.random.default_rng(length), DRAWN)
    in_library, in_known = (
        bits(looked_up(text, length)(ids), ids) for text in (library(), bytes(known().tolist()))
    )
    assert in_library > in_known - 0.01


def learned_bytes(seed, context=16, width=48, steps=1_000, rate=1e-2):
    """Logits for texts, by the notebook's network."""
    torch.manual_seed(seed)
    model, text = LanguageModel(256, context, width, 4, 1), known()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    for step in range(steps):
        warm = min(1, (step + 1) / 50)
        optimizer.param_groups[0]["lr"] = rate * warm * (1 + math.cos(math.pi * step / steps)) / 2
        starts = torch.randint(len(text) - context, (32, 1))
        pieces = text[starts + torch.arange(context + 1)]
        logits = model(pieces[:, :-1])
        loss = functional.cross_entropy(logits.flatten(0, 1), pieces[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def logits_of(ids):
        read = torch.cat([torch.full((context,), 10), ids])[:-1]
        with torch.no_grad():
            return model(read.unfold(0, context, 1))[:, -1]

    return logits_of


@pytest.mark.full
@pytest.mark.parametrize("seed", FEWER)
def test_a_network_beats_the_pairs_clearly(seed):
    logits_of, text = learned_bytes(seed), new()[:10_000]
    cost = np.mean([bits(logits_of(piece), piece) for piece in text.split(2_000)])
    assert cost < bits(by_pairs(text), text) - CLEARLY - 0.1
    pieces, last = kept_back(np.random.default_rng(seed), drawn(np.random.default_rng(seed), DRAWN))
    before = torch.stack([piece[-2] for piece in pieces])
    rows = torch.stack([logits_of(piece)[-1] for piece in pieces])
    assert bits(rows, last) < bits(pairs()[before], last) - CLEARLY - 0.1
    assert judge(docstrings_task, logits_of, seed).status == "passed"
