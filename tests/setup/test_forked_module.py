"""A fork of the supervisor shows what it is, as if it had been started by its own command line."""

import subprocess
import sys

import pytest

SHOW = """
import sys
from pathlib import Path
from doiportal.supervisor import forked_module
forked_module._show_command(sys.argv[1].split())
print(Path("/proc/self/cmdline").read_bytes().rstrip(b"\\0").decode())
"""


def show_command(command: str, room: int = 200) -> list[str]:
    """What the system shows of a process that was started with a command line of more than so many characters."""
    words = [sys.executable, "-c", SHOW, command, "x" * room]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return shown.rstrip("\n").split("\0")


@pytest.mark.parametrize(
    "command", ["python -m celery -A doiportal worker", "python", "python -m gunicorn --bind ::1 é"]
)
def test_it_shows_the_command_line_of_its_module(command: str) -> None:
    assert show_command(command) == command.split()


def test_a_command_line_longer_than_that_of_the_supervisor_is_cut() -> None:
    shown = " ".join(show_command("celery " + "word " * 30, room=1))
    assert shown.startswith("celery word word")
    assert len(shown) < len("celery " + "word " * 30) + len(SHOW)
