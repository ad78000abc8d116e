import time
from email.utils import parsedate_to_datetime


def asked_pause(headers, body):
    """The pause in seconds that an answer asks for; None where it asks for none, or for what is no length of time."""
    header = headers.get("Retry-After")
    ways = (
        _number(header or body.get("retry_after_seconds")),
        _seconds_until(header, headers.get("Date")),
        _number(body.get("poll_after_ms"), units_per_second=1000),
    )
    return next((seconds for seconds in ways if seconds is not None), None)


def _number(value, units_per_second=1):
    try:
        number = float(value) / units_per_second
    except (TypeError, ValueError):
        return None
    return number if 0 <= number < float("inf") else None


def _seconds_until(date, now):
    """Until an HTTP date, by the clock of who answered where that is told; None for what is no date, or one that is past."""
    then = _time_of(date)
    if then is None:
        return None
    seconds = then - (_time_of(now) or time.time())
    return seconds if seconds > 0 else None


def _time_of(date):
    try:
        return parsedate_to_datetime(date).timestamp() if date and date.endswith(" GMT") else None
    except (IndexError, TypeError, ValueError, OverflowError):  # the standard library's, by its version
        return None
