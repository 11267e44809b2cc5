"""Pages of other web sites, which may send forms here but write nothing."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.http import is_same_domain

from doiportal import error_views
from doiportal.headers import GetResponse
from resolver.gateway.errors import is_for_programs

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
OWN = ("same-origin", "none")  # a page of ours, or a person at the browser itself
XHTML = "application/xhtml+xml"  # every browser takes it that sends a form


class ForeignOriginProtection:
    """403 for what a page of another origin sends, before any session is looked at.

    The session's cookie is SameSite=Lax: it does not come with what another site sends. So the portal would take the
    sender for a new visitor and answer with a new cookie in place of the person's own. Nor is a CSRF token asked of
    anonymous sessions by the REST API. What decides are headers that no page can write:

    - `Sec-Fetch-Site`, from every browser since 2023 at https and on the own machine;
    - else `Origin`, which browsers send with each such request (Firefox since 2020);
    - else, where a browser sends a form (no program says by itself that it takes XHTML), the `Referer`, which must be
      there. Only then is anything demanded of those who send neither: a program (curl, R, Python) goes on as ever, with
      a cookie jar or without. No browser of the last six years can be made to look like one.

    An origin of CSRF_TRUSTED_ORIGINS is as good as our own.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # At the addresses of doi.org for programs nothing is written, and programs get their JSON.
        writes = request.method not in SAFE and not is_for_programs(request)
        if writes and self._is_foreign(request):
            return error_views.foreign(request)
        return self.get_response(request)

    def _is_foreign(self, request: HttpRequest) -> bool:
        origin = request.headers.get("Origin")
        if site := request.headers.get("Sec-Fetch-Site"):
            return site not in OWN and not (origin and _is_trusted(origin))
        if origin is None:
            if XHTML not in request.headers.get("Accept", ""):
                return False
            origin = _origin_of(request.headers.get("Referer", ""))
        return origin != f"{request.scheme}://{request.get_host()}" and not _is_trusted(origin)


def _is_trusted(origin: str) -> bool:
    """Whether CSRF_TRUSTED_ORIGINS names it, or has a wildcard for it (`https://*.example.org`)."""
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


def _origin_of(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
