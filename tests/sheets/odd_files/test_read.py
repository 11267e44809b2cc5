"""Files as they come: each one breaks a reader that is less careful."""

import pytest

from tests.sheets.reader import SheetReader

SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"
SICI_2 = "10.1175/1520-0469(1974)031<0674:TSOTCS>2.0.CO;2"


def test_a_plain_list_of_sicis_is_not_split_at_their_semicolons(reader: SheetReader):
    assert reader(f"{SICI}\n{SICI_2}\n").dois == [SICI, SICI_2]


def test_a_plain_list_is_not_split_at_a_comma_that_some_names_have(reader: SheetReader):
    assert reader("10.1000/a,b\n10.1000/c\n").dois == ["10.1000/a,b", "10.1000/c"]


def test_a_headed_list_is_not_split_where_every_name_has_a_comma(reader: SheetReader):
    assert reader("DOI\n10.1000/a,b\n10.1000/c,d\n").dois == ["10.1000/a,b", "10.1000/c,d"]


def test_brackets_of_a_name_keep_their_commas(reader: SheetReader):
    names = ["10.1000/S0140(03,1)x", "10.1000/S0140(03,2)x"]
    assert reader("\n".join(names)).dois == names


def test_one_line_with_two_dois_stays_one_row(reader: SheetReader):
    assert reader("10.1000/1, 10.1000/2").dois == ["10.1000/1, 10.1000/2"]


def test_html_entities_are_no_semicolon_columns(reader: SheetReader):
    names = ["10.1000/a&lt;1&gt;b", "10.1000/c&lt;2&gt;d"]
    assert reader("\n".join(names)).dois == names


def test_references_with_commas_are_a_plain_list(reader: SheetReader):
    lines = [
        "Smith, J. (2001). A title, with commas. Journal. doi:10.1000/1",
        "Doe, A. (2002), B. https://doi.org/10.1000/2",
    ]
    assert reader("\n".join(lines)).dois == lines


def test_a_semicolon_table_may_have_decimal_commas(reader: SheetReader):
    found = reader("preis;doi\n1,50;10.1000/1\n2,50;10.1000/2\n")
    assert found.rows == [["1,50", "10.1000/1"], ["2,50", "10.1000/2"]]


@pytest.mark.parametrize("header", ["", "Artikel-DOI;Preis, netto\n"])
def test_two_columns_are_parted_at_the_semicolon_where_every_price_has_a_comma(reader: SheetReader, header: str):
    assert reader(f"{header}10.1000/a;1,50\n10.1000/b;2,50\n").rows == [["10.1000/a", "1,50"], ["10.1000/b", "2,50"]]


def test_two_columns_are_parted_at_the_comma_where_every_note_has_a_semicolon(reader: SheetReader):
    assert reader("10.1000/a,x;y\n10.1000/b,z;w\n").rows == [["10.1000/a", "x;y"], ["10.1000/b", "z;w"]]


def test_a_sici_in_quotes_stays_one_cell_of_a_semicolon_table(reader: SheetReader):
    assert reader(f'titel;doi\n"A";"{SICI}"\n"B";"{SICI_2}"\n').dois == [SICI, SICI_2]


def test_bars_part_columns(reader: SheetReader):
    assert reader("id|doi\n1|10.1000/a\n2|10.1000/b\n").dois == ["10.1000/a", "10.1000/b"]


def test_tabs_part_columns_though_titles_have_commas(reader: SheetReader):
    assert reader("10.1000/a\tOne, two\n10.1000/b\tThree, four\n").rows[1] == ["10.1000/b", "Three, four"]


def test_quotation_marks_in_a_tab_separated_file_may_be_plain_text(reader: SheetReader):
    assert reader('t\tdoi\n"Foo" bar\t10.1000/1\nx\t10.1000/2\n').rows[0] == ['"Foo" bar', "10.1000/1"]


def test_line_breaks_inside_quotes_belong_to_the_cell(reader: SheetReader):
    found = reader('id,note,doi\r\n1,"one\r\ntwo ""quoted"", three",10.1000/1\r\n2,,10.1000/2\r\n')
    assert found.rows[0] == ["1", 'one\r\ntwo "quoted", three', "10.1000/1"]


def test_old_macintosh_line_ends_part_rows(reader: SheetReader):
    assert reader("doi\r10.1000/1\r10.1000/2").dois == ["10.1000/1", "10.1000/2"]


def test_an_unclosed_quotation_mark_is_refused_with_the_line_that_opened_it(reader: SheetReader):
    error = reader.refused('id,doi\n1,10.1000/1\n2,"10.1000/2\n3,10.1000/3\n')
    assert (error.line, "quotation mark" in error.reason) == (3, True)


def test_an_unclosed_quotation_mark_that_a_later_one_closes_is_refused_too(reader: SheetReader):
    assert reader.refused('id,doi\n1,"10.1000/1\n2,"10.1000/2"\n').line == 2


