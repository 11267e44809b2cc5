"""What belonged to an account goes with it."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db import OperationalError, connection
from django.utils import timezone

from resolver import conf
from resolver.models import Job, Lookup, Row
from resolver.services.accounts.owners import follow_login, get_owner, get_user_owner
from resolver.services.jobs.lifecycle import OUTLIVED
from resolver.services.uploads import stored_uploads
from tests.stored_list import remove_deleted_lists

CACHE = "django.core.cache.backends.redis.RedisCache"
pytestmark = pytest.mark.django_db


def job_of(owner: str, **columns: Any) -> Job:
    now = timezone.now()
    job = Job(owner=owner, created_at=now, heartbeat_at=now, filename="list.csv", proxy="http://127.0.0.1:9", **columns)
    job.upload = str(job.pk)
    folder = conf.uploads_dir() / job.upload
    folder.mkdir()
    (folder / "upload").write_text("doi\n10.5555/a\n")
    job.save(force_insert=True)
    Row.objects.create(job=job, line=1, input="10.5555/a")
    return job


def lookup_of(owner: str) -> Lookup:
    return Lookup.objects.create(owner=owner, created_at=timezone.now(), input="10.5555/a", form="name")


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path


def test_what_a_request_stores_while_its_browser_logs_in_follows_the_login() -> None:
    waiting, other = (cast("Any", SimpleNamespace(user=AnonymousUser(), session={})) for _ in range(2))
    before, others = get_owner(waiting), get_owner(other)
    ada = User.objects.create_user("ada")
    get_owner(SimpleNamespace(user=ada, session=dict(waiting.session)))
    for owner in (before, others):
        lookup_of(owner)
    for request in (waiting, other):
        follow_login(request)
    assert before.startswith("session:")
    assert set(Lookup.objects.values_list("owner", flat=True)) == {get_user_owner(ada), others}


def test_the_note_that_a_login_leaves_outlives_the_notes_of_many_others() -> None:
    waiting: Any = SimpleNamespace(user=AnonymousUser(), session={})
    session, ada = get_owner(waiting), User.objects.create_user("ada")
    get_owner(SimpleNamespace(user=ada, session=dict(waiting.session)))
    for number in range(1000):
        cache.set(f"note-{number}", "user:1", 600)
    lookup_of(session)
    follow_login(waiting)
    assert Lookup.objects.get().owner == get_user_owner(ada)


def test_a_database_that_fails_while_a_request_follows_the_login_makes_no_error_of_what_is_stored() -> None:
    def fail(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE"):
            raise OperationalError("server closed the connection unexpectedly")
        return execute(sql, *rest)

    waiting: Any = SimpleNamespace(user=AnonymousUser(), session={})
    session = get_owner(waiting)
    get_owner(SimpleNamespace(user=User.objects.create_user("ada"), session=dict(waiting.session)))
    lookup_of(session)
    with connection.execute_wrapper(fail):
        follow_login(waiting)
    assert Lookup.objects.get().owner == session


def test_a_cache_that_is_away_keeps_nobody_from_logging_in_or_looking_up(settings: Any) -> None:
    settings.CACHES = {"default": {"BACKEND": CACHE, "LOCATION": "redis://127.0.0.1:9/0"}}
    visitor: Any = SimpleNamespace(user=AnonymousUser(), session={})
    session = get_owner(visitor)
    lookup_of(session)
    follow_login(visitor)
    ada = User.objects.create_user("ada")
    assert get_owner(SimpleNamespace(user=ada, session=visitor.session)) == get_user_owner(ada)
    assert set(Lookup.objects.values_list("owner", flat=True)) == {get_user_owner(ada)}


def test_the_lists_of_a_deleted_account_are_nobodys_until_a_worker_has_removed_them(
    django_capture_on_commit_callbacks: Any,
) -> None:
    ada = User.objects.create_user("ada")
    job = job_of(get_user_owner(ada))
    Job.objects.filter(pk=job.pk).update(share_token="shared")
    with django_capture_on_commit_callbacks(execute=True):
        ada.delete()
    left = Job.objects.get()
    assert (left.owner, left.share_token) == (OUTLIVED, "")
    remove_deleted_lists()
    assert not Job.objects.exists()


def test_with_an_account_all_that_belonged_to_it_goes_and_nobody_elses(django_capture_on_commit_callbacks: Any) -> None:
    stays, goes = (User.objects.create_user(name) for name in ("stays", "goes"))
    session = "session:abc"
    jobs = {owner: job_of(owner) for owner in (get_user_owner(stays), get_user_owner(goes), session)}
    for owner in jobs:
        lookup_of(owner)
    gone = get_user_owner(goes)
    with django_capture_on_commit_callbacks(execute=True):
        User.objects.filter(username="goes").delete()
        remove_deleted_lists()
    left = {get_user_owner(stays), session}
    assert set(Job.objects.values_list("owner", flat=True)) == left
    assert set(Lookup.objects.values_list("owner", flat=True)) == left
    assert Row.objects.count() == 2
    assert not stored_uploads.is_stored(jobs[gone].upload)
