"""The scripts that make a backup every night, with programs in place of Docker and PostgreSQL that print what those do.
`make compose-test` and `make systemd-test` make and restore backups for real."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.portal_processes import ROOT

SCRIPTS = ["docker/backup.sh", "deploy/systemd/doiportal-backup"]
# A dump is one line, and only a good one can be read. What runs in the web server's container runs here.
PROGRAM = """#!/bin/sh
case "$*" in
*pg_dump*) echo "$DUMP" ;;
*pg_restore*) grep -q good ;;
"compose exec -T web "*) shift 4; exec "$@" ;;
esac
"""
NOT_IN_IT = "the uploaded files there. They are not in this backup."


def today() -> date:
    """The date by the clock of this machine's zone, as the scripts have it."""
    return datetime.now(UTC).astimezone().date()


def back_up(folder: Path, script: str, dump: str, files_url: str = "") -> tuple[int, Path, str]:
    """Run the script in this folder. Return its exit code, where its backups are, and what it says."""
    for name in ("docker", "runuser", "pg_restore"):
        program = folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(PROGRAM if name != "pg_restore" else "#!/bin/sh\ngrep -q good\n")
        program.chmod(0o755)
    data, backups = folder / "data", folder / "backups"
    if not data.is_file():
        data.mkdir(exist_ok=True)
        (data / "upload").touch()
    (folder / ".env").write_text("SECRET_KEY=x\n")
    (folder / "environment").write_text(f"SECRET_KEY=x\nFILES_URL={files_url}\n")
    (folder / "environment").chmod(0o600)
    text = (ROOT / script).read_text()
    places = {
        "/var/backups/doiportal": str(backups),
        "/var/lib/doiportal": str(data),
        "-C /data": f"-C {data}",
        "/etc/doiportal/environment": str(folder / "environment"),
        "/var/lib/prometheus/node-exporter": str(folder),
    }
    for place, here in places.items():
        text = text.replace(place, here)
    copy = folder / "scripts/backup.sh"
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(text)
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "DUMP": dump, "FILES_URL": files_url}
    done = subprocess.run(["sh", copy, backups], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, backups, done.stderr


def list_archive(backups: Path) -> set[str]:
    (archive,) = (backups / today().isoformat()).glob("data.tar*")
    return set(subprocess.run(["tar", "-tf", archive], capture_output=True, text=True, check=True).stdout.split())


@contextmanager
def growing(path: Path) -> Iterator[None]:
    """Let a file grow all the time."""
    with path.open("wb") as file:
        file.truncate(50_000_000)
    program = 'while echo x >> "$0"; do :; done'
    with subprocess.Popen(["sh", "-c", program, path]) as writer:
        yield
        writer.kill()


@pytest.mark.parametrize("script", SCRIPTS)
def test_nobody_else_can_read_a_backup(tmp_path: Path, script: str) -> None:
    code, backups, said = back_up(tmp_path, script, "good")
    assert (code, said) == (0, "")
    (folder,) = backups.iterdir()
    assert folder.name == today().isoformat()
    assert len(list(folder.iterdir())) == 3
    for path in (backups, folder, *folder.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_dump_that_cannot_be_read_is_an_error_and_replaces_no_backup(tmp_path: Path, script: str) -> None:
    back_up(tmp_path, script, "good")
    code, backups, _ = back_up(tmp_path, script, "cut off")
    assert code != 0
    (dump,) = (backups / today().isoformat()).glob("*.dump")
    assert dump.read_text() == "good\n"


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_file_that_changes_while_it_is_read_does_not_end_the_backup(tmp_path: Path, script: str) -> None:
    (tmp_path / "data").mkdir()
    with growing(tmp_path / "data/busy"):
        code, backups, said = back_up(tmp_path, script, "good")
    assert (code, said) == (0, "")
    (dump,) = (backups / today().isoformat()).glob("*.dump")
    assert dump.read_text() == "good\n"
    assert {"./upload", "./busy"} <= list_archive(backups)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path, script: str) -> None:
    (tmp_path / "data").write_text("no folder")
    code, backups, _ = back_up(tmp_path, script, "good")
    assert code != 0
    assert [path.name for path in backups.iterdir()] == ["half"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_a_machine_makes_again_stays_out(tmp_path: Path, script: str) -> None:
    for name in ("uploads/one", "incoming", "copies/one", "broker", "metrics", "reading", "cache", "static"):
        (tmp_path / "data" / name).mkdir(parents=True)
    _, backups, _ = back_up(tmp_path, script, "good")
    assert list_archive(backups) == {"./", "./upload", "./uploads/", "./uploads/one/"}


@pytest.mark.parametrize("script", SCRIPTS)
def test_uploads_that_lie_elsewhere_are_named_as_missing(tmp_path: Path, script: str) -> None:
    code, _, said = back_up(tmp_path, script, "good", files_url="s3://bucket/prefix")
    assert code == 0
    assert NOT_IN_IT in said


@pytest.mark.parametrize("script", SCRIPTS)
def test_only_backups_of_more_than_14_days_ago_are_removed(tmp_path: Path, script: str) -> None:
    _, backups, _ = back_up(tmp_path, script, "good")
    for days in (10, 20):
        then = today() - timedelta(days=days)
        folder = backups / then.isoformat()
        folder.mkdir()
        moment = folder.stat().st_mtime - days * 86_400
        os.utime(folder, (moment, moment))
    back_up(tmp_path, script, "good")
    kept = {(today() - timedelta(days=days)).isoformat() for days in (0, 10)}
    assert {path.name for path in backups.iterdir()} == kept
