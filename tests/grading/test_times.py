"""Moments and time zones: read as they are meant, or refused, and never taken for UTC."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from nbgrader.api import Gradebook

import headway.grading.nbgrader_adapter  # noqa: F401 - lets nbgrader read zones as we do
from headway.grading import times as module
from headway.grading.times import (
    LONGEST,
    TimeError,
    apart,
    comes_twice,
    later_by,
    name_of,
    parse_utc,
    read_moment,
    zone_named,
)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-07-01 12:00 UTC", 12),
        ("2026-07-01 12:00 CET", 10),
        ("2026-01-15 12:00 CET", 11),
        ("2026-07-01 12:00 America/Argentina/Buenos_Aires", 15),
        ("2026-07-01 12:00 EST5EDT", 16),
        ("2026-07-01 12:00 Etc/GMT+2", 14),
        ("2026-07-01 12:00 +02:00", 10),
        ("2026-07-01T12:00:00+02:00", 10),
        ("2026-07-01T12:00:00Z", 12),
        ("Wed Jul  1 12:00:00 CET 2026", 10),
        ("2026-07-01 11:30 PM Europe/Berlin", 21),
    ],
)
def test_a_zone_is_read(text, hour):
    assert read_moment(text).astimezone(UTC).hour == hour
    assert parse_utc(text).hour == hour
    assert parse_utc(text).tzinfo is None


@pytest.mark.parametrize(
    "text",
    [f"2026-07-01 12:00 {z}" for z in ("CEST", "PST", "Mars/Olympus", "GMT+2", "Europe", "+99:00")]
    + ["2026-07-01T12:00:00 Factory", "2026-07-01T12:00:00 localtime", "Wed Jul  1 12:00 PST 2026"],
)
@pytest.mark.parametrize("read", [read_moment, parse_utc])
def test_a_zone_that_is_not_known_is_refused(text, read):
    with pytest.raises(TimeError, match="is no time zone we know"):
        read(text)


@pytest.mark.parametrize("text", ["2026-07-01 12:00", "2026-07-01 12:00 CEST"])
def test_every_zone_that_an_error_suggests_is_known_and_no_abbreviation(text):
    with pytest.raises(TimeError) as raised:
        read_moment(text)
    suggested = re.findall(r"[A-Z]\w+/\w+|UTC|[+-]\d\d:\d\d", str(raised.value))
    assert len(suggested) == 3
    assert [name_of(zone_named(name)) for name in suggested] == suggested
    assert "CET" not in str(raised.value)


@pytest.mark.parametrize("days", [-1, 0, 1, 2, 200])
@pytest.mark.parametrize("rest", [0, 11, 22])
@pytest.mark.parametrize("day", ["2026-03-28", "2026-10-24", "2026-10-25"])
def test_a_moment_later_is_so_far_apart(day, days, rest):
    due = read_moment(f"{day} 23:59 Europe/Berlin")
    there = later_by(due, days, timedelta(hours=rest))
    assert apart(due, there) == apart(due, there.astimezone(UTC)) == (days, timedelta(hours=rest))
    if not rest:
        assert (there.hour, there.minute, there.tzinfo) == (23, 59, due.tzinfo)


def test_an_hour_comes_twice_where_the_clocks_go_back_and_nowhere_else():
    assert comes_twice(read_moment("2026-10-25 02:30 Europe/Berlin"))
    for text in ("2026-10-25 03:00 Europe/Berlin", "2026-10-25 02:30 UTC", "2026-03-29 03:30 CET"):
        assert not comes_twice(read_moment(text))


def test_without_a_zone_somebody_has_to_say_which():
    for text in ("2026-07-01 12:00", "2026-07-01 11:30 PM"):
        with pytest.raises(TimeError, match="names no time zone"):
            read_moment(text)
    assert read_moment("2026-07-01 12:00", zone_named("CET")).astimezone(UTC).hour == 10
    assert parse_utc("2026-07-01 12:00").hour == 12, "nbgrader's rule for what it stored itself"
    assert parse_utc(datetime(2026, 7, 1, 12)) == datetime(2026, 7, 1, 12)
    assert parse_utc(None) is None


@pytest.mark.parametrize(
    "text", ["soon", "", "2026-13-01 12:00 UTC", "2026-02-30 12:00 CET", "Monday", "12:00 UTC"]
)
def test_what_is_no_moment_is_refused(text):
    with pytest.raises(TimeError, match="is no date and time"):
        read_moment(text, UTC)
    with pytest.raises(TimeError, match="outside the calendar"):
        read_moment("0001-01-01 00:00 +14:00")


def test_a_long_text_is_refused_before_anybody_reads_it(monkeypatch):
    for name in ("AT_THE_END", "_without_zone"):  # the search takes long in such a text
        monkeypatch.setattr(module, name, None)
    with pytest.raises(TimeError, match="is no date and time, but 100,002 characters"):
        read_moment("1" + " \t" * 50_000 + "_", UTC)
    with pytest.raises(TimeError, match="but 201 characters"):
        read_moment("1" * (LONGEST + 1), UTC)


def test_a_time_that_the_clocks_leave_out_is_refused():
    with pytest.raises(TimeError, match="does not exist in Europe/Berlin"):
        read_moment("2026-03-29 02:30 Europe/Berlin")
    assert read_moment("2026-10-25 02:30 Europe/Berlin").astimezone(UTC).hour == 0


def test_nbgrader_s_own_gradebook_reads_zones_so(tmp_path):
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        for text, hour in (("2026-07-01 12:00 CET", 10), ("2026-07-01T12:00:00 +0200", 10)):
            assert gradebook.update_or_create_assignment("a", duedate=text).duedate.hour == hour
        with pytest.raises(TimeError, match="'PST' is no time zone"):
            gradebook.update_or_create_assignment("a", duedate="2026-07-01 12:00 PST")
