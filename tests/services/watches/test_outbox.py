"""The mails that are due: which are sent when, and what becomes of them if the mail server doesn't take them."""

import ssl
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trustme

from resolver.models import MailAddress, RunState, Watch, WatchRun
from resolver.services.watches import mails
from tests.mail_server import MailServer, receiving_mail
from tests.services.conftest import NOW
from tests.services.watches.conftest import WatchScene

HOUR = timedelta(hours=1)


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"  # not that of Django's tests
    with receiving_mail() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_FROM = server.host, server.port, "portal@example.org"
        yield server


@pytest.fixture
def watch(scene: WatchScene, server: MailServer) -> Watch:
    """A watch that tells by mail, and whose address is confirmed."""
    MailAddress.objects.create(
        account=scene.account, address="ada@example.org", language="en", portal="https://portal.example",
        created_at=NOW, confirmed_at=NOW, stop_token="stop",
    )  # fmt: skip
    return scene.begin(scene.list_checked(), mail=True)


def make_due(watch: Watch, at: datetime = NOW) -> WatchRun:
    return WatchRun.objects.create(
        watch=watch, state=RunState.SETTLED, started_at=at, settled_at=at, newly_broken=1, mail_due=True
    )


def send(now: datetime) -> int:
    return mails.send_due_mails(now, clock=lambda: now)


def test_all_changes_of_a_day_are_one_mail(watch: Watch, server: MailServer) -> None:
    make_due(watch)
    make_due(watch)
    assert (send(NOW), send(NOW)) == (1, 0)
    make_due(watch)
    assert (send(NOW + 23 * HOUR), send(NOW + 24 * HOUR)) == (0, 1)
    assert len(server.messages) == 2


def test_a_mail_waits_for_an_address_to_be_confirmed(watch: Watch, server: MailServer) -> None:
    make_due(watch)
    MailAddress.objects.update(confirmed_at=None)
    assert send(NOW) == 0
    MailAddress.objects.update(confirmed_at=NOW)
    assert send(NOW + HOUR) == 1


def test_nothing_is_sent_to_an_address_that_was_stopped_nor_later(watch: Watch, server: MailServer) -> None:
    make_due(watch)
    MailAddress.objects.update(stopped_at=NOW)
    assert send(NOW) == 0
    MailAddress.objects.update(stopped_at=None)
    assert send(NOW + HOUR) == 0


def test_a_mail_that_was_begun_is_sent_again_as_it_was(watch: Watch, server: MailServer) -> None:
    """As after a worker was killed between the mail server and the database."""
    first = make_due(watch)
    send(NOW)
    WatchRun.objects.update(mail_due=True)
    MailAddress.objects.update(last_mail_at=None)
    second = make_due(watch)
    send(NOW + HOUR)
    assert len({message["Message-ID"] for message in server.messages}) == 1
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.mail_due, second.mail_due) == (False, True)


def test_a_mail_that_the_server_refuses_is_tried_later_and_given_up_after_a_week(
    watch: Watch, server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    run = make_due(watch)
    server.refuses_with = "550 no such person"
    assert send(NOW) == 0
    told = [record.getMessage() for record in caplog.records if record.name.startswith("resolver")]
    assert told == ["A mail about watches was refused: SMTPDataError 550"]
    server.refuses_with = ""
    assert (send(NOW + HOUR), send(NOW + 12 * HOUR)) == (0, 1)
    run.refresh_from_db()
    assert run.mailed_at == NOW + 12 * HOUR
    make_due(watch)
    assert send(NOW + timedelta(days=8)) == 0
    assert not WatchRun.objects.filter(mail_due=True).exists()


def test_a_server_that_takes_nothing_from_this_portal_is_no_fault_of_the_mail(watch: Watch, server: MailServer) -> None:
    make_due(watch)
    server.refuses_sender_with = "550 no such sender"
    assert send(NOW) == 0
    assert MailAddress.objects.get().retry_at == NOW + mails.TRY_AGAIN
    server.refuses_sender_with = ""
    assert send(NOW + mails.TRY_AGAIN) == 1


def test_a_server_that_is_away_is_asked_once_for_all(watch: Watch, settings: Any) -> None:
    make_due(watch)
    settings.EMAIL_PORT = 9
    assert send(NOW) == 0
    assert MailAddress.objects.get().retry_at == NOW + mails.TRY_AGAIN
    assert WatchRun.objects.filter(mail_due=True).exists()


@pytest.mark.parametrize("way", ["starttls", "tls"])
def test_no_mail_goes_to_a_server_with_a_strangers_certificate(
    way: str, watch: Watch, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL = way == "starttls", way == "tls"
    make_due(watch)
    with receiving_mail(**{way: context}) as server:
        settings.EMAIL_PORT = server.port
        assert (send(NOW), server.messages) == (0, [])
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        assert (send(NOW + HOUR), len(server.messages)) == (1, 1)
