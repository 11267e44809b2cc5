"""People whom a server before the portal names: who becomes which account, and who may do what."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models.signals import post_save
from django.test import Client
from django.urls import reverse

from resolver.models import Lookup
from tests.meanwhile import before_statement, lose_database

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _with_remote_login(settings: Any) -> None:
    settings.REMOTE_USER_HEADER, settings.REMOTE_GROUPS_HEADER = "X-Remote-User", "X-Remote-Groups"
    settings.REMOTE_USER_GROUPS, settings.REMOTE_ADMIN_GROUPS = ["library"], ["it", "chiefs"]
    settings.AUTHENTICATION_BACKENDS = [
        *settings.AUTHENTICATION_BACKENDS, "resolver.services.logins.remote_users.LoggedInBefore",
    ]  # fmt: skip
    settings.DOIPORTAL_OPEN = False


def visit(name: str, groups: str = "library", client: Client | None = None, path: str = "/") -> Any:
    """The answer to a request for which the web server names this person."""
    return (client or Client()).get(path, REMOTE_USER=name, REMOTE_USER_GROUPS=groups)


def test_a_new_person_gets_an_account_without_a_password() -> None:
    answer = visit("ada")
    assert answer.status_code == 200
    ada = User.objects.get(username="ada")
    assert (ada.has_usable_password(), ada.is_staff, ada.is_superuser) == (False, False, False)
    assert "ada" in answer.content.decode()
    assert "Change password" not in visit("ada", path=reverse("account")).content.decode()


def test_an_account_is_never_stored_without_the_mark_that_it_has_no_password() -> None:
    stored = []

    def see(sender: type[User], instance: User, created: bool, **_: Any) -> None:
        stored.append((created, instance.has_usable_password()))

    post_save.connect(see, sender=User)
    try:
        visit("ada")
    finally:
        post_save.disconnect(see, sender=User)
    assert stored[0] == (True, False)


def test_the_same_name_is_the_same_account() -> None:
    visit("ada")
    visit("ada")
    assert User.objects.count() == 1


def test_a_name_in_another_case_is_the_same_account_and_keeps_the_session() -> None:
    client = Client()
    visit("ada", client=client)
    session = client.session.session_key
    answer = visit("Ada", client=client)
    assert (answer.status_code, answer.wsgi_request.user.get_username()) == (200, "ada")
    assert client.session.session_key == session
    assert visit("ADA").wsgi_request.user.get_username() == "ada"
    assert User.objects.count() == 1


def test_of_two_accounts_whose_names_differ_in_case_each_is_found_by_its_own() -> None:
    for name in ("Ada", "ada"):
        User.objects.create_user(name)
    client = Client()
    for name in ("ada", "Ada", "ada"):
        assert visit(name, client=client).wsgi_request.user.get_username() == name
    assert visit("ADA").wsgi_request.user.get_username() == "Ada"


def test_an_account_with_a_password_is_not_taken_over_in_another_case() -> None:
    User.objects.create_superuser("Root", password="of the portal itself")
    assert visit("root", "it").status_code == 403
    assert User.objects.count() == 1


def test_an_administrator_who_left_all_groups_is_none_any_more_in_whatever_case_the_name_comes() -> None:
    visit("ada", "it")
    assert visit("ADA", "staff").status_code == 403
    assert not User.objects.get().is_superuser


@pytest.mark.parametrize("name", ["adm\u0131n", "\u212aarl", "mi\u017fter", "ADMIN\u0307"])
def test_a_letter_that_only_looks_like_another_makes_another_name(name: str) -> None:
    for taken in ("admin", "karl", "mister"):
        User.objects.create_user(taken)
    assert visit(name).wsgi_request.user.get_username() == name
    assert User.objects.count() == 4


def test_another_name_in_the_same_browser_is_another_account() -> None:
    client = Client()
    visit("ada", client=client)
    answer = visit("grace", client=client)
    assert answer.wsgi_request.user.get_username() == "grace"


def test_without_a_name_the_login_ends() -> None:
    client = Client()
    visit("ada", client=client)
    for name in ({}, {"REMOTE_USER": ""}):
        answer = client.get("/", **name)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/login/?next=/")


@pytest.mark.parametrize("header", ["X-Remote-User", "Remote-User", "Remote_User"])
def test_a_header_alone_names_nobody(header: str) -> None:
    assert Client().get("/", headers={header: "ada", "X-Remote-Groups": "library"}).status_code == 302
    assert not User.objects.exists()


def test_a_person_of_no_group_that_may_use_it_is_refused_and_gets_no_account() -> None:
    for groups in ("", "staff", "library2, xlibrary"):
        answer = visit("ada", groups)
        assert answer.status_code == 403
        assert "none of your groups" in answer.content.decode()
    assert not User.objects.exists()


def test_a_program_of_such_a_person_is_refused_in_the_form_of_what_it_requests() -> None:
    for path, told in (
        ("/api/handles/10.1000/182", "responseCode"),
        ("/api/v1/jobs", "title"),
        ("/reconcile", "title"),
    ):
        answer = visit("ada", "staff", path=path)
        assert answer.status_code == 403
        assert told in answer.json()


def test_a_person_who_left_the_group_is_refused_in_the_same_browser() -> None:
    client = Client()
    assert visit("ada", client=client).status_code == 200
    assert visit("ada", "staff", client=client).status_code == 403
    assert client.get("/").status_code == 302


def test_an_administrator_who_left_all_groups_is_none_any_more() -> None:
    visit("ada", "it")
    assert User.objects.get().is_superuser
    assert visit("ada", "staff").status_code == 403
    assert not User.objects.get().is_superuser


def test_an_account_with_a_password_keeps_its_rights_whoever_is_named_so() -> None:
    User.objects.create_superuser("ada", password="of the portal itself")
    assert visit("ada", "staff").status_code == 403
    assert User.objects.get().is_superuser


def test_rights_follow_the_groups() -> None:
    client = Client()
    visit("ada", "staff, it", client=client)
    assert User.objects.get().is_superuser
    assert visit("ada", "chiefs", client=client, path="/admin/").status_code == 200
    visit("ada", "library", client=client)
    ada = User.objects.get()
    assert (ada.is_staff, ada.is_superuser) == (False, False)
    assert visit("ada", "library", client=client, path="/admin/").status_code == 302


def test_everyone_may_use_it_where_no_group_is_named(settings: Any) -> None:
    settings.REMOTE_USER_GROUPS = settings.REMOTE_ADMIN_GROUPS = []
    assert visit("ada", "").status_code == 200
    assert not User.objects.get().is_superuser


def test_an_account_with_a_password_is_never_taken_over() -> None:
    User.objects.create_superuser("root", password="of the portal itself")
    answer = visit("root", "it")
    assert answer.status_code == 403
    assert "or to a local account" in answer.content.decode()
    assert not answer.wsgi_request.user.is_authenticated


def test_who_is_logged_in_with_a_password_gets_no_rights_of_a_refused_name() -> None:
    for name in ("root", "clerk"):
        User.objects.create_user(name, password="of the portal itself")
    client = Client()
    client.force_login(User.objects.get(username="clerk"), "resolver.services.logins.backend.CountedGuesses")
    assert visit("root", "it", client=client).status_code == 403
    assert not User.objects.filter(is_superuser=True).exists()
    assert client.get("/").status_code == 302


def test_an_account_with_a_password_keeps_its_rights_whatever_the_groups_are() -> None:
    root = User.objects.create_superuser("root", password="of the portal itself")
    client = Client()
    client.force_login(root, "resolver.services.logins.backend.CountedGuesses")
    assert visit("root", "library", client=client).status_code == 200
    assert User.objects.get().is_superuser


def test_where_no_group_administers_the_rights_given_here_stay(settings: Any) -> None:
    settings.REMOTE_ADMIN_GROUPS = []
    visit("ada")
    User.objects.update(is_staff=True, is_superuser=True)
    visit("ada")
    assert User.objects.get().is_superuser


@pytest.mark.parametrize("name", ["a\x00b", "a\ud800b", "a\u202eb", "a\nb"])
def test_a_name_with_a_character_that_cannot_be_seen_is_refused(name: str) -> None:
    assert visit(name).status_code == 403
    assert not User.objects.exists()


def test_an_account_that_is_switched_off_is_refused() -> None:
    visit("ada")
    User.objects.update(is_active=False)
    assert visit("ada").status_code == 403


def test_a_name_that_is_too_long_is_refused() -> None:
    assert visit("a" * 151).status_code == 403
    assert not User.objects.exists()


def test_what_the_browser_stored_before_becomes_the_persons_also_after_a_login_that_failed_halfway(
    settings: Any,
) -> None:
    settings.DOIPORTAL_OPEN = True
    client = Client()
    client.post("/lookups", {"text": "nothing that means a DOI"})
    assert Lookup.objects.get().owner.startswith("session:")
    client.raise_request_exception = False
    with before_statement('UPDATE "resolver_lookup"', lose_database):
        assert visit("ada", client=client).status_code >= 500
    visit("ada", client=client)
    assert Lookup.objects.get().owner == f"user:{User.objects.get().pk}"


def test_rest_knows_the_person_too() -> None:
    answer = visit("ada", path="/api/v1/lookups")
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path", ["/api/v1/lookups", "/reconcile", "/api/handles/10.5555", "/doiRA/10.5555", "/10.5555/a", "/watches/x/feed"]
)
def test_a_program_without_a_cookie_gets_no_session(path: str) -> None:
    answer = visit("ada", path=path)
    assert answer.wsgi_request.user == User.objects.get()
    assert "sessionid" not in answer.cookies
    assert not Session.objects.exists()


def test_rest_goes_on_in_the_session_of_a_page() -> None:
    client = Client()
    visit("ada", client=client)
    session = Session.objects.get().session_key
    assert visit("ada", client=client, path="/api/v1/lookups").status_code == 200
    assert Session.objects.get().session_key == session == client.session.session_key


def test_another_name_in_rest_ends_the_session_of_the_browser() -> None:
    client = Client()
    visit("ada", client=client)
    assert visit("grace", client=client, path="/api/v1/lookups").wsgi_request.user.get_username() == "grace"
    assert not Session.objects.exists()


def test_a_named_person_changes_nothing_in_rest_without_the_token_of_a_form() -> None:
    strict = Client(enforce_csrf_checks=True)
    form = {"data": {"input": "10.5555/a"}, "content_type": "application/json"}
    answer = strict.post("/api/v1/lookups", REMOTE_USER="ada", REMOTE_USER_GROUPS="library", **form)
    assert answer.status_code == 403
    assert not Lookup.objects.exists()


@pytest.mark.parametrize("path", ["/api/v1/lookups", "/reconcile"])
def test_a_program_of_a_refused_person_gets_a_problem(path: str) -> None:
    answer = visit("ada", "staff", path=path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (403, "application/problem+json")
    assert answer.json()["status"] == 403
    assert "Ask the people who run it." in answer.json()["detail"]
