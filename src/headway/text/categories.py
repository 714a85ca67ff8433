"""A table with a categorical column: who made a car, and what it costs.

The prices are made up. Which maker costs how much is drawn anew for each generator, so that a
maker's place in the alphabet says nothing about its price.
"""

import numpy as np

MAKERS = ("Acura", "Fiat", "Honda", "Kia", "Lexus", "Seat", "Tesla", "VW")
TYPICAL_PRICES = (18_000, 22_000, 26_000, 31_000, 37_000, 44_000, 52_000, 61_000)
SPREAD = 1_500.0


def car_prices(rng: np.random.Generator, rows: int) -> tuple[list[str], np.ndarray]:
    """Draw a table of cars.

    price = typical price of the maker + Gaussian noise with a standard deviation of `SPREAD`.

    Args:
        rng: gives the makers' typical prices (an order of `TYPICAL_PRICES`), the maker of each
            row (uniform) and the noise, in this order.
        rows: N, the number of cars.

    Returns:
        makers: list of N names; prices: float64 array of shape (N,), in dollars.
    """
    typical = rng.permutation(TYPICAL_PRICES)
    ids = rng.integers(len(MAKERS), size=rows)
    prices = typical[ids] + SPREAD * rng.standard_normal(rows)
    return [MAKERS[i] for i in ids], prices
