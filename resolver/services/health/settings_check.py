"""What an operator should know about the settings, one by one and together."""

import os
import socket
import sys
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from yarl import URL

from resolver import conf
from resolver.proxy.proxy_config import CA_VARIABLES
from resolver.services.health.findings import DoctorFinding, advice, fault, ok

DOI_ORG = "https://doi.org"
GENTLE_RATE = 20.0  # requests a second: a higher one needs the consent of doi.org


def _look_at_settings() -> Iterator[DoctorFinding]:
    yield from list(_find_unsafe_settings()) or [ok(f"Python {sys.version.split()[0]}, {conf.user_agent()}.")]


def _find_unsafe_settings() -> Iterator[DoctorFinding]:
    if settings.DEBUG:
        yield fault("DEBUG is on: pages of faults show settings.", "Unset DEBUG.")
    if not _is_loopback(settings.HOST) and not settings.CSRF_TRUSTED_ORIGINS:
        yield advice(
            f"The portal listens on {settings.HOST}, and CSRF_TRUSTED_ORIGINS is not set.",
            "Set it to the public address (https://…), so that cookies travel by https alone.",
        )
    if settings.CSRF_TRUSTED_ORIGINS and not settings.TRUSTED_PROXIES:
        yield advice(
            "TRUSTED_PROXIES is not set: all requests through a server in front count as those of one address.",
            "Set it to the address of that server.",
        )
    if settings.METADATA and not (settings.CONTACT_EMAIL or settings.METADATA_SERVICE_URL):
        yield advice(
            "CONTACT_EMAIL is not set: the slower public limits of Crossref and DataCite hold for titles.",
            "Set it to an address that somebody reads. Without comparing works: METADATA=0.",
        )
    if settings.DOI_PROXY_URL == DOI_ORG:
        if not settings.CONTACT_EMAIL:
            yield advice(
                "CONTACT_EMAIL is not set: doi.org can't write to you before it blocks your address.",
                "Set it to an address that somebody reads.",
            )
        if not 0 < settings.PROXY_RATE <= GENTLE_RATE:
            yield advice(
                f"PROXY_RATE allows {settings.PROXY_RATE or 'any number of'} requests per second to doi.org.",
                f"Ask the DOI Foundation first, or set it to {GENTLE_RATE:g} or less.",
            )


def _look_at_names() -> Iterator[DoctorFinding]:
    for name, meant in conf.find_misspelt_names():
        yield advice(f"{name} is set, and there is no such setting.", f"If you mean {meant}, correct the name.")


def _look_at_host() -> Iterator[DoctorFinding]:
    """Bind another port than PORT, which the portal may have already."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(settings.HOST, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(address)
    except OSError as error:
        yield fault(
            f"A web server on this machine can't listen on HOST={settings.HOST}: {error.strerror}.",
            "Set it to an address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 for all networks.",
        )


def _look_at_public_hosts() -> Iterator[DoctorFinding]:
    """Skip an origin with a wildcard: it names no host."""
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        host, _ = split_domain_port(urlsplit(origin).netloc.lower())
        if "*" not in origin and not validate_host(host, settings.ALLOWED_HOSTS):
            yield advice(
                f"CSRF_TRUSTED_ORIGINS names {origin}, and ALLOWED_HOSTS doesn't allow {host or 'its host'}.",
                "Add the host to ALLOWED_HOSTS, unless the server in front changes the Host header.",
            )


def _look_at_allowed_hosts() -> Iterator[DoctorFinding]:
    """The look at public hosts covers an address in CSRF_TRUSTED_ORIGINS that isn't allowed."""
    if settings.CSRF_TRUSTED_ORIGINS or any(not _is_of_this_machine(host) for host in settings.ALLOWED_HOSTS):
        return
    if _listens_everywhere(settings.HOST):
        how = f"The portal listens on {settings.HOST}"
    elif settings.TRUSTED_PROXIES:
        how = "TRUSTED_PROXIES names a server in front"
    else:
        return
    yield advice(
        f"{how}, and ALLOWED_HOSTS has only names of this machine itself: other machines get an error (400).",
        "Set it to the name by which people reach the portal.",
    )


