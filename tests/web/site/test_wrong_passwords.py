"""Wrong passwords at the login, in the admin and where a password is changed; and how long a login lasts."""

import configparser
import itertools
import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from doiportal.logs.lines import build_formatter
from resolver.services.logins import password_hasher
from resolver.services.logins.attempts import WRONG_FOR_BOTH, WRONG_FOR_ONE, begin_attempt
from tests.web.conftest import Look, text_of

RIGHT = "a long enough word"
PAGES = ["/accounts/login/", "/admin/login/"]
OPERATORS = Path(__file__).parents[3] / "docs/for-operators.md"


@pytest.fixture(autouse=True)
def _quick_hash(settings: Any) -> None:
    """What is tested here is who may try, not how long a hash takes."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ada() -> User:
    return User.objects.create_superuser("ada", password=RIGHT)


def attempt(client: Client, password: str, name: str = "ada", page: str = PAGES[0], address: str = "192.0.2.1") -> Any:
    return client.post(page, {"username": name, "password": password}, REMOTE_ADDR=address)


@pytest.fixture
def shut(ada: User) -> Callable[..., None]:
    """After as many wrong passwords as may be."""

    def guess(address: str = "192.0.2.1") -> None:
        for _ in range(WRONG_FOR_BOTH):
            begin_attempt("ada", address)

    return guess


@pytest.mark.parametrize("page", PAGES)
def test_after_ten_wrong_passwords_even_the_right_one_is_not_looked_at(ada: User, page: str) -> None:
    for _ in range(WRONG_FOR_BOTH):
        assert attempt(Client(), "wrong", page=page).status_code == 200
    for other in PAGES:
        answer = attempt(Client(), RIGHT, page=other)
        assert answer.status_code == 429
        assert 0 < int(answer["Retry-After"]) <= 15 * 60
        assert "no-store" in answer["Cache-Control"]
        assert "sessionid" not in answer.cookies
        said = text_of(answer)
        assert "Too many wrong passwords" in said
        assert "Wait 15 minutes, then try again" in said


def test_from_elsewhere_the_account_is_open_and_from_there_other_accounts_are(shut: Any) -> None:
    User.objects.create_user("bob", password=RIGHT)
    shut()
    assert attempt(Client(), RIGHT, address="192.0.2.2").status_code == 302
    assert attempt(Client(), RIGHT, name="bob").status_code == 302


def test_a_name_that_nobody_has_gets_the_same_answers(ada: User) -> None:
    def answers(name: str) -> list[tuple[int, str]]:
        for _ in range(WRONG_FOR_BOTH - 1):
            begin_attempt(name, "192.0.2.1")
        tried = [attempt(Client(), "wrong", name) for _ in range(2)]
        return [(answer.status_code, text_of(answer)) for answer in tried]

    assert answers("ada") == answers("nobody")


def test_a_name_that_nobody_has_costs_a_hash_like_any_other(ada: User, settings: Any, monkeypatch: Any) -> None:
    settings.PASSWORD_HASHERS = ["resolver.services.logins.password_hasher.GatedHasher"]
    ada.set_password(RIGHT)
    ada.save()
    counted: list[str] = []
    encode = password_hasher.GatedHasher.encode
    monkeypatch.setattr(
        password_hasher.GatedHasher, "encode", lambda self, *given: counted.append("hash") or encode(self, *given)
    )
    for name in ("ada", "nobody"):
        attempt(Client(), "wrong", name)
    assert len(counted) == 2


def test_what_is_refused_costs_no_hash(shut: Any, monkeypatch: Any, settings: Any) -> None:
    shut()
    settings.PASSWORD_HASHERS = []  # whoever hashes fails
    assert attempt(Client(), RIGHT).status_code == 429


def test_while_one_hashes_and_one_waits_others_are_asked_to_come_again(ada: User, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["resolver.services.logins.password_hasher.GatedHasher"]
    with password_hasher.HASH_GATE.enter(), password_hasher.HASH_GATE._present:  # one at it, one waiting
        answers = [attempt(Client(), RIGHT, name="nobody") for _ in range(3)]
    assert {answer.status_code for answer in answers} == {503}
    assert {answer["Retry-After"] for answer in answers} == {"2"}
    assert "Too many people are logging in" in text_of(answers[0])
    assert attempt(Client(), "wrong", name="nobody").status_code == 200  # none of these counted


def test_whoever_has_logged_in_in_a_browser_is_shut_out_of_it_by_nobody(ada: User, visitor: Client) -> None:
    attempt(visitor, RIGHT)
    visitor.post("/accounts/logout/")
    cookie = visitor.cookies["known-browser"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert "ada" not in cookie.value
    for number in range(WRONG_FOR_ONE):
        begin_attempt("ada", f"198.51.100.{number}")
    assert attempt(Client(), RIGHT, address="192.0.2.77").status_code == 429
    assert attempt(visitor, RIGHT).status_code == 302


def test_a_made_up_browser_is_not_known(shut: Any, visitor: Client) -> None:
    other = User.objects.create_user("bob", password=RIGHT)
    attempt(visitor, RIGHT, name=other.username)
    shut()
    for word in (visitor.cookies["known-browser"].value, "made up", "a:b:c", ""):
        guesser = Client()
        guesser.cookies["known-browser"] = word
        assert attempt(guesser, RIGHT).status_code == 429


def test_failed_logins_are_logged_without_the_password_on_one_line(
    shut: Any, caplog: pytest.LogCaptureFixture, ada: User
) -> None:
    name = 'ada"\r\n2026-11-22 00:00:00,000 WARNING doiportal.logins: Failed login from 203.0.113.9 for account "é'
    with caplog.at_level(logging.WARNING, "doiportal.logins"):
        attempt(Client(), "my secret")
        attempt(Client(), "my secret", name[:150])
        attempt(Client(), "my secret", "x" * 5000)
        shut(address="2001:db8::5")
        attempt(Client(), "my secret", address="2001:db8::5")
    said = [record.getMessage() for record in caplog.records if record.name == "doiportal.logins"]
    assert said[0] == 'Failed login from 192.0.2.1 for account "ada"'
    assert said[-1] == 'Refused login from 2001:db8::5 for account "ada"'
    assert not [line for line in said if "\n" in line or "\r" in line or not line.isascii() or len(line) > 600]
    assert "my secret" not in caplog.text
    assert json.loads(said[1].partition(" for account ")[2]).startswith('ada"\r\n')


def read_fail2ban_filter() -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
    """The patterns of the guide for lines, and for the date in a line."""
    guide = re.search(r"^```ini\n(\[Definition\]\nbefore.*?)^```", OPERATORS.read_text(encoding="utf-8"), re.M | re.S)
    assert guide
    read = configparser.ConfigParser()
    read.read_string(guide[1])
    lines, dates = (read["Definition"][name].splitlines() for name in ("failregex", "datepattern"))
    digits = {"%f": r"\d+", "%z": "Z"}
    dates = [date.replace("%Y-%m-%d", r"(?P<day>\d{4}-\d\d-\d\d)") for date in dates]
    moments = [re.sub("%[A-Za-z]", lambda sign: digits.get(sign[0], r"\d\d"), date) for date in dates]
    address = r"(?P<address>[0-9a-f.:]+)"
    return [re.compile(line.replace("<ADDR>", address)) for line in lines], [re.compile(date) for date in moments]


def find_with_fail2ban(line: str, *, journal: bool = False) -> tuple[str, str] | None:
    """The address and the date that it finds: it takes the date out of a line of a file, not of the journal."""
    lines, dates = read_fail2ban_filter()
    if journal:
        rest, day = line, ""
    else:
        date = min(filter(None, (pattern.search(line) for pattern in dates)), key=lambda found: found.start())
        rest, day = line[: date.start()] + line[date.end() :], date["day"]
    found = next(filter(None, (pattern.search(rest) for pattern in lines)), None)
    return found and (found["address"], day)


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_the_filter_for_fail2ban_in_the_guide_finds_the_address_and_no_made_up_one(log_format: str) -> None:
    formatter = build_formatter(log_format)
    write = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=formatter["foreign_pre_chain"], processors=formatter["processors"]
    )
    made_up = 'x","event":"Failed login from 203.0.113.9 for account "'
    older = '2020-01-01T00:00:00.000000Z","timestamp":"2020-01-01T00:00:00.000000Z'
    for what, name in itertools.product(("Failed", "Refused"), ("ada", made_up, older)):
        message = f"{what} login from 192.0.2.1 for account {json.dumps(name)}"
        line = write.format(logging.LogRecord("doiportal.logins", logging.WARNING, "", 0, message, (), None))
        with_process = line.replace("{", '{"process":"web",', 1) if log_format == "json" else f"web    | {line}"
        today = datetime.now(UTC).date().isoformat()
        for shown in (line, f"web-1  | {line}", with_process):
            assert find_with_fail2ban(shown) == ("192.0.2.1", today)
        assert find_with_fail2ban(f"server doiportal-web[77]: {line}", journal=True) == ("192.0.2.1", "")
        other = write.format(logging.LogRecord("x", logging.INFO, "", 0, f'"a {line}', (), None))
        assert find_with_fail2ban(other) is None


@pytest.mark.parametrize("page", PAGES)
def test_a_login_ends_after_fourteen_days_however_much_it_is_used(ada: User, visitor: Client, page: str) -> None:
    answer = attempt(visitor, RIGHT, page=page)
    assert answer.cookies["sessionid"]["max-age"] in range(14 * 86400 - 60, 14 * 86400 + 1)
    end = Session.objects.get().expire_date
    assert timedelta(days=13) < end - timezone.now() <= timedelta(days=14)
    session = visitor.session
    session["shared"] = {}
    session.save()
    assert abs(Session.objects.get().expire_date - end) < timedelta(seconds=1)


def test_without_a_login_a_session_lasts_a_year(look: Look, visitor: Client) -> None:
    look("10.1000/182")
    assert Session.objects.get().expire_date - timezone.now() > timedelta(days=364)


def test_the_operator_says_how_long_a_login_lasts(ada: User, visitor: Client, settings: Any) -> None:
    settings.ACCOUNT_SESSION_DAYS = 30
    attempt(visitor, RIGHT)
    assert visitor.get("/accounts/password/").status_code == 200
    settings.ACCOUNT_SESSION_DAYS = 7
    assert visitor.get("/accounts/password/").status_code == 302  # it was to last longer than may be now


def test_a_login_that_was_given_a_year_by_an_earlier_version_is_over(ada: User, visitor: Client) -> None:
    attempt(visitor, RIGHT)
    session = visitor.session
    session.set_expiry(None)
    session.save()
    assert visitor.get("/accounts/password/").status_code == 302


@pytest.mark.parametrize("is_open", [True, False])
def test_people_change_their_password_which_ends_their_other_sessions(ada: User, settings: Any, is_open: bool) -> None:
    settings.DOIPORTAL_OPEN = is_open
    here, there = Client(), Client()
    attempt(here, RIGHT)
    attempt(there, RIGHT)
    assert "Account" in text_of(here.get("/help"))
    assert "Use at least 8 characters" in text_of(here.get("/accounts/password/"))
    new = {"new_password1": "another long word", "new_password2": "another long word"}
    changed = here.post("/accounts/password/", {"old_password": RIGHT, **new}, follow=True)
    assert "Your password has changed" in text_of(changed)
    assert here.get("/accounts/password/").status_code == 200
    assert there.get("/accounts/password/").status_code == 302
    assert attempt(Client(), RIGHT).status_code == 200
    assert attempt(Client(), "another long word").status_code == 302
    assert Session.objects.count() >= 2
    assert here.session.get_expiry_date() - timezone.now() <= timedelta(days=14)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"old_password": "wrong"}, "This isn’t your current password"),
        ({"new_password2": "another word"}, "didn’t match"),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
        ({"old_password": ""}, "Enter your current password."),
        ({"new_password1": "qwerty123456", "new_password2": "qwerty123456"}, "too common"),
        ({"new_password1": "Library!2026", "new_password2": "Library!2026"}, "easy to guess here"),
    ],
)
def test_a_new_password_that_cannot_be_taken_changes_nothing(
    ada: User, visitor: Client, sent: dict[str, str], said: str
) -> None:
    attempt(visitor, RIGHT)
    form = {"old_password": RIGHT, "new_password1": "another long word", "new_password2": "another long word"}
    assert said in text_of(visitor.post("/accounts/password/", {**form, **sent}))
    ada.refresh_from_db()
    assert ada.check_password(RIGHT)


def test_who_finds_a_browser_logged_in_may_not_guess_the_password_there(ada: User, visitor: Client) -> None:
    attempt(visitor, RIGHT)
    form = {"old_password": "wrong", "new_password1": "another long word", "new_password2": "another long word"}
    answers = [visitor.post("/accounts/password/", form).status_code for _ in range(WRONG_FOR_BOTH + 1)]
    assert answers == [200] * WRONG_FOR_BOTH + [429]


def test_without_a_login_there_is_no_password_to_change(visitor: Client) -> None:
    assert visitor.get("/accounts/password/")["Location"] == "/accounts/login/?next=/accounts/password/"


def test_the_admin_has_no_other_form_for_it(ada: User, visitor: Client) -> None:
    visitor.force_login(ada)
    assert visitor.get("/admin/password_change/")["Location"] == "/accounts/password/"
