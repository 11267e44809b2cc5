"""Lists with expected addresses on pages: the choice in the preview, the rows, one row, the list."""

import re
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job
from resolver.web.jobs.expected_address import split_at_host
from tests.web.conftest import Look, html_of, run, text_of
from tests.web.jobs.test_draft import taken
from tests.web.jobs.test_row_filters import links

LIST = """id,DOI,Target,URL
1,10.1000/182,http://www.doi.org/hb.html,a
2,10.1000/182,https://www.doi.org/hb.html,b
3,10.1000/182,https://www.doi.org/other.html,c
4,10.1000/182,https://elsewhere.example/,d
5,10.5555/missing,https://elsewhere.example/,e
6,10.5555/error-1,https://elsewhere.example/,f
7,10.1000/182,see the catalogue,g
"""


@pytest.fixture
def job(upload: Look) -> Job:
    upload(LIST, expected="3")
    return run(Job.objects.get())


def options(page: Any) -> list[tuple[Any, str]]:
    return list(page.context["start"].fields["expected"].widget.choices)


def test_a_column_that_says_so_plainly_is_proposed_and_likely_ones_come_first(visitor: Client) -> None:
    page = visitor.get(taken(visitor, LIST))
    assert options(page) == [("", "none"), (3, "3: Target"), (4, "4: URL"), (1, "1: id")]
    assert '<option value="3" selected>' in html_of(page)


def test_a_column_that_may_mean_anything_is_not_proposed(visitor: Client) -> None:
    page = visitor.get(taken(visitor, "id,DOI,URL\n1,10.1000/182,x\n"))
    assert options(page)[:2] == [("", "none"), (3, "3: URL")]
    assert page.context["start"].fields["expected"].initial is None


@pytest.mark.parametrize("text", ["10.1000/182\n10.1000/183\n", "TY  - JOUR\nDO  - 10.1000/182\nER  - \n"])
def test_a_file_without_other_columns_offers_none(visitor: Client, text: str) -> None:
    assert "expected" not in visitor.get(taken(visitor, text)).context["start"].fields


def test_none_is_chosen_unless_a_person_chooses_one(upload: Look) -> None:
    upload(LIST)
    assert Job.objects.get().layout["expected"] is None


def test_a_column_that_cannot_be_it_is_told(visitor: Client) -> None:
    answer = visitor.post(taken(visitor, LIST), {"expected": "2"})
    assert answer.status_code == 422
    assert "Column with expected web addresses: This column has the DOIs." in text_of(answer)
    assert not Job.objects.exists()


def test_the_rows_are_narrowed_by_class_by_host_and_to_those_that_lead_elsewhere(job: Job, visitor: Client) -> None:
    place = f"/jobs/{job.pk}/rows"
    found = links(visitor.get(place))
    assert found["✓ Expected web address 1"] == f"{place}?address=same"
    assert found["✗ Another site 1"] == f"{place}?address=other-host"
    assert found["www.doi.org 5"] == f"{place}?host=www.doi.org"
    assert found["✗ Another site, or no web address 2"] == f"{place}?address=elsewhere"
    page = visitor.get(f"{place}?address=elsewhere")
    assert [row.line for row, *_ in page.context["rows"]] == [4, 5]
    assert "Where the DOI leads: Another site, or no web address" in text_of(page)
    assert links(page)["✗ Another site, or no web address 2"] == place


def test_a_task_is_current_only_where_it_is_the_filter(job: Job, visitor: Client) -> None:
    for query, current in (("", 1), ("?task=elsewhere", 1), ("?address=elsewhere", 0), ("?group=needs-work", 0)):
        tasks = html_of(visitor.get(f"/jobs/{job.pk}/rows{query}")).partition('aria-label="Filter rows"')[2]
        assert tasks.partition("<ul>")[2].partition("</ul>")[0].count('aria-current="true"') == current, query


