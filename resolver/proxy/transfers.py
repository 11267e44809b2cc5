"""Many requests at a time, on libcurl: started one by one, and taken in when their answers are over."""

import math
import re
import select
import time
from pathlib import Path
from typing import Any, Generic, TypeVar

import pycurl

from resolver.domain.handle.answers import Failure
from resolver.proxy.client import TOO_BIG
from resolver.proxy.library_errors import explain_curl_error, explain_library_error
from resolver.proxy.proxy_config import MAX_ANSWER_BYTES, NoCertificates, ProxyConfig, find_ca_bundle, find_http_proxy
from resolver.proxy.proxy_reply import REPLY_HEADERS, STALE, TIMED_OUT, ProxyReply
from resolver.proxy.request_logic import SendStep

Token = TypeVar("Token")
Heard = ProxyReply | Failure

_KEPT_HEADERS = {*REPLY_HEADERS, "content-length"}
_IMPOSSIBLE_LENGTH = re.compile("[0-9]{16}")
_WATCHED = {
    pycurl.POLL_IN: select.POLLIN,
    pycurl.POLL_OUT: select.POLLOUT,
    pycurl.POLL_INOUT: select.POLLIN | select.POLLOUT,
}


class Transfers(Generic[Token]):
    """The requests of one thread that are under way. It keeps connections for the next requests until `close`, but no
    cookies, and reads no .netrc. A token distinguishes a request."""

    def __init__(self, config: ProxyConfig) -> None:
        self._config = config
        self._server = find_http_proxy(config.root)
        self._multi = pycurl.CurlMulti()
        # Not `select`, which takes no descriptor above 1023: a web server may have more connections. Not `epoll`, which
        # is told of each change by a call to the kernel: libcurl watches a connection anew for each request.
        self._poll = select.poll()
        self._watched: set[int] = set()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._watch)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._set_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, config.concurrency)
        self._due = math.inf  # monotonic seconds at which libcurl wants to be called
        self._idle: list[_Transfer] = []
        self._under_way: dict[Token, _Transfer] = {}
        self._refused: list[tuple[Token, Heard]] = []

    def start(self, token: Token, step: SendStep) -> None:
        """Start a GET for the address of this step, exactly as it is; `wait` sends it."""
        try:
            transfer = self._idle.pop() if self._idle else _Transfer(self._config, self._server)
            transfer.prepare(step)
        except (pycurl.error, NoCertificates, ValueError) as error:
            self._refused.append((token, _explain_refusal(error)))
            return
        transfer.token, transfer.until = token, time.monotonic() + self._config.timeout
        self._under_way[token] = transfer
        self._multi.add_handle(transfer.curl)

    def wait(self, seconds: float) -> list[tuple[Token, Heard]]:
        """Send what was started, wait for at most so many seconds until something happens, and return the requests that
        are over, each with its answer."""
        self.flush()
        if over := self._collect():  # an answer that came at once
            return over
        oldest = next(iter(self._under_way.values()), None)
        until = min(self._due, oldest.until if oldest else math.inf)
        seconds = max(0.0, min(seconds, until - time.monotonic()))
        for descriptor, events in self._poll.poll(seconds * 1000):
            if descriptor in self._watched:  # libcurl may have closed it just now
                self._multi.socket_action(descriptor, _translate(events))
        self.flush()
        return self._collect() + self._end_overdue()

    def _end_overdue(self) -> list[tuple[Token, Heard]]:
        """End the requests whose time is over. libcurl would also end those whose answer came in time, if this thread
        was busy meanwhile and has not yet looked."""
        over: list[tuple[Token, Heard]] = []
        now = time.monotonic()
        while (oldest := next(iter(self._under_way.values()), None)) and oldest.until <= now:
            over.append((self._take_back(oldest, broken=True), TIMED_OUT))
        return over

    def flush(self) -> None:
        """Send what was started."""
        while self._due <= time.monotonic():
            self._due = math.inf
            self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)

    def _collect(self) -> list[tuple[Token, Heard]]:
        over = self._refused
        self._refused, left = [], 1
        while left:
            left, ended, failed = self._multi.info_read()
            over += ((self._take_back(curl.transfer), curl.transfer.build_reply()) for curl in ended)
            for curl, number, message in failed:
                over.append((self._take_back(curl.transfer, broken=True), curl.transfer.explain(number, message)))
        return over

    def cancel(self, token: Token) -> None:
        """Give the request up, and its connection."""
        self._refused = [refused for refused in self._refused if refused[0] is not token]
        if token in self._under_way:
            self._take_back(self._under_way[token], broken=True)

    def close(self) -> None:
        """Give up what is under way, and close all connections."""
        for token in list(self._under_way):
            self.cancel(token)
        self._multi.close()

    def _take_back(self, transfer: "_Transfer", *, broken: bool = False) -> Any:
        self._multi.remove_handle(transfer.curl)
        del self._under_way[transfer.token]
        if not broken:
            self._idle.append(transfer)
        return transfer.token

    def _watch(self, what: int, descriptor: int, _multi: object, _data: object) -> None:
        if what in _WATCHED:
            self._poll.register(descriptor, _WATCHED[what])
            self._watched.add(descriptor)
        elif descriptor in self._watched:  # it may also remove a socket for which it never waited
            self._poll.unregister(descriptor)
            self._watched.discard(descriptor)

    def _set_timer(self, milliseconds: int) -> None:
        self._due = math.inf if milliseconds < 0 else time.monotonic() + milliseconds / 1000


