"""People who log in at an OpenID provider: who becomes which account, and who may do what."""

import json
import zipfile
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from resolver.models import Lookup
from resolver.services.logins.remote_users import LoggedInBefore
from tests.meanwhile import before_statement, lose_database
from tests.openid_provider import OpenIdProvider
from tests.services_plugin import free_port
from tests.web.conftest import html_of, text_of
from tests.web.sign_on.conftest import BACK, START, log_in, start, use_provider


@pytest.fixture(autouse=True)
def _with_provider(settings: Any, provider: OpenIdProvider) -> None:
    use_provider(settings, provider.url)


def test_the_page_of_the_login_has_a_button_with_the_providers_name(visitor: Client) -> None:
    page = visitor.get("/accounts/login/?next=/history")
    assert "Log in with Example University" in text_of(page)
    assert f'action="{START}"' in html_of(page)
    assert html_of(page).count('name="next" value="/history"') == 2


def test_a_wrong_password_says_where_the_people_of_the_provider_log_in(visitor: Client, settings: Any) -> None:
    hint = "If your account belongs to Example University, use its button instead."
    form = {"username": "ada", "password": "wrong"}
    assert hint in text_of(visitor.post("/accounts/login/", form))
    settings.OIDC_NAME = ""
    assert "use its button" not in text_of(visitor.post("/accounts/login/", form))


def test_without_a_provider_there_is_no_button_and_no_address(visitor: Client, settings: Any) -> None:
    settings.OIDC_SERVER_URL = settings.OIDC_NAME = ""
    assert "Log in with" not in text_of(visitor.get("/accounts/login/"))
    assert visitor.post(START).status_code == 404
    assert visitor.get(BACK).status_code == 404


def test_a_new_person_gets_an_account_without_a_password(visitor: Client, provider: OpenIdProvider) -> None:
    answer = log_in(visitor, provider, email="ada@example.org", name="Ada Lovelace")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert "ada Account Log out" in text_of(visitor.get("/"))
    ada = User.objects.get()
    assert (ada.username, ada.email, ada.last_name, ada.is_superuser) == ("ada", "", "", False)
    assert not ada.has_usable_password()


def test_only_the_issuer_and_the_subject_are_stored(visitor: Client, provider: OpenIdProvider) -> None:
    log_in(visitor, provider, "subject of ada", email="ada@example.org")
    log_in(visitor, provider, "subject of ada", email="ada@example.org")
    bound = SocialAccount.objects.get()
    assert (bound.provider, bound.uid, bound.extra_data) == (f"oidc:{provider.url}", "subject of ada", {})
    assert not SocialToken.objects.exists()
    assert "example.org" not in str(dict(visitor.session.items()))


def test_the_provider_gets_a_challenge_and_only_what_the_settings_ask_for(visitor: Client, settings: Any) -> None:
    settings.OIDC_SCOPES = ["openid", "groups"]
    sent = parse_qs(urlsplit(start(visitor, scope="email", auth_params="prompt=none", process="connect")).query)
    assert sent["code_challenge_method"] == ["S256"]
    assert set(sent["scope"][0].split()) == {"openid", "groups"}
    assert "prompt" not in sent
    assert sent["redirect_uri"] == [f"http://testserver{BACK}"]


def test_a_login_begins_with_a_form_of_the_portal_alone(provider: OpenIdProvider) -> None:
    assert Client().get(START).status_code == 405
    assert Client(enforce_csrf_checks=True).post(START).status_code == 403


def test_the_person_comes_to_the_page_they_wanted(visitor: Client, provider: OpenIdProvider) -> None:
    provider.know("1", preferred_username="ada", groups=["library"])
    assert visitor.get(provider.confirm(start(visitor, next="/history?q=a"), "1"))["Location"] == "/history?q=a"


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"])
def test_a_login_leads_to_no_other_site(visitor: Client, provider: OpenIdProvider, elsewhere: str) -> None:
    provider.know("1", preferred_username="ada", groups=["library"])
    assert visitor.get(provider.confirm(start(visitor, next=elsewhere), "1"))["Location"] == "/"


def test_the_same_subject_is_the_same_account_whatever_its_name(visitor: Client, provider: OpenIdProvider) -> None:
    log_in(visitor, provider)
    log_in(Client(), provider, preferred_username="countess")
    assert [user.username for user in User.objects.all()] == ["ada"]


