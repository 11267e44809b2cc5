"""Names one sign away from a name that isn't registered."""

import pytest

from doi_reading import fold
from doi_reading.repair import ListVocabulary
from doi_reading.repair.near_names import LONGEST_GUESSED_NAME, MOST_NEAR_NAMES, propose_near_names
from doi_reading.tables.fixed_width_numbers import FIXED_NUMBERS, FixedNumber


def near(name: str, *of_list: str) -> list[str]:
    return [changed for changed, _reason in propose_near_names(name, ListVocabulary.of(of_list))]


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
    ("name", "meant"),
    [
        ("10.5194/amt-17-6163-202", "10.5194/amt-17-6163-2024"),
        ("10.1126/sciadv.adl357", "10.1126/sciadv.adl3570"),
        ("10.1073/pnas.240275512", "10.1073/pnas.2402755121"),
        ("10.1097/BRS.000000000000476", "10.1097/BRS.0000000000004760"),
        ("10.1177/0333102423117823", "10.1177/03331024231178237"),  # 16 digits are whole until 2021
        ("10.1057/s41304-019-00230", "10.1057/s41304-019-00230-4"),
        ("10.3389/fsoil.2022.91749", "10.3389/fsoil.2022.917490"),
        ("10.3389/fpubh.2024.123456", "10.3389/fpubh.2024.1234567"),
        ("10.3390/nu1410217", "10.3390/nu14102174"),
        ("10.1080/20477724.2018.142719", "10.1080/20477724.2018.1427192"),
        ("10.1002/jmri.2464", "10.1002/jmri.24643"),
        ("10.1111/imm.1232", "10.1111/imm.12327"),
        ("10.1016/j.celrep.2014.02.01", "10.1016/j.celrep.2014.02.019"),
        ("10.1242/dev.16113", "10.1242/dev.161133"),
        ("10.1107/S010876730704393", ""),  # its width isn't known
        ("10.5555/abc-12345", ""),
    ],
)
def test_one_character_that_was_cut_is_added_where_the_registrants_numbers_have_a_fixed_width(
    name: str, meant: str
) -> None:
    longer = [one for one in near(name) if one.startswith(name)]
    assert meant in longer if meant else longer == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("10.3389/fphys.2015360", "10.3389/fphys.2015.00360"),
        ("10.3389/fpsyg.2011.105", "10.3389/fpsyg.2011.00105"),
        ("10.1136/bmjopen-2015-1763", "10.1136/bmjopen-2015-001763"),
        ("10.1371/journal.pone89651", "10.1371/journal.pone.0089651"),
        ("10.1371/pone.86386", "10.1371/journal.pone.0086386"),
        ("10.3390/rs903277", "10.3390/rs9030277"),
        ("10.1128/AAC.951-20", "10.1128/AAC.00951-20"),
        ("10.1038/srep123", "10.1038/srep00123"),
        ("10.1103/PhysRevLett.114.98105", "10.1103/PhysRevLett.114.098105"),
        ("10.1101/36061", "10.1101/036061"),
        ("10.1021/acs.jpcc.5b1827", "10.1021/acs.jpcc.5b01827"),
        ("10.1186/s12912-014-51-9", "10.1186/s12912-014-0051-9"),
    ],
)
def test_lost_zeros_are_written_up_to_the_width_of_the_registrants_numbers(name: str, meant: str) -> None:
    assert meant in near(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("10.60825/abc-123d", "10.60825/abc-123"),
        ("10.1371/journal.pone.0012345A", "10.1371/journal.pone.0012345"),
        ("10.60825/abc-123\u00b4", "10.60825/abc-123"),
    ],
)
def test_a_stray_letter_or_sign_at_the_end_is_left_out(name: str, meant: str) -> None:
    assert meant in near(name)


@pytest.mark.parametrize(
    "name", ["10.1007/978-3-031-33336-7_", "10.1007/978-3-031-33336-7-", "10.1016/j.cell", "10.1000/12/"]
)
def test_a_book_a_journal_or_a_name_that_goes_on_is_no_guess(name: str) -> None:
    assert [
        changed for changed, reason in propose_near_names(name) if str(reason) == "without the character at its end"
    ] == []


def test_no_digit_is_changed_into_another_but_in_the_year() -> None:
    name = "10.1371/journal.pone.0012345"
    figures = {"".join(filter(str.isdigit, one)) for one in (name, *near(name))}
    assert [one for one in figures if len(one) == len("1013710012345")] == ["1013710012345"]


@pytest.mark.parametrize("row", FIXED_NUMBERS, ids=lambda row: row.example)
def test_of_each_registrant_a_cut_name_is_completed_with_few_guesses(row: FixedNumber) -> None:
    name = f"{row.prefix}/{row.example}"
    assert fold(name) in map(fold, near(name[:-1]))
    assert len(near(name[:-1])) <= MOST_NEAR_NAMES


@pytest.mark.parametrize(
    "name",
    [
        "10.5555/" + "1-" * 46,
        "10.1371/" + "1" * 80,
        "10.5555/" + "0" * 92,
        "10.5555/" + "a1" * 46,
        "10.5555/" + "2001.100000." * 7,
    ],
)
def test_a_hostile_name_has_a_bounded_number_of_guesses_each_once(name: str) -> None:
    found = near(name, *(f"10.{number}/x{number}" for number in range(1000, 9999)))
    assert 0 < len(found) <= MOST_NEAR_NAMES
    assert len({fold(one) for one in found}) == len(found)
    assert name not in found


def test_a_long_name_has_no_guesses() -> None:
    assert near("10.5555/" + "1-" * LONGEST_GUESSED_NAME) == []
