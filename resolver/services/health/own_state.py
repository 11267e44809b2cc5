"""What this process says of itself: its version, its settings, and whether it reaches the uploaded files."""

import hmac
import time
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from django.conf import settings

from resolver.services.storage import files
from resolver.services.storage.storage_errors import FilesUnreachable, is_unwritable

# Those with which machines would give different answers, store different rows, or break the budget.
EQUAL_SETTINGS = (
    "SECRET_KEY",
    "DOI_PROXY_URL",
    "PROXY_CONCURRENCY",
    "PROXY_RATE",
    "PROXY_LONGEST_PAUSE",
    "ANSWERS_FRESH_HOURS",
    "ABSENT_FRESH_MINUTES",
    "MAX_UPLOAD_BYTES",
    "MAX_ROWS",
    "MAX_CELL",
    "MAX_FIELD",
    "MAX_EXPANDED",
    "KEEP_DAYS",
    "HOST_CHECKS",
    "WEBHOOK_ALLOW_PRIVATE",
)


@dataclass(slots=True)
class _LastLook:
    found: dict[str, str]
    until: float  # monotonic seconds: before, there is no other look


_last = _LastLook({}, 0.0)


def describe_own_state() -> dict[str, Any]:
    """Return the columns `version`, `settings`, `files` and `files_trouble` of a heartbeat."""
    return {"version": settings.VERSION, "settings": digest_settings(), **_look_at_files()}


def digest_settings() -> dict[str, str]:
    """Return a short digest of each of EQUAL_SETTINGS, which reveals no key and no password: SECRET_KEY is the
    key of all of them."""
    key = blake2b(settings.SECRET_KEY.encode(), person=b"equal settings").digest()
    values = {name: getattr(settings, name) for name in EQUAL_SETTINGS}
    return {name: hmac.digest(key, f"{name}={value}".encode(), "sha256").hex()[:12] for name, value in values.items()}


def _look_at_files() -> dict[str, str]:
    """Look at the files, but only once a minute while looks fail and take longer than a second: a storage that doesn't
    answer would hold up the process with each heartbeat."""
    began = time.monotonic()
    if began < _last.until:
        return _last.found
    _last.found = look_at_files()
    took = time.monotonic() - began
    _last.until = time.monotonic() + 60.0 if _last.found["files_trouble"] and took > 1.0 else 0.0
    return _last.found


def look_at_files() -> dict[str, str]:
    """Return the mark of the files that this process reaches, or why it reaches none. The first process makes the
    mark."""
    try:
        return {"files": files.make_mark(), "files_trouble": ""}
    except FilesUnreachable as error:
        return {"files": "", "files_trouble": str(error)[:200]}
    except OSError as error:
        if not is_unwritable(error):
            raise
        return {"files": "", "files_trouble": "Its disk is full or read-only."}
