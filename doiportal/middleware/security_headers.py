"""The headers that all answers of the portal share."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]

# What a browser shows as a page of its own, and would run scripts of. Data and downloads carry no policy.
_DOCUMENTS = ("text/html", "application/xml", "image/svg+xml")


def join_policy(policy: Mapping[str, Sequence[str]]) -> str:
    """Return the policy as its header has it."""
    return "; ".join(f"{directive} {' '.join(sources)}" for directive, sources in policy.items())


def add_policy_of_worker(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """Set the policy of the worker that reads texts: a worker has the policy of its own file, not that of its page."""
    if "/resolver/reading_worker." in url:
        headers["Content-Security-Policy"] = settings.READING_POLICY


class SecurityHeadersMiddleware:
    """Set these headers, if a view has not: what a browser may load and run in a document (Content-Security-Policy,
    Permissions-Policy); for all answers, that they aren't stored, that no page of another site loads them, and that a
    browser uses https if the public address is https.

    After a person has logged out, the browser's back button must not show their pages. Static files, and the gateway's
    answers, set themselves who may store and load them.

    The policy is the settings' SECURE_CSP, in the shape of Django 6. django-csp would bring nonces and reports. Two
    pages set a policy of their own: the preview of reconciliation, and the page that reads texts in the browser."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.of_documents = {
            "Content-Security-Policy": join_policy(settings.SECURE_CSP),
            "Permissions-Policy": ", ".join(f"{feature}=()" for feature in settings.FORBIDDEN_FEATURES),
        }
        self.of_all = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"}
        if settings.PUBLIC_HTTPS:
            # Django's own setting looks whether this request came by https, which a server in front may not say.
            self.of_all["Strict-Transport-Security"] = f"max-age={settings.HTTPS_SECONDS}"

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        headers = self.of_all
        # Django's own pages for developers have their styles and scripts inside.
        for_developers = settings.DEBUG and response.status_code in (404, 500)
        if not for_developers and response.get("Content-Type", "").startswith(_DOCUMENTS):
            headers = self.of_all | self.of_documents
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        return response
