"""Reports of errors to Sentry (SENTRY_DSN). Only the settings import this, and only if it is set.

A report says no more than the log does (`doiportal/logs/server_error_filter.py`). Of an exception it has only the type
and the place, because the words of an exception may hold what a user typed. Each event is built from the members that
are named here, so nothing that a later version of sentry-sdk collects is sent."""

from logging import LogRecord
from typing import Any, cast

import sentry_sdk
from django.core.exceptions import ImproperlyConfigured
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.integrations.excepthook import ExcepthookIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.types import Event, Hint
from sentry_sdk.utils import Dsn
from structlog.contextvars import get_contextvars

_MEMBERS = ("event_id", "timestamp", "platform", "level", "logger", "environment", "release")
_OF_FRAME = ("filename", "function", "module", "lineno", "in_app")
_TAGS = ("request_id", "list_id")
# Their lines are written without what users typed. Those of libraries may hold the words of an exception.
_WELL_WRITTEN = ("django.request", "doiportal", "resolver")


def start_error_reports(dsn: str) -> None:
    """Report each line of the log of level ERROR, and whatever ends a command, to the project of this DSN. Nothing is
    sent, and no thread started, before the first. Raises ImproperlyConfigured."""
    try:
        Dsn(dsn)
    except ValueError as error:
        raise ImproperlyConfigured(f"SENTRY_DSN can't be read: {error}. Copy it from the Sentry project") from None
    sentry_sdk.init(
        dsn=dsn,
        before_send=reduce_event,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, sentry_logs_level=None),
            ExcepthookIntegration(),
            AtexitIntegration(callback=lambda pending, timeout: None),
        ],
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        propagate_traces=False,
        auto_session_tracking=False,
        send_client_reports=False,
        enable_metrics=False,
        spotlight=False,
    )


def reduce_event(event: Event, hint: Hint) -> Event:
    """Return what may be said of an event, with the ids that are bound where it happened."""
    found = cast(dict[str, Any], event)
    ids = get_contextvars()
    reduced: dict[str, Any] = {name: found[name] for name in _MEMBERS if name in found}
    reduced["tags"] = {name: str(ids[name]) for name in _TAGS if ids.get(name)}
    if record := hint.get("log_record"):
        reduced["logentry"] = {"formatted": _reduce_message(record)}
    if values := (found.get("exception") or {}).get("values"):
        reduced["exception"] = {"values": [_reduce_exception(value) for value in values]}
    return cast(Event, reduced)


def _reduce_message(record: LogRecord) -> str:
    """Return the message of a line that the portal wrote. Of a line of a library return its template, or where it was
    written: a message without arguments may have been put together before."""
    if record.name in _WELL_WRITTEN or record.name.startswith(("doiportal.", "resolver.")):
        return record.getMessage()
    if record.args:
        return str(record.msg)
    return f"A line of {record.name}, written in {record.module}.{record.funcName}"


def _reduce_exception(value: dict[str, Any]) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames") or []
    return {
        "type": value.get("type"),
        "module": value.get("module"),
        "stacktrace": {"frames": [{name: frame.get(name) for name in _OF_FRAME} for frame in frames]},
    }
