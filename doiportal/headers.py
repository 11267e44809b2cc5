"""What a browser is told about every document, and every answer, that comes from here."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]

# What a browser shows as a page of its own, and would run scripts of. Data and downloads carry no policy.
_DOCUMENTS = ("text/html", "application/xml", "image/svg+xml")


class ContentSecurityPolicy:
    """Content-Security-Policy and Permissions-Policy on every document: pages, errors, the gateway's, the admin's.

    The policy is the settings' SECURE_CSP, in the shape of Django 6, whose own middleware can take this one's place;
    django-csp would bring nonces, reports and exceptions by view, and this portal has one policy without any of them.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.headers = {
            "Content-Security-Policy": "; ".join(
                f"{directive} {' '.join(sources)}" for directive, sources in settings.SECURE_CSP.items()
            ),
            "Permissions-Policy": ", ".join(f"{feature}=()" for feature in settings.FORBIDDEN_FEATURES),
        }

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        # Django's own pages for whoever develops have their styles and scripts inside.
        for_developers = settings.DEBUG and response.status_code in (404, 500)
        if not for_developers and response.get("Content-Type", "").startswith(_DOCUMENTS):
            for name, value in self.headers.items():
                response.headers.setdefault(name, value)
        return response


class PrivateResponses:
    """Nobody keeps an answer that does not say for how long. No page of another site may load it. Where the public
    address is https, a browser comes by no other way.

    What people see here is theirs: after they log out, the way back must not show it. What others may keep or load says
    so itself: static files, and the answers in doi.org's place.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.headers = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"}
        if settings.PUBLIC_HTTPS:
            # Django's own setting asks whether this request came by https, which a server in front may not tell.
            self.headers["Strict-Transport-Security"] = f"max-age={settings.HTTPS_FOR}"

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in self.headers.items():
            response.headers.setdefault(name, value)
        return response
