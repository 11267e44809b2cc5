"""Refuse requests from pages of other websites that could change something here."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import is_same_domain

from doiportal import error_views
from doiportal.program_addresses import is_gateway_json_address, is_reconcile_address

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
OWN = ("same-origin", "none")  # a page of ours, or a person at the address bar
SAML_ANSWERS = "/accounts/saml/acs"
STOPPED_MAILS = "/mail/stop/"
XHTML = "application/xhtml+xml"  # accepted by every browser that sends a form


class ForeignOriginMiddleware(MiddlewareMixin):
    """Refuse with 403 what a page of another origin sends, before the session is read.

    The session's cookie is SameSite=Lax, so it does not come with such a request: the portal would take the sender for
    a new visitor, and replace the person's cookie. The REST API asks anonymous sessions for no CSRF token. Headers that
    no page can write decide:

    - `Sec-Fetch-Site`, sent by every browser since 2023 over https and on its own machine;
    - else `Origin`, which browsers send with each such request (Firefox since 2020);
    - else, for the form of a browser (only browsers accept XHTML), the `Referer`, which must be there.

    So programs (curl, R, Python) need none of them, and no browser of the last six years looks like a program. An
    origin in CSRF_TRUSTED_ORIGINS counts as our own."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        # At the addresses of doi.org nothing is written, and programs get their JSON. A reconciliation's POST is a
        # question: it reads no cookie and stores nothing of a person.
        # The answer of a SAML provider is sent by its page, and counts by its signature; there no session is read.
        # A mail program's one-click stop counts by the token in its address, and reads no session either.
        is_open = (
            is_gateway_json_address(request)
            or is_reconcile_address(request)
            or request.path_info == SAML_ANSWERS
            or request.path_info.startswith(STOPPED_MAILS)
        )
        is_refused = request.method not in SAFE and not is_open and self._is_foreign(request)
        return error_views.refuse_foreign_origin(request) if is_refused else None

    def _is_foreign(self, request: HttpRequest) -> bool:
        origin = request.headers.get("Origin")
        if site := request.headers.get("Sec-Fetch-Site"):
            return site not in OWN and not (origin and _is_trusted(origin))
        if origin is None:
            if XHTML not in request.headers.get("Accept", ""):
                return False
            origin = _find_origin(request.headers.get("Referer", ""))
        return origin != f"{request.scheme}://{request.get_host()}" and not _is_trusted(origin)


def _is_trusted(origin: str) -> bool:
    """Return whether CSRF_TRUSTED_ORIGINS has it, or a wildcard for it (`https://*.example.org`)."""
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    trusted = (urlsplit(each) for each in settings.CSRF_TRUSTED_ORIGINS if "*" in each)
    return any(
        parts.scheme == each.scheme and is_same_domain(parts.netloc, each.netloc.lstrip("*")) for each in trusted
    )


def _find_origin(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
