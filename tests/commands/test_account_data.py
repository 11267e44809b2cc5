"""`exportaccount` and `deleteaccount`: a person's data by the operator."""

import io
import json
import stat
import zipfile

import pytest

from tests.commands.shell import Shell

MADE = """
from django.contrib.auth.models import User
from django.utils import timezone
from resolver.models import Lookup
from resolver.services.accounts.owners import get_user_owner
for make, name in ((User.objects.create_superuser, "root"), (User.objects.create_user, "ada")):
    Lookup.objects.create(owner=get_user_owner(make(name)), input=f"of {name}", created_at=timezone.now())
"""
LEFT = """
from django.contrib.auth.models import User
from resolver.models import Lookup
print(sorted(u.username for u in User.objects.all()), sorted(one.input for one in Lookup.objects.all()))
"""


@pytest.fixture
def with_accounts(shell: Shell) -> Shell:
    made = shell.run("shell", "-v0", "-c", MADE)
    assert made.returncode == 0, made.stderr
    return shell


def left(shell: Shell) -> str:
    return shell.run("shell", "-v0", "-c", LEFT).stdout.decode().strip()


BOTH = "['ada', 'root'] ['of ada', 'of root']"


def test_the_archive_holds_the_data_of_the_account_alone_and_only_its_owner_reads_it(with_accounts: Shell):
    path = with_accounts.folder / "ada.zip"
    done = with_accounts.run("exportaccount", "ada", str(path))
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("account.json"))["username"] == "ada"
        assert [json.loads(line)["input"] for line in archive.read("lookups.jsonl").splitlines()] == ["of ada"]
    printed = with_accounts.run("exportaccount", "ada", "-").stdout
    assert zipfile.ZipFile(io.BytesIO(printed)).testzip() is None
    again = with_accounts.run("exportaccount", "ada", str(path))
    assert again.returncode == 2
    assert b"File exists" in again.stderr


@pytest.mark.slow
def test_an_archive_that_breaks_off_leaves_no_half_of_it_behind(with_accounts: Shell):
    drop = "from django.db import connection; connection.cursor().execute('DROP TABLE resolver_lookup')"
    assert with_accounts.run("shell", "-v0", "-c", drop).returncode == 0
    path = with_accounts.folder / "ada.zip"
    assert with_accounts.run("exportaccount", "ada", str(path)).returncode != 0
    assert not path.exists()


@pytest.mark.parametrize("command", [("exportaccount", "eve", "eve.zip"), ("deleteaccount", "eve", "--noinput")])
def test_an_account_that_is_not_there_is_said(with_accounts: Shell, command: tuple[str, ...]):
    done = with_accounts.run(*command)
    assert done.returncode == 2
    assert b"There is no account 'eve'." in done.stderr
    assert not (with_accounts.folder / "eve.zip").exists()


@pytest.mark.slow
def test_an_account_is_deleted_with_all_its_data_after_its_name_was_typed_again(with_accounts: Shell):
    for typed in (b"eve\n", b"ada ", b""):
        refused = with_accounts.run("deleteaccount", "ada", stdin=typed)
        assert refused.returncode == 2
        assert b"Nothing was deleted." in refused.stderr
        assert b"Traceback" not in refused.stderr
    assert left(with_accounts) == BOTH
    assert with_accounts.run("deleteaccount", "ada", stdin=b"ada\n").returncode == 0
    assert left(with_accounts) == "['root'] ['of root']"


@pytest.mark.slow
def test_the_last_administrator_stays(with_accounts: Shell):
    done = with_accounts.run("deleteaccount", "root", "--noinput")
    assert done.returncode == 2
    assert b"Only this account can administer the portal." in done.stderr
    assert left(with_accounts) == BOTH
