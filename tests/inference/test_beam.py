import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    GPT2Config,
    GPT2LMHeadModel,
    MarianConfig,
    MarianMTModel,
)
from transformers.modeling_outputs import BaseModelOutput

from headway.inference.beam import beam_search, beam_steps
from headway.inference.decoding import generate
from headway.inference.exact import exhaustive
from headway.inference.predictor import ChainPredictor, Uncached
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError
from tests.inference.tables import Reads, random_table

seeds = st.integers(0, 10_000)
penalties = st.sampled_from([-0.5, 0.0, 0.6, 1.0, 2.0])
PROMPT = torch.tensor([[0, 1], [1, 0], [2, 2]])
close = {"atol": 1e-4, "rtol": 1e-4}


def drawn_ids(size, *shape, seed=0):
    return torch.randint(size, shape, generator=torch.Generator().manual_seed(seed))


@given(seeds, st.integers(1, 6), st.integers(1, 2), st.sampled_from([None, 2]))
def test_one_beam_is_greedy(seed, steps, order, end):
    table = random_table(seed, 4, order)
    found = beam_search(Reads(table), PROMPT, steps, 1, end, length_penalty=0.0)
    assert found.best.equal(generate(Reads(table), PROMPT, steps, end=end))


@given(seeds, st.integers(1, 4), st.integers(1, 2), penalties, st.sampled_from([None, 2]))
def test_a_beam_as_wide_as_the_tree_finds_the_best_there_is(seed, steps, order, alpha, end):
    table, K = random_table(seed, 4, order), 4**steps
    found = beam_search(Reads(table), PROMPT, steps, K, end, alpha)
    best = exhaustive(Reads(table), PROMPT, steps, end, alpha)
    count = best.scores.shape[1]
    assert (found.scores[:, count:] == -torch.inf).all()
    torch.testing.assert_close(found.scores[:, :count], best.scores)
    assert found.best.equal(best.best)
    # The same hypotheses altogether, whatever the order of those that tie.
    for ours, theirs in zip(found.ids[:, :count].tolist(), best.ids.tolist(), strict=True):
        assert sorted(ours) == sorted(theirs)


@given(seeds, st.integers(1, 6), st.integers(1, 6), penalties)
def test_scores_are_those_of_the_sequences_and_come_best_first(seed, steps, K, alpha):
    table = random_table(seed, 5, 1)
    found = beam_search(Reads(table), PROMPT, steps, K, end=2, length_penalty=alpha, padding=4)
    log_p = table.log_softmax(-1)
    assert (found.scores[:, :-1] >= found.scores[:, 1:]).all()
    for b, k in itertools.product(range(3), range(K)):
        length = int(found.lengths[b, k])
        row = found.ids[b, k].tolist()
        if length == 0:
            assert found.scores[b, k] == -torch.inf
            continue
        assert row[:2] == PROMPT[b].tolist()
        chosen, rest = row[2 : 2 + length], row[2 + length :]
        assert 2 not in chosen[:-1]  # what has ended is never extended
        assert chosen[-1] == 2 or length == steps
        assert set(rest) <= {4}
        total = sum(float(log_p[v, w]) for v, w in itertools.pairwise(row[1 : 2 + length]))
        assert float(found.scores[b, k]) == pytest.approx(total / length**alpha)
    assert found.ids.shape[-1] == 2 + int(found.lengths.max())


@given(seeds, st.integers(1, 6), st.integers(1, 4), penalties)
def test_no_hypothesis_is_found_twice(seed, steps, K, alpha):
    found = beam_search(Reads(random_table(seed, 4, 2)), PROMPT, steps, K, 3, alpha)
    for ids, scores in zip(found.ids.tolist(), found.scores, strict=True):
        real = [tuple(row) for row, score in zip(ids, scores, strict=True) if score > -torch.inf]
        assert len(set(real)) == len(real)


# A table that looks back as far as the search goes: no two of its sequences tie.
FAR = torch.tensor([[0, 1, 2, 3, 0], [3, 2, 1, 1, 0], [2, 2, 2, 2, 2]])


