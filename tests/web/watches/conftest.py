"""Ada's list in a portal whose DOI proxy changes its records, and the days that pass."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.utils import timezone

from resolver.models import Job, MailAddress, Watch
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.watches import mail_addresses, mails, runs
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import work_off
from tests.services.watches.conftest import DAY, LIST, NAMES, write_records
from tests.services_plugin import free_port
from tests.web.conftest import run, send_file

FORM = {"name": "Spring", "every": "day", "depth": "existence"}


@dataclass
class Portal:
    """Ada's browser, and what the DOI proxy knows. `spare`: a list of hers that was checked and isn't watched."""

    ada: Client
    account: User
    server: SampleProxyServer
    folder: Path
    now: datetime
    spare: Job | None = None

    def know(self, *names: str) -> None:
        """From now on the proxy knows these names alone."""
        self.server.know(write_records(self.folder, {name: f"https://pub.example/{name}" for name in names}))

    def check_list(self, text: str = LIST, **form: Any) -> Job:
        """A list of Ada's that was checked: the spare one, or one that is uploaded now."""
        spare, self.spare = self.spare, None
        if spare is not None and text == LIST and not form:
            return spare
        before = set(Job.objects.values_list("pk", flat=True))
        send_file(self.ada, text, **form)
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
        MailAddress.objects.update(asked_at=None)  # an hour is between two links
        now = timezone.now() - timedelta(hours=1)
        options: dict[str, Any] = {"portal": "http://testserver", "language": language, "now": now}
        stored, token = mail_addresses.set_address(self.account, address, **options)
        confirmed = mail_addresses.confirm_address(self.account.pk, token, now)
        assert confirmed == stored
        return confirmed


@pytest.fixture(scope="session")
def watched_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleProxyServer]:
    """The DOI proxy whose records change. Each test begins with its own."""
    with SampleProxyServer(write_records(tmp_path_factory.mktemp("records"), {})) as server:
        yield server


@pytest.fixture(scope="module")
def stored_portal(
    module_portal: Path, watched_proxy: SampleProxyServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Portal]:
    """Ada's account and a list of hers, stored once for a module."""
    with override_settings(DOI_PROXY_URL=watched_proxy.url):
        account, ada = User.objects.create_user("ada"), Client()
        ada.force_login(account)
        made = Portal(ada, account, watched_proxy, tmp_path_factory.mktemp("records"), timezone.now())
        made.know(*NAMES)
        made.spare = made.check_list()
        yield made


@pytest.fixture
def portal(_portal: None, module_files: None, stored_portal: Portal, settings: Any, tmp_path: Path) -> Portal:
    """The stored portal for one test, with a browser, files and records that are the test's own."""
    settings.DOI_PROXY_URL = stored_portal.server.url
    ada = Client()
    ada.cookies.update(stored_portal.ada.cookies)
    stored_portal.server.reset()
    account = User.objects.get(pk=stored_portal.account.pk)
    spare = stored_portal.spare and Job.objects.get(pk=stored_portal.spare.pk)
    now = max(stored_portal.now, timezone.now())
    folder = tmp_path / "records"
    made = replace(stored_portal, ada=ada, account=account, folder=folder, now=now, spare=spare)
    folder.mkdir()
    made.know(*NAMES)
    return made


class Mailbox:
    """The mails that a server received, as programs read them."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refuses = False

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        if self.refuses:
            return "451 try again later"
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def take(self) -> EmailMessage:
        """The only mail that is there."""
        (mail,) = self.mails
        self.mails.clear()
        return mail


@pytest.fixture
def mailbox(settings: Any) -> Iterator[Mailbox]:
    """A mail server to which the portal really connects."""
    found = Mailbox()
    controller = Controller(found, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = controller.hostname, controller.port
    settings.EMAIL_FROM = "portal@library.example"
    yield found
    controller.stop()


def read_part(mail: EmailMessage, kind: str) -> str:
    """The plain text (`plain`) or the HTML of a mail."""
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def read_links(mail: EmailMessage) -> list[str]:
    """The addresses in its plain text, without the host: for a client of the tests."""
    return re.findall(r"http://testserver(/\S+)", read_part(mail, "plain"))
