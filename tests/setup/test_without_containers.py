"""The files in deploy/, held against the code: commands, accounts, variables, what nginx needs around its rules.
docs/without-containers.md leads through them."""

import re
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from doiportal.supervisor import process_commands
from tests.setup.test_compose import READ_BY_SETTINGS, ROOT

SYSTEMD = ROOT / "deploy/systemd"
SITE = (ROOT / "deploy/nginx/doiportal.conf").read_text()
GUIDE = (ROOT / "docs/without-containers.md").read_text()
BIN = "/opt/doiportal/bin"
PROCESSES = ["web", "worker", "beat"]


def _unit(name: str) -> RawConfigParser:
    parser = RawConfigParser(comment_prefixes="#", delimiters="=", strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their capitals
    parser.read(SYSTEMD / name)
    return parser


@pytest.mark.parametrize(
    ("process", "line"),
    [
        ("prepare", process_commands.PREPARE),
        ("web", process_commands.WEB.format(host="127.0.0.1", port=8000)),
        ("worker", process_commands.WORKER),
        ("beat", process_commands.BEAT),
    ],
)
def test_systemd_runs_the_commands_of_make_run(process: str, line: str) -> None:
    assert _unit(f"doiportal-{process}.service")["Service"]["ExecStart"] == f"{BIN}/{line}"


def test_the_tables_are_there_before_any_process_starts_and_the_target_has_all_of_them() -> None:
    wanted = _unit("doiportal.target")["Unit"]["Wants"].split()
    assert wanted == [f"doiportal-{process}.service" for process in PROCESSES]
    for name in wanted:
        unit = _unit(name)["Unit"]
        assert unit["Requires"] == unit["After"] == "doiportal-prepare.service"
    for path in SYSTEMD.glob("doiportal-*.service"):
        assert _unit(path.name)["Unit"]["PartOf"] == "doiportal.target", "it stops with the target"


def test_a_failed_preparation_is_tried_again_and_each_attempt_wants_the_processes() -> None:
    """systemd 252 starts nothing that requires a unit whose first attempt failed, even if a later one succeeds."""
    prepare = _unit("doiportal-prepare.service")
    assert prepare["Service"]["Restart"] == "on-failure", "a oneshot unit may not have always"
    assert int(prepare["Service"]["RestartSec"]) > 2, "five attempts within ten seconds would be the last ones"
    assert set(_unit("doiportal.target")["Unit"]["Wants"].split()) < set(prepare["Unit"]["Wants"].split())


def test_every_process_runs_as_an_account_that_may_write_to_its_data_and_its_counts_alone() -> None:
    confined = _unit("doiportal-.service.d/confined.conf")["Service"]
    assert confined["User"] == "doiportal"
    assert confined["EnvironmentFile"] == "/etc/doiportal/environment"
    assert confined["ReadWritePaths"] == "/var/lib/doiportal /run/doiportal"
    assert (confined["NoNewPrivileges"], confined["ProtectSystem"]) == ("yes", "strict")
    for path in SYSTEMD.glob("doiportal-*.service"):
        assert not {"User", "ReadWritePaths", "EnvironmentFile"} & set(_unit(path.name)["Service"]), "it has one home"


def test_the_example_of_the_settings_names_variables_that_the_code_reads_and_no_secret() -> None:
    text = (SYSTEMD / "environment.example").read_text()
    settings = dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE))
    assert set(settings) <= READ_BY_SETTINGS
    assert settings["SECRET_KEY"] == ""
    assert settings["DOIPORTAL_DATA_DIR"] == "/var/lib/doiportal"
    shell = f'set -eu; . {SYSTEMD / "environment.example"}; printf %s "$DATABASE_URL"'
    read = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True).stdout
    assert read == settings["DATABASE_URL"], "a shell reads it as systemd does"


def test_nginx_hands_on_to_the_web_server_by_the_rules_that_containers_have() -> None:
    assert "include /opt/doiportal/share/doiportal/nginx/rules.conf;" in SITE
    bind = process_commands.WEB.format(host="127.0.0.1", port=8000).rpartition(" ")[2]
    assert f"server {bind};" in SITE
    for around in ("zone=addresses:10m;", "upstream portal {", "map $scheme $scheme_of_client {"):
        assert around in SITE
    kept = int(re.search(r"--keep-alive (\d+)", process_commands.WEB)[1])
    assert int(re.search(r"keepalive_timeout (\d+)s;", SITE)[1]) < kept
    assert len(re.findall(r"^    access_log off;", SITE, re.MULTILINE)) == 1, "the redirect; the rules have the other"


def test_the_guide_names_every_file_of_the_folder() -> None:
    installed = "/opt/doiportal/share/doiportal/"
    named = set(re.findall(rf"{installed}([\w./*-]+)", GUIDE))
    files = {
        str(path.relative_to(ROOT / "deploy"))
        for kind in ("systemd", "nginx")
        for path in (ROOT / "deploy" / kind).iterdir()
    }
    covered = {file for file in files for pattern in named if Path(file).match(pattern)}
    assert covered == files - {"nginx/rules.conf"}, "nginx includes these where they are"


def _section(title: str) -> str:
    """The commands of a section of the guide."""
    text = GUIDE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))


def test_the_account_of_the_service_can_read_code_that_pip_installs_in_any_section() -> None:
    for title in ("Install", "Upgrade"):
        commands = _section(title)
        assert 0 <= commands.find("umask 022") < commands.index("pip install"), "pip uses the umask of the shell"
    assert "umask" not in _section("Backup"), "an upgrade goes on in the same shell"
    assert "install -d -m 700 /var/backups/doiportal" in _section("Backup")


def test_an_upgrade_renews_every_file_that_the_installation_copied_unless_operators_edit_it() -> None:
    def copied(title: str) -> set[str]:
        return set(re.findall(r"/opt/doiportal/share/doiportal/([\w./*-]+)", _section(title)))

    assert copied("Install") - copied("Upgrade") == {"systemd/environment.example", "nginx/doiportal.conf"}


@pytest.mark.parametrize("title", ["Restore", "Upgrade"])
def test_nothing_is_changed_before_the_processes_have_ended(title: str) -> None:
    """systemd stops what is part of a target, but `systemctl stop` waits only for the units that it names."""
    stops = [line for line in _section(title).splitlines() if line.startswith("systemctl stop")]
    assert stops == ["systemctl stop doiportal.target 'doiportal-*'"]


def test_a_restored_portal_starts_with_its_server() -> None:
    assert "systemctl enable --now doiportal.target" in _section("Restore")
