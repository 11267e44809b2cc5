"""JSON as Crossref, DataCite, Zotero, Lens, OpenAlex, ORCID and others answer, and JSON made to be slow."""

import json

import pytest

from resolver.sheets.bibliographic.formats import find_format
from resolver.sheets.bibliographic.record import MAX_RECORD_BYTES
from resolver.sheets.input.place_rows import HEADER
from tests.sheets.bibliographic.written import places, read, written
from tests.sheets.reader import SheetReader

ORCID_ID = '{"external-id-type":"doi","external-id-value":"10.60055/%s","external-id-relationship":"self"}'
ANSWERS = {
    "crossref list": (
        '{"status":"ok","message-type":"work-list","message":{"facets":{},"items":[{"DOI":"10.60055/a","title":["T"],'
        '"funder":[{"DOI":"10.13039/1"}],"reference":[{"key":"r","DOI":"10.1000/cited"}],"type":"journal-article"},'
        '{"DOI":"10.60055/b"}],"items-per-page":2}}'
    ),
    "crossref single": (
        '{"status":"ok","message-type":"work","message":{"license":[{"start":1}],"author":[{"family":"F"}],'
        '"DOI":"10.60055/a","title":["T"],"reference":[{"DOI":"10.1000/cited"}],"update-to":[{"DOI":"10.1000/old"}]}}'
    ),
    "crossref pages in lines": (
        '{"message":{"items":[{"DOI":"10.60055/a"}]}}\n{"message":{"items":[{"DOI":"10.60055/b"}]}}\n'
    ),
    "crossref list of pages": (
        '[{"message":{"items":[{"DOI":"10.60055/a"}]}},{"message":{"items":[{"DOI":"10.60055/b"}]}}]'
    ),
    "datacite list": (
        '{"data":[{"id":"10.60055/a","type":"dois","attributes":{"doi":"10.60055/a","relatedIdentifiers":'
        '[{"relatedIdentifier":"10.1000/r","relatedIdentifierType":"DOI"}]}},'
        '{"id":"10.60055/b","type":"dois","attributes":{"doi":"10.60055/b"}}],"meta":{"total":2}}'
    ),
    "datacite single": '{"data":{"id":"10.60055/a","type":"dois","attributes":{"doi":"10.60055/a","titles":[{}]}}}',
    "zotero": (
        '[{"key":"A","version":1,"library":{"type":"user"},"data":{"itemType":"journalArticle","DOI":"10.60055/a"}},'
        '{"key":"B","data":{"itemType":"note"}}]'
    ),
    "zotero single": '{"key":"A","version":1,"data":{"itemType":"journalArticle","DOI":"10.60055/a"}}',
    "lens identifiers": (
        '{"total":1,"data":[{"lens_id":"1","external_ids":[{"type":"pmid","value":"1"},'
        '{"type":"doi","value":"10.60055/a"}]},{"lens_id":"2","external_ids":[{"value":"10.60055/b","type":"doi"}]}]}'
    ),
    "lens list": '[{"lens_id":"1","external_ids":[{"type":"doi","value":"10.60055/a"}]},{"lens_id":"2"}]',
    "lens doi": '{"data":[{"lens_id":"1","doi":"10.60055/a"}]}',
    "openalex": (
        '{"meta":{"count":2},"results":[{"id":"https://openalex.org/W1","doi":"https://doi.org/10.60055/a",'
        '"type":"article","ids":{"doi":"https://doi.org/10.60055/a"}},{"id":"W2","doi":null,"ids":{}}]}'
    ),
    "openalex single": '{"id":"https://openalex.org/W1","doi":"10.60055/a","title":"O","type":"article"}',
    "orcid works": (
        f'{{"group":[{{"external-ids":{{"external-id":[{ORCID_ID % "a"}]}},"work-summary":[{{"external-ids":'
        f'{{"external-id":[{ORCID_ID % "a"}]}}}}]}},{{"external-ids":{{"external-id":[{ORCID_ID % "b"}]}}}}]}}'
    ),
    "orcid record": (
        f'{{"activities-summary":{{"works":{{"group":[{{"external-ids":{{"external-id":[{ORCID_ID % "a"}]}}}}]}}}}}}'
    ),
    "orcid work": f'{{"title":{{"title":{{"value":"W"}}}},"external-ids":{{"external-id":[{ORCID_ID % "a"}]}}}}',
    "europe pmc": '{"request":{},"resultList":{"result":[{"id":"1","doi":"10.60055/a"},{"doi":"10.60055/b"}]}}',
    "scopus": '{"search-results":{"entry":[{"prism:doi":"10.60055/a"}]}}',
    "zenodo": '{"hits":{"hits":[{"conceptdoi":"10.1/c","doi":"10.60055/a","metadata":{"doi":"10.60055/a"}}]}}',
    "semantic scholar": '[{"paperId":"1","externalIds":{"DOI":"10.60055/a"},"references":[{"x":{"DOI":"1"}}]}]',
    "lists of texts": '{"docs":[{"DOI":["10.60055/a","10.60055/b"]},{"DOI":[]}]}',
    "lines": '\ufeff{"doi":"10.60055/a"}\n{"doi":"10.60055/b"}\n',
    "a query and its answers": '{"query":{"doi":"10.1000/q"},"results":[{"doi":"10.60055/a"},{"doi":"10.60055/b"}]}',
    "a list of a kind": '{"type":"collection","data":[{"doi":"10.60055/a"}]}',
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("indent", [None, 2])
def test_each_record_gives_its_own_doi_and_none_of_another_work(reader: SheetReader, answer: str, indent: int | None):
    text = ANSWERS[answer]
    if indent and "lines" not in answer:
        text = json.dumps(json.loads(text), indent=indent)
    found = reader(text)
    wanted = ["a"] if "60055/b" not in text else ["a", "b"]
    assert found.layout.kind == "json"
    assert [doi.removeprefix("https://doi.org/") for doi in found.dois] == [f"10.60055/{each}" for each in wanted]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"message":{"items":[{"DOI":"10.1/a","title":["T"],"author":[{"given":"A","family":"B"}],'
            '"issued":{"date-parts":[[2020,1]]}}]}}',
            ("", "T", "B, A", "2020"),
        ),
        (
            '{"data":[{"id":"10.1/a","attributes":{"doi":"10.1/a","creators":[{"name":"X, Y"}],'
            '"titles":[{"title":"T"}],"publicationYear":2021}}]}',
            ("10.1/a", "T", "X, Y", "2021"),
        ),
        (
            '[{"key":"K","data":{"title":"T","creators":[{"lastName":"L","firstName":"F"}],"date":"3 May 2019",'
            '"DOI":"10.1/a"}}]',
            ("K", "T", "L, F", "2019"),
        ),
        (
            '{"data":[{"lens_id":"1","title":"T","authors":[{"last_name":"K","first_name":"J"}],"year_published":2001,'
            '"external_ids":[{"type":"doi","value":"10.1/a"}]}]}',
            ("1", "T", "K, J", "2001"),
        ),
        (
            '{"results":[{"id":"W1","doi":"10.1/a","display_name":"T","authorships":[{"author":{"display_name":"N"}}],'
            '"publication_year":1999}]}',
            ("W1", "T", "N", "1999"),
        ),
        (
            '{"group":[{"external-ids":{"external-id":[{"external-id-type":"doi","external-id-value":"10.1/a"}]},'
            '"work-summary":[{"title":{"title":{"value":"T"}},"publication-date":{"year":{"value":"2011"}}}]}]}',
            ("", "T", "", "2011"),
        ),
    ],
)
def test_a_record_says_which_work_it_is_about(text: str, told: tuple[str, ...]) -> None:
    [record] = read("json", text.encode())
    assert (record.name, record.work.title, "; ".join(record.work.authors), record.work.year) == told


def test_a_doi_is_written_back_where_it_stands_and_nothing_else_changes() -> None:
    data = rb'{"results" : [ {"doi":"https:\/\/doi.org\/10.1000\/1 ","a":"\u00fc"}, {"doi" : "10.1000/2"} ]}'
    assert [place.text for place in places("json", data)] == ["https://doi.org/10.1000/1", "10.1000/2"]
    new = data.replace(rb"https:\/\/doi.org\/10.1000\/1", rb"10.5555\/n").replace(b"10.1000/2", b"10.5555/m")
    assert written("json", data, {1: "10.5555/n", 2: "10.5555/m"}) == new


@pytest.mark.parametrize(
    "head",
    [
        '[{"id":"a","type":"book","title":"x"},',
        '[{"DOI":"10.1/a"}',
        '{"items":[{"itemType":"book"},',
        '{"type":"book","title":"x","DOI":"10.1/a"}',
    ],
)
def test_csl_json_stays_csl_json(head: str) -> None:
    form = find_format(head.encode())
    assert form is not None
    assert form.kind == "csl-json"


@pytest.mark.parametrize(
    "end", ['{"DOI":"10.1/b"', '{"DOI":"10.1/b', "", ",", "}]}", "[[", '{"DOI":bad}]}}', '"', ']}} {"message":']
)
def test_a_file_that_ends_too_early_or_is_damaged_says_so_in_a_row(reader: SheetReader, end: str):
    found = reader('{"message":{"items":[{"DOI":"10.1000/a"},' + end)
    assert found.dois == ["10.1000/a", ""]
    assert "is not valid JSON" in found.rows[1][HEADER.index("reason")]


def test_where_no_doi_is_named_the_records_are_counted(reader: SheetReader):
    refused = reader.refused('{"facets":{},"items":[' + ",".join('{"id":1,"b":[{"c":1}]}' for _ in range(7)) + "]}")
    assert refused.reason == "No DOI in 7 records, in the fields that are read: DOI."


HOSTILE = {
    "deep objects": '{"a":' * 100_000,
    "deep lists": '{"a":' + "[" * 1_000_000,
    "deep in a record": '[{"data":' + "[" * 50_000 + "]" * 50_000 + "}]",
    "open text": '{"a":"' + "\\\\" * 2_000_000,
    "many names": '{"a":[{"doi":"10.1/a",' + '"doi":"10.1/b",' * 60_000 + '"x":1}]}',
    "many types": '{"a":[{"b":[' + '{"type":"doi"},' * 60_000 + '{"type":"doi","value":"10.1/a"}]}]}',
    "many tokens behind the records": '{"a":[{"doi":"10.1/a"}],"b":[' + "[]," * 1_000_000,
    "spaces": '{"a"' + " " * 3_000_000 + ':[{"doi":"10.1/a"}]}',
    "colons": '{"a":' + '"b" ' * 500_000,
    "one long record": '[{"doi":"10.1/a","b":"' + "x" * (MAX_RECORD_BYTES + 10) + '"}]',
    "half characters": r'{"results":[{"doi":"10.1/\ud800","title":"\udc00"}]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_json_made_to_be_slow_or_to_break_something_is_read_within_bounds(name: str) -> None:
    records = read("json", HOSTILE[name].encode())
    assert sum(len(record.places) for record in records) <= 200
    assert len(records) <= 2
