"""The mails of watches, through a real mail server: one for a change, its links work, and each stops them."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from resolver.models import MailAddress, Watch, WatchChange, WatchRun
from resolver.web.watches.mail import write_changes
from tests.services.watches.conftest import DAY, NAMES
from tests.web.conftest import text_of
from tests.web.watches.conftest import Mailbox, Portal, read_links, read_part

A, B, C = NAMES


@pytest.fixture
def watch(portal: Portal, mailbox: Mailbox) -> Watch:
    """A watch that sends mails to Ada's confirmed address."""
    portal.confirm_address()
    return portal.watch(mail="on")


def test_a_change_is_exactly_one_mail_with_what_happened_and_what_to_do(
    portal: Portal, mailbox: Mailbox, watch: Watch
) -> None:
    portal.break_row()
    portal.next_day()
    mail = mailbox.take()
    assert (mail["Subject"], mail["From"], mail["To"]) == (
        "1 DOI broke in Spring", "portal@library.example", "ada@library.example",
    )  # fmt: skip
    assert mail["Auto-Submitted"] == "auto-generated"
    for text in (read_part(mail, "plain"), read_part(mail, "html")):
        assert f"Row 4: {C}" in text
        assert "Not registered" in text
        assert "Check it against the publication" in text


@pytest.mark.slow
def test_a_row_is_called_in_the_mail_and_on_the_page_as_in_its_list(portal: Portal, mailbox: Mailbox) -> None:
    portal.confirm_address()
    job = portal.check_list("doi\n" + " ".join(f"doi:{name}" for name in NAMES) + "\n", split="on")
    watch = portal.watch(job, mail="on")
    portal.break_row()
    assert f"Row 2.3: {C}" in read_part(mailbox.take(), "plain")
    for page in (f"/watches/{watch.pk}", f"/watches/{watch.pk}/changes", f"/watches/{watch.pk}/rows"):
        assert f"{C} Row 2.3 " in text_of(portal.ada.get(page))
    assert "row 2.3 of list.csv" in text_of(portal.ada.get(f"/jobs/{job.pk}/rows/3"))


def test_its_links_open_and_its_html_loads_nothing(portal: Portal, mailbox: Mailbox, watch: Watch) -> None:
    portal.break_row()
    mail = mailbox.take()
    page, stop = (link for link in read_links(mail) if link != "/")
    assert page == f"/watches/{watch.pk}"
    assert C in text_of(portal.ada.get(page))
    assert "Stop all emails?" in text_of(Client().get(stop))
    html = read_part(mail, "html")
    assert set(re.findall(r'(?:href|src)="([^"]*)"', html)) == {f"http://testserver{link}" for link in (page, stop)}
    assert not re.search(r"<(img|link|style|script)|style=", html)


@pytest.mark.slow
def test_what_changes_within_a_day_waits_and_comes_in_one_mail(portal: Portal, mailbox: Mailbox, watch: Watch) -> None:
    portal.break_row()
    mailbox.take()
    address = MailAddress.objects.get()
    portal.know(*NAMES)
    portal.now += DAY
    MailAddress.objects.update(last_mail_at=portal.now - timedelta(hours=23))
    assert portal.do_due() == 0
    assert address.last_mail_at is not None
    assert WatchRun.objects.filter(mail_due=True).count() == 1
    portal.now += timedelta(hours=2)
    assert portal.do_due() == 1
    assert mailbox.take()["Subject"] == "1 DOI works again in Spring"


@pytest.mark.slow
def test_a_mail_program_stops_the_mails_with_one_click(portal: Portal, mailbox: Mailbox, watch: Watch) -> None:
    """RFC 8058: no cookie, no login, no token of a form."""
    portal.break_row()
    mail = mailbox.take()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    (stop,) = re.findall(r"^<http://testserver(/mail/stop/[\w-]+)>$", mail["List-Unsubscribe"].strip())
    program = Client(enforce_csrf_checks=True)
    foreign = {"Origin": "https://mail.example", "Sec-Fetch-Site": "cross-site"}
    answer = program.post(stop, {"List-Unsubscribe": "One-Click"}, headers=foreign)
    assert "You won’t get any more emails" in text_of(answer)
    assert not answer.cookies
    portal.know(*NAMES)
    assert (portal.next_day(), portal.next_day()) == (0, 0)
    assert not mailbox.mails


