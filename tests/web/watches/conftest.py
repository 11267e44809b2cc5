"""Ada's list in a portal whose DOI proxy changes its records, and the days that pass."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver.models import Job, MailAddress, Watch
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.watches import mail_addresses, mails, runs
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import work_off
from tests.services.watches.conftest import DAY, LIST, NAMES, write_records
from tests.web.conftest import Look, run

FORM = {"name": "Spring", "every": "day", "depth": "existence"}


@dataclass
class Portal:
    """Ada's browser, and what the DOI proxy knows."""

    ada: Client
    account: User
    server: SampleProxyServer
    folder: Path
    upload: Look
    now: datetime

    def know(self, *names: str) -> None:
        """From now on the proxy knows these names alone."""
        self.server.know(write_records(self.folder, {name: f"https://pub.example/{name}" for name in names}))

    def check_list(self, text: str = LIST, **form: Any) -> Job:
        """A list of Ada's that was checked."""
        before = set(Job.objects.values_list("pk", flat=True))
        self.upload(text, client=self.ada, **form)
        return run(Job.objects.exclude(pk__in=before).get())

    def watch(self, job: Job | None = None, **form: Any) -> Watch:
        """A watch of the list, made by the form; its first run is due."""
        job = job or self.check_list()
        answer = self.ada.post(f"/jobs/{job.pk}/watch", FORM | form)
        assert answer.status_code == 302, answer.content.decode()
        watch = Watch.objects.get(job=job)
        self.now = max(self.now, watch.next_at)
        return watch

    def do_due(self) -> int:
        """Do what is due now, as workers do; the number of mails."""
        proxy = proxy_from_settings()
        while jobs := list(runs.advance_watches(self.now, proxy=proxy)):
            for job in jobs:
                work_off(job, proxy)
        return mails.send_due_mails(self.now)

    def next_day(self) -> int:
        """The same a day later."""
        self.now += DAY
        return self.do_due()

    def break_row(self, name: str = NAMES[2]) -> None:
        """Have the name broken, and told."""
        self.know(*(each for each in NAMES if each != name))
        self.do_due()
        self.next_day()

    def confirm_address(self, address: str = "ada@library.example", *, language: str = "en") -> MailAddress:
        """Ada's confirmed address."""
        now = timezone.now() - timedelta(hours=1)
        options: dict[str, Any] = {"portal": "http://testserver", "language": language, "now": now}
        stored, token = mail_addresses.set_address(self.account, address, **options)
        confirmed = mail_addresses.confirm_address(self.account.pk, token, now)
        assert confirmed == stored
        return confirmed


@pytest.fixture
def portal(_portal: None, settings: Any, tmp_path: Path, upload: Look) -> Iterator[Portal]:
    (tmp_path / "records").mkdir()
    with SampleProxyServer(write_records(tmp_path / "records", {})) as server:
        settings.DOI_PROXY_URL = server.url
        account, ada = User.objects.create_user("ada"), Client()
        ada.force_login(account)
        made = Portal(ada, account, server, tmp_path / "records", upload, timezone.now())
        made.know(*NAMES)
        yield made
