"""Targets that ask for the answers only."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import GPT2Config, GPT2LMHeadModel

from headway.shapes import ShapeError
from headway.text.tokenizer import ByteTokenizer
from headway.text.turns import TurnTokenizer
from headway.training.answers import answer_batch
from headway.training.loss import IGNORE, cross_entropy, summed_cross_entropy
from tests.nn.drawn import normal, rough, seeded

V = 13
marks = st.lists(st.booleans(), min_size=1, max_size=7).filter(any)


def conversations(drawn, seed=0):
    """Random ids for lists of marks, each behind a prompt of one token."""
    made = []
    for i, said in enumerate(drawn):
        said = [False, *said]
        made.append((torch.randint(V, (len(said),), generator=seeded(seed + i)).tolist(), said))
    return made


def reader(ids):
    """Logits (B, T, V) of ids (B, T), each from all that has been read: a small causal model."""
    return normal(V, V).double()[ids].cumsum(dim=1)


def test_the_prompt_s_last_token_is_asked_for_the_answer_s_first_and_the_end_counts():
    turns, no = TurnTokenizer(ByteTokenizer()), IGNORE
    talk = [turns.encode(["hi", "yo"]), turns.encode(["hello", ""])]
    inputs, targets = answer_batch(talk, padding=7)
    assert inputs.tolist() == [
        [turns.question, *b"hi", turns.answer, *b"yo", 7],
        [turns.question, *b"hello", turns.answer],
    ]
    assert targets.tolist() == [[no, no, no, *b"yo", turns.end, no], [no] * 6 + [turns.end]]
    assert inputs.dtype == targets.dtype == torch.int64


@given(st.lists(marks, min_size=1, max_size=4), st.integers(0, V - 1), st.integers(0, 1_000))
def test_the_loss_is_that_of_each_token_said_given_all_before_it(drawn, padding, seed):
    talk = conversations(drawn, seed)
    expected = 0.0
    for ids, said in talk:
        for t in range(1, len(ids)):
            ln = reader(torch.tensor([ids[:t]]))[0, -1].log_softmax(dim=-1)
            expected -= said[t] * ln[ids[t]]
    inputs, targets = answer_batch(talk, padding)
    total, count = summed_cross_entropy(reader(inputs), targets)
    torch.testing.assert_close(total, expected)
    assert count == sum(map(sum, drawn))


@given(st.lists(marks, min_size=1, max_size=3))
def test_only_places_before_what_is_said_pull_at_the_logits(drawn):
    inputs, targets = answer_batch(conversations(drawn))
    logits = reader(inputs).requires_grad_()
    cross_entropy(logits, targets).backward()
    assert logits.grad.ne(0).any(dim=-1).equal(targets != IGNORE)


def test_the_loss_and_its_gradient_are_those_of_transformers_with_labels():
    sizes = {"n_positions": 12, "n_embd": 8, "n_layer": 2, "n_head": 2, "vocab_size": V}
    theirs = rough(GPT2LMHeadModel(GPT2Config(**sizes, bos_token_id=0, eos_token_id=0))).eval()
    talk = conversations([[True] * 3, [False, True, False, False, True, True], [True]])
    ids, labels = torch.zeros(3, 7, dtype=torch.long), torch.full((3, 7), -100)
    for row, (one, said) in enumerate(talk):
        ids[row, : len(one)] = torch.tensor(one)
        labels[row, : len(one)] = torch.tensor(one).masked_fill(~torch.tensor(said), -100)
    inputs, targets = answer_batch(talk)
    losses = theirs(ids, labels=labels).loss, cross_entropy(theirs(inputs).logits, targets)
    torch.testing.assert_close(*losses)
    weight = theirs.transformer.h[0].attn.c_attn.weight
    torch.testing.assert_close(*(torch.autograd.grad(loss, weight)[0] for loss in losses))


@pytest.mark.parametrize(
    ("talk", "error", "message"),
    [
        ([], ValueError, "needs a conversation at least"),
        ([([1, 2], [False])], ShapeError, r"ids \(2,\) and marks \(1,\)"),
        ([([1, 2], [False, True]), ([3], [False])], ValueError, "conversation 1 .*prompt alone"),
        ([([1, 2], [True, True])], ValueError, "conversation 0 must have a prompt"),
        (([1, 2, 3], [False, True, True]), TypeError, "list around a single one missing"),
    ],
)
def test_what_can_not_be_learned_is_refused_in_a_sentence(talk, error, message):
    with pytest.raises(error, match=message):
        answer_batch(talk)
