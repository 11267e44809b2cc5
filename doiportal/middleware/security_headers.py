"""The headers that all answers of the portal share."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]

# What a browser shows as a page of its own, and would run scripts of. Data and downloads carry no policy.
_DOCUMENTS = ("text/html", "application/xml", "image/svg+xml")


class SecurityHeadersMiddleware:
    """Set, if a view has not: what a browser may load and run in a document (Content-Security-Policy,
    Permissions-Policy), and for all answers that nobody stores them, that no page of another site loads them, and that
    a browser comes by https if the public address is https.

    What people see is theirs: after they log out, the way back must not show it. Static files, and the answers in
    doi.org's place, say themselves who may store and load them.

    The policy is the settings' SECURE_CSP, in the shape of Django 6. django-csp would bring nonces, reports and
    exceptions by view, and this portal has one policy without any of them.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.of_documents = {
            "Content-Security-Policy": "; ".join(
                f"{directive} {' '.join(sources)}" for directive, sources in settings.SECURE_CSP.items()
            ),
            "Permissions-Policy": ", ".join(f"{feature}=()" for feature in settings.FORBIDDEN_FEATURES),
        }
        self.of_all = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"}
        if settings.PUBLIC_HTTPS:
            # Django's own setting asks whether this request came by https, which a server in front may not tell.
            self.of_all["Strict-Transport-Security"] = f"max-age={settings.HTTPS_FOR}"

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