def test_another_subject_with_the_same_name_gets_neither_the_account_nor_another(provider: OpenIdProvider) -> None:
    log_in(Client(), provider, "1", email="ada@example.org")
    answer = log_in(Client(), provider, "2", email="ada@example.org")
    assert answer.status_code == 403
    assert "belongs to another person" in text_of(answer)
    assert SocialAccount.objects.get().uid == "1"


@pytest.mark.parametrize("taken", ["Ada", "ADA"])
def test_another_subject_gets_no_account_by_a_name_in_another_case(provider: OpenIdProvider, taken: str) -> None:
    log_in(Client(), provider, "1")
    answer = log_in(Client(), provider, "2", preferred_username=taken)
    assert answer.status_code == 403
    assert "belongs to another person" in text_of(answer)
    assert log_in(Client(), provider, "1", preferred_username=taken).status_code == 302
    assert (SocialAccount.objects.get().uid, User.objects.get().username) == ("1", "ada")


def test_the_same_subject_of_another_issuer_is_another_person(provider: OpenIdProvider) -> None:
    root = User.objects.create_user("ada")
    SocialAccount.objects.create(user=root, provider="oidc:https://elsewhere.example", uid="1")
    assert log_in(Client(), provider, "1").status_code == 403


def test_an_account_with_a_password_is_never_taken_over(visitor: Client, provider: OpenIdProvider) -> None:
    User.objects.create_superuser("root", "root@example.org", "of the portal itself")
    answer = log_in(visitor, provider, preferred_username="root", email="root@example.org", groups=["it"])
    assert answer.status_code == 403
    assert "or to a local account" in text_of(answer)
    assert visitor.get("/").status_code == 302
    assert not SocialAccount.objects.exists()


def test_an_account_that_was_given_a_password_is_no_longer_the_providers(provider: OpenIdProvider) -> None:
    log_in(Client(), provider)
    ada = User.objects.get()
    ada.set_password("of the portal itself")
    ada.save()
    assert log_in(Client(), provider, groups=["it"]).status_code == 403
    assert not User.objects.get().is_superuser


def test_an_account_of_a_server_in_front_is_not_the_providers_and_the_other_way_round(
    provider: OpenIdProvider,
) -> None:
    LoggedInBefore().authenticate(None, remote_user="grace")
    assert log_in(Client(), provider, preferred_username="grace").status_code == 403
    log_in(Client(), provider)
    assert LoggedInBefore().authenticate(None, remote_user="ada") is None


def test_an_account_that_is_switched_off_is_refused(provider: OpenIdProvider) -> None:
    log_in(Client(), provider)
    User.objects.update(is_active=False)
    assert log_in(Client(), provider).status_code == 403


@pytest.mark.parametrize("groups", [[], "", None, "staff", ["library2", "x,library"], {"library": 1}, [7]])
def test_a_person_of_no_group_that_may_use_it_is_refused_and_gets_no_account(
    visitor: Client, provider: OpenIdProvider, groups: Any
) -> None:
    answer = log_in(visitor, provider, groups=groups)
    assert answer.status_code == 403
    assert "none of your groups" in text_of(answer)
    assert not User.objects.exists()
    assert visitor.get("/").status_code == 302


@pytest.mark.parametrize("groups", ["library", "staff, library", ["staff", "library"], ["it"]])
def test_a_person_of_a_group_that_may_use_it_is_let_in(provider: OpenIdProvider, groups: Any) -> None:
    assert log_in(Client(), provider, groups=groups).status_code == 302


def test_another_claim_may_hold_the_groups_and_the_name(provider: OpenIdProvider, settings: Any) -> None:
    settings.OIDC_GROUPS_CLAIM, settings.OIDC_USERNAME_CLAIM = "https://example.org/roles", "uid"
    assert log_in(Client(), provider, **{"https://example.org/roles": ["it"], "uid": "al815"}).status_code == 302
    assert User.objects.get().username == "al815"


def test_an_administrator_by_group_loses_the_right_at_the_login_after_leaving_it(provider: OpenIdProvider) -> None:
    client = Client()
    log_in(client, provider, groups=["chiefs"])
    assert client.get("/admin/").status_code == 200
    log_in(client, provider, groups=["library"])
    assert client.get("/admin/").status_code == 302
    ada = User.objects.get()
    assert (ada.is_staff, ada.is_superuser) == (False, False)


