"""What is wrong with the page that a browser shows, as sentences; nothing is changed that the next look needs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Page, Request, Response

WIDE, PHONE, NARROWEST, HALF = 1280, 360, 320, 640  # HALF: 1280 at a zoom of 200 %
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What only colours can change, and what only the width can.
OF_COLOURS, OF_WIDTH = ["color-contrast", "link-in-text-block"], ["target-size", "scrollable-region-focusable"]
WHOLE = {
    "runOnly": TAGS,
    "rules": {"target-size": {"enabled": True}, **{rule: {"enabled": False} for rule in OF_COLOURS}},
}
COLOURS = {"runOnly": {"type": "rule", "values": OF_COLOURS}}
SIZES = {"runOnly": {"type": "rule", "values": OF_WIDTH}}
UNSEEN = "data-unseen"
# By width, the window's own first: direction and size of the text.
LAYOUTS = {
    WIDE: [("ltr", ""), ("rtl", ""), ("ltr", "200%")],
    HALF: [("ltr", "200%")],
    NARROWEST: [("rtl", ""), ("ltr", "")],
}
_RUN = """([options, marked]) => axe.run(marked ? {include: [[marked]]} : document, {
  ...options, resultTypes: ['violations'], preload: false, iframes: false, selectors: false,
})"""
# The colours of an element come from the one stylesheet, by its tag, these attributes, and the elements it is in.
# Whether it holds text counts too. Elements equal in all of that have the same number. Those whose number is not in
# `seen` are marked.
_MARK_UNSEEN = """([seen, mark]) => {
  const known = new Set(seen), fresh = new Set();
  const visit = (element, within) => {
    const looks = ['class', 'type', 'role', 'scope', 'open', 'disabled', 'aria-current', 'aria-invalid']
      .map(name => element.getAttribute(name) ?? '-').join();
    const text = [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const style = `${within}>${element.tagName}:${looks}:${text}`;
    let hash = 0;
    for (let at = 0; at < style.length; at++) hash = (Math.imul(hash, 31) + style.charCodeAt(at)) | 0;
    const id = `${style.length}.${hash}`;
    if (!known.has(id) && !fresh.has(id)) element.setAttribute(mark, '');
    fresh.add(id);
    for (const child of element.children) visit(child, style);
  };
  visit(document.body, '');
  return [...fresh];
}"""
_LOOKS = """() => ({
  lang: document.documentElement.lang, dir: document.documentElement.dir, title: document.title,
  headings: document.querySelectorAll('h1').length, mains: document.querySelectorAll('main').length,
  inline: document.querySelectorAll('style, script:not([src]), [style]').length,
})"""
_TOO_WIDE = """layouts => layouts.map(([dir, size]) => {
  const root = document.documentElement; root.dir = dir; root.style.fontSize = size;
  const over = root.scrollWidth - window.innerWidth; root.style.fontSize = ''; return over;
})"""
_WEIGHT = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(entry => !/favicon|woff2/.test(entry.name)).map(entry => entry.encodedBodySize)"""


class Complaints:
    """What the browser itself complains of while a page is loaded and looked at: policies, errors, requests."""

    def __init__(self, page: Page, origin: str) -> None:
        self._origin, self._found = origin, list[str]()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._found.append(f"script: {error}"))
        page.on("request", self._request)
        page.on("requestfailed", self._failed)
        page.on("response", self._response)

    def taken(self) -> list[str]:
        """Those since the last call."""
        taken, self._found = self._found, []
        return taken

    def _console(self, message: ConsoleMessage) -> None:
        # That an error page has its status the browser writes too; what status it should have is the tour's question.
        if message.type in ("error", "warning") and "the server responded with a status of" not in message.text:
            self._found.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith(f"{self._origin}/"):
            self._found.append(f"asked elsewhere: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # a look of a running list, when the tour goes on
            self._found.append(f"{request.failure}: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and not response.request.is_navigation_request():
            self._found.append(f"HTTP {response.status}: {response.url}")


def faults(page: Page, seen: set[str], pictures: Path | None = None) -> Iterator[str]:
    """Of a page just loaded, 1280 wide and light. `pictures` is the beginning of the files' names.

    `seen`: the elements whose colours were looked at before; those of this page join them."""
    looks = page.evaluate(_LOOKS)
    if not looks["lang"] or looks["dir"] not in ("ltr", "rtl"):
        yield f"lang {looks['lang']!r}, dir {looks['dir']!r}"
    if looks["headings"] != 1 or looks["mains"] != 1:
        yield f"{looks['headings']} h1, {looks['mains']} main"
    if len(looks["title"].removesuffix("– doiportal").strip()) < 3:
        yield f"title {looks['title']!r}"
    if looks["inline"]:
        yield f"{looks['inline']} styles or scripts inside the page"
    page.evaluate(Axe().axe_script)
    yield from _barriers(page, WHOLE, "light")
    here = set(page.evaluate(_MARK_UNSEEN, [sorted(seen), UNSEEN]))
    if here - seen:
        yield from _barriers(page, COLOURS, "light", f"[{UNSEEN}]")
        page.emulate_media(color_scheme="dark")
        yield from _barriers(page, COLOURS, "dark", f"[{UNSEEN}]")
        page.emulate_media(color_scheme="light")
    seen |= here
    if pictures:
        _picture(page, pictures, "desktop")
        page.emulate_media(color_scheme="dark")
        _picture(page, pictures, "dark")
        page.emulate_media(color_scheme="light")
    for width, layouts in LAYOUTS.items():
        page.set_viewport_size({"width": width, "height": 800})
        for (direction, size), over in zip(layouts, page.evaluate(_TOO_WIDE, layouts), strict=True):
            if over > 0:
                yield f"{over} px wider than {width} px, {direction} {size}"
    yield from _barriers(page, SIZES, f"{NARROWEST} px")
    if pictures:
        page.set_viewport_size({"width": PHONE, "height": 800})
        _picture(page, pictures, "phone")
    page.set_viewport_size({"width": WIDE, "height": 800})


def barriers(page: Page) -> Iterator[str]:
    """What axe finds in the colours and at the width that the page has now."""
    page.evaluate(Axe().axe_script)
    for options in (WHOLE, COLOURS, SIZES):
        yield from _barriers(page, options, "now")


def weight(page: Page) -> list[int]:
    """Bytes of the body of the page and of each of its files, as they were transferred, now or into the cache.

    Without the icon, which a browser fetches when it likes, and the typefaces, which another test bounds."""
    return [int(size) for size in page.evaluate(_WEIGHT)]


def _barriers(page: Page, options: dict[str, Any], how: str, within: str = "") -> Iterator[str]:
    """What axe finds, in what the selector `within` names or else in all of the page."""
    for violation in page.evaluate(_RUN, [options, within])["violations"]:
        nodes = "; ".join(node["html"][:160] for node in violation["nodes"][:3])
        yield f"axe, {how}: {violation['id']}: {violation['help']}: {nodes}"


def _picture(page: Page, pictures: Path, kind: str) -> None:
    page.screenshot(path=pictures.with_name(f"{pictures.name} {kind}.png"), full_page=True)
