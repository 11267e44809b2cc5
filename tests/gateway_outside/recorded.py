"""The recorded answers of the DOI proxy: what stands behind the gateway for each, and how its own answer differs."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.gateway_outside.behind import Behind, text
from tests.gateway_outside.sockets import RawAnswer
from tests.proxy.raw_server import http

_FILE = Path(__file__).with_name("recordings.json")
NOT_ASKED_FOR = text(4711, "NOT_ASKED_FOR", "a value that a filter must keep back")
ALIAS = {"10.7287/peerj.preprints.1": "10.7287/peerj.preprints.1v1"}
# Two recordings do not ask for one name: that name is asked for instead.
_NAMED = {"handles_api error_code_2", "handles_api error_code_2_stage"}


@dataclass(frozen=True)
class Recording:
    """One answer as it was recorded; `raw` is its entry in recordings.json."""

    id: str
    raw: dict[str, Any]

    @property
    def method(self) -> str:
        return str(self.raw["request"]).partition(" ")[0]

    @property
    def target(self) -> str:
        """The request target to ask the gateway for."""
        if self.id in _NAMED:
            return f"/api/handles/{self.raw['body']['handle']}"
        return re.sub(r"^[A-Z]+ https?://[^/]+", "", self.raw["request"])

    @property
    def name(self) -> str:
        path = urlsplit(self.target).path
        return unquote(path.removeprefix("/api/handles/").removeprefix("/"))

    @property
    def body(self) -> Any:
        """The JSON value, also where the text was recorded; the text itself where it is none."""
        body = self.raw.get("body", "")
        if not isinstance(body, str) or body.startswith("<"):
            return body
        return json.loads(body.partition("(")[2].rpartition(")")[0] if body.endswith(");") else body or '""')


def recordings() -> list[Recording]:
    entries = json.loads(_FILE.read_text(encoding="utf-8"))["recordings"]
    return [Recording(name, entry) for name, entry in entries.items()]


def put_behind(recording: Recording, behind: Behind) -> None:
    """Let the proxy behind hold what makes this answer."""
    headers, body = recording.raw.get("headers", {}), recording.body
    if recording.id.startswith("which_ra"):
        for item in body:
            behind.agency(item["DOI"], {key: value for key, value in item.items() if key != "DOI"})
    elif recording.id.startswith("handles_api"):
        if "values" in body or body["responseCode"] == 200:
            filtered = "?" in recording.target
            values = [*body.get("values", []), *([NOT_ASKED_FOR] if filtered else [])]
            body = {**body, "responseCode": 1, "handle": recording.name, "values": values}
        behind.put(recording.name, http(200 if body["responseCode"] == 1 else recording.raw["status"], body))
    elif "location" in headers:
        target = ALIAS.get(recording.name)
        behind.record(recording.name, ("HS_ALIAS", target) if target else ("URL", headers["location"]))
        behind.record(target or "10.5555/nothing", ("URL", "https://peerj.com/preprints/1v1/"))
        sent = {
            name.replace("-", "_"): headers[name] for name in ("location", "vary", "content-type") if name in headers
        }
        if target:  # at the proxy itself
            sent["location"] = f"{behind.url}/{target}"
        behind.page(recording.target, http(recording.raw["status"], recording.raw.get("body", ""), **sent))


def differences(recording: Recording, answer: RawAnswer) -> Iterator[str]:
    """In which points the gateway's answer is not the recorded one, in words that are the same at every run."""
    raw = recording.raw
    if recording.id in _NAMED:
        yield "request"
    if answer.status != raw["status"]:
        yield f"status {raw['status']}, here {answer.status}"
    for name, value in raw.get("headers", {}).items():
        if not _same_header(name, value, answer):
            yield f"header {name}"
    if "title" in raw:
        yield from (f"page {part}" for part in ("title", "h3", "list") if not _stands_on_page(raw[part], answer.text))
    elif "body" in raw and recording.method != "HEAD":
        yield from _different_body(recording, answer)


def _same_header(name: str, value: str, answer: RawAnswer) -> bool:
    if name in ("date", "expires"):  # whatever the time, a time must be told
        return bool(answer[name]) and parsedate_to_datetime(answer[name]) is not None
    return answer[name].lower() == value.lower() if name != "location" else answer.location == value


def _stands_on_page(part: str | list[str], page: str) -> bool:
    plain = " ".join(re.sub(r"<[^>]*>", " ", page).split())
    return all(one in plain for one in ([part] if isinstance(part, str) else part))


def _different_body(recording: Recording, answer: RawAnswer) -> Iterator[str]:
    wanted, shown = recording.body, answer.text
    if isinstance(wanted, str):
        if shown != wanted:
            yield "body"
        return
    wrapped = re.fullmatch(r"(\w+)\((.*)\);", shown, re.DOTALL)
    try:
        found = json.loads(wrapped[2] if wrapped else shown)
    except ValueError:
        yield "body"
        return
    if isinstance(wanted, list):
        if found != wanted:
            yield "list"
    else:
        keys = {**wanted, **found} if isinstance(found, dict) else wanted
        yield from (f"member {key}" for key in keys if _member(found, key) != _member(wanted, key))
    if isinstance(recording.raw["body"], str) and shown != recording.raw["body"]:
        yield "text"


def _member(value: Any, key: str) -> str:
    """As JSON text: 1 is not True, and the order of members counts."""
    return json.dumps(value[key]) if isinstance(value, dict) and key in value else "(not there)"
