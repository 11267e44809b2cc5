"""The table of a list with its facets, and the files of what is narrowed."""

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client
from python_calamine import CalamineWorkbook

from resolver.models import Job, Row
from resolver.services.results.task_counts import count_tasks
from tests.stored_list import StoredList
from tests.web.conftest import Look, html_of, run, store_list, text_of

LIST = (
    "id,DOI\n1,10.5555/a\n2,10.5555/missing\n3,nothing\n4,10.5555/b#x\n5,10.1000/182.\n6,10.5555/error-1\n7,10.5555/c\n"
)
BROKEN = ["2", "3", "5"]


@pytest.fixture(scope="module")
def stored(module_portal: None) -> StoredList:
    return store_list(LIST)


@pytest.fixture
def job(stored: StoredList, visitor: Client) -> Job:
    return stored.give_to(visitor)


def ids(response: Any) -> list[str]:
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]


def links(response: Any) -> dict[str, str]:
    """Where a link leads, by its words."""
    found = re.findall(r'<a [^>]*?href="([^"]+)"[^>]*>(.*?)</a>', html_of(response), re.DOTALL)
    words = (" ".join(re.sub("<[^>]+>", " ", inside).split()) for _, inside in found)
    return {word: address.replace("&amp;", "&") for word, (address, _) in zip(words, found, strict=True)}


def test_the_first_facet_has_the_tasks_with_the_numbers_of_the_overview(job: Job, visitor: Client):
    place = f"/jobs/{job.pk}/rows"
    listed, back = links(visitor.get(f"{place}?outcome=invalid&order=down")), count_tasks(job)["back"]
    assert listed["All 7"] == f"{place}?order=down"
    assert listed[f"Go back to the source {back}"] == f"{place}?task=back&order=down"
    page = visitor.get(f"{place}?task=back")
    assert len(page.context["rows"]) == back
    assert f"{back} of 7 rows" in text_of(page)
    assert links(page)[f"Go back to the source {back}"] == place
    assert links(page)["Go back to the source ✕ (remove this filter)"] == place


def test_each_choice_of_a_facet_adds_its_filter_and_lets_it_go(job: Job, visitor: Client):
    place = f"/jobs/{job.pk}/rows"
    page = visitor.get(f"{place}?group=needs-work")
    assert [row.line for row, *_ in page.context["rows"]] == [2, 3, 5]
    assert links(page)["! Punctuation at the end 1"] == f"{place}?problem=trailing-punctuation&group=needs-work"
    assert links(page)["✗ Not a DOI 1"] == f"{place}?outcome=invalid"  # in place of the group that it is part of
    assert not [word for word in links(page) if "proxy error" in word]  # an outcome of another group
    page = visitor.get(f"{place}?problem=trailing-punctuation&group=needs-work&order=down")
    assert "1 of 7 rows" in text_of(page)
    assert links(page)["! Punctuation at the end 1"] == f"{place}?group=needs-work&order=down"
    assert (
        links(page)["Rows that need attention ✕ (remove this filter)"]
        == f"{place}?problem=trailing-punctuation&order=down"
    )
    assert links(page)["Row"] == f"{place}?problem=trailing-punctuation&group=needs-work"


def test_a_search_that_is_too_long_asks_for_a_shorter_one(job: Job, visitor: Client):
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows?q={'x' * 1001}"))
    assert "This text is longer than 1000 characters. Enter only a few words or characters of it." in said


def test_the_search_keeps_the_other_filters(job: Job, visitor: Client):
    page = html_of(visitor.get(f"/jobs/{job.pk}/rows?group=needs-work&q=missing&order=down"))
    assert '<input type="hidden" name="group" value="needs-work"' in page
    assert '<input type="hidden" name="order" value="down"' in page
    assert 'name="q" value="missing"' in page


