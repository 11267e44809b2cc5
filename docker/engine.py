"""Docker or podman, as what is installed here: commands, and what a machine without systemd or some rights needs.

Docker needs its plugins `compose` (version 2) and `buildx`. Podman (4.3 or newer, as root) needs `docker-compose`,
which talks to podman's socket, and netavark with aardvark-dns, by which containers find each other. On Debian 12:

    apt-get install --no-install-recommends podman runc netavark aardvark-dns iptables docker-compose debootstrap
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
HEALTH_CHECK_PAUSE = 3  # seconds between two health checks of a container, where we make them
# What pip may be told of them that holds in an image too.
PLACES_OF_PACKAGES = ("index-url", "extra-index-url", "trusted-host", "proxy", "default-timeout", "timeout", "retries")
CAP_SYS_RESOURCE = 1 << 24  # the right to raise limits


class Engine(NamedTuple):
    """The program that builds and runs containers, and the one that reads docker-compose.yml."""

    program: str
    compose: list[str]


def find_engine() -> Engine:
    """Return Docker if it is complete and its server answers, else podman. Exits if neither is here."""
    needed = (["docker", "info"], ["docker", "compose", "version"], ["docker", "buildx", "version"])
    if shutil.which("docker") and not any(subprocess.run(words, capture_output=True).returncode for words in needed):
        return Engine("docker", ["docker", "compose"])
    if shutil.which("podman") and shutil.which("docker-compose"):
        return Engine("podman", ["docker-compose"])
    sys.exit(f"No Docker server answers, and podman and docker-compose aren't both installed.\n{__doc__}")


def may_raise_limits() -> bool:
    """Return whether this process may raise limits of others, as podman's defaults and `ulimits` ask for."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return bool(int(status["CapEff"], 16) & CAP_SYS_RESOURCE)


def limits_of_this_machine() -> dict[str, int]:
    """Return the largest limits that a container may have where limits can't be raised; else nothing."""
    if may_raise_limits():
        return {}
    kinds = {"nofile": resource.RLIMIT_NOFILE, "nproc": resource.RLIMIT_NPROC}
    # Podman lowers its own number of processes before it starts a container: the whole limit is too much.
    return {name: resource.getrlimit(kind)[1] if name == "nofile" else 30_000 for name, kind in kinds.items()}


def configure_podman(folder: Path) -> None:
    """Write podman's configuration for this machine, and name it in the environment of all that we start."""
    limits = ", ".join(f'"{name}={value}:{value}"' for name, value in limits_of_this_machine().items())
    # runc, because crun 1.8 refuses machines that have both versions of cgroups.
    settings = 'runtime = "runc"\ncompat_api_enforce_docker_hub = false\n'
    text = f"[containers]\ndefault_ulimits = [{limits}]\n[engine]\n{settings}"
    file = folder / "containers.conf"
    file.write_text(text)
    os.environ["CONTAINERS_CONF"] = str(file)


@contextmanager
def running(engine: Engine) -> Iterator[None]:
    """Make the engine ready: for podman its configuration, and the socket that docker-compose talks to."""
    if engine.program == "docker":
        yield
        return
    with tempfile.TemporaryDirectory(prefix="doiportal-podman-") as name:
        configure_podman(Path(name))
        systemd = Path("/run/systemd/system").exists()
        if not systemd:
            os.environ["DISABLE_HC_SYSTEMD"] = "true"
        os.environ["DOCKER_HOST"] = f"unix://{name}/podman.sock"
        with (Path(name) / "service.log").open("w") as log:
            service = subprocess.Popen(
                ["podman", "system", "service", "--time", "0", os.environ["DOCKER_HOST"]], stdout=log, stderr=log
            )
        stopped = threading.Event()
        checks = threading.Thread(target=check_health_until, args=(stopped,), daemon=True)
        try:
            while not Path(name, "podman.sock").exists():
                if service.poll() is not None:
                    sys.exit(f"podman's service ended:\n{Path(name, 'service.log').read_text()}")
                time.sleep(0.1)
            if not systemd:
                checks.start()
            yield
        finally:
            stopped.set()
            if checks.is_alive():
                checks.join()
            service.terminate()
            service.wait()


def check_health_until(stopped: threading.Event) -> None:
    """Make the health checks that systemd's timers would have podman make, one container after the other."""
    while not stopped.wait(HEALTH_CHECK_PAUSE):
        listed = subprocess.run(
            ["podman", "ps", "--quiet", "--filter", "label=com.docker.compose.project"], capture_output=True, text=True
        )
        for container in listed.stdout.split():
            subprocess.run(["podman", "healthcheck", "run", container], capture_output=True)


def inspect(engine: Engine, kind: str, name: str) -> dict[str, Any] | None:
    """Return what the engine knows of an image or a container; None if there is none."""
    run = subprocess.run([engine.program, kind, "inspect", name], capture_output=True, text=True)
    return json.loads(run.stdout)[0] if run.returncode == 0 else None


def build_portal(engine: Engine, folder: Path, tag: str) -> None:
    """Build the Dockerfile of `folder`. pip's configuration and certificates of this machine go in as secrets, for the
    one step that fetches packages: no layer keeps them."""
    with tempfile.TemporaryDirectory() as name:
        configuration = Path(name, "pip.conf")
        configuration.write_text(read_pip_configuration())
        secrets = ["--secret", f"id=pip.conf,src={configuration}"]
        if CERTIFICATES.exists():
            secrets += ["--secret", f"id=ca-certificates,src={CERTIFICATES}"]
        command = [engine.program, "build", *secrets, "--tag", tag, str(folder)]
        if engine.program == "podman":
            # Packages are fetched as this machine does it, also where a container's network can't.
            command[2:2] = ["--network", "host"]
            limits = limits_of_this_machine().items()
            command[2:2] = [part for name, value in limits for part in ("--ulimit", f"{name}={value}:{value}")]
        subprocess.run(command, check=True, env=os.environ | {"DOCKER_BUILDKIT": "1"})


def read_pip_configuration() -> str:
    """Return where pip finds packages on this machine, by files and variables, as one file. What is a file or folder
    here, such as constraints, isn't there in the image."""
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    told: dict[str, str] = {}
    # As pip reads them: a variable goes before [install] of a file, and that before [global].
    order = (":env:.", "install.", "global.")
    lines = (line for kind in order for line in listed.stdout.splitlines() if line.startswith(kind))
    for line in lines:
        name, value = line.split("=", 1)
        option, places = name.rpartition(".")[2], value[1:-1].replace("\\n", " ").split()
        if option.endswith("index-url"):
            places = [place for place in places if place.startswith(("http://", "https://"))]
        told.setdefault(option, " ".join(places))
    return "\n".join(["[global]", *(f"{name} = {told[name]}" for name in PLACES_OF_PACKAGES if told.get(name)), ""])
