import pytest
import torch
from torch.nn import functional

from headway.models.parts import parameter_count
from headway.nn.feed_forward import FeedForward, GatedFeedForward
from headway.shapes import ShapeError
from tests.nn.drawn import normal, rough

close = {"atol": 1e-5, "rtol": 1e-5}


def test_it_treats_each_token_by_itself_and_bends_between_its_layers():
    network, x = rough(FeedForward(12, 20, functional.gelu)), normal(2, 5, 12)
    W_1, b_1, W_2, b_2 = network.parameters()
    expected = functional.gelu(x[1, 2] @ W_1.T + b_1) @ W_2.T + b_2
    torch.testing.assert_close(network(x)[1, 2], expected, **close)


@pytest.mark.parametrize("activation", [functional.silu, functional.gelu])
def test_a_gate_decides_how_much_of_each_number_passes(activation):
    network, x = rough(GatedFeedForward(12, 20, activation)), normal(2, 5, 12)
    both, W_2 = network.parameters()
    W_G, W_U = both[:20], both[20:]
    expected = (activation(x[1, 2] @ W_G.T) * (x[1, 2] @ W_U.T)) @ W_2.T
    torch.testing.assert_close(network(x)[1, 2], expected, **close)


def test_biases_are_a_choice():
    assert parameter_count(FeedForward(12, 20, bias=False)) == 2 * 12 * 20
    assert parameter_count(GatedFeedForward(12, 20, bias=True)) == 3 * 12 * 20 + 40 + 12


@pytest.mark.parametrize("kind", [FeedForward, GatedFeedForward])
def test_another_width_is_refused(kind):
    with pytest.raises(ShapeError, match=r"expected \(\.\.\., 12\)"):
        kind(12, 20)(torch.zeros(2, 3, 11))


@pytest.mark.parametrize("kind", [FeedForward, GatedFeedForward])
def test_a_layer_of_one_s_own_can_take_a_layer_s_place(kind):
    network, x = rough(kind(12, 20)), normal(2, 5, 12)
    before = network(x)
    network.expand = torch.nn.Sequential(network.expand)  # such as one with an update beside it
    torch.testing.assert_close(network(x), before)
