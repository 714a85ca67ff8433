import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import GPT2Config, GPT2LMHeadModel

from headway.inference.beam import beam_search, beam_steps
from headway.inference.decoding import generate
from headway.inference.exact import exhaustive
from headway.inference.predictor import ChainPredictor, Uncached
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError
from tests.inference.tables import Reads, random_table
from tests.models.weights import random_ids

seeds = st.integers(0, 10_000)
penalties = st.sampled_from([-0.5, 0.0, 0.6, 1.0, 2.0])
PROMPT = torch.tensor([[0, 1], [1, 0], [2, 2]])
close = {"atol": 1e-4, "rtol": 1e-4}


@given(seeds, st.integers(1, 6), st.integers(1, 2), st.sampled_from([None, 2]))
def test_one_beam_is_greedy(seed, steps, order, end):
    table = random_table(seed, 4, order)
    found = beam_search(Reads(table), PROMPT, steps, 1, end, length_penalty=0.0)
    assert found.best.equal(generate(Reads(table), PROMPT, steps, end=end))


# A table that looks back as far as the search goes: no two of its sequences tie.
FAR = torch.tensor([[0, 1, 2, 3, 0], [3, 2, 1, 1, 0], [2, 2, 2, 2, 2]])


def plain_beam_search(log_p, prompt, steps, K, end, alpha):
    """The rules as loops over lists, without stopping early: (score, tokens), best first."""
    n, V = log_p.dim() - 1, len(log_p)
    living, hypotheses = [(0.0, ())], []
    for t in range(1, steps + 1):
        extended = [
            (score + p, (*ids, w))
            for score, ids in living
            for w, p in zip(range(V), log_p[(*prompt, *ids)[-n:]].tolist(), strict=True)
        ]
        candidates = sorted(extended, reverse=True)[: 2 * K]
        for score, ids in candidates[:K]:
            if ids[-1] == end or t == steps:
                hypotheses.append((score / t**alpha, ids))
        living = [(score, ids) for score, ids in candidates if ids[-1] != end][:K]
    return sorted(hypotheses, reverse=True)[:K]


@given(seeds, st.integers(1, 6), st.integers(1, 4), penalties)
def test_agrees_with_the_rules_as_plain_loops_and_stopping_early_changes_nothing(
    seed, steps, K, alpha
):
    table = random_table(seed, 4, 5)
    found = beam_search(Reads(table), FAR, steps, K, 2, alpha, padding=9)
    for b, prompt in enumerate(FAR.tolist()):
        expected = plain_beam_search(table.log_softmax(-1), prompt, steps, K, 2, alpha)
        assert (found.lengths[b] > 0).sum() == len(expected)
        for k, (score, ids) in enumerate(expected):
            assert float(found.scores[b, k]) == pytest.approx(score)
            length = int(found.lengths[b, k])
            assert found.ids[b, k, : 5 + length].tolist() == [*prompt, *ids]
            assert (found.ids[b, k, 5 + length :] == 9).all()
    assert found.ids.shape[-1] == 5 + int(found.lengths.max())


def test_where_short_hypotheses_score_higher_the_next_length_bounds_what_can_be():
    # Token 3 ends. After two steps 0-3 and 0-1-3 have ended; 0-1-4-3 is better than the latter.
    table = torch.full((5, 5), 0.2)
    table[0] = torch.tensor([0.0, 0.6, 0.1, 0.3, 0.0])
    table[1] = torch.tensor([0.01, 0.01, 0.01, 0.05, 0.92])
    table[4] = torch.tensor([0.0, 0.0, 0.0, 1.0, 0.0])
    prompt = torch.zeros(1, 1, dtype=torch.int64)
    found = beam_search(Reads(table.log()), prompt, 200, 2, end=3, length_penalty=-0.5)
    assert found.lengths.tolist() == [[3, 1]]


def test_a_prompt_is_fed_once_and_search_stops_when_no_living_beam_can_win():
    predictor = Reads(random_table(0, 6, 1))
    beam_search(predictor, PROMPT, 5, 4)
    assert predictor.fed == [(3, 2)] + [(12, 1)] * 4
    # Token 0 ends, and nearly always comes: what lives on is far behind after two steps.
    table = torch.tensor([6.0, 0, 0, 0]).expand(4, -1)
    predictor = Reads(table)
    beam_search(predictor, PROMPT, 50, 2, end=0, length_penalty=0.0)
    assert len(predictor.fed) == 2
    # The mean ln P of a long hypothesis could still win, as far as the bound can tell.
    patient = Reads(table)
    beam_search(patient, PROMPT, 50, 2, end=0, length_penalty=1.0)
    assert len(patient.fed) > 2


def test_a_sentence_that_is_done_is_left_alone_while_others_go_on():
    # Token 3 ends. After 0-3 nothing can be better, while 2-2-2 … goes on.
    table = torch.zeros(4, 4)
    table[0] = torch.tensor([0.0, 0.4, 0.0, 0.6])
    table[1, 3] = 1.0
    table[2, 2] = 1.0
    steps = list(beam_steps(Reads(table.log()), torch.tensor([[0], [2]]), 4, 1, 3, 0.0))
    assert [step.finished[:, 0].tolist() for step in steps] == [
        [True, False],
        [False, False],
        [False, False],
        [False, True],
    ]
    assert steps[-1].hypotheses.lengths.tolist() == [[1], [4]]


