"""How a browser comes to a state: by its address, by a form that is sent, or by a page that is put in its place."""

from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from playwright.sync_api import BrowserContext, Page, Response, Route

from doiportal.middleware.security_headers import SecurityHeadersMiddleware
from tests.journeys.scene import Scene
from tests.journeys.states import PageState


def visit(page: Page, state: PageState, scene: Scene) -> int:
    """Go there; the HTTP status.

    The browser's requests stop at Playwright until the page has loaded with its files. Its `times=1` lets them go while
    the files are still on their way, and a page is made before, since an error in a handler is a page that never loads.
    """
    address = state.address.format(**scene.places)
    page.set_extra_http_headers({"Accept-Language": state.language})
    if state.made:
        made = _make(state)
        visited = _go(page, address, lambda route: _answer(route, made))
    elif state.sent is not None:
        visited = _go(page, address, lambda route: _send(route, page.context, state))
    else:
        visited = page.goto(address)
    assert visited, address
    return visited.status


def _go(page: Page, address: str, handle: Callable[[Route], None]) -> Response | None:
    def is_there(url: str) -> bool:
        return url.endswith(address)

    page.route(is_there, handle)
    visited = page.goto(address)
    page.unroute(is_there)
    return visited


def _make(state: PageState) -> HttpResponse:
    assert state.made
    page = HttpResponse(state.made(), status=state.status)
    return SecurityHeadersMiddleware(lambda request: page)(HttpRequest())


def _answer(route: Route, made: HttpResponse) -> None:
    route.fulfill(status=made.status_code, headers=dict(made.headers), body=made.content)


def _send(route: Route, context: BrowserContext, state: PageState) -> None:
    headers = {**route.request.headers, "content-type": MULTIPART_CONTENT}
    route.continue_(method="POST", headers=headers, post_data=body(context, state))


def body(context: BrowserContext, state: PageState) -> bytes:
    """What the state's form sends, with the visitor's token; to be sent as MULTIPART_CONTENT."""
    tokens = (cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
    fields: dict[str, Any] = {"csrfmiddlewaretoken": next(tokens, ""), **(state.sent or {})}
    if state.file:
        fields["file"] = SimpleUploadedFile(*state.file)
    return encode_multipart(BOUNDARY, fields)
