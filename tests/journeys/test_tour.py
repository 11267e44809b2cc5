"""Every page in every state, once: no barrier that axe knows of, nothing that the policy stops, nothing too wide,
and no English in German."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.journeys import looking
from tests.journeys.german import english_in_german
from tests.journeys.scene import Scene
from tests.journeys.states import STATES, PageState, Stage
from tests.journeys.visiting import visit
from tests.setup.portal import RunningPortal

# It takes about as long as all other journeys: they have another portal, in another process.
pytestmark = [pytest.mark.xdist_group("tour"), pytest.mark.slow]
HEAVIEST = 100_000  # bytes of a page as it is sent, with its files
PICTURES = os.environ.get("SCREENSHOTS")  # a folder: `make screenshots`


def test_every_page_in_every_state_is_for_everyone(browser: Browser, portal: RunningPortal):
    origin = f"http://127.0.0.1:{portal.port}"
    context = browser.new_context(base_url=origin, viewport={"width": looking.WIDE, "height": 800})
    page, scene = context.new_page(), Scene(context.request, portal.folder / "var")
    complaints = looking.Complaints(page, origin)
    found: dict[str, list[str]] = {}
    elements: set[str] = set()
    for stage in Stage:
        scene.enter(stage)
        for state in STATES:
            if state.stage is stage:
                found[state.name] = [*seen(page, state, scene, elements), *complaints.taken()]
    scene.leave()
    context.close()
    assert not (wrong := {name: faults for name, faults in found.items() if faults}), "\n".join(
        f"{name}: {fault}" for name, faults in wrong.items() for fault in faults
    )


def seen(page: Page, state: PageState, scene: Scene, elements: set[str]) -> Iterator[str]:
    status = visit(page, state, scene)
    if status != state.status:
        yield f"HTTP {status}"
    if (language := page.evaluate("document.documentElement.lang")) != state.language:
        yield f"in {language}"
    if (heavy := sum(looking.weight(page))) > HEAVIEST:
        yield f"{heavy} bytes"
    yield from english_in_german(page.context, state, scene)
    yield from looking.faults(page, elements, Path(PICTURES) / state.name if PICTURES else None)