def test_a_row_says_what_to_do(job: Job, visitor: Client):
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows?group=needs-work"))
    assert "10.1000/182 suggested" in said
    assert "Look for the DOI in the publication" in said
    assert "Punctuation at the end" in text_of(visitor.get(f"/jobs/{job.pk}/rows?q=182"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10.5555/deleted-1", "Find the DOI that replaced it"),
        ("https://doi.org/10.1000/missing-1#x", "Compare it with the publication"),
        ("10.5555/alias-1", "An alias of:"),
        ("http://dx.doi.org/10.1000/182", "Store it as:"),
        ("10.5555/nourl-1", "Ask Crossref for a web address"),
    ],
)
def test_a_list_says_what_to_do_in_short(text: str, told: str, upload: Look, visitor: Client):
    upload(f"DOI\n{text}\n")
    made = run(Job.objects.latest("created_at"))
    [(_row, advice, *_)] = visitor.get(f"/jobs/{made.pk}/rows").context["rows"]
    assert advice.sentence == told
    said = text_of(visitor.get(f"/jobs/{made.pk}/rows"))
    assert f"{told} {advice.name}".strip() in said


def test_from_a_row_the_way_back_and_on_stays_within_the_filter(job: Job, visitor: Client):
    place = f"/jobs/{job.pk}/rows"
    listed = links(visitor.get(f"{place}?group=needs-work"))
    assert listed["Row 4"] == f"{place}/3?group=needs-work"
    row = links(visitor.get(listed["Row 4"]))
    assert row["Back to the filtered rows"] == f"{place}?group=needs-work&after=2"
    assert row["Previous row"] == f"{place}/2?group=needs-work"
    assert row["Next row"] == f"{place}/5?group=needs-work"
    assert "Next row" not in links(visitor.get(row["Next row"]))


def test_of_rows_from_the_last_on_the_next_one_is_the_one_before(job: Job, visitor: Client):
    place = f"/jobs/{job.pk}/rows"
    row = links(visitor.get(f"{place}/3?outcome=resolved&order=down"))
    back = row["Back to the filtered rows"]
    assert back == f"{place}?outcome=resolved&order=down&after=4"
    assert visitor.get(f"{place}?order=down&after=4").context["page"].items[0].line == 3
    plain = links(visitor.get(f"{place}/3"))
    assert (plain["Previous row"], plain["Next row"]) == (f"{place}/2", f"{place}/4")
    assert plain["Back to the rows"] == f"{place}?after=2"


def test_a_text_that_is_too_long_for_the_links_of_forty_rows_is_not_carried(job: Job, visitor: Client):
    Row.objects.filter(job=job, line=1).update(input="ä" * 500)
    page = visitor.get(f"/jobs/{job.pk}/rows", {"q": "ä" * 500})
    assert links(page)["Row 2"] == f"/jobs/{job.pk}/rows/1"


def test_the_links_of_the_page_give_files_with_these_rows_and_no_others(job: Job, visitor: Client):
    page = visitor.get(f"/jobs/{job.pk}/rows?group=needs-work")
    addresses = links(page)
    response = visitor.get(addresses["CSV These 3 rows"])
    assert response["Content-Disposition"] == 'attachment; filename="list-needs-work.csv"'
    assert ids(response) == BROKEN
    response = visitor.get(addresses["CSV These 3 rows, corrected"])
    assert response["Content-Disposition"] == 'attachment; filename="list-needs-work-corrected.csv"'
    assert ids(response) == BROKEN
    with_semicolons = links(visitor.get(f"/jobs/{job.pk}/rows{addresses['Use semicolons']}"))["CSV These 3 rows"]
    semicolons = b"".join(visitor.get(with_semicolons).streaming_content).decode("utf-8-sig")
    assert [line.split(";")[0] for line in semicolons.splitlines()[1:]] == BROKEN
    lines = b"".join(visitor.get(addresses["JSON lines These 3 rows"]).streaming_content).splitlines()
    assert [json.loads(line)["line"] for line in lines] == [2, 3, 5]
    content = b"".join(visitor.get(addresses["XLSX These 3 rows"]).streaming_content)
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    assert [str(row[0]) for row in book.get_sheet_by_name("Results").to_python()[1:]] == BROKEN
    assert ids(visitor.get(addresses["CSV All 7 rows"])) == list("1234567")


