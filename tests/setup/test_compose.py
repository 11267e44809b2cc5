"""No Docker engine runs here; so the files are held against the code: commands, variables, ports, images, health."""

import json
import re
from pathlib import Path

import pytest
import yaml

from doiportal.supervisor import __main__ as supervisor
from doiportal.supervisor import table

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
READ_BY_SETTINGS = set(re.findall(r'env_\w+\(\s*"(\w+)"', (ROOT / "doiportal/settings.py").read_text()))
READ_BY_LIBRARIES = {"HTTPS_PROXY", "NO_PROXY"}
PORTAL = ["prepare", "web", "worker", "beat"]


@pytest.mark.parametrize(
    ("service", "line"),
    [("web", table.WEB.format(host="0.0.0.0", port=8000)), ("worker", table.WORKER), ("beat", table.BEAT)],
)
def test_docker_compose_runs_the_commands_of_make_run(service: str, line: str):
    assert SERVICES[service]["command"] == line


def test_the_image_serves_by_itself_with_the_command_of_make_run():
    command = json.loads(re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)[1])
    assert " ".join(command) == table.WEB.format(host="0.0.0.0", port=8000)


def test_docker_compose_prepares_as_make_run_does_before_anything_else_starts():
    assert SERVICES["prepare"]["command"] == ["sh", "-c", " && ".join(f"python {line}" for line in supervisor.PREPARE)]
    for service in ("web", "worker", "beat"):
        assert SERVICES[service]["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}


@pytest.mark.parametrize("service", PORTAL)
def test_every_variable_of_docker_compose_is_one_that_the_code_reads(service: str):
    names = set(SERVICES[service]["environment"])
    assert names - READ_BY_LIBRARIES <= READ_BY_SETTINGS
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DOIPORTAL_DATA_DIR"} <= names


def test_the_variables_of_the_image_are_ones_that_the_code_reads():
    names = set(re.findall(r"\b([A-Z_]+)=", re.search(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)[1]))
    assert {name for name in names if not name.startswith(("PYTHON", "PIP"))} <= READ_BY_SETTINGS


def test_ports_and_addresses_agree():
    environment = SERVICES["web"]["environment"]
    assert environment["PORT"] == "8000"
    assert SERVICES["web"]["ports"] == ["${PUBLISH:-127.0.0.1:8000}:8000"]
    assert "EXPOSE 8000" in DOCKERFILE
    assert "@postgres:5432/" in environment["DATABASE_URL"]
    assert environment["REDIS_URL"].startswith("redis://redis:6379/")


def test_what_must_outlive_a_container_is_on_a_volume_and_shared_by_web_and_workers():
    assert {SERVICES[service]["volumes"][0] for service in PORTAL} == {"data:/data"}
    assert SERVICES["web"]["environment"]["DOIPORTAL_DATA_DIR"] == "/data"
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service["volumes"]}
    assert used == set(COMPOSE["volumes"])


def test_every_server_has_a_health_check_and_secrets_have_no_default():
    assert all("healthcheck" in SERVICES[name] for name in ("postgres", "redis", "web", "worker"))
    assert "/healthz" in " ".join(SERVICES["web"]["healthcheck"]["test"])
    text = (ROOT / "docker-compose.yml").read_text()
    assert not re.findall(r"\$\{(?:SECRET_KEY|POSTGRES_PASSWORD):-", text)


def test_the_image_holds_all_that_the_portal_needs_and_does_not_run_as_root():
    copied = set(re.findall(r"^COPY (\S+)", DOCKERFILE, re.MULTILINE))
    assert copied == {"requirements.txt", "manage.py", "doiportal", "resolver", "templates", "locale", "static"}
    ignored = (ROOT / ".dockerignore").read_text()
    assert all(f"!{name}\n" in ignored and (ROOT / name).exists() for name in copied)
    assert re.search(r"^USER doiportal$", DOCKERFILE, re.MULTILINE)


def test_the_lock_files_name_no_place_that_packages_came_from():
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text()
        assert "://" not in text
        assert not re.search(r"--(index|extra-index|find-links|trusted)", text)
        assert re.search(r"^Django==|^django==", text, re.MULTILINE)
