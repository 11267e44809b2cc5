"""People who log in at a SAML identity provider: who becomes which account, and which answers count."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from resolver.models import Lookup
from tests.saml_provider import (
    MEMBER_OF,
    PERSISTENT,
    REFUSED,
    SUBJECT_ID,
    TRANSIENT,
    UID,
    SamlPerson,
    SamlProvider,
    make_key_pair,
)
from tests.services_plugin import free_port
from tests.web.conftest import html_of, text_of
from tests.web.sign_on.conftest import start

START, ANSWERS, FINISH = "/accounts/saml/login", "/accounts/saml/acs", "/accounts/saml/finish"
METADATA = "/accounts/saml/metadata"
ADA = SamlPerson()


@pytest.fixture(scope="module")
def running() -> Iterator[SamlProvider]:
    with SamlProvider() as provider:
        yield provider


@pytest.fixture
def provider(running: SamlProvider, settings: Any) -> SamlProvider:
    cache.clear()
    running.metadata = running.describe()
    settings.SAML_IDP_METADATA, settings.SAML_NAME = f"{running.url}/metadata", "Example University"
    settings.SAML_USER_GROUPS, settings.SAML_ADMIN_GROUPS = ["library"], ["it"]
    settings.DOIPORTAL_OPEN = False
    return running


def person(groups: list[str], name: str = "ada", subject: str = "subject of ada") -> SamlPerson:
    return replace(ADA, subject=subject, attributes={UID: [name], MEMBER_OF: groups})


def send(client: Client, answer: str) -> Any:
    """Send the answer as the page of the provider does, without a cookie; then what the browser sees."""
    sent = Client().post(ANSWERS, {"SAMLResponse": answer}, headers={"Sec-Fetch-Site": "cross-site"})
    assert (sent.status_code, sent["Location"].partition("?")[0]) == (302, FINISH)
    assert not sent.cookies, "what another site sends begins no session and replaces no cookie"
    return client.get(sent["Location"])


def log_in(client: Client, provider: SamlProvider, who: SamlPerson = ADA, **options: str) -> Any:
    return send(client, provider.answer(start(client, START), who, **options))


def test_the_page_of_the_login_has_a_button_and_without_a_provider_no_address(
    visitor: Client, provider: SamlProvider, settings: Any
) -> None:
    assert "Log in with Example University" in text_of(visitor.get("/accounts/login/"))
    assert "You log in at Example University" in text_of(visitor.get("/privacy"))
    settings.SAML_IDP_METADATA = settings.SAML_NAME = ""
    assert "Log in with" not in text_of(visitor.get("/accounts/login/"))
    for address in (FINISH, METADATA):
        assert visitor.get(address).status_code == 404
    for address in (START, ANSWERS):
        assert visitor.post(address).status_code == 404


def test_a_new_person_gets_an_account_bound_to_provider_and_subject(visitor: Client, provider: SamlProvider) -> None:
    answer = log_in(visitor, provider)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert "ada Account Log out" in text_of(visitor.get("/"))
    bound = SocialAccount.objects.get()
    assert (bound.provider, bound.uid, bound.extra_data) == (f"saml:{provider.url}", "subject of ada", {})
    assert not bound.user.has_usable_password()
    log_in(Client(), provider, person(["library"], name="countess"))
    assert User.objects.get().username == "ada"


def test_the_person_comes_to_the_page_they_wanted_and_what_the_browser_stored_becomes_theirs(
    visitor: Client, provider: SamlProvider, settings: Any
) -> None:
    settings.DOIPORTAL_OPEN = True
    visitor.post("/lookups", {"text": "nothing that means a DOI"})
    answer = provider.answer(start(visitor, START, next="/history"))
    assert send(visitor, answer)["Location"] == "/history"
    assert Lookup.objects.get().owner == f"user:{User.objects.get().pk}"


def test_a_login_leads_to_no_other_site_and_begins_with_a_form_of_the_portal(provider: SamlProvider) -> None:
    client = Client()
    assert send(client, provider.answer(start(client, START, next="https://elsewhere.example/")))["Location"] == "/"
    assert Client(enforce_csrf_checks=True).post(START).status_code == 403


@pytest.mark.parametrize(
    ("groups", "status"), [([], 403), (["a, library"], 403), (["a", "library"], 302), (["it"], 302)]
)
def test_groups_decide_who_may_use_it(provider: SamlProvider, groups: list[str], status: int) -> None:
    assert log_in(Client(), provider, person(groups)).status_code == status
    assert User.objects.exists() == (status == 302)


def test_an_administrator_by_group_loses_the_right_at_the_login_after_leaving_it(provider: SamlProvider) -> None:
    client = Client()
    log_in(client, provider, person(["it"]))
    assert client.get("/admin/").status_code == 200
    log_in(client, provider, person(["library"]))
    assert client.get("/admin/").status_code == 302


def test_an_account_of_the_portal_or_of_another_subject_is_never_taken_over(provider: SamlProvider) -> None:
    User.objects.create_superuser("root", password="of the portal itself")
    log_in(Client(), provider)
    for who in (person(["it"], "root", "subject of root"), person(["it"], "ada", "another subject")):
        assert log_in(Client(), provider, who).status_code == 403
    assert SocialAccount.objects.count() == 1
    assert not User.objects.get(username="ada").is_superuser


def test_an_attribute_may_hold_the_lasting_identifier(provider: SamlProvider, settings: Any) -> None:
    settings.SAML_SUBJECT_ATTRIBUTE = SUBJECT_ID
    who = person(["library"], subject="changes")
    who.attributes[SUBJECT_ID] = ["ada@example.org"]
    assert log_in(Client(), provider, replace(who, name_format=TRANSIENT)).status_code == 302
    assert SocialAccount.objects.get().uid == "ada@example.org"


@pytest.mark.parametrize(
    "wrong",
    [
        {"name_format": TRANSIENT},
        {"name_format": "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"},
        {"subject": "x" * 192},
        {"issuer": "https://elsewhere.example"},
        {"audience": "https://elsewhere.example"},
        {"audience": "none"},
        {"recipient": "https://elsewhere.example/acs"},
        {"recipient": "https://elsewhere.example/?to={}"},
        {"recipient": "{}/elsewhere"},
        {"recipient": None},
        {"destination": "https://elsewhere.example/acs"},
        {"destination": "{}/elsewhere"},
        {"in_response_to": "none"},
        {"in_response_to": "_another"},
        {"confirms": ""},
        {"lasts": -30},
    ],
)
def test_an_answer_that_is_not_right_logs_nobody_in(
    visitor: Client, provider: SamlProvider, wrong: dict[str, Any]
) -> None:
    page = log_in(visitor, provider, replace(ADA, **wrong))
    assert page.status_code == 502
    assert "sent an answer that we can’t use" in text_of(page)
    assert not User.objects.exists()


@pytest.mark.parametrize("destination", [None, "HTTP://TestServer" + ANSWERS])
def test_an_answer_may_name_the_address_of_the_portal_in_another_case_or_leave_it_out(
    provider: SamlProvider, destination: str | None
) -> None:
    assert log_in(Client(), provider, replace(ADA, destination=destination)).status_code == 302


def test_an_answer_with_another_signature_or_none_logs_nobody_in(visitor: Client, provider: SamlProvider) -> None:
    assert log_in(visitor, provider, key=make_key_pair()[0]).status_code == 502
    right = base64.b64decode(provider.answer(start(visitor, START))).decode()
    changed = right.replace(">ada<", ">root<")
    unsigned = right[: right.index("<ds:Signature")] + right[right.index("</ds:Signature>") + len("</ds:Signature>") :]
    for text in (changed, unsigned):
        assert send(visitor, base64.b64encode(text.encode()).decode()).status_code == 502
    assert not User.objects.exists()


def test_a_comment_in_a_signed_name_cuts_nothing_off(visitor: Client, provider: SamlProvider) -> None:
    right = base64.b64decode(provider.answer(start(visitor, START), person(["library"], name="root.evil"))).decode()
    split = right.replace(">root.evil<", ">root<!-- -->.evil<")
    assert send(visitor, base64.b64encode(split.encode()).decode()).status_code == 302
    assert User.objects.get().username == "root.evil"


@pytest.mark.parametrize(
    "text",
    ["", "no Base64!", base64.b64encode(b"<no xml").decode(), base64.b64encode(b"<a/>").decode(), "A" * 500_001,
     base64.b64encode(b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').decode()],
)  # fmt: skip
def test_what_is_no_answer_is_refused(visitor: Client, provider: SamlProvider, text: str) -> None:
    assert send(visitor, text).status_code == 502


def test_an_answer_counts_once(visitor: Client, provider: SamlProvider) -> None:
    answer = provider.answer(start(visitor, START))
    assert send(visitor, answer).status_code == 302
    visitor.post("/accounts/logout/")
    assert send(visitor, answer).status_code == 502
    assert visitor.get("/").status_code == 302


def test_an_answer_counts_only_in_the_browser_that_began(visitor: Client, provider: SamlProvider) -> None:
    answer = provider.answer(start(visitor, START))
    stranger = Client()
    page = send(stranger, answer)
    assert page.status_code == 400
    assert not stranger.cookies.get("sessionid")
    assert not User.objects.exists()


def test_the_address_of_the_end_opens_once(visitor: Client, provider: SamlProvider) -> None:
    sent = Client().post(ANSWERS, {"SAMLResponse": provider.answer(start(visitor, START))})
    assert Client().get(sent["Location"]).status_code == 400
    assert visitor.get(sent["Location"]).status_code == 400


@pytest.mark.parametrize("query", ["", "?answer=", "?answer=nothing", "?failed=nothing", "?answer=%00"])
def test_an_end_that_nobody_began_is_refused(visitor: Client, provider: SamlProvider, query: str) -> None:
    assert visitor.get(FINISH + query).status_code == 400


def test_who_is_refused_at_the_provider_is_told_so(visitor: Client, provider: SamlProvider) -> None:
    page = log_in(visitor, provider, replace(ADA, status=REFUSED))
    assert page.status_code == 403
    assert "didn’t confirm your login" in text_of(page)


def test_an_encrypted_answer_is_read_and_requests_are_signed_where_the_portal_has_keys(
    visitor: Client, provider: SamlProvider, settings: Any, tmp_path: Path
) -> None:
    key, certificate = make_key_pair()
    for name, content in (("key", key), ("certificate", certificate)):
        (tmp_path / name).write_text(content)
    settings.SAML_KEY_FILE, settings.SAML_CERTIFICATE_FILE = str(tmp_path / "key"), str(tmp_path / "certificate")
    assert "Signature" in parse_qs(urlsplit(start(visitor, START)).query)
    assert certificate.splitlines()[1] in html_of(visitor.get(METADATA)).replace("\n", "")
    assert log_in(visitor, provider, encrypt_for=certificate).status_code == 302
    settings.SAML_KEY_FILE = str(tmp_path / "missing")
    assert visitor.get(METADATA).status_code == 502
    assert visitor.post(START).status_code == 502


def test_the_metadata_of_the_portal_names_its_addresses(visitor: Client, provider: SamlProvider) -> None:
    page = visitor.get(METADATA)
    assert page["Content-Type"] == "application/samlmetadata+xml"
    assert f'entityID="http://testserver{METADATA}"' in html_of(page)
    assert f'Location="http://testserver{ANSWERS}"' in html_of(page)
    assert PERSISTENT in html_of(page)


def test_metadata_may_be_a_file_with_several_providers_of_which_one_is_named(
    visitor: Client, provider: SamlProvider, settings: Any, tmp_path: Path
) -> None:
    file = tmp_path / "metadata.xml"
    others = provider.describe("https://elsewhere.example", make_key_pair()[1])
    file.write_text(
        f'<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">{others}{provider.describe()}'
        "</md:EntitiesDescriptor>"
    )
    settings.SAML_IDP_METADATA = str(file)
    assert visitor.post(START).status_code == 502
    settings.SAML_IDP_ENTITY_ID = provider.url
    assert log_in(visitor, provider).status_code == 302


@pytest.mark.parametrize("content", ["<no xml", "<a/>", "", 404])
def test_metadata_that_describes_no_provider_stops_the_login(
    visitor: Client, provider: SamlProvider, content: Any
) -> None:
    provider.metadata = content
    assert visitor.post(START).status_code == 502


def test_a_provider_whose_metadata_cannot_be_reached_is_away(
    visitor: Client, provider: SamlProvider, settings: Any
) -> None:
    settings.SAML_IDP_METADATA = f"http://127.0.0.1:{free_port()}/metadata"
    page = visitor.post(START)
    assert page.status_code == 503
    assert "We can’t reach Example University" in text_of(page)
    assert visitor.get(METADATA).status_code == 200, "what the provider needs is there before it"
