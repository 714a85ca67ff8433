"""Which copy counts: the latest, or by a rule of one line the last punctual one."""

from datetime import UTC, datetime, timedelta

import pytest

from headway.grading.punctual import choose

DUE = datetime(2026, 3, 31, 22, tzinfo=UTC)


def at(*hours: float | None) -> list[datetime | None]:
    """Times that many hours after the due date; None where it is not known."""
    return [None if hour is None else DUE + timedelta(hours=hour) for hour in hours]


@pytest.mark.parametrize(
    ("times", "latest", "punctual"),
    [
        (at(-2, -1), 1, 1),
        (at(-1, -2), 0, 0),  # collected in the other order
        (at(-1, 1), 1, 0),
        (at(1, -1), 0, 1),
        (at(-3, -2, 1, 2), 3, 1),
        (at(2, 1), 0, None),
        (at(0), 0, 0),
        (at(None, None), 1, 1),
        (at(None, 1), 1, 0),
        (at(1, None), 0, 1),
        (at(-1, None, 1), 2, 1),
    ],
)
def test_the_latest_counts_or_the_last_punctual_one(times, latest, punctual):
    without, with_rule = (choose(times, DUE, rule) for rule in (False, True))
    assert (without.counts, without.latest, without.punctual) == (latest, latest, punctual)
    assert with_rule.counts == (latest if punctual is None else punctual)
    assert without.is_late_instead == (punctual not in (None, latest))
    assert not with_rule.is_late_instead


def test_without_a_due_date_nothing_is_late():
    assert choose(at(-1, 1), None, True).counts == 1
