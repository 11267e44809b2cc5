"""OpenID providers on sockets: one in a process of its own, from PyPI, and one whose answers a test writes."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import jwt
import requests
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.services_plugin import free_port
from tests.waiting import wait_until

CLIENT = "doiportal"
SECRET = "a secret of the portal"


class OpenIdProvider:
    """oidc-provider-mock: keeps people with claims, and lets a test press its buttons."""

    def __init__(self) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait(self) -> None:
        wait_until("the provider answers", self._is_answering)

    def _is_answering(self) -> bool:
        assert self._process.poll() is None, "the provider has ended"
        with suppress(requests.ConnectionError):
            requests.get(self.url, timeout=5)
            return True
        return False

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(10)

    def know(self, subject: str, **claims: Any) -> None:
        """Let there be a person, with these claims."""
        address = f"{self.url}/users/{quote(subject, safe='')}"
        assert requests.put(address, json=claims, timeout=10).status_code == 204

    def confirm(self, address: str, subject: str) -> str:
        """Press *Authorize* on the page at the address as this person; where the browser is sent."""
        return self._press(address, sub=subject)

    def deny(self, address: str) -> str:
        """Press *Deny*."""
        return self._press(address, action="deny")

    @staticmethod
    def _press(address: str, **form: str) -> str:
        answer = requests.post(address, data=form, allow_redirects=False, timeout=10)
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"]


@contextmanager
def openid_provider() -> Iterator[OpenIdProvider]:
    provider = OpenIdProvider()
    try:
        provider.wait()
        yield provider
    finally:
        provider.stop()


@cache
def make_keys() -> tuple[rsa.RSAPrivateKey, rsa.RSAPrivateKey]:
    """Two keys for all tests: making one takes a tenth of a second of a processor."""
    return rsa.generate_private_key(65537, 2048), rsa.generate_private_key(65537, 2048)


class WrittenProvider:
    """A provider with the answers of `answers`: what is sent as JSON, or bytes, or pieces, or a status. All
    are right at first."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.key, self.other_key = make_keys()
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.answers: dict[str, Callable[[], Any]] = {
            "/.well-known/openid-configuration": self.description,
            "/jwks": lambda: {"keys": [self.public_key(alg="RS256")]},
            "/token": lambda: {"access_token": "a", "token_type": "Bearer", "id_token": self.id_token()},
            "/userinfo": lambda: {"sub": "1", "preferred_username": "ada", "groups": "library"},
        }

    def description(self, **changed: Any) -> dict[str, Any]:
        ends = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
        ends["userinfo_endpoint"] = "userinfo"
        return {"issuer": self.url, **{name: f"{self.url}/{end}" for name, end in ends.items()}, **changed}

    def id_token(self, key: Any = None, algorithm: str = "RS256", **changed: Any) -> str:
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 60, **changed}
        return jwt.encode(claims, self.key if key is None else key, algorithm, {"kid": "1"})

    def back(self, address: str) -> str:
        """Where a provider sends the browser that came to this address."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        return f"{asked['redirect_uri']}?{urlencode({'code': 'c', 'state': asked['state']})}"

    def public_key(self, key: Any = None, **changed: Any) -> dict[str, Any]:
        """The public half of the key, as the provider publishes it, without `alg` unless it is given."""
        public = (self.key if key is None else key).public_key()
        of = jwt.algorithms.RSAAlgorithm if isinstance(public, rsa.RSAPublicKey) else jwt.algorithms.ECAlgorithm
        return {**of.to_jwk(public, as_dict=True), "kid": "1", "use": "sig", **changed}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class WrittenAnswers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                provider.requests.append((self.path, body, dict(self.headers)))
                answer = provider.answers[self.path]()
                status = answer if isinstance(answer, int) else 200
                if isinstance(answer, Iterator):
                    self.send_response(200)
                    self.end_headers()
                    with suppress(OSError):  # the portal has gone
                        for piece in answer:
                            self.wfile.write(piece)
                    return
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_GET

            def log_message(self, *_: Any) -> None: ...

        return WrittenAnswers

    def __enter__(self) -> "WrittenProvider":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