def test_an_administrator_who_is_refused_loses_the_right_too(provider: OpenIdProvider) -> None:
    log_in(Client(), provider, groups=["it"])
    assert log_in(Client(), provider, groups=["staff"]).status_code == 403
    assert not User.objects.get().is_superuser


def test_where_no_group_is_named_everyone_may_use_it_and_rights_given_here_stay(
    provider: OpenIdProvider, settings: Any
) -> None:
    settings.OIDC_USER_GROUPS = settings.OIDC_ADMIN_GROUPS = []
    assert log_in(Client(), provider, groups=[]).status_code == 302
    assert not User.objects.get().is_superuser
    User.objects.update(is_staff=True, is_superuser=True)
    log_in(Client(), provider, groups=[])
    assert User.objects.get().is_superuser


@pytest.mark.parametrize("name", ["", None, 7, ["ada"], {"name": "ada"}, "a" * 151, "a\u202eb", "a\nb", "\ufdfa" * 100])
def test_a_name_that_no_account_can_have_is_refused(provider: OpenIdProvider, name: Any) -> None:
    answer = log_in(Client(), provider, preferred_username=name)
    assert answer.status_code == 403
    assert "no username that we can use" in text_of(answer)
    assert not User.objects.exists()


def test_what_the_browser_stored_before_becomes_the_persons_also_after_a_login_that_failed_halfway(
    visitor: Client, provider: OpenIdProvider, settings: Any
) -> None:
    settings.DOIPORTAL_OPEN = True
    visitor.post("/lookups", {"text": "nothing that means a DOI"})
    assert Lookup.objects.get().owner.startswith("session:")
    visitor.raise_request_exception = False
    with before_statement('UPDATE "resolver_lookup"', lose_database):
        assert log_in(visitor, provider).status_code >= 500
    log_in(visitor, provider)
    assert Lookup.objects.get().owner == f"user:{User.objects.get().pk}"


def test_a_login_takes_another_key_of_the_session_and_ends_in_time(visitor: Client, provider: OpenIdProvider) -> None:
    start(visitor)
    before = visitor.session.session_key
    log_in(visitor, provider)
    assert visitor.session.session_key != before
    assert visitor.session.get_expiry_age() <= 14 * 86400


def test_another_person_in_the_same_browser_is_another_account(visitor: Client, provider: OpenIdProvider) -> None:
    log_in(visitor, provider, "1")
    log_in(visitor, provider, "2", preferred_username="grace")
    assert "grace Account Log out" in text_of(visitor.get("/"))


def test_whoever_was_logged_in_is_not_after_a_login_that_is_refused(visitor: Client, provider: OpenIdProvider) -> None:
    log_in(visitor, provider, "1")
    assert log_in(visitor, provider, "2", groups=["staff"]).status_code == 403
    assert visitor.get("/").status_code == 302


def test_log_out_ends_it(visitor: Client, provider: OpenIdProvider) -> None:
    log_in(visitor, provider)
    assert visitor.post("/accounts/logout/").status_code == 302
    assert visitor.get("/").status_code == 302


def test_who_denies_at_the_provider_is_told_so(visitor: Client, provider: OpenIdProvider) -> None:
    answer = visitor.get(provider.deny(start(visitor)))
    assert answer.status_code == 403
    assert "didn’t confirm your login" in text_of(answer)
    assert 'href="/accounts/login/"' in html_of(answer)


def test_an_answer_of_the_provider_counts_once(visitor: Client, provider: OpenIdProvider) -> None:
    provider.know("1", preferred_username="ada", groups=["library"])
    back = provider.confirm(start(visitor), "1")
    assert visitor.get(back).status_code == 302
    visitor.post("/accounts/logout/")
    again = visitor.get(back)
    assert again.status_code == 400
    assert "already used" in text_of(again)
    assert visitor.get("/").status_code == 302


def test_an_answer_counts_only_in_the_browser_that_began(visitor: Client, provider: OpenIdProvider) -> None:
    provider.know("1", preferred_username="ada", groups=["library"])
    back = provider.confirm(start(visitor), "1")
    stranger = Client()
    assert stranger.get(back).status_code == 400
    assert not stranger.cookies.get("sessionid"), "who follows a link of another site gets no session"
    assert not User.objects.exists()


