"""Names that white space divides: joined whole or not at all."""

import time

import pytest

from doi_reading import read
from doi_reading.repair.divided_names import find_sure_spaces, join_divided_name


def offered(text: str) -> list[str]:
    reading = read(text)
    return [str(reading.doi or ""), *(one.doi for one in reading.candidates)]


@pytest.mark.clause("E18")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10 . 14006 / j . x . 2023", "10.14006/j.x.2023"),
        ("doi: 10 . 1016 / j . patcog . 2014 . 03 . 017. url: https://example.org", "10.1016/j.patcog.2014.03.017"),
        ("10.1038/s41586- 019 - 1666 - 5", "10.1038/s41586-019-1666-5"),
        ("see 10.1007/978- 3-030-58536-5_24 (2020)", "10.1007/978-3-030-58536-5_24"),
        ("doi: 10.1109/ COMST.2019.2947007. URL https://example.org/", "10.1109/COMST.2019.2947007"),
        ("https://doi.org/10.1002/ smj.772.\n\n[74] L. Dong", "10.1002/smj.772"),
        ("doi: 10.1109/TPAMI. 2023.3314745. 2, 3, 7", "10.1109/TPAMI.2023.3314745"),
        ("https://doi.org/10.1145/ 3414685.3417816 2\n- [10] James", "10.1145/3414685.3417816"),
        ("10. 1016/j.jcp.2016.11.017 3. I. Wenneker", "10.1016/j.jcp.2016.11.017"),
        ("https://doi.org/10.1007/978- |\n| 3-031-20077-9_21 |", "10.1007/978-3-031-20077-9_21"),
        ("doi:10.1007/978- 3-030-58536-5\\_24", "10.1007/978-3-030-58536-5_24"),
        ("10.1371/ journal.pntd .0004592 PMID: 27035913.", "10.1371/journal.pntd.0004592"),
        ("doi: 10.1162/tacl a 00160. URL", "10.1162/tacl_a_00160"),
        ("https:// doi. org/ 10. 1186/ s40854‑ 022‑ 00366‑1", "10.1186/s40854-022-00366-1"),
        ("https : / / doi.org / 10 .1109 /V LHCC.20 04.20", "10.1109/VLHCC.2004.20"),
        ("10.1126/science. aaw2373. 2, 4\n- [6] Council", "10.1126/science.aaw2373"),
        ("[10 . 1017 /](https://doi.org/10.1017/CBO97) [CBO97](https://doi.org/10.1017/CBO97)", "10.1017/CBO97"),
        ("10.1109/CVPR.2016.90. 1, 2", "10.1109/CVPR.2016.90"),
        ("10.1098/ rspa.1998.0193. 12", "10.1098/rspa.1998.0193"),
        ("10.1126/science .aaa8415", "10.1126/science.aaa8415"),
        ("doi:10.1002/14651858.CD001234 .pub2. PMID: 12345678", "10.1002/14651858.CD001234.pub2"),
        ("doi:10.1371/journal.pone.0012345 .g001, see there", "10.1371/journal.pone.0012345.g001"),
        (
            "doi:10.1890/1051-0761(2000)010 [0689:BICEGC]2.0.CO;2, for",
            "10.1890/1051-0761(2000)010[0689:BICEGC]2.0.CO;2",
        ),
        ("10.1007/978-3-319-46448-0 2", "10.1007/978-3-319-46448-0_2"),
        ("https://doi.org/10.1287/mnsc 2018.3196", "10.1287/mnsc.2018.3196"),
        ("10.1109/TPC 2014.2312452", "10.1109/TPC.2014.2312452"),
        ("http://dx.doi.org/10.1057/palgrave jvs 9500180", "10.1057/palgrave.jvs.9500180"),
    ],
)
def test_a_name_with_white_space_in_it_is_offered_whole(text: str, name: str) -> None:
    assert name in offered(text)


@pytest.mark.clause("E18")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("10 . 14006 / j . x . 2023", ["10.14006/j", "10.14006/j.x"]),
        ("10.1038/s41586- 019 - 1666 - 5", ["10.1038/s41586-019", "10.1038/s41586-019-1666"]),
        ("10.1371/ journal.pntd .0004592", ["10.1371/journal", "10.1371/journal.pntd"]),
        ("10.1016/j.cell. 2010. 01. 001", ["10.1016/j.cell.2010", "10.1016/j.cell"]),
        ("10.1000/ ab 12 345", ["10.1000/ab12"]),
        ("10.1080/ Taylor & Francis", ["10.1080/Taylor", "10.1080/Taylor&Francis"]),
        ("10.1145/ EISSN: 1557-", ["10.1145/EISSN:1557-"]),
        ("10.1371/journal.pone. 0012345", ["10.1371/journal.pone"]),
    ],
)
def test_a_part_of_a_divided_name_is_not_offered(text: str, parts: list[str]) -> None:
    assert not set(parts) & set(offered(text))


@pytest.mark.clause("E18")
@pytest.mark.parametrize("before", ["", "see ", "doi:", "https://doi.org/"])
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.1093/molbev /msu300", "10.1093/molbev/msu300"),
        ("10.1371/journal.pntd .0004592", "10.1371/journal.pntd.0004592"),
        ("10.1016/j . cell . 2010 . 01 . 001", "10.1016/j.cell.2010.01.001"),
    ],
)
def test_a_journal_before_white_space_and_a_sign_is_not_read_as_the_name(before: str, text: str, name: str) -> None:
    reading = read(before + text)
    assert str(reading.doi) == name
    code = "unescaped-space" if "//" in before else "inner-space"
    spaces = [one.start for one in reading.problems if one.code == code]
    assert spaces == [index for index, one in enumerate(before + text) if one == " " and index >= len(before)]


@pytest.mark.parametrize(
    "text",
    ["10.1000/182 - The DOI handbook", "10.1000/182 : a title", "10.1000/182 . The next", "10.1000/1 / 10.1000/2",
     "10.1000/182 (2019)", "10.1000/182 and 12.5"],
)  # fmt: skip
def test_a_sign_of_a_sentence_between_spaces_joins_nothing(text: str) -> None:
    reading = read(text)
    assert str(reading.doi) == text.split()[0]
    assert all("The" not in one.doi and "and" not in one.doi for one in reading.candidates)


@pytest.mark.clause("S7")
@pytest.mark.parametrize("unit", ["a . ", "1 ", ". ", "/ a", "| ", "\u00a0.", "a b", "1. 2, ("])
def test_text_made_to_be_slow_to_join_takes_no_time(unit: str) -> None:
    start = time.process_time()
    assert len(list(join_divided_name("10.1000/", unit * 100_000))) <= 8
    find_sure_spaces("10.1000/a", " ." + unit * 100_000)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("https://doi.org/10.2139/ssrn 3755 630", "10.2139/ssrn.3755"),
        ("10.7717/peerj 1234 5", "10.7717/peerj.1234"),
        ("10.7554/eLife 56601 002", "10.7554/eLife.56601"),
    ],
)
def test_a_name_with_lost_full_stops_is_offered_with_all_its_numbers_or_not_at_all(text: str, shorter: str) -> None:
    assert shorter not in {one.doi for one in read(text).candidates}


def test_both_ways_to_join_its_numbers_are_offered() -> None:
    offered = {one.doi for one in read("10.1257/aer 100 3 816").candidates}
    assert "10.1257/aer.100.3.816" in offered
    assert "10.2139/ssrn.3755630" in {one.doi for one in read("10.2139/ssrn 3755 630").candidates}