@given(seeds, st.integers(1, 6), st.integers(1, 4), penalties)
def test_a_batch_gives_what_its_sentences_give_alone(seed, steps, K, alpha):
    table = random_table(seed, 4, 5)
    together = beam_search(Reads(table), FAR, steps, K, 2, alpha)
    for b in range(3):
        alone = beam_search(Reads(table), FAR[b : b + 1], steps, K, 2, alpha)
        torch.testing.assert_close(together.scores[b], alone.scores[0])
        assert together.lengths[b].equal(alone.lengths[0])
        L = alone.ids.shape[-1]
        assert together.ids[b, :, :L].equal(alone.ids[0])
        assert (together.ids[b, :, L:] == 2).all()


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
    found = beam_search(Reads(table), FAR, steps, K, 2, alpha)
    for b, prompt in enumerate(FAR.tolist()):
        expected = plain_beam_search(table.log_softmax(-1), prompt, steps, K, 2, alpha)
        assert (found.lengths[b] > 0).sum() == len(expected)
        for k, (score, ids) in enumerate(expected):
            assert float(found.scores[b, k]) == pytest.approx(score)
            length = int(found.lengths[b, k])
            assert tuple(found.ids[b, k, 5 : 5 + length].tolist()) == ids


def test_search_stops_when_no_living_beam_can_win():
    # Token 0 ends, and nearly always comes: what lives on is far behind after two steps.
    table = torch.tensor([6.0, 0, 0, 0]).expand(4, -1)
    predictor = Reads(table)
    beam_search(predictor, PROMPT, 50, 2, end=0, length_penalty=0.0)
    assert len(predictor.fed) == 2
    # The mean ln P of a long hypothesis could still win, as far as the bound can tell.
    patient = Reads(table)
    beam_search(patient, PROMPT, 50, 2, end=0, length_penalty=1.0)
    assert len(patient.fed) > 2


def test_where_short_hypotheses_score_higher_the_next_length_bounds_what_can_be():
    # Token 3 ends. After two steps 0-3 and 0-1-3 have ended; 0-1-4-3 is better than the latter.
    table = torch.full((5, 5), 0.2)
    table[0] = torch.tensor([0.0, 0.6, 0.1, 0.3, 0.0])
    table[1] = torch.tensor([0.01, 0.01, 0.01, 0.05, 0.92])
    table[4] = torch.tensor([0.0, 0.0, 0.0, 1.0, 0.0])
    prompt = torch.zeros(1, 1, dtype=torch.int64)
    found = beam_search(Reads(table.log()), prompt, 200, 2, end=3, length_penalty=-0.5)
    assert found.lengths.tolist() == [[3, 1]]


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


@given(seeds, st.integers(1, 6), st.integers(1, 4))
def test_each_prompt_is_fed_once_and_each_token_of_a_beam_once(seed, steps, K):
    predictor = Reads(random_table(seed, 6, 1))
    beam_search(predictor, PROMPT, steps, K)
    assert predictor.fed == [(3, 2)] + [(3 * K, 1)] * (steps - 1)


def hugging_face(model, inputs, steps, K, end, alpha, start=None):
    """ids, scores of Hugging Face's search under the rules of ours."""
    found = model.generate(
        **inputs,
        max_new_tokens=steps,
        num_beams=K,
        num_return_sequences=K,
        early_stopping="never",
        length_penalty=alpha,
        do_sample=False,
        eos_token_id=end,
        pad_token_id=1,
        decoder_start_token_id=start,
        return_dict_in_generate=True,
        output_scores=True,
    )
    return found.sequences.unflatten(0, (-1, K)), found.sequences_scores.unflatten(0, (-1, K))


def assert_same(found, expected):
    ids, scores = expected
    torch.testing.assert_close(found.scores, scores, **close)
    assert found.ids.equal(ids)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_hugging_face_on_gpt2(seed):
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=13, n_positions=32, n_embd=16, n_layer=2, n_head=2, initializer_range=0.3
    )
    model, prompt = GPT2LMHeadModel(config).eval(), drawn_ids(13, 3, 4, seed=seed)
    inputs = {"input_ids": prompt, "attention_mask": torch.ones_like(prompt)}
    ends = end_tokens(predictor_of(model), prompt)
    for end, (K, alpha) in itertools.product(ends, [(3, 0.0), (3, 1.0), (4, 2.0), (4, -1.0)]):
        found = beam_search(predictor_of(model), prompt, 8, K, end, alpha, padding=1)
        assert_same(found, hugging_face(model, inputs, 8, K, end, alpha))
        assert alpha > 0 or (found.lengths < 8).any()


