"""An answer over which our own reading of it stumbles is an unusable answer, of that name alone."""

import json
from typing import Any, cast
from urllib.parse import unquote

from resolver.domain.handle.answers import OUR_FAULT, ProxyError, WhichRaAnswer
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.proxy_reply import ProxyReply
from resolver.proxy.request_logic import Conversation, SendStep, ask_agencies, ask_record

CONFIG = ProxyConfig("https://proxy.example", "doiportal-tests", backoff=0.0)
UNREADABLE = ProxyReply(200, cast(bytes, None))  # no body at all is what no client of ours gives


def held(conversation: Conversation[Any]) -> tuple[Any, int]:
    """What it comes to, and how many requests it took; a name with "bad" in it spoils its answer."""
    heard, asked = None, 0
    while True:
        try:
            step = conversation.send(heard)
        except StopIteration as end:
            return end.value, asked
        heard = None
        if isinstance(step, SendStep):
            asked += 1
            names = unquote(step.url).partition("/doiRA/")[2].split(",")
            told = json.dumps([{"DOI": name, "RA": "Crossref"} for name in names]).encode()
            heard = UNREADABLE if "bad" in step.url else ProxyReply(200, told)


def test_a_record_is_asked_for_as_often_as_any_and_then_could_not_be_had():
    answer, asked = held(ask_record("10.1/bad", CONFIG))
    assert answer == ProxyError(OUR_FAULT)
    assert asked == CONFIG.tries


def test_in_a_batch_of_which_ra_it_is_found_and_the_other_names_have_their_agencies():
    names = [f"10.1/{n}" for n in range(30)] + ["10.1/bad"] + [f"10.1/{n}" for n in range(30, 49)]
    verdicts, asked = held(ask_agencies(names, CONFIG))
    assert [verdict for verdict in verdicts if not isinstance(verdict, WhichRaAnswer)] == [ProxyError(OUR_FAULT)]
    assert isinstance(verdicts[names.index("10.1/bad")], ProxyError)
    assert asked < 20
