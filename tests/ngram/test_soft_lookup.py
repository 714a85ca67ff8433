import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.ngram.skipbigram import SkipBigrams
from headway.ngram.soft_lookup import SoftLookup, hard_lookup, masked_softmax, pad_features

F, W = 7, 4


def random_lookup(seed, **options):
    """Votes, scores, features (B, N) and which of them are present, with a row of none."""
    draw = torch.Generator().manual_seed(seed)
    votes = torch.rand(F, W, generator=draw, dtype=torch.float64)
    scores = torch.randn(F, generator=draw, dtype=torch.float64)
    features = torch.stack([torch.randperm(F, generator=draw)[:5] for _ in range(6)])
    present = torch.rand(6, 5, generator=draw) < 0.6
    present[0] = False
    present[1:, 0] = True
    return SoftLookup(votes, scores, **options), features, present


@given(st.integers(0, 10_000), st.sampled_from([0.5, 1.0, 1e9]))
def test_each_prefix_takes_a_weighted_mean_of_the_votes_that_are_present(seed, temperature):
    lookup, features, present = random_lookup(seed, temperature=temperature)
    mixed, weights = lookup(features, present)
    for b in range(len(features)):
        seen = features[b][present[b]]
        shares = (lookup.scores[seen] / temperature).exp()
        expected = (shares / shares.sum()) @ lookup.votes[seen]
        torch.testing.assert_close(mixed[b], expected)
    torch.testing.assert_close(weights.sum(-1), present.any(-1).to(weights.dtype))
    assert not weights[~present].any()


@given(st.integers(0, 10_000))
def test_a_hard_lookup_takes_the_best_score_that_is_present(seed):
    lookup, features, present = random_lookup(seed)
    found = hard_lookup(lookup.scores, lookup.votes, features, present)
    for b in range(1, len(features)):
        best = max(features[b][present[b]].tolist(), key=lambda f: lookup.scores[f])
        assert found[b].equal(lookup.votes[best])
    assert not found[0].any(), "nothing is present"


@given(st.integers(0, 10_000), st.floats(-1e4, 1e4))
def test_what_all_scores_share_changes_nothing(seed, shift):
    lookup, features, present = random_lookup(seed)
    moved = SoftLookup(lookup.votes, lookup.scores + shift)
    torch.testing.assert_close(moved(features, present)[0], lookup(features, present)[0])


def test_only_scores_get_gradients_and_they_agree_with_finite_differences():
    lookup, features, present = random_lookup(5)
    assert [name for name, _ in lookup.named_parameters()] == ["scores"]
    scores = lookup.scores.detach().clone().requires_grad_()

    def mixed(scores):
        return torch.func.functional_call(lookup, {"scores": scores}, (features, present))[0]

    assert torch.autograd.gradcheck(mixed, scores)


def test_a_row_with_nothing_present_gives_zeros_and_no_nan_in_the_gradient():
    lookup, features, present = random_lookup(1)
    mixed, weights = lookup(features, torch.zeros_like(present))
    assert not mixed.any()
    assert not weights.any()
    mixed.sum().backward()
    assert torch.equal(lookup.scores.grad, torch.zeros(F, dtype=torch.float64))


def test_masked_softmax_is_torchs_where_all_is_visible():
    scores = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(0)) * 300
    visible = torch.ones_like(scores, dtype=torch.bool)
    assert torch.equal(masked_softmax(scores, visible), scores.softmax(-1))


def test_prefixes_of_different_lengths_are_padded():
    model = SkipBigrams([[0, 1, 2, 3]], 4)
    features, present = pad_features(model, [[0, 1, 2], [0, 1], [3]])
    assert present.tolist() == [[True, True], [True, False], [False, False]]
    assert [model.pairs[f].tolist() for f in features[0]] == [[0, 2], [1, 2]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SoftLookup(torch.ones(3, 2), torch.ones(2)), r"\(3, 2\) and \(2,\)"),
        (lambda: SoftLookup(torch.ones(3)), r"votes are \(F, W\)"),
        (lambda: SoftLookup(torch.ones(3, 2), temperature=0), "limit 0 is hard_lookup"),
        (
            lambda: SoftLookup(torch.ones(3, 2))(torch.zeros(1, 2).long(), torch.ones(1, 3).bool()),
            r"\(1, 2\) and \(1, 3\)",
        ),
        (
            lambda: SoftLookup(torch.ones(3, 2))(torch.zeros(1, 2).long(), torch.ones(1, 2)),
            "float32",
        ),
    ],
)
def test_shapes_that_do_not_fit_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
