"""Commands that are run before `prepare` has made the tables."""

import pytest

from tests.commands.shell import Shell


@pytest.mark.parametrize(
    "arguments",
    [
        ("createtoken", "ada", "--name", "nightly"),
        ("exportaccount", "ada", "-"),
        ("deleteaccount", "ada", "--noinput"),
        ("runwatches",),
    ],
)
def test_a_command_without_its_tables_ends_with_the_command_that_makes_them_and_2(
    fresh: Shell, arguments: tuple[str, ...]
) -> None:
    refused = fresh.run(*arguments)
    assert refused.returncode == 2
    said = refused.stderr.decode()
    assert "CommandError: The database is not up to date: run `" in said
    assert " prepare` first." in said
    assert "Traceback" not in said
