"""The metadata service of an agency, and a DOI proxy that redirects to it, both on this machine."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

from tests.proxy.raw_server import Answer, RawServer, http
from tests.proxy.tunnel import Tunnel

HOST = "data.crosscite.org"
AGENCY = "DataCite"


@dataclass
class AgencyService:
    """`server` is the agency's, `behind` the DOI proxy that redirects to it."""

    server: RawServer
    behind: RawServer


@contextmanager
def serve_agency(answer: Answer, folder: Path, environment: pytest.MonkeyPatch) -> Iterator[AgencyService]:
    """Serve `answer` at the agency's host, with a certificate of its own: a proxy server, as libraries have one, leads
    there."""
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(context)
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    environment.setenv("REQUESTS_CA_BUNDLE", str(folder / "ca.pem"))
    redirect = http(302, "<html>", Location=f"http://{HOST}/10.1%2Fa", Content_Type="text/html")
    with (
        RawServer(lambda request: answer, context) as server,
        Tunnel(ports={f"{HOST}:443": server.port}) as tunnel,
        RawServer(lambda request: redirect) as behind,
    ):
        environment.setenv("HTTPS_PROXY", f"http://127.0.0.1:{tunnel.port}")
        yield AgencyService(server, behind)
