import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.standin.server import SampleProxyServer
from tests.commands.shell import Shell


@pytest.fixture
def fresh(tmp_path: Path) -> Shell:
    """Before the first start. Nobody answers: DOI_PROXY_URL points to where nothing is."""
    return Shell(tmp_path)


@pytest.fixture(scope="session")
def _tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder after the first start."""
    first = Shell(tmp_path_factory.mktemp("first"))
    assert first.run("migrate", "--verbosity", "0").returncode == 0
    return first.folder / "var"


@pytest.fixture
def shell(fresh: Shell, _tables: Path) -> Shell:
    """The tables are there already. Nobody answers."""
    shutil.copytree(_tables, fresh.folder / "var")
    return fresh


@pytest.fixture
def asking(shell: Shell) -> Iterator[Shell]:
    """The tables are there already, and a stand-in answers."""
    with SampleProxyServer() as standin:
        shell.environment["DOI_PROXY_URL"] = standin.url
        yield shell
