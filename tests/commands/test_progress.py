"""What a terminal shows while checkdois works, and what becomes of a run that was killed."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from pathlib import Path

import psutil
import pytest

from resolver.standin.server import SampleProxyServer
from tests.commands.shell import Shell, column
from tests.commands.test_checkdois import are_some_rows_done
from tests.waiting import wait_until

ROWS = 300
NAMES = "".join(f"10.5555/n.{number}\n" for number in range(ROWS))


def on_a_terminal(shell: Shell, *arguments: str, stdin: str = "", columns: int = 80) -> str:
    """Standard error as a terminal of that width gets it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    given = shell.file("stdin.txt", stdin)
    with given.open("rb") as source, subprocess.Popen(
        shell.command("checkdois", *arguments, "--output", "out.csv"),
        cwd=shell.folder, env=shell.told, stdin=source, stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # how a terminal tells that the other side has closed it
            pass
        os.close(ours)
        assert process.wait(60) == 0
    return shown.decode()


def test_a_terminal_gets_a_bar_with_rate_and_time_left_and_then_the_summary(asking: Shell) -> None:
    shown = on_a_terminal(asking, str(asking.file("list.txt", NAMES)))
    assert "Reading:" in shown
    assert re.search(r"Checking: 100%\|.*\| 300/300 \[00:\d\d<00:00, .* rows/s\]", shown)
    assert shown.splitlines()[-1] == "300 rows: 300 resolved."


@pytest.mark.slow
@pytest.mark.parametrize("columns", [20, 40])
def test_no_line_is_wider_than_a_narrow_terminal(asking: Shell, columns: int) -> None:
    shown = on_a_terminal(asking, str(asking.file("list.txt", NAMES)), columns=columns)
    drawn = [re.sub(r"\x1b\[[A-Z]", "", line) for line in re.split(r"[\r\n]+", shown) if "Checking" in line]
    assert drawn
    assert max(map(len, drawn)) <= columns


@pytest.mark.slow
def test_a_quick_run_and_standard_input_have_their_bars_too(asking: Shell) -> None:
    shown = on_a_terminal(asking, "-", "--quick", stdin=NAMES)
    assert "Standard input:" in shown
    assert "300/300" in shown
    assert shown.splitlines()[-1] == "300 rows: 300 registered."


@pytest.mark.slow
def test_a_long_list_is_shared_with_companions_and_each_row_comes_back_once(asking: Shell) -> None:
    asking.environment["PROXY_RATE"] = "0"
    names = [f"10.5555/n.{number}" for number in range(2600)]
    done = asking.run("checkdois", "-", stdin="\n".join(names).encode())
    assert column(done.stdout, "doi") == names
    assert set(column(done.stdout, "outcome")) == {"resolved"}
    assert done.stderr.decode().splitlines()[-1] == "2,600 rows: 2,600 resolved."


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_with_what_was_answered(shell: Shell) -> None:
    path = shell.file("list.txt", "".join(f"10.5555/n.{number}\n" for number in range(2600)))
    with SampleProxyServer(latency=0.02) as standin:
        shell.environment |= {"DOI_PROXY_URL": standin.url, "PROXY_RATE": "0"}
        command = shell.command("checkdois", str(path), "--output", "out.csv")
        with subprocess.Popen(command, cwd=shell.folder, env=shell.told, stderr=subprocess.DEVNULL) as process:
            wait_until("a row is done", lambda: are_some_rows_done(shell))
            companions = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(signal.SIGKILL)
            process.wait(60)
        assert psutil.wait_procs(companions, timeout=30)[1] == []
        done = shell.run("checkdois", str(path), "--output", "out.csv")
        assert done.returncode == 0
        assert done.stderr.decode().splitlines()[-1] == "2,600 rows: 2,600 resolved."
        asked = [target for target in standin.requests if target.startswith("/api/handles/")]
    assert len(set(asked)) == 2600
    assert len(asked) < 2600 * 2 - 250  # at least the rows that were written
    assert set(column(Path(shell.folder, "out.csv").read_bytes(), "outcome")) == {"resolved"}