def test_an_unclosed_quotation_mark_cannot_fill_the_memory(reader: SheetReader):
    error = reader.refused('id,doi\n1,10.1000/1\n2,"' + "10.1000/2\n" * 150_000)
    assert (error.line, "characters" in error.reason) == (3, True)


def test_a_quoted_cell_that_goes_on_is_refused_with_its_line(reader: SheetReader):
    assert reader.refused('id,doi\n1,"a" b,10.1000/1\n').line == 2


def test_short_rows_are_filled_and_long_ones_get_numbered_columns(reader: SheetReader):
    found = reader("a,doi,c\n1,10.1000/1\n2,10.1000/2,x,more,\n")
    assert found.layout.header == ("a", "doi", "c", "column 4")
    assert found.rows == [["1", "10.1000/1", "", ""], ["2", "10.1000/2", "x", "more"]]


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_header_that_names_the_dois_parts_rows_however_ragged(reader: SheetReader, mark: str):
    read = reader("doi,a,b\n10.1/a\n10.1/b,1,2,3\n10.1/c\n10.1/d\n".replace(",", mark))
    assert read.dois == ["10.1/a", "10.1/b", "10.1/c", "10.1/d"]
    assert read.layout.header[:3] == ("doi", "a", "b")


def test_a_heading_that_is_a_sentence_parts_nothing(reader: SheetReader):
    assert reader("DOI, one on each line\n10.1/a,b\n10.1/c\n").dois == ["10.1/a,b", "10.1/c"]


def test_a_long_row_far_down_loses_nothing(reader: SheetReader):
    found = reader("doi,t\n" + "10.1000/1,x\n" * 5000 + "10.1000/2,y,z\n")
    assert found.rows[-1] == ["10.1000/2", "y", "z"]


def test_duplicate_and_empty_column_names_stay_as_they_are(reader: SheetReader):
    assert reader("doi,,title,title\n10.1000/1,a,b,c\n").layout.header == ("doi", "", "title", "title")


def test_empty_lines_between_rows_are_rows_and_those_at_the_end_are_not(reader: SheetReader):
    assert reader("\ndoi\n10.1000/1\n\n   \n10.1000/2\n\n\n").dois == ["10.1000/1", "", "", "10.1000/2"]


def test_a_first_row_with_a_doi_is_no_header(reader: SheetReader):
    found = reader("10.1000/1,A\n10.1000/2,B\n")
    assert (found.layout.header, found.layout.total) == (("column 1", "column 2"), 2)


def test_a_first_entry_that_is_no_doi_but_data_is_not_taken_for_a_header(reader: SheetReader):
    assert reader("11.1000/abc\n10.1000/1\n10.1000/2\n").dois[0] == "11.1000/abc"


def test_a_first_record_without_its_doi_is_not_taken_for_a_header(reader: SheetReader):
    assert reader(",2004,A\n10.1000/1,2005,B\n10.1000/2,2006,C\n").layout.total == 3


def test_a_list_without_any_doi_is_read_row_for_row(reader: SheetReader):
    assert reader("hello\nworld\n").dois == ["hello", "world"]


def test_a_table_without_any_doi_is_refused_and_names_its_columns(reader: SheetReader):
    assert "“a”, “b”" in reader.refused("a,b\n1,2\n3,4\n").reason


def test_a_nul_character_is_refused_with_its_line(reader: SheetReader):
    error = reader.refused("doi\n10.1000/1\n10.1000/\x002\n")
    assert (error.line, "NUL" in error.reason) == (3, True)


def test_an_empty_file_is_refused(reader: SheetReader):
    assert reader.refused("").reason.startswith("The file is empty. Choose")


def test_a_file_of_white_space_is_refused(reader: SheetReader):
    assert "white space" in reader.refused(" \r\n\t\r\n").reason


def test_a_header_with_nothing_below_is_refused(reader: SheetReader):
    assert "only a header row" in reader.refused("id,doi\r\n").reason


def test_a_line_without_end_is_refused(reader: SheetReader):
    assert reader.refused("x" * 5_000_000).line == 1


def test_names_in_angle_brackets_are_no_web_page(reader: SheetReader):
    assert reader("<https://doi.org/10.1000/1>\n<https://doi.org/10.1000/2>\n").layout.total == 2


def test_a_numbered_reference_list_is_no_json(reader: SheetReader):
    assert reader("[1] Smith. 10.1000/1\n[2] Doe. 10.1000/2\n").layout.total == 2


def test_a_trailing_separator_makes_no_column(reader: SheetReader):
    assert reader("id;doi;\n1;10.1000/1;\n").layout.header == ("id", "doi", "")
    assert reader("10.1000/1;\n10.1000/2;\n10.1000/3;\n").dois == ["10.1000/1", "10.1000/2", "10.1000/3"]