@pytest.mark.parametrize("query", ["", "?code=c", "?code=c&state=s", "?error=server_error", "?state=%00&code=%ff"])
def test_an_answer_that_nobody_asked_for_is_refused(visitor: Client, query: str) -> None:
    assert visitor.get(BACK + query).status_code == 400


def test_a_provider_that_is_away_gets_a_page_that_says_so(visitor: Client, settings: Any) -> None:
    settings.OIDC_SERVER_URL = f"http://127.0.0.1:{free_port()}"
    answer = visitor.post(START)
    assert answer.status_code == 503
    assert "We can’t reach Example University" in text_of(answer)


def test_a_provider_that_went_away_meanwhile_gets_that_page_too(
    visitor: Client, provider: OpenIdProvider, settings: Any
) -> None:
    settings.OIDC_SERVER_URL = nowhere = f"http://127.0.0.1:{free_port()}"
    state = "s" * 16
    session = visitor.session
    session["socialaccount_states"] = {state: ({"process": "login"}, 4e9, f"oidc:{nowhere}")}
    session.save()
    visitor.cookies["sessionid"] = session.session_key
    assert visitor.get(f"{BACK}?code=c&state={state}").status_code == 503


@pytest.mark.parametrize(
    "path",
    ["signup/", "email/", "password/reset/", "password/change/", "confirm-email/", "inactive/", "reauthenticate/",
     "3rdparty/", "3rdparty/signup/", "3rdparty/login/cancelled/", "3rdparty/login/error/", "oidc/x/login/",
     "social/connections/", "social/signup/", ""],
)  # fmt: skip
def test_no_page_of_the_library_can_be_reached(visitor: Client, provider: OpenIdProvider, path: str) -> None:
    log_in(visitor, provider)
    for address in (f"/accounts/{path}", f"/{path}"):
        if address != "/":
            assert visitor.get(address).status_code == 404


def test_administrators_see_identities_but_no_providers_and_no_addresses(provider: OpenIdProvider) -> None:
    client = Client()
    log_in(client, provider, groups=["it"])
    assert client.get("/admin/socialaccount/socialaccount/").status_code == 200
    for model in ("socialaccount/socialapp", "socialaccount/socialtoken", "account/emailaddress"):
        assert client.get(f"/admin/{model}/").status_code == 404


def test_an_administrator_gives_an_account_without_a_password_to_an_identity(provider: OpenIdProvider) -> None:
    grace, client = User.objects.create_user("grace"), Client()
    assert log_in(Client(), provider, "2", preferred_username="grace").status_code == 403
    log_in(client, provider, groups=["it"])
    form = {"user": grace.pk, "provider": f"oidc:{provider.url}", "uid": "2"}
    assert client.post("/admin/socialaccount/socialaccount/add/", form).status_code == 302
    assert log_in(Client(), provider, "2", preferred_username="grace").status_code == 302


def test_who_is_no_superuser_gives_no_account_away(provider: OpenIdProvider) -> None:
    log_in(Client(), provider)
    staff, client = User.objects.create_user("clerk", is_staff=True), Client()
    kind = ContentType.objects.get_for_model(SocialAccount)
    for name in ("view", "add", "change"):
        staff.user_permissions.add(
            Permission.objects.get_or_create(content_type=kind, codename=f"{name}_socialaccount")[0]
        )
    client.force_login(staff)
    assert client.get("/admin/socialaccount/socialaccount/").status_code == 200
    form = {"user": User.objects.get(username="ada").pk, "provider": f"oidc:{provider.url}", "uid": "2"}
    for page in ("add/", f"{SocialAccount.objects.get().pk}/change/"):
        assert client.post(f"/admin/socialaccount/socialaccount/{page}", form).status_code == 403
    assert SocialAccount.objects.get().uid == "1"


def test_the_identity_is_in_the_archive_of_the_account_and_goes_with_it(
    visitor: Client, provider: OpenIdProvider
) -> None:
    log_in(visitor, provider, "subject of ada")
    archive = zipfile.ZipFile(BytesIO(b"".join(visitor.get("/account/data.zip").streaming_content)))
    (identity,) = json.loads(archive.read("account.json"))["identities"]
    assert (identity["provider"], identity["uid"]) == (f"oidc:{provider.url}", "subject of ada")
    User.objects.get().delete()
    assert not SocialAccount.objects.exists()


def test_the_page_on_privacy_says_what_the_provider_tells(visitor: Client) -> None:
    assert "You log in at Example University" in text_of(visitor.get("/privacy"))
