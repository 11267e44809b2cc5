"""Which column is read: the named one, else by header, else by content, else the file is refused."""

import pytest

from tests.sheets.reader import SheetReader


@pytest.mark.parametrize(
    "name", ["doi", "DOIs", "DOI name", "dc.identifier.doi", "prism:doi", "Article DOI", "doi_url", "DOI-Link"]
)
def test_a_header_that_says_doi_wins_over_content(reader: SheetReader, name: str):
    found = reader(f"cites,{name},n\n10.1000/9,,1\n10.1000/8,10.1000/1,2\n")
    assert found.layout.column_name == name


def test_a_named_column_is_taken_whatever_the_others_hold(reader: SheetReader):
    assert reader("doi,Related\n10.1000/1,10.1000/2\n", "related").dois == ["10.1000/2"]


def test_the_exact_spelling_comes_before_another_case(reader: SheetReader):
    assert reader("REF,Ref\n10.1000/1,10.1000/2\n", "Ref").dois == ["10.1000/2"]


def test_a_column_that_is_not_there_is_refused_with_the_list_of_those_that_are(reader: SheetReader):
    assert reader.refused("id,doi\n1,10.1000/2\n", "nope").reason == (
        "There is no column “nope”. Choose one of these: “id”, “doi”. If the column names are further down, choose "
        "their row (header_row)."
    )


def test_a_file_without_header_can_be_told_the_number_of_the_column(reader: SheetReader):
    assert reader("10.1000/1,10.1000/2\n10.1000/3,10.1000/4\n", "column 2").dois == ["10.1000/2", "10.1000/4"]


def test_a_column_without_name_and_content_can_be_told_all_the_same(reader: SheetReader):
    assert reader("title,,\nA,,x\nB,,y\n", "column 2").dois == ["", ""]


def test_by_content_the_column_with_most_dois(reader: SheetReader):
    assert reader("a,b\n10.1000/0,10.1000/1\nx,10.1000/2\n").layout.column == 1


def test_a_cell_that_is_a_doi_counts_more_than_one_that_mentions_it(reader: SheetReader):
    assert reader("cite,x\nsee 10.1000/9,10.1000/1\nsee 10.1000/8,10.1000/2\n").layout.column == 1


def test_a_tie_goes_to_the_left(reader: SheetReader):
    assert reader("a,b\n10.1000/1,10.1000/2\n").layout.column == 0


def test_of_two_columns_named_doi_the_one_that_holds_some(reader: SheetReader):
    assert reader("doi,DOI\n,10.1000/2\n").layout.column == 1


def test_the_results_of_an_earlier_job_can_be_read_again(reader: SheetReader):
    found = reader("nr,doi,doi_2,doi_url,suggested_doi\n1,10.1000/A,10.1000/a,https://doi.org/10.1000/a,\n")
    assert found.layout.column_name == "doi"


def test_a_single_column_is_it_whatever_its_name(reader: SheetReader):
    found = reader("Publications\nhttps://doi.org/10.1000/1\nnothing\n")
    assert (found.layout.header, found.dois) == (("Publications",), ["https://doi.org/10.1000/1", "nothing"])


@pytest.mark.parametrize("entry", ["not a doi", "http://dx.doi.org/", "10gf4gqc end", "11.1000/abc", "PMID 123"])
def test_a_first_entry_that_is_no_doi_stays_a_row_of_a_list(reader: SheetReader, entry: str):
    assert reader(f"{entry}\n10.1000/1\n10.1000/2\n").dois[0] == entry


def test_a_column_about_dois_that_holds_none_is_not_it(reader: SheetReader):
    assert reader("Has DOI,DOI status,Link\nyes,ok,https://doi.org/10.1000/1\n").layout.column == 2
