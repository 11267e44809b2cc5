"""The real commands, each with its own data folder, and a stand-in for the DOI proxy."""

import csv
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from django.test import override_settings

from resolver.management.commands import inspectdois
from tests import warm_process
from tests.warm_process import ROOT


@dataclass
class Shell:
    """A working folder and the environment of the commands that are run in it."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def told(self) -> dict[str, str]:
        embedded = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        return {**embedded, "DOIPORTAL_DATA_DIR": str(self.folder / "var"), **self.environment}

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, str(ROOT / "manage.py"), *arguments]

    def run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """In a process of its own, but for `inspectdois`, which uses no database."""
        if arguments[0] == "inspectdois":
            return self.inspect(*arguments, stdin=stdin)
        return self.run_alone(*arguments, stdin=stdin)

    def inspect(self, *arguments: str, stdin: bytes) -> subprocess.CompletedProcess[bytes]:
        given, out, error = (io.TextIOWrapper(io.BytesIO(content)) for content in (stdin, b"", b""))
        bounds = {name: int(value) for name, value in self.environment.items() if name.startswith("MAX_")}
        with (
            chdir(self.folder), override_settings(FILE_UPLOAD_TEMP_DIR=self.folder, **bounds),
            patch("sys.stdin", given), redirect_stdout(out), redirect_stderr(error),
        ):  # fmt: skip
            try:
                inspectdois.Command().run_from_argv(["manage.py", *arguments])
                status = 0
            except SystemExit as end:
                status = int(end.code or 0)
            out.flush()
            error.flush()
        return subprocess.CompletedProcess(arguments, status, out.buffer.getvalue(), error.buffer.getvalue())

    def run_alone(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return warm_process.run([*arguments], folder=self.folder, environment=self.told, stdin=stdin)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    def leftovers(self) -> list[str]:
        """What lies in the working folder under a hidden name, and what is left of uploads."""
        uploads = self.folder / "var" / "uploads"
        drafts = [path.name for path in self.folder.glob(".*")]
        return drafts + ([path.name for path in uploads.iterdir()] if uploads.is_dir() else [])


def table(content: bytes) -> list[dict[str, str]]:
    """A results file as one dictionary a row."""
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))


def column(content: bytes, name: str) -> Sequence[str]:
    return [row[name] for row in table(content)]


def one_line(stderr: bytes) -> str:
    """The only line on standard error."""
    (line,) = stderr.decode().splitlines()
    return line
