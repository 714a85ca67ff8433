"""Read dates and times with a time zone, as people and nbgrader write them.

nbgrader reads an unknown time zone as UTC, and a separate +0200 as two hundred seconds, so that due
dates silently move by hours. Here a zone must be known to Python's `zoneinfo` or be an offset from
UTC; others are errors.

When the clocks go back, an hour comes twice. Of a time in it, `read_moment` takes the earlier one,
and Python's `fold=1` the later one.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dateutil.parser

UTC_NAMES = ("UTC", "GMT", "Z")
NO_ZONES = ("Factory", "localtime", "posixrules")  # files of the database that are not zones
PART_OF_DAY = ("am", "pm")
LONGEST = 200  # characters of a text with a date and time
TWO_DAYS = (datetime(2000, 1, 1), datetime(2004, 2, 4))  # different year, month, day and weekday
OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
# A time zone at the end of a text, after the time: +02:00, Z, EST5EDT, Europe/Berlin.
AT_THE_END = re.compile(r"(?<=\d)\s*(Z|[+-]\d\d:?\d\d)$|\s+([A-Za-z][\w+-]*(?:/[A-Za-z][\w+-]*)*)$")


def in_words(time: timedelta) -> str:
    """A duration as text: "2 d 3 h"; in seconds below a minute."""
    seconds = int(time.total_seconds())
    parts = [(seconds // 86_400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "min")]
    return " ".join(f"{n} {unit}" for n, unit in parts if n) or f"{seconds} s"


class TimeError(ValueError):
    """A text is not a valid date and time; the message says why, and what was expected."""


class UnknownZoneError(TimeError):
    """A time zone is unknown."""


def zone_named(name: str) -> tzinfo:
    """A time zone: "Europe/Berlin", "EST5EDT", "UTC", "+02:00".

    Raises:
        UnknownZoneError: if it is unknown.
    """
    if name in UTC_NAMES:
        return UTC
    if offset := OFFSET.fullmatch(name):
        distance = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        if distance < timedelta(days=1):
            return timezone(distance if offset[1] == "+" else -distance)
    elif name not in NO_ZONES:
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):  # also for a folder of the database
            pass
    raise UnknownZoneError(
        f"{name!r:.60} is no time zone we know. Expected one like Europe/Berlin, UTC or "
        "+02:00. (Where no zone is known at all: pip install tzdata.)"
    )


def name_of(zone: tzinfo) -> str:
    """The name of a time zone, as `zone_named` reads it."""
    if zone is UTC:
        return UTC_NAMES[0]
    return getattr(zone, "key", None) or str(zone).removeprefix("UTC")


def comes_twice(moment: datetime) -> bool:
    """Whether the clocks of the moment's zone show its date and time twice."""
    return moment.replace(fold=0).utcoffset() > moment.replace(fold=1).utcoffset()


def later_by(moment: datetime, days: int, rest: timedelta) -> datetime:
    """The moment so many days of the calendar later, at the same time of its zone, and the rest.

    A day on which the clocks go back has 25 hours. A time that comes twice is the later one.
    """
    there = (moment.replace(tzinfo=None) + timedelta(days)).replace(tzinfo=moment.tzinfo, fold=1)
    return (there.astimezone(UTC) + rest).astimezone(moment.tzinfo)


def apart(moment: datetime, later: datetime) -> tuple[int, timedelta]:
    """The days and the rest by which `later_by` leads from one moment to another."""
    there = later.astimezone(moment.tzinfo)
    days = (there.replace(tzinfo=None) - moment.replace(tzinfo=None)).days
    return days, later - later_by(moment, days, timedelta()).astimezone(UTC)


def read_moment(text: str, zone: tzinfo | None = None) -> datetime:
    """Read a text such as "2026-03-31 23:59 Europe/Berlin" or "2026-03-31 12:00:00.25 UTC".

    Args:
        zone: time zone for a text without one.

    Returns:
        the date and time, in the zone of the text.

    Raises:
        TimeError: if the text is invalid, its zone is unknown, or it has none and `zone` is None.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise TimeError(f"{text[:40]!r}… is no date and time, but {len(text):,} characters.")
    if found := AT_THE_END.search(text):
        name = found[1] or found[2]
        if name.lower() not in PART_OF_DAY:
            zone, text = zone_named(name), text[: found.start()]
    try:
        moment = _without_zone(text)
    except TimeError:
        raise
    except Exception as error:  # the parser raises many kinds of exceptions
        raise TimeError(
            f"{text!r:.60} is no date and time. Expected one like 2026-03-31 23:59."
        ) from error
    if moment.tzinfo is None and zone is None:
        raise TimeError(
            f"{text!r:.60} names no time zone. Write it after the time: {text[:40]} "
            "Europe/Berlin, +02:00 or UTC."
        )
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    try:
        there_again = moment.astimezone(UTC).astimezone(moment.tzinfo)
    except OverflowError as error:
        raise TimeError(f"{text!r:.60} is outside the calendar.") from error
    if there_again.replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise TimeError(f"{text} does not exist in {zone}: the clocks go forward past it.")
    return moment


def _without_zone(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:  # for instance a zone in the middle, as in the output of Unix's `date`
        found = {
            dateutil.parser.parse(text, tzinfos=_zone_within, default=default)
            for default in TWO_DAYS
        }
        if len(found) > 1:  # the parser filled in missing parts from the default day
            raise ValueError("no whole date") from None
        return found.pop()


def _zone_within(name: str | None, seconds: int | None) -> tzinfo | None:
    if name:
        return zone_named(name)
    return None if seconds is None else timezone(timedelta(seconds=seconds))


def to_nbgrader(moment: datetime) -> datetime:
    """The time in nbgrader's form: in UTC, without a time zone."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def parse_utc(moment: datetime | str | None) -> datetime | None:
    """Replaces nbgrader's function of the same name; a text without a zone means UTC.

    Raises:
        TimeError: if the text is invalid, or its zone is unknown.
    """
    if moment is None:
        return None
    if isinstance(moment, str):
        moment = read_moment(moment, UTC)
    return to_nbgrader(moment) if moment.tzinfo else moment
