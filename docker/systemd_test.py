"""`make systemd-test`: the guide docs/without-containers.md, followed by its own commands on a Debian with systemd.

The Debian is a container whose first process is systemd. It needs podman and must be root, as engine.py says. What the
test adds to the guide: the sample DOI proxy, a certificate, and packages that were fetched when the image was built.
The image stays afterwards.
"""

import argparse
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from base_images import get_base_images
from engine import ROOT, Engine, build_portal, configure_podman, inspect
from steps import STEPS, expect, step, wait_for, write_table

GUIDE = (ROOT / "docs/without-containers.md").read_text()
DEBIAN, IMAGE = "debian:bookworm-slim", "localhost/doiportal-systemd-test"
SITE = "dois.library.example"
FOLDER = "/root/site"  # where root has the wheels and requirements.txt
PROCESSES = ["web", "worker", "beat"]
STOP, DATABASE = "systemctl stop doiportal.target 'doiportal-*'", "postgresql@15-main"
LATENCY = 150  # milliseconds of the sample proxy: lists take long enough to be disturbed
# A server has these before anybody reads the guide.
SYSTEM = "systemd-sysv dbus adduser openssl ca-certificates curl"
SAMPLE_PROXY = f"""
[Service]
Environment=DOIPORTAL_DATA_DIR=/tmp SECRET_KEY={secrets.token_hex(32)}
User=nobody
ExecStart=/opt/doiportal/bin/doiportal manage sampleproxy --port 8001 --latency {LATENCY}
[Install]
WantedBy=multi-user.target
"""
# Debian's unit of Redis wants a namespace of accounts, which not every container can make.
DOCKERFILE = f"""
FROM docker.io/library/{DEBIAN}
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends {SYSTEM} >/dev/null
RUN {{packages}} -y -qq >/dev/null
RUN mkdir /etc/systemd/system/redis-server.service.d \\
    && printf '[Service]\\nPrivateUsers=no\\n' > /etc/systemd/system/redis-server.service.d/container.conf
COPY . {FOLDER}
RUN --mount=type=secret,id=pip.conf,target=/etc/pip.conf \\
    --mount=type=secret,id=ca-certificates,target=/etc/ssl/certs/ca-certificates.crt \\
    python3 -m venv /tmp/venv && PIP_CERT=/etc/ssl/certs/ca-certificates.crt /tmp/venv/bin/pip download \\
    --quiet --require-hashes -r {FOLDER}/requirements.txt --dest /packages
CMD ["/lib/systemd/systemd"]
"""


def read_commands(title: str) -> list[str]:
    """Return the blocks of commands in a section of the guide."""
    section = GUIDE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


class Server:
    """A Debian with systemd, and root's shell in it."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.name = engine, f"doiportal-systemd-test-{os.getpid()}"
        self.token = ""

    def start(self) -> None:
        # Without this capability systemd leaves out what units say of file systems.
        options = ["--systemd", "always", "--cap-add", "SYS_ADMIN", "--hostname", "server", "--name", self.name]
        subprocess.run([self.engine.program, "run", "--detach", *options, IMAGE], check=True, capture_output=True)
        self.wait_until_booted()

    def wait_until_booted(self) -> None:
        wait_for("systemd has started all", lambda: "running" in self.sh("systemctl is-system-running || true"))

    def restart(self) -> None:
        subprocess.run([self.engine.program, "restart", self.name], check=True, capture_output=True)
        self.wait_until_booted()

    def sh(self, commands: str, **environment: str) -> str:
        """Return what root's shell prints. A command that fails ends the test."""
        told = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/packages", **environment}
        options = [part for name, value in told.items() for part in ("--env", f"{name}={value}")]
        words = [self.engine.program, "exec", "--interactive", "--workdir", FOLDER, *options, self.name]
        run = subprocess.run([*words, "bash", "-euo", "pipefail"], input=commands, capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(f"FAILED:\n{commands}\n{run.stdout}{run.stderr}")
        return run.stdout

    def curl(self, path: str, *options: str, body: str = "") -> str:
        """Return the answer of the site by https. ValueError if there is none, or an error of HTTP."""
        words = ["curl", "--silent", "--fail", "--cacert", f"{FOLDER}/fullchain.pem"]
        words += ["--resolve", f"{SITE}:443:127.0.0.1", *options, f"https://{SITE}{path}"]
        if self.token:
            words += ["--header", f"Authorization: Bearer {self.token}"]
        if body:
            words += ["--header", "Content-Type: text/csv", "--data-binary", "@-"]
        inside = [self.engine.program, "exec", "--interactive", self.name, *words]
        run = subprocess.run(inside, input=body, capture_output=True, text=True)
        if run.returncode:
            raise ValueError(f"{path}: {run.stdout}{run.stderr}")
        return run.stdout

    def show(self, unit: str, name: str) -> str:
        return self.sh(f"systemctl show --property {name} --value {unit}").strip()

    def is_ready(self) -> bool:
        return '"ready": true, "parts"' in self.curl("/readyz")

    def upload(self, name: str, rows: int) -> str:
        """Upload a list of names that nobody has asked for, and return its id."""
        lines = "\n".join(["DOI", *(f"10.5555/{name}-{number}" for number in range(rows))])
        return json.loads(self.curl(f"/api/v1/jobs?filename={name}.csv", body=lines))["id"]

    def read_job(self, job: str) -> dict[str, Any]:
        return json.loads(self.curl(f"/api/v1/jobs/{job}"))

    def read_outcomes(self, job: str) -> list[tuple[str, str]]:
        results = [json.loads(line) for line in self.curl(f"/api/v1/jobs/{job}/results.jsonl").splitlines()]
        return [(row["input"], row["outcome"]) for row in results]

    def see_end(self, job: str, name: str, rows: int) -> None:
        """Wait for the end of the list, and check that each row is there once, in order, with its outcome."""
        wait_for(f"the end of {name}", lambda: self.read_job(job)["state"] == "finished")
        expect(self.read_outcomes(job) == [(f"10.5555/{name}-{number}", "resolved") for number in range(rows)], name)


def build_image(engine: Engine, folder: Path) -> None:
    """Build a Debian with the packages of the guide's first step, the wheels, and what pip will need."""
    get_base_images(engine, [DEBIAN])
    code = folder / "code"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(code)], check=True)
    site = folder / "site"
    wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(site)]
    subprocess.run([*wheel, str(code), str(code / "doi_reading")], check=True)
    shutil.copy(code / "requirements.txt", site)
    packages = read_commands("Install")[0].strip()
    (site / "Dockerfile").write_text(DOCKERFILE.format(packages=packages))
    build_portal(engine, site, IMAGE)


