"""Files that attack their reader: refused by REST, by the page and by a command, with the line, in flat memory."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.core.management import CommandError, call_command

from tests.uploads.attacks import ATTACKS, Attack
from tests.uploads.sending import Sender

pytestmark = pytest.mark.slow

MOST_MEMORY = 600_000_000  # bytes of a web process, which has a hundred million when it starts


@pytest.fixture(params=ATTACKS)
def attack(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Attack, Path]]:
    """An attack and where its file lies."""
    path = tmp_path / request.param
    chosen = ATTACKS[request.param]
    path.write_bytes(chosen.made())
    yield chosen, path
    path.unlink()  # some have a hundred megabytes


def test_it_is_refused_with_its_line(sender: Sender, web_processes: list[psutil.Process], attack: tuple[Attack, Path]):
    chosen, path = attack
    by_rest = sender.by_rest(path.read_bytes())
    assert by_rest.status == 400
    by_page = sender.by_page(path.read_bytes())
    assert by_page.status == 422
    with pytest.raises(CommandError) as by_command:
        call_command("inspectdois", str(path))
    assert by_command.value.returncode == 2
    for reason in (by_rest.reason, by_page.reason, str(by_command.value).partition(": ")[2]):
        assert chosen.words in reason
        names_line = reason.startswith((f"Line {chosen.line}: ", f"Row {chosen.line}: "))
        assert names_line if chosen.line else not reason.startswith(("Line ", "Row "))
    assert max(map(_most_held, web_processes)) < MOST_MEMORY


def _most_held(process: psutil.Process) -> int:
    """The most memory that it ever had, in bytes."""
    told = Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmHWM:")) * 1024
