"""The copy of standard input, which lies on disk for as long as the command runs."""

import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from resolver.management.input_file import STANDARD, open_input_file
from resolver.services.maintenance.cleanup import prune_files

TYPED = "10.5555/one\n10.5555/two\n"


@pytest.fixture
def incoming(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "incoming"
    folder.mkdir()
    settings.DOIPORTAL_DATA_DIR, settings.FILE_UPLOAD_TEMP_DIR = tmp_path, folder
    typed = tmp_path / "typed"
    typed.write_text(TYPED)
    with typed.open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield folder


def test_it_is_removed_with_the_end_of_the_command_and_with_its_failure(incoming: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(incoming)
    assert list(incoming.iterdir()) == []


def interrupted(incoming: Path) -> None:
    with open_input_file(STANDARD) as path:
        assert (path.parent, path.read_text()) == (incoming, TYPED)
        raise KeyboardInterrupt


def test_a_command_that_takes_longer_than_a_day_ends_well_though_its_copy_was_pruned(incoming: Path) -> None:
    with open_input_file(STANDARD) as path:
        now = timezone.now()
        then = (now - timedelta(hours=25)).timestamp()
        os.utime(path, (then, then))
        prune_files(now)
        assert list(incoming.iterdir()) == []
