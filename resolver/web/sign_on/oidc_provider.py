"""OpenID Connect, as django-allauth does it, with the checks that it leaves out."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal.jwtkit import verify_jti
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from resolver import conf
from resolver.proxy.identity_requests import fetch_discovery
from resolver.services.logins.group_rights import GroupRights, read_groups
from resolver.services.logins.identities import Identity
from resolver.web.sign_on.finish_login import LONGEST_SUBJECT_CHARACTERS

# With a pair of keys: those who know the secret of the portal can't make a token.
FOR_RSA = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
ALGORITHMS = (*FOR_RSA, "ES256", "ES384", "ES512", "EdDSA")


class PortalOidcProvider(OpenIDConnectProvider):
    """The one provider of the settings."""

    @property
    def rights(self) -> GroupRights:
        return GroupRights(settings.OIDC_USER_GROUPS, settings.OIDC_ADMIN_GROUPS)

    def get_oauth2_adapter(self, request: HttpRequest) -> "PortalOidcAdapter":
        return PortalOidcAdapter(request)

    def extract_uid(self, data: dict[str, Any]) -> str:
        uid = str(data["sub"])
        if not 0 < len(uid) <= LONGEST_SUBJECT_CHARACTERS:
            raise ProviderException(
                f"the subject has {len(uid)} characters, and must have 1 to {LONGEST_SUBJECT_CHARACTERS}"
            )
        return uid

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return what is stored besides issuer and subject: nothing."""
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[Any]:
        return []

    def sociallogin_from_response(self, request: HttpRequest, response: dict[str, Any]) -> SocialLogin:
        """Return the login with the `identity` of the person, as the claims have it."""
        found = super().sociallogin_from_response(request, response)
        name = response.get(settings.OIDC_USERNAME_CLAIM)
        found.identity = Identity(
            provider=self.sub_id,
            subject=found.account.uid,
            username=name if isinstance(name, str) else "",
            groups=read_groups(response.get(settings.OIDC_GROUPS_CLAIM)),
        )
        return found


class PortalOidcAdapter(OpenIDConnectOAuth2Adapter):
    """The requests of a login. The signature of the ID token is always checked: a provider inside the network may be
    reached by http."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, provider_id="oidc")

    def get_provider(self) -> PortalOidcProvider:
        return build_provider(self.request)

    @cached_property
    def openid_config(self) -> dict[str, Any]:
        """The provider's description of itself. Raises IdentityRequestError and ProviderException."""
        with _refuse_unusable_answers():
            return fetch_discovery(settings.OIDC_SERVER_URL, conf.user_agent())

    @property
    def basic_auth(self) -> bool:
        """Whether the secret is sent in a header, which is the default (OpenID Connect Discovery 3)."""
        methods = self.openid_config.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        return "client_secret_basic" in methods

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("oidc-callback"))

    def get_access_token_data(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        with _refuse_unusable_answers():
            data: dict[str, Any] = super().get_access_token_data(*args, **kwargs)
            return data

    def parse_token(self, data: dict[str, Any]) -> SocialToken:
        with _refuse_unusable_answers():
            return super().parse_token(data)

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        """Return the person's login. Raises IdentityRequestError, OAuth2Error and ProviderException."""
        with _refuse_unusable_answers():
            claims = self._decode_id_token(app, kwargs["response"]["id_token"])
            if "userinfo_endpoint" in self.openid_config:
                more = self._fetch_user_info(token.token)
                if more["sub"] != claims["sub"]:  # OpenID Connect Core 5.3.2
                    raise ProviderException("the answer of the userinfo endpoint is about another person")
                claims = {**more, **claims}
            return self.get_provider().sociallogin_from_response(request, claims)

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        """Return the claims. Raises ProviderException unless the provider signed them just now for this portal."""
        with get_adapter().get_requests_session() as session:
            answer = session.get(self.openid_config["jwks_uri"])
            answer.raise_for_status()
        try:
            header = jwt.get_unverified_header(id_token)
            claims = jwt.decode(
                id_token,
                _choose_key(_read_keys(answer.json()["keys"], header["alg"]), header),
                algorithms=ALGORITHMS,
                issuer=self.openid_config["issuer"],
                audience=app.client_id,
                leeway=60,  # seconds by which the clocks of provider and portal may differ
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
            )
        except jwt.PyJWTError as error:
            raise ProviderException(f"ID token: {error}") from error
        verify_jti(claims)
        return claims


def _read_keys(keys: list[Any], algorithm: str) -> list[jwt.PyJWK]:
    """Return the usable keys. An RSA key without an algorithm (RFC 7517 4.4) fits each algorithm of RSA, so it gets the
    token's; PyJWT would assume RS256. For other keys the curve says which algorithm they are for."""
    if algorithm in FOR_RSA:
        of_rsa = {"alg": algorithm}
        keys = [of_rsa | key if isinstance(key, dict) and key.get("kty") == "RSA" else key for key in keys]
    return jwt.PyJWKSet(keys).keys


def _choose_key(keys: list[jwt.PyJWK], header: dict[str, Any]) -> jwt.PyJWK:
    """Return the key that the header names; without a name, the only one that fits. Raises LookupError."""
    fitting = [key for key in keys if key.public_key_use in (None, "sig") and key.algorithm_name == header["alg"]]
    named = [key for key in fitting if key.key_id == header["kid"]] if "kid" in header else fitting
    if len(named) != 1:
        raise LookupError(f"{len(named)} of the provider's {len(keys)} keys fit the ID token")
    return named[0]


@contextmanager
def _refuse_unusable_answers() -> Iterator[None]:
    """Raise ProviderException for an answer that doesn't have the form that the standard requires."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:
        raise ProviderException(f"{type(error).__name__}: {error}") from error


def build_provider(request: HttpRequest) -> PortalOidcProvider:
    """Return the provider of the settings. Accounts are bound to its `sub_id`."""
    app = SocialApp(
        provider=PortalOidcProvider.id,
        provider_id=f"oidc:{settings.OIDC_SERVER_URL}",
        name=settings.OIDC_NAME,
        client_id=settings.OIDC_CLIENT_ID,
        secret=settings.OIDC_CLIENT_SECRET,
        settings={
            "server_url": settings.OIDC_SERVER_URL,
            "scope": list(settings.OIDC_SCOPES),
            "oauth_pkce_enabled": True,
        },
    )
    return PortalOidcProvider(request, app=app)