@pytest.mark.parametrize(
    ("delimiter", "language", "first"),
    [(",", "en", ","), (",", "de", ","), (";", "en", ";"), ("\t", "en", ","), ("\t", "de", ";")],
)
def test_csv_has_the_list_s_own_separator_or_that_of_the_reader_s_language(
    job: Job, visitor: Client, delimiter: str, language: str, first: str
):
    Job.objects.filter(pk=job.pk).update(layout={**job.layout, "delimiter": delimiter})
    address = f"/jobs/{job.pk}/rows"
    page = visitor.get(address, headers={"accept-language": language})
    other = visitor.get(address + page.context["separator"].other_page)
    headers = [
        b"".join(visitor.get(each.context["downloads"][0].csv).streaming_content).decode("utf-8-sig").partition("\n")[0]
        for each in (page, other)
    ]
    assert [header[2] for header in headers] == [first, ";" if first == "," else ","]


def test_an_agency_with_any_characters_is_a_filter(job: Job, visitor: Client):
    agency = 'A&B "ä"/+%'
    Row.objects.filter(job=job, line=1).update(ra=agency)
    page = visitor.get(f"/jobs/{job.pk}/rows?outcome=resolved")
    [address] = [address for word, address in links(page).items() if word.startswith("A&amp;B")]
    assert [row.line for row in visitor.get(address).context["page"].items] == [1]


def test_what_is_not_there_finds_nothing_and_breaks_nothing(job: Job, visitor: Client):
    for query in (
        "group=odd",
        "outcome=odd",
        "group=fine&outcome=invalid",
        "ra=%00",
        "problem=%F0%9F",
        "duplicates=x",
        "host=%00",
        "host=%ed%a0%80",
    ):
        page = visitor.get(f"/jobs/{job.pk}/rows?{query}")
        assert page.status_code == 200
    assert "No rows match these filters. Show all rows" in text_of(visitor.get(f"/jobs/{job.pk}/rows?group=odd"))
    assert ids(visitor.get(f"/jobs/{job.pk}/results.csv?group=odd")) == []
    assert ids(visitor.get(f"/jobs/{job.pk}/results.csv?host=%00")) == []
    for place in ("rows", "results.csv"):
        assert visitor.get(f"/jobs/{job.pk}/{place}?q={'x' * 1001}").status_code == 422


def test_rows_that_were_never_read_are_in_the_file_of_all_alone(upload: Look, visitor: Client):
    upload(LIST)
    job = run(Job.objects.latest("created_at"))
    Row.objects.filter(job=job, line__gt=4).delete()
    Job.objects.update(state="cancelled")
    assert ids(visitor.get(f"/jobs/{job.pk}/results.csv")) == list("1234567")
    assert ids(visitor.get(f"/jobs/{job.pk}/results.csv?group=not-asked")) == []


@pytest.mark.parametrize("long", ["suggestion", pytest.param("doi", marks=pytest.mark.slow)])
def test_a_page_of_the_longest_texts_stays_light(long: str, job: Job, visitor: Client):
    Row.objects.filter(job=job).delete()
    odd, codes = "\u200b\u202e<&" * 3000, ["old-resolver", "no-doi", "alias", "wrapped"] * 20
    Row.objects.bulk_create(
        Row(
            job=job,
            line=line,
            input=odd,
            **{long: f"10.5555/{odd}"},
            ra="&" * 60,
            problem_codes=codes,
            outcome="not-found",
        )
        for line in range(1, 200)
    )
    page = visitor.get(f"/jobs/{job.pk}/rows").content
    assert len(page) < 84_000  # the stylesheet comes on top
