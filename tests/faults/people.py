"""What REST has no call for: accounts that are made and deleted while workers are at it, and rows that must be gone."""

from pathlib import Path

from tests.faults.portal import KillablePortal, Visitor

CSRF_TOKEN = "t" * 32
MAKE = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.utils import timezone
from datetime import timedelta
from django.conf import settings
from doiportal.session_store import SessionStore
user = get_user_model().objects.create_user({name!r})
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session.set_expiry(timezone.now() + timedelta(days=1))
session.save()
print(session.session_key)
"""
DELETE = "from django.contrib.auth import get_user_model as m; m().objects.get(username={name!r}).delete()"
COUNT = """
from resolver.models import Chunk, Job, Row
stored = Job.objects.filter(pk={job!r}), Row.objects.filter(job={job!r}), Chunk.objects.filter(job={job!r})
print(sum(map(len, stored)))
"""


def log_in(visitor: Visitor, name: str) -> None:
    """The visitor is a new user from now on, of whom a CSRF token is asked."""
    visitor.session.cookies.set("sessionid", visitor.portal.python(MAKE.format(name=name)))
    visitor.session.cookies.set("csrftoken", CSRF_TOKEN)
    visitor.session.headers["X-CSRFToken"] = CSRF_TOKEN


def delete_account(portal: KillablePortal, name: str) -> None:
    portal.python(DELETE.format(name=name))


def left_of(portal: KillablePortal, job_id: str) -> list[str]:
    """What is still stored of a job that nobody can see."""
    rows = int(portal.python(COUNT.format(job=job_id)))
    upload = Path(portal.environment["DOIPORTAL_DATA_DIR"], "uploads", job_id)
    return [*([f"{rows} rows in the database"] if rows else []), *([str(upload)] if upload.exists() else [])]