def install(server: Server) -> None:
    """Follow the section Install, step by step."""
    packages, portal, account, settings, units, nginx, look = read_commands("Install")
    with step("1. Debian's packages, which the image has by this command"):
        server.sh(packages)
    with step("2. the portal, by pip"):
        server.sh(portal)
    with step("3. the account and the database"):
        server.sh(account)
    with step("4. the settings"):
        server.sh(settings)
        change = f"s/doi\\.example\\.org/{SITE}/; s/^CONTACT_EMAIL=$/CONTACT_EMAIL=ada@example.org/"
        test = "DOI_PROXY_URL=http://127.0.0.1:8001\\nPROXY_RATE=0\\n"
        server.sh(f"sed -i '{change}' /etc/doiportal/environment; printf '{test}' >> /etc/doiportal/environment")
        server.sh(f"cat > /etc/systemd/system/sample.service <<'EOF'\n{SAMPLE_PROXY}EOF\n")
        server.sh("systemctl daemon-reload; systemctl enable --quiet --now sample")
    with step("5. the units, and a command"):
        line = "doiportal manage createsuperuser"
        expect(units.count(line) == 1, f"the guide has the line {line}")
        variables = {"DJANGO_SUPERUSER_PASSWORD": secrets.token_urlsafe(16)}
        server.sh(units.replace(line, f"{line} --noinput --username ada --email ada@example.org"), **variables)
    with step("6. nginx"):
        name = f"-subj /CN={SITE} -addext subjectAltName=DNS:{SITE}"
        key = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        server.sh(f"{key} {name} -keyout privkey.pem -out fullchain.pem 2>/dev/null")
        server.sh(nginx.replace("YOUR.SITE.EXAMPLE", SITE))
    with step("7. a look, once /readyz says that all is ready"):
        wait_for("/readyz", server.is_ready)
        server.sh(look)
    server.token = server.sh("doiportal manage createtoken ada --name test --scope write").strip()


def check_confinement(server: Server, notes: list[str]) -> None:
    """Each process runs without root and without capabilities, and can write only where it should."""
    account = server.sh("id --user doiportal").strip()
    for name in PROCESSES:
        pid = server.show(f"doiportal-{name}", "MainPID")
        lines = server.sh(f"cat /proc/{pid}/status").splitlines()
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        expect(status["Uid"].split() == [account] * 4, f"{name} runs as doiportal")
        expect(int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0, f"{name} has no capability")
        expect((status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), f"{name} gets no privileges, and a filter")
        mounts = [line.split() for line in server.sh(f"cat /proc/{pid}/mounts").splitlines()]
        options = {place: options.split(",") for _, place, _, options, *_ in mounts}
        expect("ro" in options["/"] and "rw" in options["/var/lib/doiportal"], f"{name} writes to its folder alone")
    notes.append(", ".join(PROCESSES))


