"""Names one sign away from a name that isn't registered."""

import pytest

from resolver.domain.name.doi import fold
from resolver.domain.repair.near_names import LONGEST, MOST_IN_ALL, ListVocabulary, propose_near_names


def near(name: str, *of_list: str) -> list[str]:
    return [str(one.doi) for one in propose_near_names(name, ListVocabulary.of(of_list))]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("10.1016/j.cell.2010.1.001", "10.1016/j.cell.2010.01.001"),  # a zero more
        ("10.5194/acp-007-12", "10.5194/acp-07-12"),  # a zero less
        ("10.1136/bmjopen-2015-008737", "10.1136/bmjopen-2014-008737"),  # the year before
        ("10.1136/bmjopen-2015-008737", "10.1136/bmjopen-2016-008737"),  # the year after
        ("10.1371/journal..pone.0012345", "10.1371/journal.pone.0012345"),  # a separator twice
        ("10.1080/00220388-2010.505035", "10.1080/00220388.2010.505035"),  # one in place of another
        ("10.1080/002203-88.2010.505035", "10.1080/00220388.2010.505035"),  # one too many
        ("10.1016/j.cell2010.01.001", "10.1016/j.cell.2010.01.001"),  # one too few
        ("10.1172/JC172181", "10.1172/JCI72181"),  # a digit in place of a letter before the number
        ("10.1038/NRMICR03117", "10.1038/NRMICRO3117"),
        ("10.1038/NATUREL7946", "10.1038/NATURE17946"),  # a letter in place of its first digit
        ("10.1038/nm4268", "10.1038/nm.4268"),  # the separator before the number is missing
        ("10.1371/journal.pone.001234", "10.1371/journal.pone.0012345"),  # the last digit is missing
        ("10.1007/s10862-009-9171", "10.1007/s10862-009-9171-z"),  # a hyphen and the check character
        ("10.1296/19910", "10.2196/19910"),  # two digits of the prefix swapped
        ("10.194/MPMI-02-20-0026-A", "10.1094/MPMI-02-20-0026-A"),  # a zero of the prefix is missing
        ("10.102/3b:acbi.0000046599.46389.ab", "10.1023/b:acbi.0000046599.46389.ab"),  # its last digit after the slash
    ],
)
def test_the_name_that_was_meant_is_among_the_guesses(name: str, meant: str) -> None:
    assert meant in near(name)


def test_prefixes_and_journals_of_the_list_are_offered_where_one_edit_leads_to_them() -> None:
    assert near("10.1061/j.cell.2010.01.001", "10.1016/j.cell.2010.02.002")[0] == "10.1016/j.cell.2010.01.001"
    assert near("10.1016/j.cel.2010.01.001", "10.1016/j.cell.2010.02.002")[0] == "10.1016/j.cell.2010.01.001"
    assert "10.1016/j.cell.2010.01.001" not in near("10.1016/j.cel.2010.01.001", "10.1016/j.brain.2010.02.002")


def test_a_prefix_or_journal_that_the_list_has_itself_is_left_alone() -> None:
    of_list = "10.1016/j.cell.2010.02.002", "10.1016/j.cels.2010.02.002", "10.1015/j.cell.2010.02.002"
    found = near("10.1016/j.cell.2010.01.001", *of_list)
    assert [name for name in found if "cels" in name or "10.1015" in name] == []


def test_a_known_prefix_is_left_alone() -> None:
    assert [one for one in near("10.1016/3b.12345") if not one.startswith("10.1016/")] == []


def test_a_complete_name_is_not_completed() -> None:
    name = "10.1371/journal.pone.0012345"
    assert [one for one in near(name) if one.startswith(name)] == []


@pytest.mark.parametrize(
    "name", ["10.5555/" + "1-" * 46, "10.5555/" + "0" * 92, "10.5555/" + "a1" * 46, "10.5555/" + "2001.100000." * 7]
)
def test_a_hostile_name_has_a_bounded_number_of_guesses_each_once(name: str) -> None:
    found = near(name, *(f"10.{number}/x{number}" for number in range(1000, 9999)))
    assert 0 < len(found) <= MOST_IN_ALL
    assert len({fold(one) for one in found}) == len(found)
    assert name not in found


def test_a_long_name_has_no_guesses() -> None:
    assert near("10.5555/" + "1-" * LONGEST) == []
