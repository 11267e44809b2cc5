"""`make compose-test`: the portal in containers, from an empty folder to a list, killed, scaled, upgraded and restored.

What it needs is written in engine.py. It must be root, because it kills the processes of containers. It works on a
clone of the last commit, and removes what it started. Base images and the built image stay.
"""

import argparse
import http.cookiejar
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from base_images import LABEL, get_base_images, list_base_images
from engine import ROOT, Engine, build_portal, find_engine, inspect, limits_of_this_machine, running
from object_storage import COUNT_OBJECTS, MAKE_BUCKET, PROFILE, SETTINGS, describe_server
from steps import STEPS, expect, step, wait_for, write_table

SERVERS = ["postgres", "redis", "web", "worker", "beat", "front"]
WORKERS, WEB_SERVERS = 4, 2
USER, PASSWORD = "ada", secrets.token_urlsafe(16)
LATENCY = 150  # milliseconds of the sample proxy: lists take long enough to be disturbed
OLDEST = "ac7fdf1f"  # the commit of version 0.2.0, the oldest that can be upgraded


class Browser:
    """A person's browser, at the front: cookies, a login by the form, and requests of a page to REST."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def send(self, path: str, body: bytes | None = None, **headers: str) -> bytes:
        """Return the body of the answer. Raises OSError for an error, also one that HTTP names."""
        token = next((cookie.value for cookie in self.cookies if cookie.name == "csrftoken"), None)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.address + path, body, headers | ({"X-CSRFToken": token} if token else {}))
        with self.opener.open(request, timeout=90) as response:
            return response.read()

    def log_in(self) -> None:
        self.send("/accounts/login/")
        self.send("/accounts/login/", urlencode({"username": USER, "password": PASSWORD}).encode())
        expect(any(cookie.name == "sessionid" for cookie in self.cookies), "the login page gives a session")

    def upload(self, name: str, rows: int) -> str:
        """Upload a list of names that nobody has asked for, and return its id."""
        lines = "\n".join(["DOI", *(f"10.5555/{name}-{number}" for number in range(rows))])
        answer = self.send(f"/api/v1/jobs?filename={name}.csv", lines.encode(), Content_Type="text/csv")
        return json.loads(answer)["id"]

    def read_job(self, job: str) -> dict[str, Any]:
        return json.loads(self.send(f"/api/v1/jobs/{job}"))

    def read_results(self, job: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.send(f"/api/v1/jobs/{job}/results.jsonl").splitlines()]

    def see_end(self, job: str, name: str, rows: int) -> None:
        """Wait for the end of the list, and check that each row is there once, in order, with its outcome."""
        wait_for(f"the end of {name}", lambda: self.read_job(job)["state"] == "finished")
        results = self.read_results(job)
        expect([row["input"] for row in results] == [f"10.5555/{name}-{number}" for number in range(rows)], name)
        expect({row["outcome"] for row in results} == {"resolved"}, f"each row of {name} is resolved")
        counts = self.read_job(job)["counts"]["outcome"]
        expect(counts.get("resolved") == rows, f"the counts of {name} are those of its rows, not {counts}")


class Installation:
    """A clone of the repository, started by its own docker-compose.yml under a project name of its own."""

    def __init__(self, engine: Engine, folder: Path, name: str, *, image: str = "doiportal") -> None:
        self.engine, self.folder, self.image = engine, folder, image
        self.project = f"doiportal-test-{name}-{os.getpid()}"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.browser = Browser(f"http://127.0.0.1:{self.port}")

    def write_environment(self, hosts: str = "doi.example.org") -> None:
        """Write .env as the guide says, and what is only for this test: the sample proxy, a free port."""
        made = {"POSTGRES_PASSWORD": secrets.token_hex(24), "SECRET_KEY": secrets.token_hex(32)}
        test = {
            "DOI_PROXY_URL": "http://sample:8001",
            "PROXY_RATE": "0",
            "PUBLISH": f"127.0.0.1:{self.port}",
            "ALLOWED_HOSTS": hosts,  # as behind a server: the health checks within don't come by this name
        }
        lines = [f"{name}={value}\n" for name, value in (made | test).items()]
        (self.folder / ".env").write_text("".join(lines))
        self.write_override()

    def write_override(self) -> None:
        """Write what this test adds to docker-compose.yml."""
        sample = {
            "image": self.image,
            "command": f"python manage.py sampleproxy --host 0.0.0.0 --port 8001 --latency {LATENCY}",
        }
        portal: dict[str, dict[str, Any]] = {
            name: {"image": self.image} for name in ("prepare", "web", "worker", "beat")
        }
        if limits := limits_of_this_machine():
            portal["web"]["ulimits"] = limits
        (self.folder / "test.json").write_text(
            json.dumps({"services": portal | {"sample": sample, "s3": describe_server(self.image)}})
        )

    def compose(self, *words: str, **options: Any) -> str:
        """Run docker compose, and return what it prints."""
        files = ["-f", "docker-compose.yml", "-f", "test.json"]
        command = [*self.engine.compose, "-p", self.project, *files, *words]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        run = subprocess.run(command, cwd=self.folder, **options)
        if run.returncode:
            raise SystemExit(f"FAILED: {' '.join(words)}\n{run.stdout!r}\n{(run.stderr or b'').decode()}")
        return (run.stdout or b"").decode()

    def list_containers(self, service: str) -> list[dict[str, Any]]:
        names = self.compose("ps", "-q", service).split()
        return [found for name in names if (found := inspect(self.engine, "container", name))]

    def is_well(self, service: str, number: int = 1) -> bool:
        """Return whether all containers of the service run, and are healthy if they can say so."""
        containers = self.list_containers(service)
        states = [container["State"] for container in containers]
        healthy = all((state.get("Health") or {}).get("Status") in ("", None, "healthy") for state in states)
        return len(states) == number and all(state["Running"] for state in states) and healthy

    def start(self) -> None:
        self.compose("up", "-d")
        self.wait_until_well()

    def wait_until_well(self) -> None:
        for service in SERVERS:
            wait_for(f"{service} of {self.project}", lambda service=service: self.is_well(service))
        wait_for("/readyz", lambda: b'"ready": true' in self.browser.send("/readyz"))

    def manage(self, *words: str) -> str:
        return self.compose("exec", "-T", "web", "python", "manage.py", *words)

    def make_account(self) -> None:
        variables = ["-e", f"DJANGO_SUPERUSER_PASSWORD={PASSWORD}"]
        words = ["createsuperuser", "--noinput", "--username", USER, "--email", "ada@example.org"]
        self.compose("exec", "-T", *variables, "web", "python", "manage.py", *words)

    def query(self, statement: str) -> str:
        """Return what PostgreSQL answers, in bare lines."""
        words = ["psql", "-U", "doiportal", "-d", "doiportal", "-Atc", statement]
        return self.compose("exec", "-T", "postgres", *words).strip()

    def count_migrations(self) -> int:
        """Return how many migrations have run. Ends the test if one ran twice or is missing."""
        total, distinct = self.query("select count(*), count(distinct (app, name)) from django_migrations").split("|")
        expect(total == distinct, f"each migration ran once: {total} rows, {distinct} migrations")
        self.manage("migrate", "--check")
        return int(total)

    def remove(self) -> None:
        """Remove the containers at once, also those that start again and again, and then networks and volumes."""
        if (self.folder / "test.json").exists():
            label = f"label=com.docker.compose.project={self.project}"
            words = [self.engine.program, "ps", "--all", "--quiet", "--filter", label]
            if containers := subprocess.run(words, capture_output=True, text=True, check=True).stdout.split():
                subprocess.run([self.engine.program, "rm", "--force", *containers], capture_output=True, check=True)
            self.compose("down", "--volumes")


def check_confinement(portal: Installation, notes: list[str]) -> None:
    """Each server runs without root and without capabilities, and can write only where it should."""
    for service in SERVERS:
        (container,) = portal.list_containers(service)
        pid = container["State"]["Pid"]
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        expect(status["Uid"].split()[0] != "0", f"{service} doesn't run as root")
        expect(int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0, f"{service} has no capability")
        expect(status["NoNewPrivs"] == "1", f"{service} gets no new privileges")
        mounts = [line.split() for line in Path(f"/proc/{pid}/mounts").read_text().splitlines()]
        root = next(options for _, place, _, options, *_ in mounts if place == "/")
        expect("ro" in root.split(","), f"the root file system of {service} is read-only")
        notes.append(f"{service} uid {status['Uid'].split()[0]}")


def kill_during_a_list(portal: Installation, service: str, notes: list[str]) -> None:
    """Kill the first process of a container as a crash does, and see it and the list come to a good end."""
    name, rows = f"killed{service}", 500
    job = portal.browser.upload(name, rows)
    wait_for("the first rows", lambda: portal.browser.read_job(job)["done"])
    done = portal.browser.read_job(job)["done"]
    expect(done < rows, f"the list still runs when {service} is killed")
    (before,) = portal.list_containers(service)
    os.kill(before["State"]["Pid"], signal.SIGKILL)
    killed = time.monotonic()

    def is_back() -> bool:
        (now,) = portal.list_containers(service)
        return now["State"]["Running"] and now["State"]["Pid"] not in (0, before["State"]["Pid"])

    wait_for(f"{service} after its death", is_back)
    notes.append(f"{done} of {rows} rows done, up again after {time.monotonic() - killed:.0f} s")
    portal.browser.see_end(job, name, rows)
    notes.append(f"list ended {time.monotonic() - killed:.0f} s after the kill")
    portal.wait_until_well()


def share_among_workers(portal: Installation, notes: list[str], name: str = "shared") -> None:
    portal.compose("up", "-d", "--scale", f"worker={WORKERS}", "--scale", f"web={WEB_SERVERS}")
    wait_for(f"{WORKERS} workers", lambda: portal.is_well("worker", WORKERS))
    wait_for(f"{WEB_SERVERS} web servers", lambda: portal.is_well("web", WEB_SERVERS))
    before = count_tasks(portal)
    rows = 3000
    job = portal.browser.upload(name, rows)
    portal.browser.see_end(job, name, rows)
    served = {worker: number - before.get(worker, 0) for worker, number in count_tasks(portal).items()}
    expect(len(served) == WORKERS and min(served.values()) > 0, f"each worker took a part: {served}")
    notes.append(f"{rows} rows in turns of {sorted(served.values())}")
    portal.compose("up", "-d", "--scale", "worker=1", "--scale", "web=1")
    portal.wait_until_well()


def keep_uploads_as_objects(portal: Installation, notes: list[str]) -> None:
    """Let the uploads of all machines lie in object storage, share a list, and go back to the data folder."""
    secrets_file = portal.folder / ".env"
    before = secrets_file.read_text()
    portal.compose("--profile", PROFILE, "up", "-d", "s3")
    portal.compose("exec", "-T", "s3", "python", "-c", MAKE_BUCKET)
    secrets_file.write_text(before + "".join(f"{name}={value}\n" for name, value in SETTINGS.items()))
    share_among_workers(portal, notes, "objects")
    stored = int(portal.compose("exec", "-T", "s3", "python", "-c", COUNT_OBJECTS))
    expect(stored > 0, "the upload lies in object storage")
    notes.append(f"{stored} objects")
    secrets_file.write_text(before)
    portal.compose("up", "-d")
    portal.wait_until_well()


def count_tasks(portal: Installation) -> dict[str, int]:
    """Return how many turns at lists each worker has begun since its start."""
    words = ["celery", "-A", "doiportal", "inspect", "stats", "--json", "--timeout", "10"]
    printed = portal.compose("exec", "-T", "beat", *words)
    stats = json.loads(printed[printed.index("{") : printed.rindex("}") + 1])
    return {worker: about["total"].get("resolver.tasks.serve_owner", 0) for worker, about in stats.items()}


def back_up(portal: Installation, folder: Path) -> None:
    """The commands of the guide."""
    with (folder / "doiportal.dump").open("wb") as dump:
        words = ["pg_dump", "-U", "doiportal", "--format", "custom", "doiportal"]
        portal.compose("exec", "-T", "postgres", *words, stdout=dump)
    with (folder / "data.tar").open("wb") as data:
        portal.compose("exec", "-T", "web", "tar", "-C", "/data", "-c", ".", stdout=data)
    with (folder / "doiportal.dump").open("rb") as dump:
        portal.compose("exec", "-T", "postgres", "pg_restore", "--file", "/dev/null", stdin=dump)


def restore(portal: Installation, folder: Path) -> None:
    """The commands of the guide, into an installation that has never run."""
    portal.compose("up", "-d", "postgres")
    wait_for("postgres", lambda: portal.is_well("postgres"))
    with (folder / "doiportal.dump").open("rb") as dump:
        words = ["pg_restore", "-U", "doiportal", "--dbname", "doiportal", "--exit-on-error"]
        portal.compose("exec", "-T", "postgres", *words, stdin=dump)
    portal.compose("up", "-d", "web")  # no worker yet: it would look for the uploads of waiting lists
    with (folder / "data.tar").open("rb") as data:
        portal.compose("exec", "-T", "web", "tar", "-C", "/data", "-x", stdin=data)
    portal.start()


def list_uploads(portal: Installation) -> list[str]:
    """Return the digests and names of all uploaded files."""
    words = ["find", "/data/uploads", "-type", "f", "-exec", "sha256sum", "{}", "+"]
    return sorted(portal.compose("exec", "-T", "web", *words).splitlines())


def clone(folder: Path, commit: str = "HEAD") -> Path:
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(folder)], check=True)
    if commit != "HEAD":
        subprocess.run(["git", "-C", str(folder), "checkout", "--quiet", commit], check=True)
    return folder


def _choose(results: list[dict[str, Any]], fields: Iterable[str]) -> list[dict[str, Any]]:
    return [{name: row.get(name) for name in fields} for row in results]


def upgrade(engine: Engine, folder: Path, notes: list[str], started: list[Installation]) -> None:
    """Start the oldest version that can be upgraded, give it data, and put the new version in its place."""
    old = Installation(engine, clone(folder / "older", OLDEST), "upgrade", image="doiportal-older")
    started.append(old)
    build_portal(engine, old.folder, "doiportal-older")
    old.write_environment("doi.example.org,127.0.0.1")  # its health checks may need a name of their own
    old.start()
    old.make_account()
    old.browser.log_in()
    job = old.browser.upload("before", 200)
    old.browser.see_end(job, "before", 200)
    results, applied = old.browser.read_results(job), int(old.query("select count(*) from django_migrations"))
    running_list = old.browser.upload("during", 500)
    wait_for("the first rows", lambda: old.browser.read_job(running_list)["done"])
    old.compose("down")

    new = Installation(engine, clone(folder / "newer"), "newer")
    new.project, new.port, new.browser = old.project, old.port, old.browser
    (new.folder / ".env").write_bytes((old.folder / ".env").read_bytes())
    new.write_override()
    started.append(new)
    new.start()
    migrations = new.count_migrations()
    expect(migrations > applied, f"the upgrade runs migrations: {applied} before, {migrations} after")
    fields = results[0].keys() - {"row", "row_number"}  # their names changed after OLDEST
    kept = _choose(new.browser.read_results(job), fields)
    unchanged = "the results of the older version are there, unchanged, for the session of before"
    expect(kept == _choose(results, fields), unchanged)
    new.browser.see_end(running_list, "during", 500)
    notes.append(f"from {OLDEST}, {migrations - applied} migrations, a list that was interrupted ended")


def run(engine: Engine, folder: Path, started: list[Installation]) -> str:
    """Make all steps. Returns the summary as Markdown."""
    with step("base images") as notes:
        get_base_images(engine, list_base_images())
        stand_ins = [name for name in list_base_images() if is_stand_in(engine, name)]
        notes.append(f"stand-ins of Debian's packages: {', '.join(stand_ins) or 'none'}")

    began, commands = time.monotonic(), 0
    with step("command 1, git clone"):
        first = Installation(engine, clone(folder / "first"), "first")
        started.append(first)
        commands += 1
    with step("command 2, secrets into .env"):
        first.write_environment()
        commands += 1
    with step("command 3, make image"):
        subprocess.run(["make", "image"], cwd=first.folder, check=True, stdout=sys.stderr)
        commands += 1
    with step("command 4, docker compose up -d, until all is healthy and /readyz says so"):
        first.start()
        commands += 1
    with step("command 5, createsuperuser"):
        first.make_account()
        commands += 1
    with step("log in, upload a list through nginx, see its end") as notes:
        first.browser.log_in()
        job = first.browser.upload("first", 100)
        first.browser.see_end(job, "first", 100)
        notes.append("100 rows")
    minutes = (time.monotonic() - began) / 60
    finding = f"{commands} commands and {minutes:.1f} minutes from an empty folder to the first finished list"
    print(f"          {finding}", flush=True)

    with step("each migration ran once") as notes:
        notes.append(f"{first.count_migrations()} migrations")
    with step("no root, no capabilities, read-only root file system") as notes:
        check_confinement(first, notes)
    with step("manage.py doctor finds no fault"):
        first.manage("doctor")
    with step("a German page and its style sheet, from the image") as notes:
        page = first.browser.send("/", Accept_Language="de").decode()
        expect('lang="de"' in page, "the page is German")
        style = re.search(r'href="(/static/[^"]+\.css)"', page)
        expect(bool(style and first.browser.send(style[1])), "its style sheet is there")
        expect(
            "static" not in first.compose("exec", "-T", "web", "ls", "/data").split(), "nothing is collected at start"
        )
    for service in SERVERS:
        with step(f"{service} killed with -9 during a list") as notes:
            kill_during_a_list(first, service, notes)
    with step(f"--scale worker={WORKERS} --scale web={WEB_SERVERS}") as notes:
        share_among_workers(first, notes)
    with step("the same with uploads in object storage (FILES_URL)") as notes:
        keep_uploads_as_objects(first, notes)

    with step("backup, while a list waits for a worker"):
        first.compose("stop", "worker", "beat")
        waiting = first.browser.upload("waiting", 50)
        back_up(first, folder)
    with step("restore into an empty installation") as notes:
        second = Installation(engine, clone(folder / "second"), "second")
        started.append(second)
        second.write_environment()
        restore(second, folder)
        second.browser.log_in()
        expect(second.browser.read_results(job) == first.browser.read_results(job), "the list is there, with its rows")
        expect(list_uploads(second) == list_uploads(first), "the uploaded files are there")
        second.browser.see_end(waiting, "waiting", 50)
        second.browser.see_end(second.browser.upload("afterwards", 50), "afterwards", 50)
        notes.append("same account, same list, same files, the waiting list and a new one end")
        second.remove()
    first.remove()
    with step("upgrade with data") as notes:
        upgrade(engine, folder, notes, started)
    return write_summary(engine, finding, stand_ins)


def is_stand_in(engine: Engine, name: str) -> bool:
    image = inspect(engine, "image", f"docker.io/library/{name}") or {}
    return LABEL in ((image.get("Config") or {}).get("Labels") or {})


def write_summary(engine: Engine, finding: str, stand_ins: list[str]) -> str:
    version = subprocess.run([engine.program, "--version"], capture_output=True, text=True).stdout.strip()
    reader = subprocess.run([*engine.compose, "version"], capture_output=True, text=True).stdout.splitlines()[0]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    origin = f"Stand-ins of Debian 12's packages: {', '.join(stand_ins)}." if stand_ins else "All base images are real."
    return (
        "# In containers\n\n"
        f"Written by `make compose-test` on {datetime.now(UTC):%d %B %Y}, at commit {commit.strip()}, with {version} "
        f"and {reader}, on {os.cpu_count()} cores. {origin}\n\n"
        f"**{finding}.** Making or fetching base images is not counted.\n\n"
        f"{write_table()}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--summary", type=Path, metavar="FILE", help="write the steps there as Markdown")
    chosen = parser.parse_args()
    if os.geteuid():
        sys.exit("Run it as root: it kills processes of containers.")
    engine = find_engine()
    started: list[Installation] = []
    with running(engine), tempfile.TemporaryDirectory(prefix="doiportal-compose-") as folder:
        try:
            summary = run(engine, Path(folder), started)
        except BaseException:
            for installation in started[-1:]:
                if (installation.folder / "test.json").exists():
                    print(installation.compose("logs", "--tail", "30"), file=sys.stderr)
            raise
        finally:
            for installation in started:
                installation.remove()
            subprocess.run([engine.program, "image", "rm", "doiportal-older"], capture_output=True)
    if chosen.summary:
        chosen.summary.write_text(summary)
    print(f"All {len(STEPS)} steps hold.")


if __name__ == "__main__":
    main()
