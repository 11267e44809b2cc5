"""What one person deletes, compares and has contacted stands in few messages before a list that is to be checked."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from celery.signals import after_task_publish
from django.test import Client

from resolver import tasks
from resolver.models import Comparison, Job, State
from resolver.services.comparisons import compare
from resolver.services.jobs import lifecycle
from tests.services.conftest import NOW
from tests.web.conftest import Look

Commits = Any


@contextmanager
def see_messages(commits: Commits) -> Iterator[list[str]]:
    """Collect the names of the tasks for which messages are sent."""
    sent: list[str] = []

    def note(sender: str, **_: object) -> None:
        sent.append(sender.rpartition(".")[2])

    after_task_publish.connect(note)
    try:
        with commits(execute=True):
            yield sent
    finally:
        after_task_publish.disconnect(note)


@pytest.fixture
def lists(upload: Look) -> list[Job]:
    """Eight lists of one person that have ended, without a row."""
    upload("10.1000/182\n")
    job = Job.objects.get()
    made = [
        Job(
            owner=job.owner,
            created_at=NOW + timedelta(seconds=number),
            finished_at=NOW + timedelta(hours=1),
            filename=f"{number}.txt",
            state=State.FINISHED,
            layout=job.layout,
        )
        for number in range(8)
    ]
    for one in made:
        one.upload = str(one.pk)
    return Job.objects.bulk_create(made)


def test_many_deleted_lists_wait_with_one_message_and_each_that_is_gone_starts_the_next(
    lists: list[Job], visitor: Client, django_capture_on_commit_callbacks: Commits
) -> None:
    with see_messages(django_capture_on_commit_callbacks) as sent:
        for job in lists:
            assert visitor.delete(f"/api/v1/jobs/{job.pk}").status_code == 204
    assert sent.count("remove_list") == 1
    with see_messages(django_capture_on_commit_callbacks) as sent:
        tasks.remove_list(str(lists[5].pk))  # such a message was sent by the version before
        assert Job.objects.filter(pk__in=[job.pk for job in lists]).count() == 8
        for job in lists:
            tasks.remove_list(str(job.pk))
    assert sent.count("remove_list") == 7
    assert not Job.objects.filter(owner=lifecycle.OUTLIVED).exists()


def test_many_comparisons_wait_with_two_messages_however_often_their_pages_are_loaded(
    lists: list[Job], visitor: Client, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Commits
) -> None:
    monkeypatch.setattr(compare, "SMALL_ROWS", -1)
    with see_messages(django_capture_on_commit_callbacks) as sent:
        for job in lists[1:6] * 2:
            assert visitor.get(f"/jobs/{lists[0].pk}/compare/{job.pk}").status_code == 200
    assert sent.count("compare") == 2
    *_, last = Comparison.objects.order_by("created_at")
    assert not compare.compare_for_turn(last.pk)
    with see_messages(django_capture_on_commit_callbacks) as sent:
        for comparison in Comparison.objects.order_by("created_at"):
            tasks.compare(comparison.pk)
    assert sent.count("compare") == 3
    assert not Comparison.objects.filter(done=False).exists()


def test_a_comparison_that_is_never_shown_holds_no_other_up(lists: list[Job], visitor: Client) -> None:
    for before, after in zip(lists[:-1:2], lists[1::2], strict=True):
        compare.get_or_create_comparison(before, after, now=NOW)
    Job.objects.filter(pk=lists[0].pk).update(finished_at=NOW + timedelta(hours=2))
    Job.objects.filter(pk=lists[2].pk).update(state=State.CHECKING)
    assert len(compare.reserve_abandoned(NOW)) == 2
    assert not Comparison.objects.filter(before__in=lists[0:3:2]).exclude(claimed_until=None).exists()
