"""Every page and state of the tour (tests/journeys/states.py), as a visitor's first page: bytes of its HTML, bytes and
number of all that is transferred for it, the median of five times that the server takes, and what axe finds.

A login that fails takes its time on purpose: the password is hashed, whoever asks.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import requests

from benchmarks.portals import portal
from benchmarks.proxy import sample_proxy

TIMES = 5


def measure() -> Iterator[tuple[str, str]]:
    """Each state with its figures. They are taken in a process of their own, whose Django has the portal's settings."""
    with sample_proxy(0) as (url, _), portal("sqlite", url) as running:
        told = {**running.environment, "DJANGO_SETTINGS_MODULE": "doiportal.settings", "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
        command = [sys.executable, "-m", "benchmarks.pages", running.url]
        with subprocess.Popen(command, env=told, stdout=subprocess.PIPE, text=True) as looking:
            for line in looking.stdout or ():
                label, _, figure = line.rstrip("\n").partition("\t")
                yield label, figure
        if looking.returncode:
            raise RuntimeError("the pages could not be looked at")


def main() -> None:
    import django

    django.setup()
    from playwright.sync_api import sync_playwright

    from tests.conftest import CHROMIUM, CHROMIUM_FLAGS
    from tests.journeys.scene import Scene
    from tests.journeys.states import STATES, Stage

    url = sys.argv[1]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=CHROMIUM_FLAGS)
        context = chromium.new_context(base_url=url)
        scene = Scene(context.request, Path(os.environ["DOIPORTAL_DATA_DIR"]))
        for stage in Stage:
            scene.enter(stage)
            for state in STATES:
                if state.stage is stage:
                    print(f"page: {state.name}\t{_figure(context, state, scene, url)}", flush=True)
        scene.leave()
        chromium.close()


def _figure(context: Any, state: Any, scene: Any, url: str) -> str:
    from tests.journeys import looking
    from tests.journeys.visiting import visit

    page = context.new_page()
    page.set_viewport_size({"width": looking.WIDE, "height": 800})
    visit(page, state, scene)
    sizes = looking.weight(page)
    barriers = [fault for fault in looking.faults(page, set()) if fault.startswith("axe")]
    page.close()
    took = f", {_milliseconds(context, state, scene, url):.0f} ms" if not state.made else ""
    total = f"{sum(sizes) / 1000:.1f} kB in {len(sizes)} requests"
    return f"HTML {sizes[0] / 1000:.1f} kB, {total}{took}, axe {len(barriers)}"


def _milliseconds(context: Any, state: Any, scene: Any, url: str) -> float:
    from django.test.client import MULTIPART_CONTENT

    from tests.journeys.visiting import body

    cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
    told = {"Accept-Language": state.language}
    address, took = url + state.address.format(**scene.places), []
    for _ in range(TIMES):
        start = time.perf_counter()
        if state.sent is None:
            requests.get(address, headers=told, cookies=cookies, timeout=60)
        else:
            requests.post(
                address,
                body(context, state),
                headers={**told, "Content-Type": MULTIPART_CONTENT},
                cookies=cookies,
                timeout=60,
            )
        took.append(time.perf_counter() - start)
    return 1000 * statistics.median(took)


if __name__ == "__main__":
    main()
