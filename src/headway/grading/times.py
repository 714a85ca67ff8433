"""Moments as people and nbgrader write them, with the time zone that is meant.

nbgrader reads a zone that it does not know as UTC, and +0200 that stands alone as two hundred
seconds; so a due date moves by hours, and nobody hears of it. Here a zone is one that Python's
`zoneinfo` knows, a distance from UTC, or an error.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dateutil.parser

UTC_NAMES = ("UTC", "GMT", "Z")
NO_ZONES = ("Factory", "localtime", "posixrules")  # files of the database that name no zone
PART_OF_DAY = ("am", "pm")
LONGEST = 200  # characters that name a moment
TWO_DAYS = (datetime(2000, 1, 1), datetime(2004, 2, 4))  # which differ in all that a date has
OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
# At the end of a text, behind the time: +02:00, Z, CET, Europe/Berlin.
AT_THE_END = re.compile(r"(?<=\d)\s*(Z|[+-]\d\d:?\d\d)$|\s+([A-Za-z][\w+-]*(?:/[A-Za-z][\w+-]*)*)$")


def in_words(time: timedelta) -> str:
    """A length of time: "2 d 3 h"; what is less than a minute in seconds."""
    seconds = int(time.total_seconds())
    parts = [(seconds // 86_400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "min")]
    return " ".join(f"{n} {unit}" for n, unit in parts if n) or f"{seconds} s"


class TimeError(ValueError):
    """A text that names no moment; the message says why, and what was expected."""


class UnknownZoneError(TimeError):
    """A time zone that is not known here."""


def zone_named(name: str) -> tzinfo:
    """A time zone: "Europe/Berlin", "CET", "UTC", "+02:00".

    Raises:
        UnknownZoneError: if it is not known.
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
        except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder's name is no zone, either
            pass
    raise UnknownZoneError(
        f"{name!r:.60} is no time zone we know. Expected one like Europe/Berlin, CET, "
        "UTC or +02:00. (Where no zone is known at all: pip install tzdata.)"
    )


def read_moment(text: str, zone: tzinfo | None = None) -> datetime:
    """A moment: "2026-03-31 23:59 Europe/Berlin", "2026-03-31 12:00:00.25 UTC".

    Args:
        zone: of a text that names none.

    Returns:
        the moment, in the zone that it was written in.

    Raises:
        TimeError: if it is none, names a zone that is not known or, with no `zone`, none at all.
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
    except Exception as error:  # dates fail in many ways
        raise TimeError(
            f"{text!r:.60} is no date and time. Expected one like 2026-03-31 23:59."
        ) from error
    if moment.tzinfo is None and zone is None:
        raise TimeError(
            f"{text!r:.60} names no time zone. Write it after the time: {text[:40]} "
            "Europe/Berlin, CET, +02:00 or UTC."
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
    except ValueError:  # a zone may stand in the middle, as in Unix's dates
        found = {
            dateutil.parser.parse(text, tzinfos=_zone_within, default=default)
            for default in TWO_DAYS
        }
        if len(found) > 1:  # what the text does not tell came from the day that was given
            raise ValueError("no whole date") from None
        return found.pop()


def _zone_within(name: str | None, seconds: int | None) -> tzinfo | None:
    if name:
        return zone_named(name)
    return None if seconds is None else timezone(timedelta(seconds=seconds))


def to_nbgrader(moment: datetime) -> datetime:
    """The moment as nbgrader has it: in UTC, and with no time zone."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def parse_utc(moment: datetime | str | None) -> datetime | None:
    """In the place of nbgrader's function of this name, whose rule it is that no zone means UTC.

    Raises:
        TimeError: if it is no moment, or its zone is not known.
    """
    if moment is None:
        return None
    if isinstance(moment, str):
        moment = read_moment(moment, UTC)
    return to_nbgrader(moment) if moment.tzinfo else moment
