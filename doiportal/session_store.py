"""Django's sessions in the database; those of accounts end after ACCOUNT_SESSION_DAYS."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone


class SessionStore(db.SessionStore):
    """An account's session that would last longer than the setting is over: it began before the setting was lowered.
    `resolver/apps.py` stores the end of each."""

    def load(self) -> dict[str, Any]:
        kept = super().load()
        if SESSION_KEY in kept and not _ends_in_time(kept.get("_session_expiry")):
            self.flush()
            return {}
        return kept


def _ends_in_time(end: object) -> bool:
    longest = timedelta(days=settings.ACCOUNT_SESSION_DAYS)
    return isinstance(end, str) and datetime.fromisoformat(end) <= timezone.now() + longest