def test_the_task_of_rows_that_lead_elsewhere_shows_both_addresses(job: Job, visitor: Client) -> None:
    page = visitor.get(f"/jobs/{job.pk}/rows?task=elsewhere")
    assert [addresses for *_, addresses in page.context["rows"]] == [
        (("", "elsewhere.example", "/"), ("", "www.doi.org", "/hb.html"))
    ]


def test_rows_of_a_class_show_the_expected_address_and_the_one_found(job: Job, visitor: Client) -> None:
    page = visitor.get(f"/jobs/{job.pk}/rows?address=elsewhere")
    assert [addresses for *_, addresses in page.context["rows"]] == [
        (("", "elsewhere.example", "/"), ("", "www.doi.org", "/hb.html")),
        (("", "elsewhere.example", "/"), ("", "", "")),
    ]
    assert '<strong>www.<wbr>doi.<wbr>org</strong><span class="soft">/<wbr>hb.<wbr>html</span>' in html_of(page)
    assert re.findall(r'<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)', html_of(page)) == [
        "Row", "Your input", "Outcome", "Expected", "Found", "What to do"
    ]  # fmt: skip
    assert [addresses for *_, addresses in visitor.get(f"/jobs/{job.pk}/rows").context["rows"]] == [None] * 7


def test_columns_that_were_chosen_stay_beside_the_addresses(job: Job, visitor: Client) -> None:
    visitor.post(f"/jobs/{job.pk}/columns", {"column": "3"})
    page = visitor.get(f"/jobs/{job.pk}/rows?address=elsewhere")
    assert page.context["column_names"] == ["URL"]


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("https://example.org/a?b#c", ("", "example.org", "/a?b#c")),
        ("HTTP://example.org", ("", "example.org", "")),
        ("ftp://example.org/a", ("ftp://", "example.org", "/a")),
        ("https://bank.example@evil.example/", ("https://bank.example@", "evil.example", "/")),
        ("https://good.example\\@evil.example", ("", "good.example", "\\@evil.example")),
        ("example.org/a", ("", "example.org", "/a")),
        ("", ("", "", "")),
        ("/a\nb", ("", "", "/a\nb")),
    ],
)
def test_an_address_is_split_at_its_host(address: str, parts: tuple[str, str, str]) -> None:
    assert split_at_host(address) == parts


def test_the_rows_say_to_correct_the_address(job: Job, visitor: Client) -> None:
    said = {row.line: advice for row, advice, *_ in visitor.get(f"/jobs/{job.pk}/rows").context["rows"]}
    assert (said[1], said[2]) == (None, None)
    assert said[3].code == "other-page"
    assert (said[4].code, said[4].sentence) == ("correct-address", "Correct the record")


def test_the_page_of_a_row_that_leads_elsewhere_is_not_green(job: Job, visitor: Client) -> None:
    page = visitor.get(f"/jobs/{job.pk}/rows/4")
    assert 'class="answer-head warn"' in html_of(page)
    assert "Row 5: Registered, but it leads to another site" in text_of(page)
    assert "What to do next Correct the web address in the record" in text_of(page)
    assert "Nothing to do" not in text_of(page)
    assert 'class="answer-head tidy"' in html_of(visitor.get(f"/jobs/{job.pk}/rows/3"))


def test_list_rows_and_addresses_agree_on_the_numbers(job: Job, visitor: Client) -> None:
    place = f"/jobs/{job.pk}"
    said = text_of(visitor.get(place))
    assert "4 of 7 rows are ready to import. 2 aren’t." in said
    assert "1 Don’t lead where you expect." in said
    assert "1 Go back to the source. We found no DOI that works, or you rejected it." in said
    assert "Ask whoever supplied it, or look it up. 1 not registered" in said
    assert visitor.get(f"{place}/rows?group=needs-work&address=elsewhere").context["filters"]["matching"] == 2
    said = text_of(visitor.get(f"{place}/addresses"))
    assert "1 row doesn’t lead where you expect." in said
    assert "Crossref (1 DOI)" in said, "it isn’t registered"


