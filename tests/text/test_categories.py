import numpy as np

from headway.text.categories import MAKERS, SPREAD, TYPICAL_PRICES, car_prices


def prices_by_maker(seed: int, count: int) -> list[np.ndarray]:
    makers, prices = car_prices(np.random.default_rng(seed), count)
    return [prices[np.array(makers) == maker] for maker in MAKERS]


def test_the_same_seed_gives_the_same_cars():
    for some, again in zip(prices_by_maker(3, 50), prices_by_maker(3, 50), strict=True):
        np.testing.assert_array_equal(some, again)


def test_each_maker_has_one_of_the_typical_prices_and_the_stated_spread():
    prices = prices_by_maker(0, 20_000)
    np.testing.assert_allclose(sorted(map(np.mean, prices)), TYPICAL_PRICES, atol=200)
    np.testing.assert_allclose([*map(np.std, prices)], SPREAD, atol=100)


def test_the_alphabet_says_nothing_about_the_price():
    means = [[*map(np.mean, prices_by_maker(seed, 400))] for seed in range(20)]
    assert len({tuple(np.argsort(of_seed)) for of_seed in means}) == 20
