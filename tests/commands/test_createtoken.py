"""`createtoken`: a key for a program, printed once."""

import pytest

from tests.commands.shell import Shell

ACCOUNT = ("shell", "-c", "from django.contrib.auth.models import User; User.objects.create_user('ada')")


@pytest.fixture
def with_account(shell: Shell) -> Shell:
    assert shell.run(*ACCOUNT).returncode == 0
    return shell


def test_it_prints_the_key_alone_on_its_line(with_account: Shell):
    made = with_account.run("createtoken", "ada", "--name", "nightly", "--scope", "write", "--days", "30")
    assert made.returncode == 0, made.stderr
    printed = made.stdout.decode()
    assert printed.startswith("doiportal_")
    assert printed.count("\n") == 1
    again = with_account.run("createtoken", "ada", "--name", "nightly")
    assert again.returncode == 2
    assert b"has a token with the name 'nightly' already" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nobody", "--name", "x"), "There is no account 'nobody'."),
        (("ada", "--name", " "), "A name has 1 to 100 characters."),
        (("ada", "--name", "x", "--days", "0"), "A token lasts 1 to 3,650 days."),
        (("ada", "--name", "x", "--scope", "all"), "invalid choice: 'all'"),
    ],
)
def test_what_cannot_be_made_is_said(shell: Shell, arguments: tuple[str, ...], sentence: str):
    refused = shell.run("createtoken", *arguments)
    assert refused.returncode == 2
    assert sentence in refused.stderr.decode()
    assert not refused.stdout
