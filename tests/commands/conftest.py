from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.standin.server import StandIn
from tests.commands.shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Nobody answers: DOI_PROXY_URL points to where nothing is."""
    return Shell(tmp_path)


@pytest.fixture
def asking(shell: Shell) -> Iterator[Shell]:
    """A stand-in answers."""
    with StandIn() as standin:
        shell.environment["DOI_PROXY_URL"] = standin.url
        yield shell
