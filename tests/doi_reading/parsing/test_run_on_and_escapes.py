"""Text that ran on after a name, escapes in it, digits in full width, and numbers that are no DOI."""

import time

import pytest

from doi_reading import read


def offered(text: str) -> list[str]:
    reading = read(text)
    return [str(reading.doi or ""), *(one.doi for one in reading.candidates)]


def codes(text: str) -> list[str]:
    return [one.code for one in read(text).problems]


@pytest.mark.parametrize(
    "tail",
    ["Müller", "Smith,J.", "中文", "éditeur", ".R1", "v2", ")foo", ">foo", "//Smith", "\\nAbstract", "(2020-01-05)",
     "(5.1.2020)", "[12May2020]", "，Neurocomputing2025", "。", "、第3章"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["10.1016/j.cell.2010.01.001", "10.1000/abc12345"])
def test_what_ran_on_after_a_finished_name_is_cut_off_in_a_candidate(name: str, tail: str) -> None:
    assert name in offered(name + tail)


@pytest.mark.parametrize(
    ("name", "shorter"),
    [
        ("10.20944/preprints202001.0123.v1", "10.20944/preprints202001.0123"),
        ("10.7287/peerj.preprints.27885v1", "10.7287/peerj.preprints.27885"),
        ("10.6084/m9.figshare.7504448.v5", "10.6084/m9.figshare.7504448"),
        ("10.1371/journal.pone.0012345.g001", "10.1371/journal.pone.0012345"),
        ("10.1093/molbev中文", "10.1093/molbev"),
        ("10.1002/10970258Smith", "10.1002/10970258"),
    ],
)
def test_a_version_with_a_name_of_its_own_a_part_and_a_journal_are_not_offered(name: str, shorter: str) -> None:
    assert shorter not in offered(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.1890/1051(2000)010{[}0689:BICEGC{]}2.0.CO;2", "10.1890/1051(2000)010[0689:BICEGC]2.0.CO;2"),
        ("10.1175/1520-0469(1963)020%%3C0130:DNF%%3E2.0.CO;2", "10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2"),
        (r"10.26321/\u00c1.GUTI\u00C9RREZ.1", "10.26321/\u00c1.GUTI\u00c9RREZ.1"),
        ("10.2307/20482066Smith", "10.2307/20482066"),
        ("10.2307/20482066.pmid:123", "10.2307/20482066"),
        ("10.1007/978-3-642-33715-4˙54", "10.1007/978-3-642-33715-4_54"),
        ("see １０.１０１６／j.cell.２０１０.０１.００１ and more", "10.1016/j.cell.2010.01.001"),
        ("papers/10.1016_j.cose.2024.103824.pdf", "10.1016/j.cose.2024.103824"),
        ("10.1016 j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),
        ("see 10.1007 s00134-020-05991-x, and", "10.1007/s00134-020-05991-x"),
        ("1.2 | 10.5281.zenodo.9887", "10.5281/zenodo.9887"),
        ("https://doi.org/1https://doi.org/0.14746/eip.2023.2.8", "10.14746/eip.2023.2.8"),
        ("https://example.org/?query=%2210.24447%2Fslc-2024-00003%22", "10.24447/slc-2024-00003"),
    ],
)
def test_escapes_full_width_digits_and_file_names_are_read(text: str, name: str) -> None:
    assert name in offered(text)


@pytest.mark.parametrize(
    "text",
    [
        "10.1016 Amsterdam",
        "10.1007 e-mail",
        "10.1016 (2010)",
        "Version 10.1038 build-12",
        "10.1016 bis-20",
        "10.2010 A1234",
        "10.1016 0092-8674",
        "10.1016 2010.05.12",
        "10.1016 Elsevier,2010-2011",
        "10.1007 www.springer.com/2010",
        "10.1007 https://www.springer.com/2010-x",
    ],
)
def test_a_word_behind_a_number_is_no_suffix(text: str) -> None:
    assert offered(text) == [""]


def test_a_space_in_place_of_the_slash_makes_no_name_but_a_candidate() -> None:
    assert read("10.1016 j.cell.2010.01.001").doi is None


@pytest.mark.parametrize("before", ["", "see ", "https://doi.org/", "https:\\\\doi.org\\", "https:\\\\\\\\doi.org\\\\"])
@pytest.mark.parametrize("escaped", ["\\/", "\\\\/", "\\", "%5C%2F", "%5C%252F", "%255C/"])
def test_a_backslash_at_the_slash_is_left_over_from_a_program_and_the_name_is_read(before: str, escaped: str) -> None:
    reading = read(f"{before}10.1016{escaped}j.actpsy.2023.104049")
    assert str(reading.doi) == "10.1016/j.actpsy.2023.104049"
    assert "leftover" in [one.code for one in reading.problems]
    assert not {"registrant-code", "no-doi"} & {one.code for one in reading.problems}


def test_a_windows_path_is_no_escaped_name() -> None:
    assert "leftover" not in codes("C:\\10.1016\\j.cell")


@pytest.mark.parametrize(
    "text",
    ["10.0.0.0/8,10.1.2.0/24", "10.0.0.0/8;192.168.0.0/16", "10.0.0.0/255.0.0.0,10.1.0.0/255.255.0.0",
     "doi.org/TBD", "https://doi.org/xxxx", "https://doi.org/tba", "SHA 10.1016.17.2", "10.2010.12.31-report"],
)  # fmt: skip
def test_a_list_of_networks_and_a_placeholder_are_no_doi(text: str) -> None:
    assert offered(text) == [""]


@pytest.mark.clause("S7")
@pytest.mark.parametrize(
    "unit",
    [
        "10.1016\\",
        "10.0.0.0/8,",
        "10.1016_j.",
        "10.1016 j.",
        "10.1016=2Fa",
        "https=3A=2F=2F",
        "１０",
        "https://doi.org/",
        "10.1000/a .",
        "\\n",
        "//a",
        "(May",
        "éa",
        "%5C",
    ],
)
def test_text_made_to_be_slow_for_these_rules_takes_no_time(unit: str) -> None:
    text = (unit * 10_000)[:9_990]
    start = time.process_time()
    for whole in (text, "10.1000/" + text, "see " + text + " 10.1000/1"):
        assert len(read(whole).candidates) <= 8
    assert time.process_time() - start < 2
