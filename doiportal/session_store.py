"""Django's sessions in the database; those of accounts end after ACCOUNT_SESSION_DAYS."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from resolver.models.single_objects import find_object


class SessionStore(db.SessionStore):
    """An account's session that would last longer than the setting is over: it began before the setting was lowered.
    `resolver/apps.py` stores the end of each."""

    def _get_session_from_db(self) -> Session | None:
        """Return the stored session, if it lasts. Each page needs it, and the ORM takes five times as long."""
        found = find_object(Session, session_key=self.session_key)
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return None
        return found

    def load(self) -> dict[str, Any]:
        kept = super().load()
        if SESSION_KEY in kept and not _ends_in_time(kept.get("_session_expiry")):
            self.flush()
            return {}
        return kept


def _ends_in_time(end: object) -> bool:
    longest = timedelta(days=settings.ACCOUNT_SESSION_DAYS)
    return isinstance(end, str) and datetime.fromisoformat(end) <= timezone.now() + longest