def end_tokens(predictor, prompt):
    """Tokens that a search without an end chooses early: as ends, they occur."""
    return beam_search(predictor, prompt, 8, 1).best[0, prompt.shape[1] + 2 :][:2].tolist()


def predictor_of(model):
    return Uncached(lambda ids: model(ids).logits)


TRANSLATORS = {
    "bart": (
        BartForConditionalGeneration,
        BartConfig(
            vocab_size=17,
            d_model=16,
            encoder_layers=1,
            decoder_layers=2,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=32,
            decoder_ffn_dim=32,
            max_position_embeddings=32,
            init_std=0.4,
            pad_token_id=1,
            bos_token_id=0,
            eos_token_id=2,
            decoder_start_token_id=2,
            forced_eos_token_id=None,
        ),
    ),
    "marian": (
        MarianMTModel,
        MarianConfig(
            vocab_size=17,
            decoder_vocab_size=17,
            d_model=16,
            encoder_layers=1,
            decoder_layers=2,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=32,
            decoder_ffn_dim=32,
            max_position_embeddings=32,
            init_std=0.4,
            pad_token_id=1,
            eos_token_id=2,
            decoder_start_token_id=1,
            forced_eos_token_id=None,
        ),
    ),
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", TRANSLATORS)
def test_agrees_with_hugging_face_on_translators(name, seed):
    make, config = TRANSLATORS[name]
    torch.manual_seed(seed)
    model = make(config).eval()
    model.generation_config.forced_eos_token_id = None
    model.generation_config.forced_bos_token_id = None
    model.generation_config.bad_words_ids = None
    start, B = config.decoder_start_token_id, 3
    source = drawn_ids(14, B, 5, seed=seed) + 3
    source[0, 3:] = 1
    mask = (source != 1).long()
    with torch.no_grad():
        memory = model.get_encoder()(source, attention_mask=mask).last_hidden_state

    def logits(ids):
        copies = len(ids) // B  # the beams of a sentence stand side by side
        return model(
            encoder_outputs=BaseModelOutput(memory.repeat_interleave(copies, 0)),
            attention_mask=mask.repeat_interleave(copies, 0),
            decoder_input_ids=ids,
        ).logits

    prompt, inputs = torch.full((B, 1), start), {"input_ids": source, "attention_mask": mask}
    for end in end_tokens(Uncached(logits), prompt):
        for K, alpha in [(2, 1.0), (4, 0.0), (4, 1.5)]:
            found = beam_search(Uncached(logits), prompt, 9, K, end, alpha, padding=1)
            assert_same(found, hugging_face(model, inputs, 9, K, end, alpha, start))
            assert alpha > 0 or (found.lengths < 9).any()
        greedy = model.generate(
            **inputs, max_new_tokens=9, num_beams=1, do_sample=False, eos_token_id=end
        )
        assert generate(Uncached(logits), prompt, 9, end=end, padding=1).equal(greedy)


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


@given(seeds, st.integers(1, 5), st.integers(1, 3))
def test_survivors_are_the_next_steps_parents_and_never_ended(seed, steps, K):
    sequences = [[()] for _ in range(3)]
    for step in beam_steps(Reads(random_table(seed, 5, 1)), PROMPT, steps, K, end=2):
        assert not (step.tokens == 2).gather(1, step.survivors).any()
        for b in range(3):
            pairs = zip(step.parents[b].tolist(), step.tokens[b].tolist(), strict=True)
            candidates = [(*sequences[b][parent], token) for parent, token in pairs]
            sequences[b] = [candidates[k] for k in step.survivors[b].tolist()]
            known = {
                tuple(ids[:length])
                for ids, length in zip(
                    step.hypotheses.ids[b].tolist(),
                    step.hypotheses.lengths[b].tolist(),
                    strict=True,
                )
            }
            best = (step.finished[b] * step.hypotheses.scores[b, -1].isneginf()).nonzero()
            assert all(candidates[k] in known for k in best.flatten().tolist())


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
    ],
)
def test_what_cannot_be_searched_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_prompt_without_a_batch_is_refused():
    with pytest.raises(ShapeError, match=r"\(2,\)"):
        beam_search(Reads(random_table(0, 4, 1)), PROMPT[0], 3, 2)
