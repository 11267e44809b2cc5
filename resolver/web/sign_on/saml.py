"""SAML 2.0, as python3-saml does it: requests by redirect, answers by POST, each to a request of this browser."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allauth.socialaccount.internal import statekit
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from lxml.etree import XMLSyntaxError
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants
from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError
from onelogin.saml2.response import OneLogin_Saml2_Response
from onelogin.saml2.settings import OneLogin_Saml2_Settings
from onelogin.saml2.utils import OneLogin_Saml2_Utils
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML

from resolver.proxy.identity_requests import IdentityRequestError
from resolver.services.logins.group_rights import read_groups
from resolver.services.logins.identities import Identity
from resolver.services.logins.saml_metadata import get_saml_provider
from resolver.web.sign_on.finish_login import LONGEST_SUBJECT_CHARACTERS

STATE = "saml"
NOT_CONFIRMED = OneLogin_Saml2_ValidationError.STATUS_CODE_IS_NOT_SUCCESS
_normalize = OneLogin_Saml2_Utils.normalize_url  # scheme and host in lower case


class UnusableAnswer(Exception):
    """The provider, or somebody in its name, sent an unusable answer. `why`: of the pages for failed logins."""

    def __init__(self, said: object, why: str = "unusable") -> None:
        super().__init__(said)
        self.why = why


@dataclass(frozen=True, slots=True)
class SamlAnswer:
    """A person whom the provider named, and the request that it answered."""

    identity: Identity
    in_response_to: str


def begin_login(request: HttpRequest, wanted: str) -> str:
    """Return the address at the provider, and remember the request in the session. Raises IdentityRequestError and
    UnusableAnswer."""
    auth = OneLogin_Saml2_Auth(_request_data(request), _build_settings(request))
    address = auth.login(return_to="")
    statekit.stash_state(request, provider_id=STATE, state={"next": wanted}, state_id=auth.get_last_request_id())
    return str(address)


def end_login(request: HttpRequest, in_response_to: str) -> dict[str, Any] | None:
    """Return, once, what was stored with the request of this name; None if this browser sent no such request."""
    state: dict[str, Any] | None = statekit.unstash_state(request, state_id=in_response_to, provider_id=STATE)
    return state


def read_answer(request: HttpRequest) -> SamlAnswer:
    """Return the person whom the answer names. Raises IdentityRequestError, and UnusableAnswer unless the provider has
    just signed it for this portal, in response to a request, and it arrives for the first time."""
    text = request.POST.get("SAMLResponse", "")
    if not 0 < len(text) <= 500_000:  # in Base64
        raise UnusableAnswer(f"an answer of {len(text)} characters")
    toolkit = _build_settings(request)
    with _refuse_unusable():
        response = OneLogin_Saml2_Response(toolkit, text)
        response.is_valid(_request_data(request), raise_exceptions=True)
        return _read_valid(response, toolkit)


def keep_answer(answer: SamlAnswer) -> str:
    """Return the key under which the answer waits for its browser."""
    key = secrets.token_urlsafe(24)
    cache.set(_build_cache_key(key), answer, timeout=120)
    return key


def take_answer(key: str) -> SamlAnswer | None:
    """Return the answer of this key, once."""
    name = _build_cache_key(key)
    answer: SamlAnswer | None = cache.get(name)
    return answer if cache.delete(name) else None


def _build_cache_key(key: str) -> str:
    return f"saml-answer:{hashlib.sha256(key.encode(errors='replace')).hexdigest()}"


def build_metadata(request: HttpRequest) -> bytes:
    """Return the metadata of the portal, without a request to the provider. Raises UnusableAnswer if the files of the
    keys can't be used."""
    with _refuse_unusable():
        content = OneLogin_Saml2_Settings(_build_own_settings(request), sp_validation_only=True).get_sp_metadata()
        return content if isinstance(content, bytes) else content.encode()


