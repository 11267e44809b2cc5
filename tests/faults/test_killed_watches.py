"""kill -9 while a watch finds a break and tells it: each channel still gets exactly one message."""

import json
import random
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.utils import timezone

from resolver.models import Depth, Every, MailAddress, WatchChange, WatchRun, Webhook
from resolver.services.accounts.owners import get_user_owner
from resolver.services.jobs import import_rows
from resolver.services.jobs.create import NewList, create_job
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns.check import check_chunk
from resolver.services.watches.registration import create_watch
from resolver.services.webhooks.registration import create_webhook
from resolver.standin.server import SampleProxyServer
from tests.faults.conftest import ALL_FAULTS
from tests.mail_server import receiving_mail
from tests.portal_processes import kill_group
from tests.services.watches.conftest import NAMES, write_records
from tests.webhook_receiver import receiving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
KILLS = 10 if ALL_FAULTS else 3
LONGEST = 4.0  # seconds that a run without a kill takes, at most


def test_a_break_is_told_once_on_each_channel_under_kills(
    environment: dict[str, str], settings: Any, tmp_path: Path
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    chance = random.Random(7)
    records = write_records(tmp_path, dict.fromkeys(NAMES, "https://pub.example/"))
    with SampleProxyServer(records) as changing, receiving() as receiver, receiving_mail() as mail:
        settings.DOI_PROXY_URL = changing.url
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_FROM = mail.host, mail.port, "portal@example.org"
        environment |= {
            "DOI_PROXY_URL": changing.url,
            "WEBHOOK_ALLOW_PRIVATE": "1",
            "EMAIL_URL": f"smtp://{mail.host}:{mail.port}",
            "EMAIL_FROM": "portal@example.org",
        }
        due = _watch(receiver.url)
        changing.know(write_records(tmp_path, dict.fromkeys(NAMES[1:], "https://pub.example/")))
        for day in (0, 1):
            at = (due + timedelta(days=day)).isoformat()
            for _ in range(KILLS):
                _run(environment, at, kill_after=chance.uniform(1.0, LONGEST))
            _run(environment, at)
        _run(environment, (due + timedelta(days=2)).isoformat())
    assert list(WatchChange.objects.values_list("doi", "works")) == [(NAMES[0], False)]
    assert [json.loads(body)["type"] for _, body in receiver.received] == ["watch.changed"]
    assert len(mail.messages) == 1
    assert NAMES[0] in mail.messages[0].get_body().get_content()
    assert set(WatchRun.objects.values_list("state", flat=True)) == {"settled"}


def _watch(receiver_url: str) -> Any:
    """A daily watch that tells by mail and by webhook. Return when it is due."""
    ada, now = User.objects.create_user("ada"), timezone.now()
    proxy = proxy_from_settings()
    text = ContentFile("\n".join(["doi", *NAMES]).encode())
    job, _ = create_job(text, NewList(owner=get_user_owner(ada), filename="list.csv"), proxy=proxy, now=now)
    for chunk_id in import_rows.read_into_rows(job.pk):
        check_chunk(chunk_id, proxy=proxy)
    job.refresh_from_db()
    MailAddress.objects.create(
        account=ada, address="ada@example.org", language="en", portal="https://portal.example", created_at=now,
        confirmed_at=now, stop_token="stop",
    )  # fmt: skip
    create_webhook(ada, receiver_url, portal="https://portal.example/", now=now, events=["watch.changed"])
    watch = create_watch(
        job, every=Every.DAY, depth=Depth.FULL, portal="https://portal.example", language="en", now=now, mail=True,
        webhook=Webhook.objects.get(),
    )  # fmt: skip
    return watch.next_at


def _run(environment: dict[str, str], at: str, *, kill_after: float | None = None) -> None:
    """`manage.py runwatches`, whole or killed after so many seconds."""
    command = [sys.executable, "manage.py", "runwatches", "--at", at]
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        code = process.wait(kill_after or 180)
    except subprocess.TimeoutExpired:
        kill_group(process)
        if kill_after is None:
            raise
    else:
        assert code == 0
