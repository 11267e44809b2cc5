"""Stand-ins for the images that Dockerfile and docker-compose.yml build on, from Debian's packages.

Only where no registry can be reached. They have the names, accounts, folders and start commands of the real ones, and
the versions of Debian 12: Python 3.11, PostgreSQL 15, Redis 7.0, nginx 1.22. It must be root on Debian.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from engine import ROOT, Engine, inspect

LABEL = "org.doiportal.stand-in"
DEBIAN = "bookworm"
ROOTFS = "localhost/doiportal-debian:bookworm"
PACKAGES = "python3 python3-venv ca-certificates curl postgresql redis-server nginx-light"

# Like the real ones, they leave root for an account of their own, which docker-compose.yml may have done already.
LEAVE_ROOT = """#!/bin/sh
set -eu
if [ "$(id -u)" = 0 ]; then
    find {data} ! -user {user} -exec chown {user} {{}} +
    exec setpriv --reuid {user} --regid {user} --clear-groups "$0" "$@"
fi
"""
START_POSTGRES = (
    LEAVE_ROOT.format(user="postgres", data="/var/lib/postgresql/data /run/postgresql")
    + r"""
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    printf %s "$POSTGRES_PASSWORD" > /tmp/password
    initdb --pgdata "$PGDATA" --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 >/dev/null
    rm /tmp/password
    echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
    pg_ctl --pgdata "$PGDATA" --options "-c listen_addresses=''" --wait --silent start
    createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
    pg_ctl --pgdata "$PGDATA" --wait --silent stop
fi
[ $# = 0 ] || shift
exec postgres -D "$PGDATA" -c listen_addresses='*' "$@"
"""
)
START_REDIS = LEAVE_ROOT.format(user="redis", data="/data") + 'exec "$@"\n'

PARTS = {
    "python": "RUN ln -s /usr/bin/python3 /usr/local/bin/python\nCMD python\n",
    "postgres": "COPY start-postgres /usr/local/bin/\n"
    "RUN groupmod -g 999 postgres && usermod -u 999 -g 999 postgres && mkdir /var/lib/postgresql/data && "
    "chown -R postgres:postgres /var/lib/postgresql /run/postgresql\n"
    "ENV PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8\n"
    'ENTRYPOINT ["start-postgres"]\n',
    "redis": "COPY start-redis /usr/local/bin/\nRUN mkdir /data && chown redis:redis /data\nWORKDIR /data\n"
    'ENTRYPOINT ["start-redis"]\n',
    "debian": "RUN apt-get purge --yes --autoremove 'postgresql*' 'redis*' 'nginx*' 'python3*' curl\n",
    "nginx": "RUN useradd --system nginx\nCMD exec nginx -g 'daemon off;'\n",
}


def list_base_images() -> list[str]:
    """Return the names of the images that the project doesn't build itself."""
    version = re.search(r"^ARG PYTHON_VERSION=(.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    found = re.findall(r"^\s+image: (\S+:\S+)$", (ROOT / "docker-compose.yml").read_text(), re.MULTILINE)
    assert version
    return [f"python:{version[1]}-slim-bookworm", *found]


def get_base_images(engine: Engine, names: list[str]) -> None:
    """Have these images here: those that are, those of a registry, else stand-ins. Exits if none of that works."""
    missing = [name for name in names if not inspect(engine, "image", f"docker.io/library/{name}")]
    for name in missing:
        pull = [engine.program, "pull", "--quiet", f"docker.io/library/{name}"]
        if subprocess.run(pull, capture_output=True).returncode == 0:
            continue
        if os.geteuid() or not shutil.which("debootstrap"):
            sys.exit(f"{name} can't be fetched, and a stand-in needs root and debootstrap (Debian).")
        make_stand_in(engine, name)


def make_stand_in(engine: Engine, name: str) -> None:
    """Make the image `name` (`redis:7-bookworm`) of Debian's packages."""
    if not inspect(engine, "image", ROOTFS):
        import_debian(engine)
    part = name.split(":", maxsplit=1)[0]
    with tempfile.TemporaryDirectory() as folder:
        for file, text in (("start-postgres", START_POSTGRES), ("start-redis", START_REDIS)):
            Path(folder, file).write_text(text)
            Path(folder, file).chmod(0o755)
        Path(folder, "Dockerfile").write_text(f"FROM {ROOTFS}\nLABEL {LABEL}=1\n{PARTS[part]}")
        isolation = ["--isolation", "chroot"] if engine.program == "podman" else []
        tag = ["--tag", f"docker.io/library/{name}"]
        subprocess.run([engine.program, "build", "--quiet", *isolation, *tag, folder], check=True)


def import_debian(engine: Engine) -> None:
    """Install Debian with all PACKAGES into a folder, from where this machine has its own, and import it."""
    targets = ["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages"]
    listed = subprocess.run(targets, capture_output=True, text=True, check=True).stdout.splitlines()
    sites = [line.split()[0] for line in listed if line.split()[1:] == [DEBIAN, "main"]]
    if not sites:
        sys.exit(f"apt-get has no {DEBIAN} main to make images of.")
    with tempfile.TemporaryDirectory(prefix="doiportal-debian-") as folder:
        include = f"--include={PACKAGES.replace(' ', ',')}"
        subprocess.run(["debootstrap", "--variant=minbase", include, DEBIAN, folder, sites[0]], check=True)
        shutil.rmtree(Path(folder, "var/cache/apt"))
        with subprocess.Popen(["tar", "-C", folder, "-c", "."], stdout=subprocess.PIPE) as tar:
            subprocess.run([engine.program, "import", "-", ROOTFS], stdin=tar.stdout, check=True)