@pytest.mark.parametrize("seed", range(2))
def test_agrees_with_hugging_face(seed):
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=13, n_positions=32, n_embd=16, n_layer=2, n_head=2, initializer_range=0.3
    )
    model, prompt = GPT2LMHeadModel(config).eval(), random_ids(13, 3, 4, seed)

    def search(K, end=None, alpha=1.0):
        predictor = Uncached(lambda ids: model(ids).logits)
        return beam_search(predictor, prompt, 8, K, end, alpha, padding=1)

    ends = search(1).best[0, 6:8].tolist()  # chosen early: as ends, they occur
    for end, (K, alpha) in itertools.product(ends, [(3, 0.0), (3, 1.0), (4, 2.0), (4, -1.0)]):
        found = search(K, end, alpha)
        theirs = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=8,
            num_beams=K,
            num_return_sequences=K,
            early_stopping="never",
            length_penalty=alpha,
            do_sample=False,
            eos_token_id=end,
            pad_token_id=1,
            return_dict_in_generate=True,
            output_scores=True,
        )
        assert found.ids.flatten(0, 1).equal(theirs.sequences)
        torch.testing.assert_close(found.scores.flatten(), theirs.sequences_scores, **close)
        assert alpha > 0 or (found.lengths < 8).any()


FRENCH = ["<s>", "J'aime", "Je", "J'adore", "apprendre", "étudier", "adore", "lire"]
# P(next | word); what is left out has probability zero.
NEXT = {
    "<s>": {"J'aime": 0.4, "Je": 0.3, "J'adore": 0.2, "lire": 0.1},
    "J'aime": {"apprendre": 0.5, "étudier": 0.35, "lire": 0.15},
    "Je": {"adore": 0.4, "lire": 0.3, "étudier": 0.3},
    "J'adore": {"lire": 1.0},
}


def french():
    table = torch.zeros(8, 8, dtype=torch.float64)
    for word, following in NEXT.items():
        for after, p in following.items():
            table[FRENCH.index(word), FRENCH.index(after)] = p
    table[4:, 0] = 1.0
    return table.log()


def test_the_steps_of_a_search_tell_which_beams_lived():
    first, second = beam_steps(Reads(french()), torch.tensor([[0]]), 2, 2, length_penalty=0.0)
    words = [FRENCH[w] for w in first.tokens[0]]
    assert words == ["J'aime", "Je", "J'adore", "lire"]
    torch.testing.assert_close(
        first.log_probabilities.exp(), torch.tensor([[0.4, 0.3, 0.2, 0.1]]).double()
    )
    assert first.survivors.tolist() == [[0, 1]]
    pairs = zip(second.parents[0].tolist(), second.tokens[0].tolist(), strict=True)
    grown = [(words[parent], FRENCH[token]) for parent, token in pairs]
    # The best beam has two children among the best two; "Je adore" (0.12) has no place.
    assert grown[:3] == [("J'aime", "apprendre"), ("J'aime", "étudier"), ("Je", "adore")]
    torch.testing.assert_close(
        second.log_probabilities.exp()[0, :3], torch.tensor([0.2, 0.14, 0.12]).double()
    )
    assert second.finished.tolist() == [[True, True, False, False]]
    # What was dropped at the first step would have been second best: 0.2 for "J'adore lire".
    best = exhaustive(Reads(french()), torch.tensor([[0]]), 2).scores[0, :3].exp()
    torch.testing.assert_close(best, torch.tensor([0.2, 0.2, 0.14]).double())


def test_a_chain_can_run_out_of_possible_sentences():
    chain = MarkovChain([[0, 1], [0, 2], [0, 1]], 3, order=2)
    start = torch.full((2, 1), chain.boundary)
    found = beam_search(ChainPredictor(chain), start, 6, 4, chain.boundary, length_penalty=0.0)
    torch.testing.assert_close(found.scores[0, :2].exp(), torch.tensor([2 / 3, 1 / 3]).double())
    assert (found.scores[:, 2:] == -torch.inf).all()
    assert found.lengths.tolist() == [[3, 3, 0, 0]] * 2
    assert found.ids[0, :2].tolist() == [[3, 0, 1, 3], [3, 0, 2, 3]]


def test_a_vocabulary_of_one_token_is_decoded():
    ended = beam_search(Reads(torch.zeros(1, 1)), torch.zeros(1, 1, dtype=torch.int64), 3, 2, end=0)
    assert ended.lengths.tolist() == [[1, 0]]
    endless = beam_search(Reads(torch.zeros(1, 1)), torch.zeros(1, 1, dtype=torch.int64), 3, 2)
    assert endless.lengths.tolist() == [[3, 0]]


def test_no_sentences_are_searched_for_none():
    found = beam_search(Reads(random_table(0, 4, 1)), PROMPT[:0], 3, 2, end=1)
    assert found.ids.shape == (0, 2, PROMPT.shape[1])
    assert found.scores.shape == found.lengths.shape == (0, 2)


def test_results_are_ordinary_tensors_and_half_precision_is_added_in_single():
    found = beam_search(Reads(random_table(0, 5, 1).bfloat16()), PROMPT, 3, 2)
    assert found.scores.dtype == torch.float32
    assert not found.ids.is_inference()
    assert not found.scores.is_inference()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: beam_search(Reads(random_table(0, 4, 1)), PROMPT, 0, 2), "steps=0"),
        (lambda: beam_search(Reads(random_table(0, 4, 1)), PROMPT, 3, 0), "beams=0"),
        (lambda: beam_search(Reads(torch.full((4, 4), torch.nan)), PROMPT, 3, 2), "nan"),
        (lambda: beam_search(Reads(random_table(0, 4, 1)), PROMPT[0], 3, 2), r"\(2,\)"),
    ],
)
def test_what_cannot_be_searched_is_refused(call, message):
    with pytest.raises((ValueError, ShapeError), match=message):
        call()
