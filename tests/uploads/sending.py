"""Uploads to a running portal as a program and as a person make them."""

import html
import re
from dataclasses import dataclass

import requests

PATIENCE = 60.0  # seconds for an answer, on a machine that has much else to do; what hangs never answers
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_REASON = re.compile(r'<p class="field-error"[^>]*>(.*?)</p>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Told:
    """What an upload came to: the status, and why it was refused ("" where it was not)."""

    status: int
    reason: str = ""


class Sender:
    """A session of its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = requests.Session()
        self._session.trust_env = False
        self._token = ""

    def __enter__(self) -> "Sender":
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def by_rest(self, content: bytes, name: str = "upload") -> Told:
        """A refusal must be a problem with its reason (RFC 9457)."""
        answer = self._ask("POST", "/api/v1/jobs", files={"file": (name, content)})
        if answer.status_code == 202:
            return Told(202)
        assert answer.headers["Content-Type"] == "application/problem+json", answer.text[:500]
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert problem["type"].startswith("/problems/")
        return Told(answer.status_code, problem["detail"])

    def by_page(self, content: bytes, name: str = "upload") -> Told:
        """By the box on the front page; with a draft, what its page says."""
        self._token = self._token or _TOKEN.findall(self._ask("GET", "/").text)[0]
        form = {"csrfmiddlewaretoken": self._token, "text": "", "go": "file"}
        answer = self._ask("POST", "/lookups", data=form, files={"file": (name, content)})
        if answer.status_code == 302:
            answer = self._ask("GET", answer.headers["Location"])
        reason = _REASON.search(answer.text)
        return Told(answer.status_code, " ".join(html.unescape(reason[1]).split()) if reason else "")

    def is_answered(self) -> bool:
        """Whether the portal still answers."""
        return self._ask("GET", "/healthz").status_code == 200

    def _ask(self, method: str, path: str, **options: object) -> requests.Response:
        return self._session.request(method, f"{self._url}{path}", timeout=PATIENCE, allow_redirects=False, **options)
