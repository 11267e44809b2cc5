"""kill -9 while `checkdois --write-back` writes: an earlier file stays whole, and the next run replaces it."""

import signal
import subprocess
from pathlib import Path

from tests.commands.shell import Shell
from tests.waiting import wait_until

ROWS = 300
WIDE = "x" * 60_000  # so that a file takes a while to write
EARLIER = b"of an earlier run"
COMMAND = ("checkdois", "list.csv", "--quick", "--output", "results.csv", "--write-back", "new.csv", "--columns")


def _build_table(doi: str, more_names: str = "", more: str = "") -> str:
    return f"id,DOI,text{more_names}\n" + "".join(f"{n},{doi},{WIDE}{more}\n" for n in range(ROWS))


def _find_drafts(folder: Path) -> list[Path]:
    return [path for path in folder.glob(".new.csv.*") if path.stat().st_size]


def test_a_killed_command_leaves_no_half_file_and_the_next_one_writes_it_whole(asking: Shell) -> None:
    asking.file("list.csv", _build_table("10.1000/182."))
    new = asking.folder / "new.csv"
    new.write_bytes(EARLIER)
    with subprocess.Popen(asking.command(*COMMAND), cwd=asking.folder, env=asking.told) as process:
        (draft,) = wait_until("it writes", lambda: _find_drafts(asking.folder))
        process.kill()
        assert process.wait() == -signal.SIGKILL
    assert new.read_bytes() == EARLIER
    assert 0 < draft.stat().st_size < ROWS * len(WIDE)
    done = asking.run(*COMMAND)
    assert done.returncode == 0, done.stderr
    assert new.read_text() == _build_table("10.1000/182", ",corrected_doi,correction", ",10.1000/182,suggested")
