"""How a browser comes to a state: by its address, by a form that is sent, or by a page that is put in its place."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from playwright.sync_api import BrowserContext, Page, Route

from doiportal.headers import PagePolicy
from tests.journeys.scene import Scene
from tests.journeys.states import State


def visit(page: Page, state: State, scene: Scene) -> int:
    """Go there; the HTTP status."""
    address = state.address.format(**scene.places)

    def answer(route: Route) -> None:
        if state.made:
            response = PagePolicy(lambda request: HttpResponse(state.made(), status=state.status))(HttpRequest())
            route.fulfill(status=state.status, headers=dict(response.headers), body=response.content)
        else:
            headers = {**route.request.headers, "content-type": "application/x-www-form-urlencoded"}
            route.continue_(method="POST", headers=headers, post_data=urlencode(fields(page.context, state)))

    if state.made or state.sent is not None:
        page.route(lambda url: url.endswith(address), answer, times=1)
    response = page.goto(address)
    assert response, address
    return response.status


def fields(context: BrowserContext, state: State) -> dict[str, str]:
    """What the state's form sends, with the visitor's token."""
    tokens = (cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
    return {"csrfmiddlewaretoken": next(tokens, ""), **(state.sent or {})}