def _look_at_groups_header() -> Iterator[DoctorFinding]:
    header = settings.REMOTE_GROUPS_HEADER
    if header and not settings.REMOTE_USER_HEADER:
        says, do = "REMOTE_GROUPS_HEADER is set, and REMOTE_USER_HEADER is not.", "Set both, or neither."
    elif header and not settings.REMOTE_USER_GROUPS and not settings.REMOTE_ADMIN_GROUPS:
        says = "REMOTE_GROUPS_HEADER is set, and no groups are: everyone who logs in there may use the portal."
        do = "Set REMOTE_USER_GROUPS or REMOTE_ADMIN_GROUPS, or unset the header."
    else:
        return
    yield advice(says, do)


def _look_at_own_address() -> Iterator[DoctorFinding]:
    """The portal's gateway answers like doi.org. Behind a server in front, another path may be another program; the
    portal itself answers without the prefix of that server too."""
    proxy = URL(settings.DOI_PROXY_URL)
    own = [f"http://{host}:{settings.PORT}" for host in settings.OUR_HOSTS]
    public = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if "*" not in origin]
    addresses = [*own, *(f"{origin}{settings.URL_PREFIX}" for origin in (*own, *public))]
    if _find_place(proxy) in {_find_place(URL(address)) for address in addresses}:
        yield fault(
            f"DOI_PROXY_URL is the address of the portal itself ({proxy.with_user(None)}), which would send "
            "its requests to itself.",
            f"Set it to a DOI proxy, or unset it for {DOI_ORG}.",
        )


def _find_place(url: URL) -> tuple[str, str | None, int | None, str]:
    return url.scheme, url.host, url.port, url.path.rstrip("/")


def _look_at_certificates() -> Iterator[DoctorFinding]:
    for name in CA_VARIABLES:
        path = os.environ.get(name)
        if path and not os.access(path, os.R_OK):
            yield fault(
                f"{name} names {path}, which can't be read: secure connections may fail.",
                "Correct the path, let the account that runs the portal read the file, or unset the variable.",
            )


def _look_at_quotas() -> Iterator[DoctorFinding]:
    most = {
        "MAX_LISTS_PER_DAY": settings.MAX_LISTS_PER_DAY,
        "MAX_ROWS_PER_DAY": settings.MAX_ROWS_PER_DAY,
        "MAX_REQUESTS_PER_DAY": settings.MAX_REQUESTS_PER_DAY,
    }
    named = ", ".join(name for name, number in most.items() if number)
    if named and settings.DOIPORTAL_OPEN:
        yield advice(
            f"Quotas are set ({named}), and people without an account have none: they need not log in.",
            "Set DOIPORTAL_OPEN=0, or unset the quotas.",
        )
    if 0 < most["MAX_ROWS_PER_DAY"] < most["MAX_LISTS_PER_DAY"]:
        yield advice(
            "MAX_ROWS_PER_DAY is less than MAX_LISTS_PER_DAY: nobody can check so many lists, as each has a row.",
            "Raise the first, or lower the second.",
        )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listens_everywhere(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _is_of_this_machine(host: str) -> bool:
    bare = host.strip("[]")
    return _is_loopback(bare) or _listens_everywhere(bare)


SETTINGS_LOOKS: tuple[Callable[[], Iterator[DoctorFinding]], ...] = (
    _look_at_settings,
    _look_at_names,
    _look_at_host,
    _look_at_public_hosts,
    _look_at_allowed_hosts,
    _look_at_groups_header,
    _look_at_own_address,
    _look_at_certificates,
    _look_at_quotas,
)
"""Each on its own: the others are looked at if one fails."""