def _read_valid(response: OneLogin_Saml2_Response, toolkit: OneLogin_Saml2_Settings) -> SamlAnswer:
    """Return the person whom a signed answer names, after the checks that python3-saml leaves to the application: it
    accepts any Destination that begins with the portal's address, and any Recipient that contains it."""
    document, in_response_to = response.get_xml_document(), response.get_in_response_to()
    confirmations = OneLogin_Saml2_XML.query(document, "//saml:Assertion//saml:SubjectConfirmationData")
    if not in_response_to or {node.get("InResponseTo") for node in confirmations} != {in_response_to}:
        raise UnusableAnswer("the answer is to no request, or the assertion to another one")
    own = _normalize(toolkit.get_sp_data()["assertionConsumerService"]["url"])
    recipients = {_normalize(node.get("Recipient", "")) for node in confirmations}
    if {_normalize(document.get("Destination", own)), *recipients} != {own}:
        raise UnusableAnswer("the answer or the assertion is for another address")
    if not response.get_audiences():
        raise UnusableAnswer("the assertion names no audience")
    seconds = (response.get_assertion_not_on_or_after() or 0) - OneLogin_Saml2_Utils.now()
    if not cache.add(f"saml-assertion:{response.get_assertion_id()}", True, max(seconds, statekit.STATE_TTL)):
        raise UnusableAnswer("the assertion came before")
    attributes = response.get_attributes()
    names = attributes.get(settings.SAML_USERNAME_ATTRIBUTE) or [""]
    return SamlAnswer(
        Identity(
            provider=f"saml:{toolkit.get_idp_data()['entityId']}",
            subject=_find_subject(response, attributes),
            username=str(names[0] or ""),
            groups=read_groups(attributes.get(settings.SAML_GROUPS_ATTRIBUTE)),
        ),
        in_response_to,
    )


def _find_subject(response: OneLogin_Saml2_Response, attributes: dict[str, Any]) -> str:
    if attribute := settings.SAML_SUBJECT_ATTRIBUTE:
        values = attributes.get(attribute) or []
        if len(values) != 1:
            raise UnusableAnswer(f"{len(values)} values of SAML_SUBJECT_ATTRIBUTE")
        subject = str(values[0] or "")
    else:
        if response.get_nameid_format() != Constants.NAMEID_PERSISTENT:
            raise UnusableAnswer("the NameID isn't persistent: set SAML_SUBJECT_ATTRIBUTE")
        subject = str(response.get_nameid() or "")
    if not 0 < len(subject) <= LONGEST_SUBJECT_CHARACTERS:
        raise UnusableAnswer(
            f"the subject has {len(subject)} characters, and must have 1 to {LONGEST_SUBJECT_CHARACTERS}"
        )
    return subject


def _build_settings(request: HttpRequest) -> OneLogin_Saml2_Settings:
    with _refuse_unusable():
        return OneLogin_Saml2_Settings({**_build_own_settings(request), "idp": get_saml_provider()})


@contextmanager
def _refuse_unusable() -> Iterator[None]:
    """Raise UnusableAnswer if the files, the metadata or the answer can't be used."""
    try:
        yield
    except OneLogin_Saml2_ValidationError as error:
        raise UnusableAnswer(error, "denied" if error.code == NOT_CONFIRMED else "unusable") from error
    except IdentityRequestError:  # an OSError too
        raise
    except (OneLogin_Saml2_Error, XMLSyntaxError, OSError, LookupError, TypeError, ValueError) as error:
        raise UnusableAnswer(f"{type(error).__name__}: {error}") from error


def _build_own_settings(request: HttpRequest) -> dict[str, Any]:
    key, certificate = settings.SAML_KEY_FILE, settings.SAML_CERTIFICATE_FILE
    name_id = Constants.NAMEID_UNSPECIFIED if settings.SAML_SUBJECT_ATTRIBUTE else Constants.NAMEID_PERSISTENT
    return {
        "strict": True,
        "sp": {
            "entityId": settings.SAML_ENTITY_ID or request.build_absolute_uri(reverse("saml-metadata")),
            "assertionConsumerService": {
                "url": request.build_absolute_uri(reverse("saml-receive")),
                "binding": Constants.BINDING_HTTP_POST,
            },
            "NameIDFormat": name_id,
            "privateKey": Path(key).read_text() if key else "",
            "x509cert": Path(certificate).read_text() if certificate else "",
        },
        "security": {
            "authnRequestsSigned": bool(key),
            "signatureAlgorithm": Constants.RSA_SHA256,
            "digestAlgorithm": Constants.SHA256,
            "rejectDeprecatedAlgorithm": True,
            "requestedAuthnContext": False,
            "wantNameId": not settings.SAML_SUBJECT_ATTRIBUTE,
            "wantAttributeStatement": False,
            "allowRepeatAttributeName": True,
            "allowSingleLabelDomains": True,
        },
    }


def _request_data(request: HttpRequest) -> dict[str, Any]:
    """Return the request in the form of python3-saml, with the public address of the portal."""
    return {
        "https": "on" if request.is_secure() else "off",
        "http_host": request.get_host(),
        "script_name": "",
        "path_info": request.path,
        "get_data": {},
        "post_data": {},
    }