def kill_during_a_list(server: Server, process: str, notes: list[str]) -> None:
    """Kill the main process of a unit as a crash does, and see it and the list come to a good end."""
    name, rows, unit = f"killed{process}", 500, f"doiportal-{process}"
    job = server.upload(name, rows)
    wait_for("the first rows", lambda: server.read_job(job)["done"])
    before = server.show(unit, "MainPID")
    server.sh(f"kill -9 {before}")
    killed = time.monotonic()
    wait_for(f"{unit} after its death", lambda: server.show(unit, "MainPID") not in ("0", before))
    notes.append(f"up again after {time.monotonic() - killed:.0f} s")
    server.see_end(job, name, rows)
    notes.append(f"list ended {time.monotonic() - killed:.0f} s after the kill")


def run(engine: Engine, folder: Path, server: Server) -> None:
    """Make all steps."""
    with step("an image of Debian with systemd"):
        build_image(engine, folder)
    with step("it boots"):
        server.start()
    install(server)
    with step("by http nginx leads to https, and a page arrives"):
        seen = server.sh(f"curl --silent --head --header 'Host: {SITE}' http://127.0.0.1/x | grep -i ^location:")
        expect(seen.strip().endswith(f" https://{SITE}/x"), f"the redirect: {seen}")
        expect("doiportal" in server.curl("/accounts/login/"), "the page of the login")
    with step("no root, no capabilities, a filter of system calls, a read-only file system") as notes:
        check_confinement(server, notes)
    with step("a list, through nginx, and no fault in the log"):
        first = server.upload("first", 100)
        server.see_end(first, "first", 100)
        logged = server.sh("journalctl --no-pager --unit 'doiportal-*'")
        expect("Traceback" not in logged, f"a fault in the log:\n{logged}")
    for process in PROCESSES:
        with step(f"{process} killed with -9 during a list") as notes:
            kill_during_a_list(server, process, notes)
    with step("a start without the database, which comes later"):
        server.sh(f"{STOP}; systemctl mask --quiet --runtime --now {DATABASE}")
        server.sh("systemctl start --no-block doiportal.target")
        wait_for("a failed attempt", lambda: int(server.show("doiportal-prepare", "NRestarts")) > 0)
        server.sh(f"systemctl unmask --quiet --runtime {DATABASE}; systemctl start {DATABASE}")
        wait_for("/readyz", server.is_ready)
    with step("the server restarts"):
        server.restart()
        wait_for("/readyz", server.is_ready)
    with step("backup, while a list waits for a worker"):
        server.sh("systemctl stop doiportal-worker doiportal-beat")
        waiting = server.upload("waiting", 50)
        [backup] = read_commands("Backup")
        server.sh(backup)
    with step("restore, while a list is checked, and the list that waited then ends"):
        server.sh("systemctl start doiportal.target")
        lost = server.upload("lost", 500)
        wait_for("the first rows", lambda: server.read_job(lost)["done"])
        [restore] = read_commands("Restore")
        server.sh(restore)
        wait_for("/readyz", server.is_ready)
        server.see_end(first, "first", 100)
        server.see_end(waiting, "waiting", 50)
        listed = json.loads(server.curl("/api/v1/jobs?page_size=100"))["results"]
        expect(lost not in {job["id"] for job in listed}, "the list of after the backup is gone")
    with step("upgrade, to the same version"):
        stop, upgrade = read_commands("Upgrade")
        server.sh(stop)
        server.sh(upgrade)
        wait_for("/readyz", server.is_ready)
        server.see_end(server.upload("afterwards", 50), "afterwards", 50)
    with step("no unit has failed"):
        failed = server.sh("systemctl --failed --plain --no-legend")
        expect(not failed, f"failed: {failed}")


def write_summary(engine: Engine) -> str:
    version = subprocess.run([engine.program, "--version"], capture_output=True, text=True).stdout.strip()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    return (
        "# Without containers\n\n"
        f"Written by `make systemd-test` on {datetime.now(UTC):%d %B %Y}, at commit {commit.strip()}, with {version}, "
        f"on {os.cpu_count()} cores.\n\n{write_table()}"
    )


@contextmanager
def removed_afterwards(server: Server) -> Iterator[None]:
    try:
        yield
    except BaseException:
        if inspect(server.engine, "container", server.name):
            print(server.sh("journalctl --no-pager --lines 60"), file=sys.stderr)
        raise
    finally:
        subprocess.run([server.engine.program, "rm", "--force", server.name], capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--summary", type=Path, metavar="FILE", help="write the steps there as Markdown")
    chosen = parser.parse_args()
    if os.geteuid() or not shutil.which("podman"):
        sys.exit("It needs podman, and to be root: docker/engine.py says what to install.")
    engine = Engine("podman", [])
    server = Server(engine)
    with tempfile.TemporaryDirectory(prefix="doiportal-systemd-") as folder, removed_afterwards(server):
        configure_podman(Path(folder))
        run(engine, Path(folder), server)
        if chosen.summary:
            chosen.summary.write_text(write_summary(engine))
    print(f"All {len(STEPS)} steps hold.")


if __name__ == "__main__":
    main()
