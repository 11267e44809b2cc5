"""Every page in every state, once: no barrier that axe knows of, nothing that the policy stops, nothing too wide,
and no English in German."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.journeys import looking
from tests.journeys.german import english_in_german
from tests.journeys.scene import Scene
from tests.journeys.states import STATES, PageState, Stage
from tests.journeys.visiting import visit
from tests.setup.portal import RunningPortal

HEAVIEST = 120_000  # bytes of a page as it is sent, with its files
PICTURES = os.environ.get("SCREENSHOTS")  # a folder: `make screenshots`

Look = Callable[[Page, PageState, Scene], Iterable[str]]
"""What is wrong with a page in a state, once it is there."""


def test_every_page_in_every_state_answers_and_keeps_the_policy(browser: Browser, portal: RunningPortal):
    assert not (faults := walk(browser, portal, lambda page, state, scene: ())), "\n".join(faults)


@pytest.mark.slow
@pytest.mark.xdist_group("tour")  # it takes about as long as all other journeys: they have another portal
def test_every_page_in_every_state_is_for_everyone(browser: Browser, portal: RunningPortal):
    elements: set[str] = set()
    assert not (faults := walk(browser, portal, partial(look_closely, elements))), "\n".join(faults)


def walk(browser: Browser, portal: RunningPortal, look: Look) -> list[str]:
    """What is wrong with any page in any state: with its answer, by the browser's complaints, and by `look`."""
    origin = f"http://127.0.0.1:{portal.port}"
    context = browser.new_context(base_url=origin, viewport={"width": looking.WIDE, "height": 800})
    page, scene = context.new_page(), Scene(context.request, portal.folder / "var")
    complaints = looking.Complaints(page, origin)
    found: list[str] = []
    for stage in Stage:
        scene.enter(stage)
        for state in STATES:
            if state.stage is stage:
                status = visit(page, state, scene)
                wrong = [f"HTTP {status}"] if status != state.status else []
                wrong += [*look(page, state, scene), *complaints.taken()]
                found += [f"{state.name}: {fault}" for fault in wrong]
    scene.leave()
    context.close()
    return found


def look_closely(elements: set[str], page: Page, state: PageState, scene: Scene) -> Iterator[str]:
    if (language := page.evaluate("document.documentElement.lang")) != state.language:
        yield f"in {language}"
    if (heavy := sum(looking.weight(page))) > HEAVIEST:
        yield f"{heavy} bytes"
    yield from english_in_german(page.context, state, scene)
    yield from looking.faults(page, elements, Path(PICTURES) / state.name if PICTURES else None)
