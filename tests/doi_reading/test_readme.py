"""The README's examples run, and the page of the library lists what its door shows."""

import doctest
import inspect
import re
from pathlib import Path

import doi_reading

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/doi-reading.md").read_text(encoding="utf-8")


def test_the_examples_of_the_readme_print_what_it_says() -> None:
    done = doctest.testfile(str(ROOT / "doi_reading/README.md"), module_relative=False, encoding="utf-8")
    assert (done.failed, done.attempted > 10) == (0, True)


def test_the_readme_has_no_link_that_breaks_on_a_package_page_and_names_files_of_the_repository() -> None:
    text = (ROOT / "doi_reading/README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((?!https?://)[^)]*\)", text) == []
    named = re.findall(r"`((?:docs|tests)/[^`]+)`", text)
    assert named
    assert all((ROOT / one).exists() for one in named)


def test_the_page_lists_every_name_of_the_door_and_no_other() -> None:
    listed = re.findall(r"(?m)^\| `(\w+)(?:\([^`]*\))?` \| .* \|$", PAGE.partition("A `Reading` has:")[0])
    listed += re.findall(r"(?m)^\| `(\w+)`", PAGE.partition("## Constants")[2].partition("## Long")[0])
    assert sorted(listed) == sorted(doi_reading.__all__)


def test_the_page_shows_the_arguments_that_the_functions_take() -> None:
    shown = re.findall(r"(?m)^\| `(\w+)\(([^`]*)\)` ", PAGE)
    for name, arguments in shown:
        signature = inspect.signature(getattr(doi_reading, name))
        assert [one.strip().partition("=")[0] for one in arguments.split(",") if one.strip() != "*"] == list(
            signature.parameters
        )
    assert len(shown) == 6


def test_the_page_lists_members_that_a_reading_has() -> None:
    members = re.findall(r"`(\w+)`(?=[^|]* \| )", PAGE.partition("A `Reading` has:")[2].partition("## Constants")[0])
    assert members
    reading = doi_reading.read("10.1000/182")
    assert all(hasattr(reading, name) for name in members if name not in ("none", "None"))
