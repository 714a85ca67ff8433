import numpy as np

from headway.text.categories import MAKERS, SPREAD, TYPICAL_PRICES, car_prices


def test_the_same_seed_gives_the_same_cars():
    (makers, prices), (again, prices_again) = (
        car_prices(np.random.default_rng(3), 50) for _ in range(2)
    )
    assert makers == again
    np.testing.assert_array_equal(prices, prices_again)


def test_each_maker_has_one_of_the_typical_prices_and_the_stated_spread():
    makers, prices = car_prices(np.random.default_rng(0), 20_000)
    makers = np.array(makers)
    means = [prices[makers == maker].mean() for maker in MAKERS]
    np.testing.assert_allclose(sorted(means), TYPICAL_PRICES, atol=200)
    for maker in MAKERS:
        assert abs(prices[makers == maker].std() - SPREAD) < 100


def test_the_alphabet_says_nothing_about_the_price():
    orders = set()
    for seed in range(20):
        makers, prices = car_prices(np.random.default_rng(seed), 400)
        makers = np.array(makers)
        orders.add(tuple(np.argsort([prices[makers == maker].mean() for maker in MAKERS])))
    assert len(orders) == 20
