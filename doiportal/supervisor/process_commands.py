"""The processes of the portal, as a table: what a Procfile would say. docker-compose.yml and deploy/systemd run
the same commands."""

import sys
from typing import NamedTuple

from doiportal.env import host_in_url

# The tables and the static files, before anything else starts.
PREPARE = "doiportal manage prepare"
# Threads, since a web process mostly waits for the DOI proxy or the database; no thread waits for a client
# (doiportal/server). The request line has room for long encoded names. The control socket would lie in the home folder,
# shared by all portals of a machine. Connections are kept longer than the pages of a job wait between two requests:
# gunicorn's two seconds would close them just when the next request comes. The code is imported once, before the fork.
WEB = "gunicorn doiportal.wsgi --worker-class doiportal.server.worker.Worker --preload --workers 2 --threads 8 \
--timeout 120 --keep-alive 75 --graceful-timeout 8 --limit-request-line 8190 --no-control-socket \
--logger-class doiportal.server.log.PortalLog --bind {host}:{port}"
# No gossip or mingle: workers need not know each other.
WORKER = "celery --quiet -A doiportal worker --concurrency 2 --without-gossip --without-mingle"
# No pidfile: that of a killed portal would stop the next start.
BEAT = "celery --quiet -A doiportal beat --pidfile="
SAMPLE_PROXY = "doiportal manage sampleproxy --port {port}"


class ProcessCommand(NamedTuple):
    name: str
    command: list[str]


def build_python_command(line: str, **values: object) -> list[str]:
    """Return the command line, run by this very Python, so that no other installation on the PATH is used."""
    return [sys.executable, "-m", *line.format(**values).split()]


def list_portal_processes(host: str, port: int) -> list[ProcessCommand]:
    return [
        ProcessCommand("web", build_python_command(WEB, host=host_in_url(host), port=port)),
        ProcessCommand("worker", build_python_command(WORKER)),
        ProcessCommand("beat", build_python_command(BEAT)),
    ]
