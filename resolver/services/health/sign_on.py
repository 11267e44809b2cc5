"""What an operator should know about the login at an identity provider."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from resolver import conf
from resolver.proxy.identity_requests import IdentityRequestError, fetch_discovery
from resolver.services.health.findings import DoctorFinding, advice, fault, ok


def look_at_sign_on() -> Iterator[DoctorFinding]:
    """Yield the findings: none if no provider is set. One request is sent to each."""
    if settings.OIDC_SERVER_URL:
        yield from _look_at_openid_provider(settings.OIDC_SERVER_URL)
    if settings.SAML_IDP_METADATA:
        yield from _look_at_saml_provider()
    groups = {"OIDC_USER_GROUPS": settings.OIDC_USER_GROUPS, "SAML_USER_GROUPS": settings.SAML_USER_GROUPS}
    for setting in [name for name, named in groups.items() if named and settings.DOIPORTAL_OPEN]:
        yield advice(
            f"{setting} is set, but everyone may use the portal without a login.",
            f"Set DOIPORTAL_OPEN=0, or unset {setting}.",
        )


def _look_at_saml_provider() -> Iterator[DoctorFinding]:
    from resolver.services.logins.saml_metadata import read_saml_provider  # loads libraries that others don't need

    place = settings.SAML_IDP_METADATA
    if place.startswith("http:"):
        yield advice(
            f"SAML_IDP_METADATA is {place}: anyone on the way can put in a certificate, and log in as anyone.",
            "Use https, or a file.",
        )
    try:
        for file in filter(None, (settings.SAML_KEY_FILE, settings.SAML_CERTIFICATE_FILE)):
            Path(file).read_bytes()
        found = read_saml_provider()
    except IdentityRequestError as error:
        yield fault(
            f"{place} doesn't answer ({type(error).__name__}).",
            "Check SAML_IDP_METADATA. Look at the network: DNS, firewall, HTTPS_PROXY, REQUESTS_CA_BUNDLE.",
        )
    except (OSError, ValueError) as error:
        yield fault(f"{error}.", "Check SAML_IDP_METADATA, SAML_IDP_ENTITY_ID and the files of the keys.")
    else:
        yield ok(f"{found['entityId']} is a SAML identity provider.")


def _look_at_openid_provider(issuer: str) -> Iterator[DoctorFinding]:
    if urlsplit(issuer).scheme != "https":
        yield advice(
            f"OIDC_SERVER_URL is {issuer}: anyone on the way can read the secret of the portal.",
            "Use https, unless the provider is on this machine.",
        )
    try:
        found = fetch_discovery(issuer, conf.user_agent())
    except IdentityRequestError as error:
        yield fault(
            f"{issuer} doesn't answer as an OpenID provider ({type(error).__name__}).",
            "Check OIDC_SERVER_URL. Look at the network: DNS, firewall, HTTPS_PROXY, REQUESTS_CA_BUNDLE.",
        )
    except ValueError as error:
        yield fault(f"{error}.", "Set OIDC_SERVER_URL to the issuer, exactly as the provider writes it.")
    else:
        scopes = found.get("scopes_supported")
        missing = sorted(set(settings.OIDC_SCOPES) - set(scopes)) if isinstance(scopes, list) else []
        if missing:
            yield advice(f"The OpenID provider doesn't list these scopes: {' '.join(missing)}.", "Check OIDC_SCOPES.")
        yield ok(f"{issuer} is an OpenID provider, and answers.")
