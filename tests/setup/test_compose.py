"""The files for containers, held against the code: commands, variables, ports, images, health, what each may do.
`make compose-test` builds and starts them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from doiportal.supervisor import process_commands
from resolver.gateway.raw_request import LONGEST_TARGET_CHARACTERS

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(COMPOSE_TEXT)
SERVICES = COMPOSE["services"]
NGINX = (ROOT / "docker/nginx.conf").read_text() + (ROOT / "deploy/nginx/rules.conf").read_text()
DIRECTIVES = dict(re.findall(r"^\s*(\w+) ([^;{}]+);", NGINX, re.MULTILINE))
READ_BY_SETTINGS = set(re.findall(r'env_\w+\(\s*"(\w+)"', (ROOT / "doiportal/settings.py").read_text()))
READ_BY_LIBRARIES = {
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "SENTRY_ENVIRONMENT",
    "SENTRY_RELEASE",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
}
CERTIFICATES = {"REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"}  # often set on the machine, to files that no container has
NOT_IN_CONTAINERS = {"DEBUG", "READING_FILES", "STATIC_DIR", *CERTIFICATES}
MANUAL = (ROOT / "docs/for-operators.md").read_text()
PORTAL = ["prepare", "web", "worker", "beat"]


def iterate_mappings(node: yaml.Node) -> Iterator[list[str]]:
    """Yield the keys of each mapping as they are written."""
    below = node.value if isinstance(node, yaml.SequenceNode) else []
    if isinstance(node, yaml.MappingNode):
        yield [key.value for key, _ in node.value]
        below = [child for _, child in node.value]
    for child in below:
        yield from iterate_mappings(child)


def test_docker_compose_has_no_key_twice():
    for keys in iterate_mappings(yaml.compose(COMPOSE_TEXT)):
        assert sorted(keys) == sorted(set(keys)), "Docker Compose ends with an error, this library takes the last"


@pytest.mark.parametrize(
    ("service", "line"),
    [
        ("web", process_commands.WEB.format(host="0.0.0.0", port=8000)),
        ("worker", process_commands.WORKER),
        ("beat", process_commands.BEAT),
    ],
)
def test_docker_compose_runs_the_commands_of_make_run(service: str, line: str):
    assert SERVICES[service]["command"] == line


def test_the_image_serves_by_itself_with_the_command_of_make_run():
    command = json.loads(re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)[1])
    assert " ".join(command) == process_commands.WEB.format(host="0.0.0.0", port=8000)


def test_docker_compose_prepares_as_make_run_does_before_anything_else_starts():
    assert SERVICES["prepare"]["command"] == process_commands.PREPARE.replace("doiportal manage", "python manage.py")
    for service in ("web", "worker", "beat"):
        assert SERVICES[service]["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}


@pytest.mark.parametrize("service", PORTAL)
def test_every_variable_of_docker_compose_is_one_that_the_code_reads(service: str):
    names = set(SERVICES[service]["environment"])
    assert names - READ_BY_LIBRARIES <= READ_BY_SETTINGS
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DOIPORTAL_DATA_DIR"} <= names


def test_docker_compose_passes_on_what_the_manual_says_is_sent_to_sentry():
    names = set(re.findall(r"SENTRY_[A-Z]+", MANUAL))
    assert len(names) == 3
    for service in PORTAL:
        assert names <= set(SERVICES[service]["environment"])


@pytest.mark.parametrize("service", PORTAL)
def test_docker_compose_passes_on_every_setting_of_the_manual(service: str):
    firsts = [line.split("|")[1] for line in MANUAL.splitlines() if line.startswith("| `")]
    told = {name for first in firsts for name in re.findall(r"`([A-Z][A-Z_]+)`", first)}
    assert len(told) > 50
    missing = told - set(SERVICES[service]["environment"]) - NOT_IN_CONTAINERS
    assert not [name for name in missing if not name.startswith("REMOTE_")]


def test_the_manual_gives_every_process_in_containers_the_certificates_of_ones_own_authority():
    [block] = [block for block in re.findall(r"```yaml\n(.*?)```", MANUAL, re.DOTALL) if "CA_BUNDLE" in block]
    own = yaml.safe_load(block)
    assert own["services"].keys() == set(PORTAL)
    assert all(service["environment"].keys() == CERTIFICATES for service in own["services"].values())


def test_all_processes_count_in_one_folder_in_memory():
    for service in PORTAL:
        folder = SERVICES[service]["environment"]["PROMETHEUS_MULTIPROC_DIR"]
        assert f"counts:{folder}" in SERVICES[service]["volumes"]
    assert COMPOSE["volumes"]["counts"]["driver_opts"]["type"] == "tmpfs"


def test_nobody_can_be_named_in_a_header_that_nginx_hands_on():
    for service in PORTAL:
        assert not [name for name in SERVICES[service]["environment"] if name.startswith("REMOTE_")]


def test_the_variables_of_the_image_are_ones_that_the_code_reads():
    names = set(re.findall(r"\b([A-Z_]+)=", re.search(r"^ENV (PATH=.*)$", DOCKERFILE, re.MULTILINE)[1]))
    assert {name for name in names if name != "PATH" and not name.startswith("PYTHON")} <= READ_BY_SETTINGS


def test_ports_and_addresses_agree():
    environment = SERVICES["web"]["environment"]
    assert environment["PORT"] == "8000"
    assert "ports" not in SERVICES["web"], "clients reach it through nginx alone"
    assert SERVICES["front"]["ports"] == ["${PUBLISH:-127.0.0.1:8000}:8080"]
    assert "listen 8080 " in NGINX
    assert "./deploy/nginx/rules.conf:/etc/nginx/doiportal-rules.conf:ro" in SERVICES["front"]["volumes"]
    assert "include /etc/nginx/doiportal-rules.conf;" in NGINX
    assert "default web:8000;" in NGINX
    assert "EXPOSE 8000" in DOCKERFILE
    assert "@postgres:5432/" in environment["DATABASE_URL"]
    assert environment["REDIS_URL"].startswith("redis://redis:6379/")


def test_nginx_hands_on_the_path_as_it_was_sent_and_says_who_asks():
    assert DIRECTIVES["proxy_pass"] == "http://$portal", "a path behind it would have nginx decode the target"
    assert DIRECTIVES["merge_slashes"] == "off"
    headers = dict(re.findall(r"proxy_set_header (\S+) (\S+);", NGINX))
    assert headers["Host"] == "$http_host"
    assert headers["X-Forwarded-For"] == "$remote_addr", "appended to, a client could name any address"
    buffer = re.fullmatch(r"\d+ (\d+)k", DIRECTIVES["large_client_header_buffers"])
    assert int(buffer[1]) * 1024 > LONGEST_TARGET_CHARACTERS


def test_the_portal_believes_nginx_in_every_private_network_of_ipv4_and_ipv6():
    default = re.fullmatch(r"\$\{TRUSTED_PROXIES:-(.+)\}", SERVICES["web"]["environment"]["TRUSTED_PROXIES"])[1]
    trusted = [ip_network(one) for one in default.split(",")]
    assert {network.version for network in trusted} == {4, 6}
    assert all(network.is_private for network in trusted)


def test_nginx_itself_believes_nobody_whom_the_operator_does_not_name():
    assert SERVICES["front"]["environment"] == {"TRUSTED_PROXY": "${TRUSTED_PROXY:-}"}
    assert "set_real_ip_from" not in NGINX, "front.sh writes it"
    assert SERVICES["front"]["command"][:2] == ["sh", "/etc/nginx/front.sh"]
    assert "./docker/front.sh:/etc/nginx/front.sh:ro" in SERVICES["front"]["volumes"]


def test_nothing_hinders_several_containers_of_web_and_worker():
    for service in ("web", "worker"):
        assert not {"container_name", "hostname", "ports", "network_mode"} & set(SERVICES[service])
    assert not re.search(r"^\s*upstream ", NGINX, re.MULTILINE), "its names are looked up once, at the start"


def test_nginx_logs_no_request():
    assert DIRECTIVES["access_log"] == "off"
    assert re.search(r"^error_log stderr crit;", NGINX, re.MULTILINE), "errors name the client and its request"


def test_nginx_bounds_what_slow_clients_take():
    bounds = ("client_header_timeout", "client_body_timeout", "send_timeout", "proxy_read_timeout", "limit_conn")
    assert all(name in DIRECTIVES for name in bounds)
    assert (DIRECTIVES["proxy_request_buffering"], DIRECTIVES["proxy_buffering"]) == ("on", "on")
    assert int(DIRECTIVES["client_max_body_size"].removesuffix("m")) * 2**20 > settings.MAX_UPLOAD_BYTES


def test_what_must_outlive_a_container_is_on_a_volume_and_shared_by_web_and_workers():
    assert {SERVICES[service]["volumes"][0] for service in PORTAL} == {"data:/data"}
    assert SERVICES["web"]["environment"]["DOIPORTAL_DATA_DIR"] == "/data"
    mounted = [volume for service in SERVICES.values() for volume in service.get("volumes", [])]
    used = {volume.split(":")[0] for volume in mounted if not volume.startswith("./")}
    assert used == set(COMPOSE["volumes"])


@pytest.mark.parametrize("service", sorted(SERVICES))
def test_every_container_is_confined(service: str):
    about = SERVICES[service]
    assert about["read_only"] is True
    assert about["cap_drop"] == ["ALL"]
    assert "cap_add" not in about
    assert about["security_opt"] == ["no-new-privileges:true"]
    assert service in PORTAL or about["user"] not in {"root", "0"}


def test_nginx_writes_to_its_volume_alone():
    places = re.findall(r"(?:_temp_path|pid) (\S+);", NGINX)
    assert len(places) == 6
    assert {place.split("/")[1] for place in places} == {"tmp"}
    assert "front:/tmp" in SERVICES["front"]["volumes"]


def test_every_server_has_a_health_check_and_secrets_have_no_default():
    assert all("healthcheck" in SERVICES[name] for name in set(SERVICES) - {"prepare"})
    assert "/healthz" in " ".join(SERVICES["web"]["healthcheck"]["test"])
    assert not re.findall(r"\$\{(?:SECRET_KEY|POSTGRES_PASSWORD):-", COMPOSE_TEXT)


def test_the_image_holds_all_that_the_portal_needs_and_does_not_run_as_root():
    copied = set(re.findall(r"^COPY ([a-z]\S*)", DOCKERFILE, re.MULTILINE))
    assert copied == {
        "requirements.txt",
        "manage.py",
        "doiportal",
        "resolver",
        "doi_reading",
        "templates",
        "locale",
        "static",
    }
    ignored = (ROOT / ".dockerignore").read_text()
    assert all(f"!{name}\n" in ignored and (ROOT / name).exists() for name in copied)
    assert re.search(r"^USER doiportal$", DOCKERFILE, re.MULTILINE)


def test_the_lock_files_name_no_place_that_packages_came_from():
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text()
        assert "://" not in text
        assert not re.search(r"--(index|extra-index|find-links|trusted)", text)
        assert re.search(r"^Django==|^django==", text, re.MULTILINE)


def test_the_manual_restores_the_uploads_before_a_worker_looks_for_them():
    chapter = (ROOT / "docs/for-operators.md").read_text().partition("To restore into an empty installation")[2]
    commands = chapter.split("```")[1].splitlines()
    up = [line for line in commands if " up -d" in line]
    assert up == ["docker compose up -d postgres", "docker compose up -d web", "docker compose up -d"]
    taken = next(place for place, line in enumerate(commands) if "tar -C /data -x" in line)
    assert commands.index(up[1]) < taken < commands.index(up[2])
    assert "worker" not in SERVICES["web"]["depends_on"]


def test_the_image_finds_packages_where_this_machine_does_and_knows_nothing_of_its_files():
    told = {
        "PIP_CONSTRAINT": "/etc/constraints.txt",
        "PIP_CERT": "/etc/authority.pem",
        "PIP_INDEX_URL": "https://packages.example/simple",
        "PIP_EXTRA_INDEX_URL": "file:///opt/packages https://more.example/simple",
    }
    code = "import engine; print(engine.read_pip_configuration())"
    environment = {**os.environ, "PIP_CONFIG_FILE": os.devnull, **told}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "docker", env=environment, capture_output=True, text=True, check=True
    )
    assert {"index-url = https://packages.example/simple", "extra-index-url = https://more.example/simple"} <= set(
        done.stdout.splitlines()
    )
    assert not re.search("constraint|cert|/opt|/etc", done.stdout)