class _Transfer:
    """One request at a time, with its answer as far as it has come."""

    def __init__(self, config: ProxyConfig, server: str | None) -> None:
        self.curl = curl = pycurl.Curl()
        self.curl.transfer = self
        self.token: Any = None
        self.until = 0.0  # monotonic seconds
        self._server = server or ""
        self._body = bytearray()
        self._head: list[bytes] = []
        self._too_big = self._sent = False
        self._new_connection = False
        headers = dict(config.headers)
        curl.setopt(pycurl.ACCEPT_ENCODING, headers.pop("Accept-Encoding"))
        curl.setopt(pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in headers.items()])
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        curl.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1)
        curl.setopt(pycurl.PATH_AS_IS, 1)
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.CONNECTTIMEOUT_MS, round(config.connect_timeout * 1000))
        curl.setopt(pycurl.PROXY, self._server)  # "": none, whatever the environment says
        curl.setopt(pycurl.WRITEFUNCTION, self._receive)
        curl.setopt(pycurl.PREREQFUNCTION, self._allow)

    def prepare(self, step: SendStep) -> None:
        """Set the address. Raises NoCertificates, pycurl.error, and ValueError if it is neither http nor https."""
        curl = self.curl
        if not step.url[:8].lower().startswith(("http://", "https://")):  # libcurl would guess
            raise ValueError(step.url)
        self._body, self._head, self._too_big, self._sent = bytearray(), [], False, False
        curl.setopt(pycurl.HEADERFUNCTION, self._head.append)
        curl.setopt(pycurl.URL, step.url)
        if step.on_new_connection != self._new_connection:
            self._new_connection = step.on_new_connection
            curl.setopt(pycurl.FRESH_CONNECT, self._new_connection)
            curl.setopt(pycurl.FORBID_REUSE, self._new_connection)
        if step.url.startswith("https:"):
            _trust(curl, folder=pycurl.CAPATH, file=pycurl.CAINFO)
        if self._server.startswith("https:"):
            _trust(curl, folder=pycurl.PROXY_CAPATH, file=pycurl.PROXY_CAINFO)

    def build_reply(self) -> Heard:
        headers = _read_headers(self._head)
        # libcurl ignores a length of more than 63 bits, and takes what comes until the end of the connection.
        if _IMPOSSIBLE_LENGTH.match(headers.get("content-length", "")):
            return TOO_BIG
        body, self._body = self._body, bytearray()  # an idle transfer keeps none
        return ProxyReply.of(self.curl.getinfo(pycurl.RESPONSE_CODE), body, headers)

    def explain(self, number: int, message: str) -> Failure:
        """Return what libcurl's error means."""
        if self._too_big:
            return TOO_BIG
        if self._sent and number == pycurl.E_ABORTED_BY_CALLBACK:
            return STALE
        return explain_curl_error(number, message, self.curl, through_server=bool(self._server))

    def _receive(self, part: bytes) -> int | None:
        self._body += part
        if len(self._body) > MAX_ANSWER_BYTES:
            self._too_big = True
            return -1
        return None

    def _allow(self, *_: object) -> int:
        """Allow the request to be sent, but once: libcurl would repeat it by itself on a new connection when a kept one
        is dead, past the budget."""
        if self._sent:
            return int(pycurl.PREREQFUNC_ABORT)
        self._sent = True
        return int(pycurl.PREREQFUNC_OK)


def _trust(curl: Any, *, folder: int, file: int) -> None:
    """Trust the certificates of `find_ca_bundle` alone, by one of these options: libcurl has a bundle of its own."""
    bundle = find_ca_bundle()
    kept, other = (folder, file) if Path(bundle).is_dir() else (file, folder)
    curl.setopt(kept, bundle)
    curl.unsetopt(other)


def _translate(events: int) -> int:
    if events == select.POLLIN:
        return int(pycurl.CSELECT_IN)
    ready = pycurl.CSELECT_IN if events & (select.POLLIN | select.POLLHUP) else 0
    ready |= pycurl.CSELECT_OUT if events & select.POLLOUT else 0
    return int(ready | (pycurl.CSELECT_ERR if events & (select.POLLERR | select.POLLNVAL) else 0))


def _read_headers(lines: list[bytes]) -> dict[str, str]:
    """Return the headers that a reply needs, those of the last answer: others may come before it (103, CONNECT)."""
    found: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if line[:5] == b"HTTP/":
            found.clear()
        elif colon and (key := name.lower().decode("latin-1")) in _KEPT_HEADERS:
            found.setdefault(key, value.strip().decode("latin-1"))
    return found


def _explain_refusal(error: BaseException) -> Failure:
    if isinstance(error, pycurl.error):
        return explain_curl_error(error.args[0], str(error.args[1]), None, through_server=False)
    return explain_library_error(error)
