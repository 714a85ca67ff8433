import numpy as np
import pytest

from headway.ngram.echoes import LOOSE, EchoingModel


@pytest.fixture(scope="module")
def model():
    return EchoingModel(np.random.default_rng(0), repeats=0.5)


def test_what_came_after_the_last_word_comes_again(model):
    """Of two times, the last one counts."""
    text = np.array([[3, 7, 1, 3, 9, 5, 3]])
    other = np.array([[3, 7, 1, 8, 9, 5, 3]])
    fresh = np.array([[4, 7, 1, 8, 9, 5, 3]])
    apart = model.predict(fresh)
    again = np.eye(model.size)
    np.testing.assert_allclose(model.predict(text), 0.5 * apart + 0.5 * again[9])
    np.testing.assert_allclose(model.predict(other), 0.5 * apart + 0.5 * again[7])


def test_a_word_alone_follows_two_and_some_are_likely(model):
    two = np.stack(np.meshgrid(np.arange(24), np.arange(24), indexing="ij"), -1).reshape(-1, 2)
    P = model.predict(two[two[:, 0] != two[:, 1]])
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert (np.sort(P, axis=1)[:, :-3].sum(axis=1) < LOOSE).all()
    assert P.min() > 0


def test_a_low_temperature_makes_the_likely_likelier(model):
    text = np.array([[3, 7, 1, 8, 9, 5, 3]])
    P, cold = model.predict(text), model.predict(text, 0.5)
    np.testing.assert_allclose(cold, P**2 / (P**2).sum())


def test_texts_are_written_as_the_model_predicts(model):
    texts = model.write(np.random.default_rng(1), 4000, 6)
    assert texts.shape == (4000, 6)
    P = model.predict(texts[:, :5])
    came = P[np.arange(4000), texts[:, 5]]
    off = came - (P**2).sum(axis=1)  # as far as the right words would be on average
    assert abs(off.sum()) < 5 * off.std() * 4000**0.5
