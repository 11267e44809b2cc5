"""Retraction Watch's file: its columns by name, its rows as events, and what isn't the list is refused."""

import io
from hashlib import sha256

import pytest

from resolver.domain.work.events import EventKind
from resolver.services.retractions import list_file
from resolver.services.retractions.list_file import UnusableList, inspect_list, read_events
from tests.retraction_list import COLUMNS, SAMPLE, build_list, event


def read(content: bytes, *, whole: bool = False) -> list[tuple[str, str, str]]:
    file = io.BytesIO(content)
    inspect_list(file, whole=whole)
    return [(one.doi, str(one.kind), one.date) for one in read_events(file)]


def refuse(content: bytes) -> str:
    with pytest.raises(UnusableList) as refused:
        inspect_list(io.BytesIO(content), whole=False)
    return str(refused.value)


def test_the_sample_has_twenty_rows_of_every_kind() -> None:
    content = SAMPLE.read_bytes()
    facts = inspect_list(io.BytesIO(content), whole=False)
    assert (facts.rows, facts.events, facts.sha256) == (20, 18, sha256(content).hexdigest())
    assert {one.kind for one in read_events(io.BytesIO(content))} == {*EventKind}


def test_an_event_has_its_date_its_reasons_and_its_notice() -> None:
    file = io.BytesIO(
        build_list([event("10.5555/a", Reason="+Error in Data;+Plagiarism of Text;", RetractionDOI="10.5555/n")])
    )
    [found] = read_events(file)
    assert (found.doi, found.kind, found.date) == ("10.5555/a", EventKind.RETRACTION, "2021-03-04")
    assert (found.reasons, found.notice) == (("Error in Data", "Plagiarism of Text"), "10.5555/n")


def test_columns_are_found_by_their_names_in_any_order() -> None:
    assert read(build_list([event("10.5555/a")], reversed(COLUMNS))) == [("10.5555/a", "retraction", "2021-03-04")]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3/4/2021 0:00", "2021-03-04"),
        ("03/04/2021", "2021-03-04"),
        ("12/31/2020 12:00:00 AM", "2020-12-31"),
        ("2021-03-04", "2021-03-04"),
        ("2021-03-04T00:00:00Z", "2021-03-04"),
        ("31/12/2020", "2020-12-31"),
        ("2/30/2021", ""),
        ("13/13/2021", ""),
        ("3/4/20211", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_dates_are_read_with_the_month_first(text: str, day: str) -> None:
    assert read(build_list([event("10.5555/a", day=text)])) == [("10.5555/a", "retraction", day)]


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("10.5555/A(1)<2>;x", ["10.5555/A(1)<2>;x"]),
        (" 10.5555/a ", ["10.5555/a"]),
        ("https://doi.org/10.5555/a", ["10.5555/a"]),
        ("doi:10.5555/a", ["10.5555/a"]),
        ("10.5555/a; 10.5555/b", ["10.5555/a", "10.5555/b"]),
        ("10.5555/a 10.5555/a", ["10.5555/a"]),
        ("unavailable", []),
        ("=HYPERLINK(1)", []),
        ("10.", []),
        ("10.5555/" + "x" * 3000, []),
    ],
)
def test_the_dois_of_a_cell_are_found(cell: str, names: list[str]) -> None:
    rows = [event(cell), event("10.5555/last")]
    assert [doi for doi, _, _ in read(build_list(rows))] == [*names, "10.5555/last"]


def test_a_row_of_another_kind_is_passed_over() -> None:
    rows = [event("10.5555/a", "Apology"), event("10.5555/b", "EXPRESSION  of concern"), event("10.5555/c", "")]
    assert read(build_list(rows)) == [("10.5555/b", "concern", "2021-03-04")]


def test_bytes_that_are_not_utf_8_stand_in_titles_and_do_no_harm() -> None:
    content = build_list([event("10.5555/a", Title="Sch?nes")]).replace(b"Sch?nes", b"Sch\xf6nes")
    assert read(content) == [("10.5555/a", "retraction", "2021-03-04")]


def test_a_byte_order_mark_belongs_to_no_column() -> None:
    assert read(b"\xef\xbb\xbf" + build_list([event("10.5555/a")], sorted(COLUMNS, key="Reason".__ne__)))


def test_line_breaks_and_quotation_marks_stay_in_their_cell() -> None:
    rows = [event("10.5555/a", Title='Two\r\nlines, "quoted"'), event("10.5555/b")]
    assert [doi for doi, _, _ in read(build_list(rows))] == ["10.5555/a", "10.5555/b"]


def test_reasons_are_bounded_and_have_no_control_characters() -> None:
    many = ";".join(f"+reason {number}" for number in range(1000))
    [found] = read_events(
        io.BytesIO(build_list([event("10.5555/a", Reason=f"+a\x07\nb \u2028c;{'x' * 500};;+;{many}")]))
    )
    assert found.reasons[0] == "a b c"
    assert len(found.reasons) == list_file.MOST_REASONS
    assert max(map(len, found.reasons)) == list_file.LONGEST_REASON


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "The file is empty."),
        (b"<!DOCTYPE html><title>Sign in</title>\n", "web page"),
        (b"\xef\xbb\xbf\r\n <html>\n", "web page"),
        (b"doi,title\n10.5555/a,x\n", "Missing: OriginalPaperDOI, RetractionNature, RetractionDate"),
        (build_list([]), "No row"),
        (build_list([event("unavailable")]), "No row"),
        (build_list([event("10.5555/a")]).decode().encode("utf-16"), "isn't text in UTF-8"),
        (build_list([event("10.5555/a", Title="a\0b")]), "isn't text in UTF-8"),
        (bytes(range(1, 256)) * 100 + b"\n", "Missing:"),
        (b"PK\x03\x04 zipped\n", "Missing:"),
        (b",".join(b"c%d" % number for number in range(10_000)) + b"\n", "more than 100 columns"),
        (b"x" * 5_000_000 + b"\n", "can't be read"),
    ],
)
def test_what_is_not_the_list_is_refused_with_the_reason(content: bytes, why: str) -> None:
    assert why in refuse(content)


def test_a_list_that_is_cut_off_anywhere_is_refused_or_loses_nothing_that_is_read() -> None:
    content = build_list(event(f"10.5555/{number}", Title='Long, "made up"') for number in range(3))
    for length in range(len(content.splitlines()[0]) + 2, len(content)):
        if content[length - 1 : length] != b"\n":
            assert refuse(content[:length])
    assert "no end" in refuse(content[:-2])
    assert "columns instead of 20" in refuse(content[:-7] + b"\n")
    assert "never closed" in refuse(build_list([event("10.5555/a"), event("10.5555/b", Notes="a,b")])[:-3] + b"\n")


def test_a_last_line_without_an_end_is_whole_if_the_server_said_so() -> None:
    assert read(build_list([event("10.5555/a")]).rstrip(b"\r\n"), whole=True)


def test_a_cell_of_ten_megabytes_is_refused() -> None:
    assert "can't be read" in refuse(build_list([event("10.5555/a", Notes="x" * 10_000_000)]))
    assert "can't be read" in refuse(build_list([event("10.5555/a", Notes="x\n" * 5_000_000)]))


def test_more_rows_or_bytes_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = build_list([event("10.5555/a")] * 3)
    monkeypatch.setattr(list_file, "MOST_ROWS", 2)
    assert "more than the 2 rows" in refuse(content)
    monkeypatch.setattr(list_file, "MOST_BYTES", 100)
    assert "more than the 100 bytes" in refuse(content)
