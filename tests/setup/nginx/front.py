"""A real nginx in front of a portal: the program, a folder, what stands around a guide's configuration, its clients."""

import http.client
import shutil
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import requests
import trustme

from tests.portal_processes import inherit_environment, kill_group, start_group
from tests.services_plugin import free_port, wait_for
from tests.setup.portal import RunningPortal
from tests.setup.visitors import hidden_token, visitor_from
from tests.waiting import wait_until

# Debian's package unpacked by `make slow-programs`, and where Debian has it, which is on no path of ordinary users.
PLACES = [str(Path(sys.prefix, "nginx/usr/sbin")), "/usr/sbin"]
# As in the nginx.conf of Debian, except for the folders.
AROUND = """
pid {folder}/pid;
error_log {folder}/error.log;
events {{
    worker_connections 768;
}}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log {folder}/access.log;
    gzip on;
{site}
}}
"""


def find_nginx() -> str:
    found = shutil.which("nginx", path=":".join([inherit_environment()["PATH"], *PLACES]))
    assert found, "this test needs nginx: install it, or type make slow-programs"
    return found


@dataclass(frozen=True)
class Front:
    """What a test knows of nginx, and of the portal behind it. `host` is the public name."""

    folder: Path
    portal: RunningPortal
    host: str
    http: int
    https: int = 0

    def visitor(self, address: str = "127.0.0.1") -> requests.Session:
        """A client at this address, which trusts our certificates and no variable of the environment."""
        session = visitor_from(address)
        session.trust_env = False
        session.verify = str(self.folder / "authority.pem")
        session.headers["Host"] = self.host
        return session

    def ask(self, target: str, *, directly: bool = False, **headers: str) -> tuple[int, str, str]:
        """Return status, Location and text of the answer to a request target, which is sent as it is: by nginx, with
        TLS if it has it, or from the portal directly."""
        connection: http.client.HTTPConnection
        if directly or not self.https:
            connection = http.client.HTTPConnection(
                "127.0.0.1", self.portal.port if directly else self.http, timeout=30
            )
        else:
            context = ssl.create_default_context(cafile=self.folder / "authority.pem")
            connection = http.client.HTTPSConnection("127.0.0.1", self.https, timeout=30, context=context)
        try:
            connection.request("GET", target, headers={"Host": self.host, **headers})
            answer = connection.getresponse()
            return answer.status, answer.headers.get("Location", ""), answer.read().decode()
        finally:
            connection.close()

    def who_failed_to_log_in(self, visitor: requests.Session, root: str, account: str, **headers: str) -> str:
        """Send a wrong password, and return the address that the portal has logged."""
        token = hidden_token(visitor.get(f"{root}/accounts/login/", headers=headers, timeout=30).text)
        fields = {"csrfmiddlewaretoken": token, "username": account, "password": "wrong"}
        origin = {"Origin": f"https://{self.host}"}
        answer = visitor.post(f"{root}/accounts/login/", data=fields, headers=origin | headers, timeout=30)
        assert answer.status_code == HTTPStatus.OK, answer.text
        line = f' for account "{account}"'
        printed = wait_until("the failed login is logged", lambda: self.portal.printed, lambda text: line in text)
        return printed.partition(line)[0].rpartition("Failed login from ")[2]


@contextmanager
def folder_for_nginx() -> Iterator[Path]:
    """A folder that the account of nginx's processes may enter, unlike those of pytest, with a certificate."""
    with tempfile.TemporaryDirectory(prefix="doiportal-nginx-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        authority = trustme.CA()
        authority.cert_pem.write_to_path(folder / "authority.pem")
        certificate = authority.issue_cert("127.0.0.1", "::1")
        certificate.private_key_pem.write_to_path(folder / "privkey.pem")
        for part in certificate.cert_chain_pems:
            part.write_to_path(folder / "fullchain.pem", append=True)
        yield folder


@contextmanager
def nginx(folder: Path, configuration: str, *ports: int) -> Iterator[None]:
    """nginx with this configuration, of which its own check must say nothing else than that it is good."""
    file = folder / "nginx.conf"
    file.write_text(configuration)
    command = [find_nginx(), "-p", str(folder), "-c", str(file), "-e", str(folder / "start.log")]
    check = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    good = [f"the configuration file {file} syntax is ok", f"configuration file {file} test is successful"]
    assert check.stderr.splitlines() == [f"nginx: {line}" for line in good], check.stderr
    log = folder / "printed.log"
    process = start_group([*command, "-g", "daemon off;"], environment=inherit_environment(), output=log, folder=folder)
    try:
        for port in ports:
            wait_for(port)
        yield
        assert process.poll() is None, log.read_text()
    finally:
        kill_group(process)


def adapt(text: str, changes: Mapping[str, str]) -> str:
    """The configuration with what only the test changes. Each stands there once."""
    for before, after in changes.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def two_ports() -> tuple[int, int]:
    return free_port(), free_port()
