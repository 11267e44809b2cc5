"""The processes of the portal, as a table: what a Procfile would say. docker-compose.yml runs the same commands."""

import sys
from dataclasses import dataclass, field

# The tables and the static files, before anything else starts.
PREPARE = "manage.py prepare"
# Threads, since a web process mostly waits for the DOI proxy or the database; no thread waits for a client
# (doiportal/server). The longest request line is for names that are long once encoded. The control socket would lie in
# the home folder, shared by all portals of a machine. A connection is kept for longer than anybody waits between two
# looks at a job: after gunicorn's own two seconds it would be closed just when the next request is on its way. The code
# is imported once, before the processes are forked.
WEB = "gunicorn doiportal.wsgi --worker-class doiportal.server.worker.Worker --preload --workers 2 --threads 8 \
--timeout 120 --keep-alive 75 --graceful-timeout 8 --limit-request-line 8190 --no-control-socket --bind {host}:{port}"
# Gossip and mingle are talk among workers about each other, which nobody listens to here.
WORKER = "celery -A doiportal worker --loglevel INFO --concurrency 2 --without-gossip --without-mingle"
# An empty pidfile: one left behind by a killed portal would stop the next start.
BEAT = "celery -A doiportal beat --loglevel INFO --pidfile="
SAMPLE_PROXY = "manage.py sampleproxy --port {port}"


@dataclass(frozen=True)
class Process:
    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)


def python(line: str, **values: object) -> list[str]:
    """The command line run by this very Python, so that no other installation is found on the PATH."""
    words = line.format(**values).split()
    return [sys.executable, *words] if words[0].endswith(".py") else [sys.executable, "-m", *words]


def portal(host: str, port: int) -> list[Process]:
    address = f"[{host}]" if ":" in host else host
    return [
        Process("web", python(WEB, host=address, port=port)),
        Process("worker", python(WORKER)),
        Process("beat", python(BEAT)),
    ]


def sample_proxy(port: int) -> Process:
    return Process("sample", python(SAMPLE_PROXY, port=port))
