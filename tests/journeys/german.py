"""The same state for a German reader: no English words are left on its page but a stranger's."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.utils import translation
from playwright.sync_api import BrowserContext

from tests.journeys.scene import Scene
from tests.journeys.states import PageState

# Words of English sentences that are no German ones. What the DOI proxy says, file names, codes and the names of
# characters and of documents are a stranger's, or a program's.
ENGLISH = re.compile(
    r"(?<![\w-])(the|of|is|are|and|not|this|that|these|with|it|its|for|to|from|by|which(?! RA)|has|have|be|or|no|on|at|"
    r"as|rows?|lists?|files?|names|look|any|yes|could|asked|found|answers?|checked|your|you|missing|nothing|"
    r"being|having|checking|reading|error|values?|record|address|days?|hours?)(?![\w-])",
    re.IGNORECASE,
)
STRANGERS = re.compile(
    r"(?:Sample title of )?10\.\d{4,}/\S*|Journal of Sample Data|Mutation in civic geysers: new findings from|"
    r"\S+\.csv|no name(?: at all)?|two lines|nothing here|Internal Error|U\+[0-9A-F]{4,} .*|ANSI/NISO.*|"
    r"Encoding rules for .*|"
    # The columns that the results of a bibliographic file begin with, in every language.
    r"record|value|yes|no|The value is put together with #.*|Byte \d+: .*|The “doi” URI scheme|DOI Foundation"
)
OTHERS_WORDS = {"code", "samp", "kbd", "pre", "q", "bdi", "script", "style", "textarea"}
MARKED_NAMES = re.compile(r"\b(name|given|raw|whole|anywhere|type)\b")
VOID = {"meta", "link", "input", "br", "rect", "circle", "img", "hr", "wbr"}
READ_ALOUD = {"alt", "title", "aria-label", "placeholder", "data-label", "label"}


class Said(HTMLParser):
    """What a page says that is not a stranger's, an example or a code."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID:
            others = tag in OTHERS_WORDS or given.get("lang") == "en" or MARKED_NAMES.search(given.get("class") or "")
            self._open.append((tag, bool(others)))
        self.parts += [value for name, value in attrs if name in READ_ALOUD and value and not self._inside]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.parts.append(data)

    @property
    def _inside(self) -> bool:
        return any(others for _, others in self._open)

    @property
    def english(self) -> list[str]:
        """The parts with English words in them."""
        return [" ".join(part.split()) for part in self.parts if ENGLISH.search(STRANGERS.sub("", part))]


def english_in_german(context: BrowserContext, state: PageState, scene: Scene) -> Iterator[str]:
    """What is said in English on the page of the state, asked for in German, without a browser's work."""
    for part in Said(_page(context, state, scene)).english:
        yield f"in German: {part}"


def _page(context: BrowserContext, state: PageState, scene: Scene) -> str:
    if state.made:
        with translation.override("de"):
            return state.made()
    address, german = state.address.format(**scene.places), {"Accept-Language": "de"}
    if state.sent is None:
        return context.request.get(address, headers=german).text()
    tokens = (cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
    sent = {"csrfmiddlewaretoken": next(tokens, ""), **state.sent}
    return context.request.post(address, form=sent, headers=german).text()
