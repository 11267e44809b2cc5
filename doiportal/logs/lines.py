"""The lines of the log: a text for people, or a JSON object for programs that collect logs (LOG_FORMAT=json)."""

import json
from collections.abc import MutableMapping
from typing import Any

import orjson
import structlog

Line = MutableMapping[str, Any]
FORMATS = ("text", "json")
_WRITTEN = ("timestamp", "level", "logger", "event", "exception")


def build_formatter(log_format: str) -> dict[str, Any]:
    """Return the formatter for Django's LOGGING. `log_format`: one of FORMATS. Each line has the ids
    (`doiportal/logs/ids.py`) that are bound where it is written."""
    write = write_json if log_format == "json" else write_text
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            write,
        ],
    }


def write_text(_logger: object, _method: str, line: Line) -> str:
    """Return the line as text: time, level, place, message, ids; below it the traceback of an exception."""
    ids = "".join(f" {name}={value}" for name, value in sorted(line.items()) if name not in _WRITTEN)
    first = f"{line['timestamp']} {line['level'].upper()} {line['logger']}: {line['event']}{ids}"
    return f"{first}\n{line['exception']}" if line.get("exception") else first


def write_json(_logger: object, _method: str, line: Line) -> str:
    """Return the line as a JSON object. `event` is the message."""
    try:
        return orjson.dumps(line, default=str).decode()
    except TypeError:  # a lone surrogate, as names of files may have
        return json.dumps(line, default=str)


def add_process(name: str, printed: str) -> str:
    """Return what a process printed as a line of JSON with the name of the process; a text becomes `event`."""
    try:
        line = orjson.loads(printed)
    except orjson.JSONDecodeError:
        line = printed
    return orjson.dumps({"process": name, **(line if isinstance(line, dict) else {"event": printed})}).decode()
