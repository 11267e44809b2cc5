"""What an operator should know about the login at an identity provider."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from resolver import conf
from resolver.proxy.identity_requests import IdentityRequestError, fetch_discovery
from resolver.services.health.findings import DoctorFinding, Level

PART = "sign-on"


def look_at_sign_on() -> Iterator[DoctorFinding]:
    """Yield the findings: none if no provider is set. One request is sent to it."""
    if not conf.oidc_server_url():
        return
    yield from _look_at_openid_provider(conf.oidc_server_url())
    if conf.open_to_all() and conf.oidc_user_groups():
        yield DoctorFinding(
            PART,
            Level.ADVICE,
            "OIDC_USER_GROUPS is set, but everyone may use the portal without a login.",
            "Set DOIPORTAL_OPEN=0, or unset OIDC_USER_GROUPS.",
        )


def _look_at_openid_provider(issuer: str) -> Iterator[DoctorFinding]:
    if urlsplit(issuer).scheme != "https":
        yield DoctorFinding(
            PART,
            Level.ADVICE,
            f"OIDC_SERVER_URL is {issuer}: anyone on the way can read the secret of the portal.",
            "Use https, unless the provider is on this machine.",
        )
    try:
        found = fetch_discovery(issuer, conf.user_agent())
    except IdentityRequestError as error:
        yield DoctorFinding(
            PART,
            Level.FAULT,
            f"{issuer} doesn't answer as an OpenID provider ({type(error).__name__}).",
            "Check OIDC_SERVER_URL. Look at the network: DNS, firewall, HTTPS_PROXY, REQUESTS_CA_BUNDLE.",
        )
    except ValueError as error:
        yield DoctorFinding(
            PART, Level.FAULT, f"{error}.", "Set OIDC_SERVER_URL to the issuer, exactly as the provider writes it."
        )
    else:
        scopes = found.get("scopes_supported")
        missing = sorted(set(conf.oidc_scopes()) - set(scopes)) if isinstance(scopes, list) else []
        if missing:
            yield DoctorFinding(
                PART,
                Level.ADVICE,
                f"The OpenID provider doesn't list these scopes: {' '.join(missing)}.",
                "Check OIDC_SCOPES.",
            )
        yield DoctorFinding(PART, Level.OK, f"{issuer} is an OpenID provider, and answers.")
