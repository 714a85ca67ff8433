import pytest
import torch
from torch.nn import functional

from headway.nn.embedding import Embedding, RootWidthScale, embed, unembed
from headway.nn.position import SinusoidalPosition
from headway.shapes import ShapeError
from tests.nn.drawn import seeded

SIZE = 7


@pytest.mark.parametrize("shape", [(), (0,), (4,), (2, 3), (2, 0, 3), (2, 3, 4)])
def test_the_lookup_is_the_one_hot_product_to_the_last_bit_with_the_same_gradient(shape):
    ids = torch.randint(SIZE, shape, generator=seeded())
    table = torch.randn(SIZE, 3, generator=seeded()).requires_grad_()
    rows = embed(ids, table), functional.one_hot(ids, SIZE).float() @ table
    assert rows[0].shape == (*shape, 3)
    assert torch.equal(*rows)
    torch.testing.assert_close(*(torch.autograd.grad(x.square().sum(), table)[0] for x in rows))


def test_embedding_and_unembedding_agree_with_torch():
    ours, theirs = Embedding(SIZE, 4, seeded()), torch.nn.Embedding(SIZE, 4)
    theirs.load_state_dict(ours.state_dict())
    ids = torch.tensor([[0, 6], [3, 3]])
    assert torch.equal(ours(ids), theirs(ids))
    head = torch.nn.Linear(4, SIZE, bias=False)
    head.weight = theirs.weight
    torch.testing.assert_close(ours.unembed(ours(ids)), head(theirs(ids)))


def test_the_generator_alone_decides_the_start():
    first, again, other = (Embedding(SIZE, 4, seeded(seed)).weight for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_the_name_under_which_released_notebooks_unembed_stays():
    embedding = Embedding(SIZE, 4, seeded())
    hidden = embedding(torch.tensor([1, 2]))
    assert torch.equal(embedding.deembed(hidden), embedding.unembed(hidden))


def test_the_scale_is_the_root_of_the_width_and_stands_before_the_positions():
    embedding, x = Embedding(SIZE, 16, seeded()), torch.tensor([[1, 5, 5]])
    start = torch.nn.Sequential(embedding, RootWidthScale(16), SinusoidalPosition(9, 16))
    expected = 4.0 * embedding(x) + SinusoidalPosition(9, 16).table[:3]
    torch.testing.assert_close(start(x), expected)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: embed(torch.tensor([0, SIZE]), torch.zeros(SIZE, 4)), IndexError, "0 … 6 .*7, 4"),
        (lambda: embed(torch.tensor([0, -1]), torch.zeros(SIZE, 4)), IndexError, "got -1 … 0"),
        (lambda: embed(torch.zeros(2, 3), torch.zeros(SIZE, 4)), TypeError, "got torch.float32"),
        (
            lambda: unembed(torch.zeros(2, 4), torch.zeros(4, SIZE)),
            ShapeError,
            r"\(2, 4\).*\(4, 7\).*transposed",
        ),
    ],
)
def test_what_does_not_fit_the_table_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