def test_opening_the_stop_link_stops_nothing_and_no_answer_says_which_tokens_exist(
    portal: Portal, mailbox: Mailbox
) -> None:
    stop, unknown = f"/mail/stop/{portal.confirm_address().stop_token}", f"/mail/stop/{'x' * 32}"
    stranger = Client()
    assert text_of(stranger.get(stop)) == text_of(stranger.get(unknown))
    assert MailAddress.objects.get().stopped_at is None
    assert text_of(stranger.post(unknown)) == text_of(stranger.post(stop))
    assert MailAddress.objects.get().stopped_at is not None


@pytest.mark.slow
def test_a_server_that_refuses_gets_the_mail_later(portal: Portal, mailbox: Mailbox, watch: Watch) -> None:
    mailbox.refuses = True
    portal.break_row()
    assert WatchRun.objects.filter(mail_due=True).exists()
    mailbox.refuses = False
    MailAddress.objects.update(retry_at=timezone.now())  # fifteen minutes later
    portal.next_day()
    assert mailbox.take()["Subject"] == "1 DOI broke in Spring"


def change(run: WatchRun, **columns: object) -> WatchChange:
    defaults = {"line": 9, "works": False, "doi": "10.77/x", "outcome": "not-found", "at": run.started_at}
    return WatchChange(run=run, watch=run.watch, **{**defaults, **columns})


def settled(watch: Watch, **columns: object) -> WatchRun:
    """A run of the watch with what the test wants."""
    return WatchRun.objects.create(watch=watch, state="settled", started_at=watch.next_at, **columns)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"suggestion": "10.77/y"}, "Use the suggested DOI 10.77/y: it is registered."),
        ({"outcome": "no-url", "ra": "Crossref"}, "contact Crossref: its record has no web address."),
        ({"outcome": "no-values"}, "Contact the publisher: the record of this DOI is empty"),
        ({"outcome": "deleted", "ra": "DataCite"}, "If you can’t find it, contact DataCite"),
    ],
)
def test_each_kind_of_break_has_its_advice(
    portal: Portal, watch: Watch, columns: dict[str, str], sentence: str
) -> None:
    run = settled(watch, newly_broken=1)
    change(run, **columns).save()
    assert sentence in write_changes([run], MailAddress.objects.get()).text


def test_two_watches_are_one_mail_what_broke_comes_first_and_fifty_rows_are_the_most(
    portal: Portal, mailbox: Mailbox, watch: Watch
) -> None:
    other = portal.watch(portal.check_list(), name="Autumn")
    first, second = settled(watch, newly_working=40), settled(other, newly_broken=21)
    WatchChange.objects.bulk_create(
        [
            *(change(first, line=line, works=True) for line in range(40)),
            *(change(second, line=line) for line in range(21)),
        ]
    )
    mail = write_changes([first, second], MailAddress.objects.get())
    assert mail.subject == "21 DOIs broke in 2 lists, 40 work again"
    for text in (mail.text, mail.html):
        assert text.count("10.77/x") == 50
        assert text.index("Broken: Autumn") < text.index("Works again: Spring")
        assert "… and 11 more changes" in text
        assert {f"http://testserver/watches/{each.pk}" for each in (watch, other)} <= set(
            re.findall(r"http[\w:/.-]+", text)
        )


def test_texts_of_strangers_add_no_header_no_line_and_no_markup(portal: Portal, mailbox: Mailbox, watch: Watch) -> None:
    evil = "x\r\nBcc: eve@example.org\r\n\r\n<script>alert(1)</script>\u2028\u202e\x00"
    Watch.objects.update(name=evil)
    portal.know(A, B)
    portal.do_due()
    run = WatchRun.objects.get()
    portal.next_day()
    mailbox.take()
    WatchChange.objects.update(doi=evil, suggestion=evil, ra=evil)
    WatchRun.objects.filter(pk=run.pk).update(mail_due=True)
    portal.next_day()
    mail = mailbox.take()
    assert mail["Bcc"] is None
    assert "\n" not in mail["Subject"]
    plain, html = read_part(mail, "plain"), read_part(mail, "html")
    assert not [line for line in plain.splitlines() if line.startswith("Bcc")]
    assert "U+202EU+0000" in plain
    assert "<script>" not in html


def test_a_mail_is_in_the_language_of_its_address(portal: Portal, mailbox: Mailbox, watch: Watch) -> None:
    MailAddress.objects.update(language="de")
    portal.break_row()
    mail = mailbox.take()
    assert '<html lang="de">' in read_part(mail, "html")
    assert translation.get_language() == "en"
