"""The processes of the portal, as a table: what a Procfile would say. docker-compose.yml and deploy/systemd run
the same commands."""

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
ONE_PROCESS = "--workers 1"
WITH_SCHEDULER = "--with-scheduler"
# No gossip or mingle: workers need not know each other.
WORKER = "celery --quiet -A doiportal worker --concurrency 2 --without-gossip --without-mingle"
# No pidfile: that of a killed portal would stop the next start.
BEAT = "celery --quiet -A doiportal beat --pidfile="
REACH_DOI_ORG = "doiportal.supervisor.doi_org_probe"
# What these run, and take most of their start for, if each imports it by itself. It doesn't have the application of the
# web server, which looks at its import which static files there are.
IMPORTED = (
    "celery.bin.celery", "celery.apps.worker", "celery.concurrency.prefork", "celery.worker.components",
    "doiportal.celery", "doiportal.server.worker", "doiportal.urls", "gunicorn.app.wsgiapp", "resolver.tasks",
    "requests", "resolver.proxy.bulk_client",
)  # fmt: skip


class ProcessCommand(NamedTuple):
    """A process: the name of its lines, and its command line without `python -m`."""

    name: str
    line: str


def list_portal_processes(host: str, port: int) -> list[ProcessCommand]:
    return [
        ProcessCommand("web", f"{WEB} {ONE_PROCESS}".format(host=host_in_url(host), port=port)),
        ProcessCommand("worker", f"{WORKER} {WITH_SCHEDULER}"),
    ]