def test_rows_of_other_lists_have_no_such_filters(upload: Look, visitor: Client) -> None:
    upload(LIST)
    page = text_of(visitor.get(f"/jobs/{run(Job.objects.get()).pk}/rows"))
    assert "elsewhere or nowhere" not in page
    assert "Host" not in page


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (1, "The DOI leads to the expected web address."),
        (2, "The DOI leads to the expected page. The web address is only written differently."),
        (4, "The DOI leads to another site."),
        (5, "The DOI isn’t registered, so it leads nowhere."),
        (6, "We couldn’t compare the addresses, because this row has no checked DOI."),
        (7, "The cell has no web address that we can compare."),
    ],
)
def test_the_page_of_a_row_says_where_it_should_lead(job: Job, visitor: Client, line: int, words: str) -> None:
    assert words in text_of(visitor.get(f"/jobs/{job.pk}/rows/{line}"))


def test_the_page_of_a_row_marks_the_difference(job: Job, visitor: Client) -> None:
    page = html_of(visitor.get(f"/jobs/{job.pk}/rows/3"))
    assert 'https://www.doi.org/<u class="differs">other</u>.html'.replace("https", "http") not in page
    assert '<u class="differs">s://www.doi.org/other</u>.html' in page
    assert '<u class="differs">://www.doi.org/hb</u>.html' in page


def test_a_list_whose_dois_lead_elsewhere_is_not_called_ok(upload: Look, visitor: Client) -> None:
    rows = "http://dx.doi.org/10.1000/182,http://www.doi.org/hb.html\n10.1000/182,https://elsewhere.example/\n"
    upload(f"DOI,Target\n{rows}", expected="2")
    page = visitor.get(f"/jobs/{run(Job.objects.get()).pk}")
    assert "1 of 2 rows is ready to import. 1 isn’t." in text_of(page)
    assert '<li class="now" data-task="elsewhere">' in html_of(page)
    lists = text_of(visitor.get("/jobs"))
    assert "1 leads elsewhere" in lists
    assert "nothing to do" not in lists
    assert links(page)["Correct web addresses"] == f"/jobs/{Job.objects.get().pk}/addresses"
    report = text_of(visitor.get(f"/jobs/{Job.objects.get().pk}/report"))
    assert "1 of 2 rows is ready to import. 1 isn’t." in report


def test_a_list_with_expected_addresses_names_their_column_and_has_the_hosts_as_a_file(
    job: Job, visitor: Client
) -> None:
    page = visitor.get(f"/jobs/{job.pk}")
    assert "Column with expected web addresses Target" in text_of(page)
    answer: Any = visitor.get(f"/jobs/{job.pk}/hosts.csv")
    assert b"www.doi.org,5,1,1,1,1\r\n" in b"".join(answer.streaming_content)


def test_a_quick_check_says_that_nothing_was_compared(upload: Look, visitor: Client) -> None:
    upload(LIST, expected="3", quick="on")
    page = text_of(visitor.get(f"/jobs/{run(Job.objects.get()).pk}"))
    assert "Target (not compared: a quick check has no web addresses)" in page


def test_pages_say_how_many_rows_were_not_compared(job: Job, visitor: Client) -> None:
    for place in (f"/jobs/{job.pk}", f"/jobs/{job.pk}/addresses"):
        assert "2 of 7 rows couldn’t be compared" in text_of(visitor.get(place))


def test_pages_say_that_nothing_was_compared(upload: Look, visitor: Client) -> None:
    upload(LIST, expected="1")
    job = run(Job.objects.get())
    for place in (f"/jobs/{job.pk}", f"/jobs/{job.pk}/addresses"):
        assert "No row could be compared with its expected web address." in text_of(visitor.get(place))
    assert "leads to the expected page" not in text_of(visitor.get(f"/jobs/{job.pk}/addresses"))
