from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.standin.server import SampleProxyServer
from tests.commands.shell import Shell
from tests.services_plugin import copy_tables


@pytest.fixture
def fresh(tmp_path: Path) -> Shell:
    """Before the first start. Nobody answers: DOI_PROXY_URL points to where nothing is."""
    return Shell(tmp_path)


@pytest.fixture
def shell(fresh: Shell) -> Shell:
    """The tables are there already. Nobody answers."""
    copy_tables(fresh.folder / "var/doiportal.sqlite3")
    return fresh


@pytest.fixture
def asking(shell: Shell) -> Iterator[Shell]:
    """The tables are there already, and a stand-in answers."""
    with SampleProxyServer() as standin:
        shell.environment |= {"DOI_PROXY_URL": standin.url, "METADATA_SERVICE_URL": standin.url}
        yield shell
