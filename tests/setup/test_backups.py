"""The scripts that make a backup every night, with programs in place of Docker and PostgreSQL that print what those do.
`make compose-test` and `make systemd-test` make and restore backups for real."""

import os
import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.portal_processes import ROOT

SCRIPTS = ["docker/backup.sh", "deploy/systemd/doiportal-backup"]
# A dump is one line, and only a good one can be read.
PROGRAM = """#!/bin/sh
case "$*" in
*pg_dump*) echo "$DUMP" ;;
*pg_restore*) grep -q good ;;
*tar*) tar -C "$DATA" -c . ;;
esac
"""


def today() -> date:
    """The date by the clock of this machine's zone, as the scripts have it."""
    return datetime.now(UTC).astimezone().date()


def back_up(folder: Path, script: str, dump: str) -> tuple[int, Path]:
    """Run the script in this folder. Return its exit code and where its backups are."""
    for name in ("docker", "runuser", "pg_restore"):
        program = folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(PROGRAM if name != "pg_restore" else "#!/bin/sh\ngrep -q good\n")
        program.chmod(0o755)
    data, backups = folder / "data", folder / "backups"
    data.mkdir(exist_ok=True)
    (data / "upload").write_text("DOI\n10.1000/182\n")
    (folder / ".env").write_text("SECRET_KEY=x\n")
    (folder / "environment").write_text("SECRET_KEY=x\n")
    (folder / "environment").chmod(0o600)
    text = (ROOT / script).read_text()
    places = {
        "/var/backups/doiportal": str(backups),
        "/var/lib/doiportal": str(data),
        "/etc/doiportal/environment": str(folder / "environment"),
        "/var/lib/prometheus/node-exporter": str(folder),
    }
    for place, here in places.items():
        text = text.replace(place, here)
    copy = folder / "scripts/backup.sh"
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(text)
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "DUMP": dump, "DATA": str(data)}
    done = subprocess.run(["sh", copy, backups], env=environment, capture_output=True, check=False)
    return done.returncode, backups


@pytest.mark.parametrize("script", SCRIPTS)
def test_nobody_else_can_read_a_backup(tmp_path: Path, script: str) -> None:
    code, backups = back_up(tmp_path, script, "good")
    assert code == 0
    (folder,) = backups.iterdir()
    assert folder.name == today().isoformat()
    assert len(list(folder.iterdir())) == 3
    for path in (backups, folder, *folder.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_dump_that_cannot_be_read_is_an_error_and_replaces_no_backup(tmp_path: Path, script: str) -> None:
    back_up(tmp_path, script, "good")
    code, backups = back_up(tmp_path, script, "cut off")
    assert code != 0
    (dump,) = (backups / today().isoformat()).glob("*.dump")
    assert dump.read_text() == "good\n"


@pytest.mark.parametrize("script", SCRIPTS)
def test_only_backups_of_more_than_14_days_ago_are_removed(tmp_path: Path, script: str) -> None:
    _, backups = back_up(tmp_path, script, "good")
    for days in (10, 20):
        then = today() - timedelta(days=days)
        folder = backups / then.isoformat()
        folder.mkdir()
        moment = folder.stat().st_mtime - days * 86_400
        os.utime(folder, (moment, moment))
    back_up(tmp_path, script, "good")
    kept = {(today() - timedelta(days=days)).isoformat() for days in (0, 10)}
    assert {path.name for path in backups.iterdir()} == kept
