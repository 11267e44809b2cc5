"""How a browser comes to a state: by its address, by a form that is sent, or by a page that is put in its place."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from playwright.sync_api import BrowserContext, Page, Route

from doiportal.security_headers import SecurityHeadersMiddleware
from tests.journeys.scene import Scene
from tests.journeys.states import PageState


def visit(page: Page, state: PageState, scene: Scene) -> int:
    """Go there; the HTTP status."""
    address = state.address.format(**scene.places)

    def answer(route: Route) -> None:
        if state.made:
            response = SecurityHeadersMiddleware(lambda request: HttpResponse(state.made(), status=state.status))(
                HttpRequest()
            )
            route.fulfill(status=state.status, headers=dict(response.headers), body=response.content)
        else:
            headers = {**route.request.headers, "content-type": MULTIPART_CONTENT}
            route.continue_(method="POST", headers=headers, post_data=body(page.context, state))

    if state.made or state.sent is not None:
        page.route(lambda url: url.endswith(address), answer, times=1)
    page.set_extra_http_headers({"Accept-Language": state.language})
    response = page.goto(address)
    assert response, address
    return response.status


def body(context: BrowserContext, state: PageState) -> bytes:
    """What the state's form sends, with the visitor's token; to be sent as MULTIPART_CONTENT."""
    tokens = (cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
    fields: dict[str, Any] = {"csrfmiddlewaretoken": next(tokens, ""), **(state.sent or {})}
    if state.file:
        fields["file"] = SimpleUploadedFile(*state.file)
    return encode_multipart(BOUNDARY, fields)
