"""Numbers of spreadsheets with their formats, some of which show a number as a date."""

import datetime
import math
import re
from decimal import Decimal
from typing import Literal, NamedTuple

Moment = Literal["date", "elapsed"]


class NumberFormat(NamedTuple):
    """A format that shows a number as a date, as elapsed time or (None) as a number: the number of a built-in one, or
    its code."""

    moment: Moment | None
    code: int | str


AS_IT_IS = NumberFormat(None, 0)

# ECMA-376 part 1, 18.8.30: formats that a workbook uses without writing them down (27–58 in East Asian locales).
_DATES = (*range(14, 23), *range(27, 37), 45, 47, *range(50, 59))
FIRST_CUSTOM_FORMAT = 164  # formats from this number on are defined in the workbook
BUILT_IN = {
    str(number): NumberFormat("elapsed" if number == 46 else "date" if number in _DATES else None, number)
    for number in range(1, FIRST_CUSTOM_FORMAT)
}

_NOT_PLACES = re.compile(r'"[^"]*"|\\.|[_*].')
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.I)
_BRACKETS = re.compile(r"\[[^\]]*\]")
_LAST_DAY = 2_958_466  # 10000-01-01
_FIRST_SURE_DAY = datetime.datetime(1900, 3, 1)  # noqa: DTZ001  (days have no zone; Excel's calendar before it is wrong)
_DAY_0 = datetime.datetime(1899, 12, 30)  # noqa: DTZ001  (as above)
_FIGURE = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{0,40})?(?:[eE][+-]?[0-9]{1,3})?")


def classify_format(code: str) -> Moment | None:
    """Return what this format code shows: dates, elapsed times, or (None) numbers."""
    places = _NOT_PLACES.sub("", code).partition(";")[0]
    if _ELAPSED.search(places):
        return "elapsed"
    return "date" if re.search("[dmyhs]", _BRACKETS.sub("", places), re.I) else None


def is_number_text(text: str) -> bool:
    """Whether it is a number as workbooks write them."""
    return _FIGURE.fullmatch(text) is not None and math.isfinite(float(text))


def convert_1904_to_1900(days: str) -> str:
    """Return a day's number that counts from 1904 as one that counts from 1900."""
    return repr(float(days) + 1462).removesuffix(".0")


def to_day_number(iso: str) -> str:
    """Return the day number of an ISO date, with or without a time; "" for anything else, or before March 1900."""
    try:
        moment = datetime.datetime.fromisoformat(iso[:40])
    except ValueError:
        return ""
    if moment.tzinfo is not None or moment < _FIRST_SURE_DAY:
        return ""
    return repr((moment - _DAY_0) / datetime.timedelta(days=1)).removesuffix(".0")


def format_cell_number(text: str, moment: Moment | None, from_1904: bool) -> str:
    """Return the number without its format: 12.5 % is "0.125". Dates are ISO, elapsed times hours:minutes:seconds. A
    whole number below 1e21 has all its digits: the numbers of records in a catalogue have up to eighteen. Anything
    else, and a date after the year 9999, stays as it is written."""
    if moment is None and len(text) < 16 and text.isdigit() and (text[0] != "0" or text == "0"):
        return text
    try:
        value = float(text)
        if not math.isfinite(value) or "_" in text:
            return text
        if moment == "elapsed" and abs(value) < _LAST_DAY:
            return _format_elapsed(value)
        if moment == "date" and 0 <= value < _LAST_DAY:
            return _format_date(value, from_1904)
    except (ValueError, OverflowError):
        return text
    if value.is_integer() and abs(value) < 1e21:  # as in JavaScript
        # Not by the float, which would change the digits after the fifteenth.
        return str(int(Decimal(text).to_integral_value())) if value else "0"
    return format(value, ".15g")  # as many digits as spreadsheets show


def _format_elapsed(days: float) -> str:
    seconds = round(abs(days) * 86_400)
    return f"{'-' if days < 0 else ''}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _format_date(days: float, from_1904: bool) -> str:
    since = datetime.timedelta(milliseconds=round(days * 86_400_000))
    if from_1904:
        start = datetime.date(1904, 1, 1)
    else:  # Excel's 1900 has a 29 February: days before it count from one day later
        start = datetime.date(1899, 12, 31 if days < 60 else 30)
    moment = datetime.datetime.combine(start, datetime.time()) + since
    if days < 1 and not from_1904:  # a time without a day
        return moment.time().isoformat()
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(sep=" ")
