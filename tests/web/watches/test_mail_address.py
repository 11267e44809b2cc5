"""The email address of an account: entered, confirmed, changed, removed."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from resolver.models import MailAddress, Watch
from tests.web.conftest import html_of, text_of
from tests.web.watches.conftest import FORM, Mailbox, Portal, read_links, read_part

ADDRESS = {"address": "ada@library.example"}


def confirmation_link(mailbox: Mailbox) -> str:
    (link,) = [link for link in read_links(mailbox.take()) if link.startswith("/mail/")]
    return link


def test_without_a_mail_server_nothing_about_mails_is_offered(portal: Portal) -> None:
    assert 'action="/account/mail"' not in html_of(portal.ada.get("/account"))
    assert portal.ada.post("/account/mail", ADDRESS).status_code == 404
    form = html_of(portal.ada.get(f"/jobs/{portal.check_list().pk}/watch"))
    assert "For emails" not in form
    assert 'name="mail"' not in form


def test_an_address_counts_once_its_link_was_opened_and_the_button_pressed(portal: Portal, mailbox: Mailbox) -> None:
    said = text_of(portal.ada.post("/account/mail", ADDRESS, follow=True))
    assert "We sent you a link." in said
    assert "not confirmed yet" in said
    link = confirmation_link(mailbox)
    scanner = Client()
    assert "Confirm your email address?" in text_of(scanner.get(link))
    assert not MailAddress.objects.get().is_usable
    assert "Your email address is confirmed" in text_of(scanner.post(link))
    assert MailAddress.objects.get().is_usable
    assert "✓ confirmed" in text_of(portal.ada.get("/account"))
    assert 'name="mail"' in html_of(portal.ada.get(f"/jobs/{portal.check_list().pk}/watch"))


def test_a_link_works_once_and_not_for_ever(portal: Portal, mailbox: Mailbox) -> None:
    portal.ada.post("/account/mail", ADDRESS)
    link = confirmation_link(mailbox)
    MailAddress.objects.update(asked_at=timezone.now() - timedelta(days=4))
    answer = Client().post(link)
    assert (answer.status_code, "This link doesn’t work any more" in text_of(answer)) == (422, True)
    MailAddress.objects.update(asked_at=timezone.now())
    assert [Client().post(link).status_code for _ in range(2)] == [200, 422]


def test_a_new_address_must_be_confirmed_again_and_the_old_link_is_dead(portal: Portal, mailbox: Mailbox) -> None:
    portal.ada.post("/account/mail", ADDRESS)
    old = confirmation_link(mailbox)
    MailAddress.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    portal.ada.post("/account/mail", {"address": "new@library.example"})
    assert mailbox.mails[0]["To"] == "new@library.example"
    assert Client().post(old).status_code == 422
    assert Client().post(confirmation_link(mailbox)).status_code == 200


@pytest.mark.parametrize("address", ["", "ada", "ada@x\r\nBcc: eve@example.org", "x" * 250 + "@library.example"])
def test_what_is_no_address_is_refused(portal: Portal, mailbox: Mailbox, address: str) -> None:
    answer = portal.ada.post("/account/mail", {"address": address})
    assert answer.status_code == 422
    assert "There is a problem" in text_of(answer)
    assert not MailAddress.objects.exists()


def test_two_links_within_a_minute_are_one(portal: Portal, mailbox: Mailbox) -> None:
    portal.ada.post("/account/mail", ADDRESS)
    assert "Wait a minute" in text_of(portal.ada.post("/account/mail", ADDRESS))
    assert len(mailbox.mails) == 1


def test_a_server_that_does_not_take_the_mail_is_said(portal: Portal, mailbox: Mailbox) -> None:
    mailbox.refuses = True
    answer = portal.ada.post("/account/mail", ADDRESS)
    assert "The mail server didn’t accept the email." in text_of(answer)


def test_an_address_is_removed_after_a_question(portal: Portal, mailbox: Mailbox) -> None:
    portal.confirm_address()
    assert "Remove your email address?" in text_of(portal.ada.get("/account/mail/remove"))
    said = text_of(portal.ada.post("/account/mail/remove", follow=True))
    assert "You won’t get any more emails." in said
    assert "ada@library.example" not in said
    assert (MailAddress.objects.get().address, MailAddress.objects.get().is_usable) == ("", False)


def test_an_address_gets_mails_until_another_is_confirmed_even_if_the_server_refuses_the_link(
    portal: Portal, mailbox: Mailbox
) -> None:
    portal.confirm_address()
    mailbox.refuses = True
    portal.ada.post("/account/mail", {"address": "new@library.example"})
    assert (MailAddress.objects.get().address, MailAddress.objects.get().is_usable) == ("ada@library.example", True)
    assert "Until then emails go to the confirmed address." in text_of(portal.ada.get("/account"))
    mailbox.refuses = False
    MailAddress.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    portal.ada.post("/account/mail", {"address": "new@library.example"})
    Client().post(confirmation_link(mailbox))
    stored = MailAddress.objects.get()
    assert (stored.address, stored.pending_address, stored.is_usable) == ("new@library.example", "", True)


def test_the_stop_link_of_an_old_mail_works_after_the_address_was_confirmed_again(portal: Portal) -> None:
    old = portal.confirm_address()
    portal.confirm_address("Ada@library.example")
    Client().post(f"/mail/stop/{old.stop_token}")
    assert not MailAddress.objects.get().is_usable
    portal.confirm_address("new@library.example")
    Client().post(f"/mail/stop/{old.stop_token}")
    assert MailAddress.objects.get().is_usable


def test_an_account_sends_five_links_a_day_and_a_removal_gives_no_more(portal: Portal, mailbox: Mailbox) -> None:
    def send() -> str:
        return text_of(portal.ada.post("/account/mail", {"address": "stranger@library.example"}, follow=True))

    for _ in range(5):
        assert "We sent you a link." in send()
        portal.ada.post("/account/mail/remove")
        assert "Wait a minute" in send()
        MailAddress.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    assert "We sent 5 links within a day" in send()
    assert len(mailbox.mails) == 5
    MailAddress.objects.update(links_since=timezone.now() - timedelta(days=1))
    assert "We sent you a link." in send()


def test_a_link_with_a_number_that_no_account_can_have_is_no_page(portal: Portal) -> None:
    for number in ("9" * 10, "9" * 19, "9" * 30):
        assert Client().post(f"/mail/confirm/{number}/x").status_code == 404


def test_a_watch_whose_address_is_gone_says_so_and_can_still_be_paused(portal: Portal, mailbox: Mailbox) -> None:
    portal.confirm_address()
    watch = portal.watch(mail="on")
    portal.ada.post("/account/mail/remove")
    said = text_of(portal.ada.get(f"/watches/{watch.pk}"))
    assert "Your email address isn’t confirmed, or you stopped its emails." in said
    assert "This watch is paused." in text_of(portal.ada.post(f"/watches/{watch.pk}/pause", follow=True))


def test_a_watch_is_changed_while_no_address_is_confirmed_and_keeps_its_channels(
    portal: Portal, mailbox: Mailbox, settings: Any
) -> None:
    portal.confirm_address()
    address = f"/watches/{portal.watch(mail='on').pk}/edit"
    portal.ada.post("/account/mail/remove")
    form = html_of(portal.ada.get(address))
    assert re.search(r'name="mail"[^>]*checked', form)
    host, settings.EMAIL_HOST = settings.EMAIL_HOST, ""
    assert portal.ada.post(address, FORM | {"name": "Autumn"}).status_code == 302
    assert (Watch.objects.get().name, Watch.objects.get().mail) == ("Autumn", True)
    settings.EMAIL_HOST = host
    assert portal.ada.post(address, FORM).status_code == 302
    assert Watch.objects.get().mail is False
    assert 'name="mail"' not in html_of(portal.ada.get(address))


def test_the_mail_with_the_link_says_where_it_comes_from(portal: Portal, mailbox: Mailbox) -> None:
    portal.ada.post("/account/mail", ADDRESS)
    mail = mailbox.take()
    assert mail["Subject"] == "Confirm your email address for doiportal"
    for kind in ("plain", "html"):
        assert "the account “ada” at http://testserver" in read_part(mail, kind)
        assert "The link works for 3 days." in read_part(mail, kind)


def test_a_stranger_needs_no_login_in_a_closed_portal(portal: Portal, mailbox: Mailbox, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    portal.ada.post("/account/mail", ADDRESS)
    link = confirmation_link(mailbox)
    assert Client().get(link).status_code == 200
    assert Client().get("/mail/stop/x").status_code == 200
