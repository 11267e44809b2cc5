"""The review page and its forms, without JavaScript."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from resolver.models import DecisionAction, Job, Row
from resolver.services.jobs.sharing import share_job
from resolver.services.lookups.stored_results import drop_outdated_decision
from resolver.services.results.accepted_rows import iterate_accepted
from resolver.services.results.row_queries import RowFilter, find_line_numbers
from resolver.services.results.task_counts import count_tasks
from tests.stored_list import StoredList
from tests.web.conftest import Look, html_of, run, store_list, text_of

LIST = (
    "title,issn,doi,place\n"
    "One,1234-5678,10.1000/182,A\nTwo,,10.1000/182.,B\nThree,,10.5555/missing,C\nFour,,nothing,D\n"
    "Five,,10.5555/error-a,E\nSix,,https://doi.org/10.1000/182#x,F\nSeven,,10.5555/a\u200bb,G\n"
    "Eight,,https://doi.org/10.5555/b#y,H\nNine,,10.5555/alias,I\n"
)


@pytest.fixture(scope="module")
def stored(module_portal: None) -> StoredList:
    return store_list(LIST)


@pytest.fixture
def job(stored: StoredList, visitor: Client) -> Job:
    return stored.give_to(visitor)


def review(client: Client, job: Job, query: str = "") -> Any:
    return client.get(reverse("job-review", args=[job.pk]) + query)


def fields_of(page: Any, line: int) -> dict[str, str]:
    """The hidden fields of a row's form."""
    card = re.search(rf'<section id="row-{line}".*?</section>', html_of(page), re.DOTALL)
    assert card, f"no row {line}"
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', card[0])
    return {name: unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


def choices_of(page: Any, line: int) -> list[tuple[str, str]]:
    """The DOIs that a row offers, and whether each is chosen or can't be."""
    card = re.search(rf'<section id="row-{line}".*?</section>', html_of(page), re.DOTALL)
    assert card, f"no row {line}"
    found = re.findall(r'name="choice" value="([^"]+)"([^>]*)>', card[0])
    return [(unescape(doi), "".join(re.findall(r"\b(?:checked|disabled)\b", rest))) for doi, rest in found]


def decide(client: Client, job: Job, page: Any, line: int, decision: str, **more: str) -> Any:
    """Send the form of a row: with what is chosen on the page, unless a DOI is entered."""
    chosen = [doi for doi, state in choices_of(page, line) if state == "checked" and "doi" not in more]
    sent = {**fields_of(page, line), "choice": "".join(chosen), "decision": decision, **more}
    return client.post(reverse("job-review-row", args=[job.pk, line]), sent)


def groups(page: Any) -> dict[str, bool]:
    """The groups of the page with their numbers, and whether each is shown."""
    found = re.findall(r'<a class="chip" href="[^"]*"( aria-current="true")?>(.*?)</a>', html_of(page), re.DOTALL)
    return {" ".join(re.sub("<[^>]*>", " ", label).split()): bool(chosen) for chosen, label in found[:4]}


def shown(page: Any) -> list[int]:
    return [int(line) for line in re.findall(r'<section id="row-(\d+)"', html_of(page))]


def corrections(job: Job) -> dict[int, str]:
    return dict(Row.objects.filter(job=job).values_list("line", "correction"))


def test_the_review_opens_on_the_first_group_that_has_rows(visitor: Client, job: Job) -> None:
    assert groups(review(visitor, job)) == {
        "Need your decision 2": True, "Suggestions 2": False, "Without a suggestion 2": False, "Decided 0": False,
    }  # fmt: skip
    for line in (6, 8):
        decide(visitor, job, review(visitor, job), line, "rejected")
    page = review(visitor, job)
    assert (groups(page)["Suggestions 2"], shown(page)) == (True, [2, 7])


def test_the_groups_have_the_numbers_of_the_tasks_of_the_list(visitor: Client, job: Job) -> None:
    tasks, page = count_tasks(job), groups(review(visitor, job))
    assert f"Need your decision {tasks['decide']}" in page
    assert f"Without a suggestion {tasks['back']}" in page, "nothing is rejected yet"


def test_each_group_says_how_much_of_it_is_decided_and_leads_to_the_file_and_then_to_the_next(
    visitor: Client, job: Job
) -> None:
    page = review(visitor, job)
    assert "0 of 2 decided" in text_of(page)
    groups_done = {8: "Overview You can also check 2 suggestions", 7: "Overview You can also enter the DOIs of 2 rows"}
    for line in (6, 8, 2, 7, 3):
        answer = decide(visitor, job, page, line, "rejected")
        page = visitor.get(answer["Location"])
        if line not in groups_done:
            assert "1 of 2 decided" in text_of(page)
        else:
            assert f"Done: all 2 rows of this group are decided. Download your file {groups_done[line]}" in text_of(
                page
            )
            page = review(visitor, job)
    page = visitor.get(decide(visitor, job, page, 4, "accepted", doi="10.5555/found")["Location"])
    assert "Nothing to review." in text_of(page)
    assert f'<a class="button" href="/jobs/{job.pk}/files">' in html_of(page)


def test_undo_leads_to_the_group_in_which_the_row_is_again(visitor: Client, job: Job) -> None:
    decide(visitor, job, review(visitor, job), 6, "rejected")
    undo = {"action": DecisionAction.objects.get().pk, "back": "correction=suggested"}
    answer = visitor.post(reverse("job-review-undo", args=[job.pk]), undo)
    assert answer["Location"].endswith("/review?correction=review&after=5#row-6")


@pytest.mark.parametrize("line", [6, 9])
def test_the_cell_may_stay_as_it_is_where_its_own_doi_works(visitor: Client, upload: Look, line: int) -> None:
    upload(LIST)
    job = run(Job.objects.latest("created_at"))
    if line == 9:
        Row.objects.filter(job=job, line=9).update(correction="review", input="10.5555/alias and more")
    answer = decide(visitor, job, review(visitor, job), line, "accepted", choice="keep")
    assert "the cell stays as it is" in text_of(visitor.get(answer["Location"]))
    row = Row.objects.get(job=job, line=line)
    assert (row.decision, row.decided_doi) == ("edited", row.doi)
    decided = review(visitor, job, "?correction=decided")
    assert "Kept as it is" in text_of(decided)
    assert [doi for doi, state in choices_of(decided, line) if state == "checked"] == ["keep"]
    assert line in find_line_numbers(job, RowFilter(task="ready"), Row.objects.filter(job=job).order_by("line"), 99)


@pytest.mark.parametrize(
    ("choice", "cell"),
    [("10.1000/182", "10.1000/182"), ("10.5555/a", "10.5555/a"), ("keep", "10.5555/a; 10.1000/182")],
)
def test_the_file_has_the_chosen_doi_of_a_cell_with_two_or_the_cell_as_it_was(
    visitor: Client, upload: Look, choice: str, cell: str
) -> None:
    upload("doi\n10.5555/a; 10.1000/182\n")
    job = run(Job.objects.latest("created_at"))
    decide(visitor, job, review(visitor, job), 1, "accepted", choice=choice)
    file = visitor.get(f"/jobs/{job.pk}/results.original?accept=suggested")
    assert b"".join(file.streaming_content).decode() == f"doi\n{cell}\n"


@pytest.mark.parametrize(("choice", "written"), [("10.5555/alias", ["10.5555/alias"]), ("keep", [])])
def test_a_chosen_doi_is_written_also_where_it_is_that_of_the_cell(
    visitor: Client, upload: Look, choice: str, written: list[str]
) -> None:
    upload(LIST)
    job = run(Job.objects.latest("created_at"))
    Row.objects.filter(job=job, line=9).update(correction="review", input="10.5555/alias and more")
    decide(visitor, job, review(visitor, job), 9, "accepted", choice=choice)
    assert Row.objects.get(job=job, line=9).decision == "edited"
    assert [row.decided_doi for row in iterate_accepted(job, "accepted")] == written


def test_a_kept_cell_stays_so_when_its_row_is_checked_again(visitor: Client, upload: Look) -> None:
    upload("doi\n10.5555/a; 10.1000/182\n")
    job = run(Job.objects.latest("created_at"))
    decide(visitor, job, review(visitor, job), 1, "accepted", choice="keep")
    row = Row.objects.get(job=job)
    row.suggestion, row.outcome = "10.5555/other", "resolved"
    drop_outdated_decision(row)
    assert row.decision == "edited"


def test_no_cell_stays_as_it_is_whose_doi_does_not_work(visitor: Client, job: Job) -> None:
    page = review(visitor, job, "?correction=suggested")
    assert 'value="keep"' not in html_of(page)
    assert decide(visitor, job, page, 2, "accepted", choice="keep").status_code == 422


def test_a_row_without_a_proposal_is_saved_or_left_for_the_source(visitor: Client, job: Job) -> None:
    page = review(visitor, job, "?correction=without-proposal")
    assert "Save row 4" in text_of(page)
    assert "Accept row" not in text_of(page)
    answer = decide(visitor, job, page, 3, "rejected")
    assert "Row 4: left for the source." in text_of(visitor.get(answer["Location"]))


def test_a_registered_doi_without_a_web_address_may_be_kept(visitor: Client, upload: Look) -> None:
    upload("doi\n10.5555/nourl-1\n")
    job = run(Job.objects.latest("created_at"))
    page = review(visitor, job)
    assert "Keep this DOI:" in text_of(page)
    decide(visitor, job, page, 1, "accepted", choice="10.5555/nourl-1")
    assert corrections(job)[1] == "accepted"


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("", [6, 8]),
        ("?correction=all", [6, 8]),  # an address of earlier versions
        ("?correction=suggested", [2, 7]),
        ("?correction=review", [6, 8]),
        ("?correction=review&problem=unescaped-hash", [6, 8]),
        ("?problem=unescaped-hash", [6, 8]),  # of rows of one kind only
        ("?correction=without-proposal", [3, 4]),
        ("?correction=not-registered", [3]),
        ("?correction=no-doi", [4]),
        ("?correction=decided", []),
        ("?correction=odd&problem=odd&after=x&column=y", [6, 8]),
        ("?after=6", [8]),
        ("?correction=suggested&before=7", [2]),
        ("?after=99999", [6, 8]),
    ],
)
def test_the_page_shows_the_rows_that_its_address_names(
    visitor: Client, job: Job, query: str, lines: list[int]
) -> None:
    assert shown(review(visitor, job, query)) == lines


def test_the_tab_stays_marked_when_a_problem_is_chosen(visitor: Client, job: Job) -> None:
    page = html_of(review(visitor, job, "?correction=review&problem=unescaped-hash"))
    assert re.findall(r'<a (?:class="chip" )?href="([^"]*)" aria-current="true">', page) == [
        f"/jobs/{job.pk}/review?correction=review",
        f"/jobs/{job.pk}/review?correction=review",
    ]


def test_a_row_has_the_marked_text_the_users_columns_and_what_is_known_of_its_doi(visitor: Client, job: Job) -> None:
    page = html_of(review(visitor, job, "?correction=suggested"))
    assert "Seven" in page
    assert '<mark class="error">#x' in html_of(review(visitor, job))
    assert "Suggestion · registered at Crossref ·" in text_of(review(visitor, job, "?correction=suggested"))
    assert 'href="https://doi.org/10.5555/ab"' in page
    chosen = html_of(review(visitor, job, "?correction=suggested&columns=1&column=3"))
    assert "Seven" not in chosen
    assert ">G</dd>" in chosen


@pytest.mark.parametrize(
    ("line", "group", "choices"),
    [
        (2, "suggested", [("10.1000/182", "checked")]),
        (6, "review", [("10.1000/182", ""), ("keep", "")]),  # the rest may belong to it
        (3, "without-proposal", []),
    ],
)
def test_only_a_suggestion_is_chosen_before_a_person_chooses(
    visitor: Client, job: Job, line: int, group: str, choices: list[tuple[str, str]]
) -> None:
    assert choices_of(review(visitor, job, f"?correction={group}"), line) == choices


def test_the_other_dois_of_a_cell_are_choices_and_unregistered_ones_cannot_be_chosen(
    visitor: Client, upload: Look
) -> None:
    upload("doi\n10.1000/182 and 10.5555/b and 10.5555/missing\n")
    job = run(Job.objects.latest("created_at"))
    page = review(visitor, job)
    assert choices_of(page, 1) == [
        ("10.1000/182", ""),
        ("10.5555/b", ""),
        ("10.5555/missing", "disabled"),
        ("keep", ""),
    ]
    decide(visitor, job, page, 1, "accepted", choice="10.5555/b")
    assert Row.objects.get(job=job).decided_doi == "10.5555/b"


def test_a_row_without_a_proposal_gets_the_doi_that_is_entered(visitor: Client, job: Job) -> None:
    page = review(visitor, job, "?correction=without-proposal")
    for line in (3, 4):
        assert decide(visitor, job, page, line, "accepted", doi="https://doi.org/10.5555/found").status_code == 302
        assert Row.objects.get(job=job, line=line).decided_doi == "10.5555/found"
    assert corrections(job)[3] == corrections(job)[4] == "edited"


@pytest.mark.parametrize(("line", "group"), [(4, "without-proposal"), (6, "review")])
def test_nothing_is_accepted_before_a_doi_is_chosen_or_entered(
    visitor: Client, job: Job, line: int, group: str
) -> None:
    before = corrections(job)
    refused = decide(visitor, job, review(visitor, job, f"?correction={group}"), line, "accepted")
    assert refused.status_code == 422
    assert "Choose a DOI or enter one." in text_of(refused)
    assert corrections(job) == before


def test_titles_are_requested_once_somebody_wants_them(visitor: Client, job: Job) -> None:
    wanted = re.search(r'href="([^"#]*)#row-2">Show titles', html_of(review(visitor, job, "?correction=suggested")))
    assert wanted
    requests = re.findall(r'hx-get="([^"]*)"', html_of(visitor.get(unescape(wanted[1]))))
    assert len(requests) == 2, "one for each registered DOI"
    line = html_of(visitor.get(unescape(requests[1]), headers={"HX-Request": "true"}))
    assert "<cite>" in line
    again = review(visitor, job, "?correction=suggested")
    assert line.strip() in html_of(again), "it is stored"


def test_a_decision_leads_to_the_next_row(visitor: Client, job: Job) -> None:
    page = review(visitor, job, "?correction=review&columns=1&column=0")
    response = decide(visitor, job, page, 6, "accepted", choice="10.1000/182")
    assert response.status_code == 302
    assert response["Location"].endswith("/review?correction=review&columns=1&column=0#row-8")
    assert corrections(job)[6] == "accepted"
    page = visitor.get(response["Location"])
    assert shown(page) == [8]
    assert "accepted 10.1000/182" in text_of(page)


def test_the_rows_and_the_row_say_what_was_decided(visitor: Client, job: Job) -> None:
    page = review(visitor, job, "?correction=suggested")
    decide(visitor, job, page, 2, "accepted")
    decide(visitor, job, page, 7, "rejected")
    rows = text_of(visitor.get(reverse("job-rows", args=[job.pk])))
    assert "Accepted 10.1000/182" in rows
    assert "− Rejected" in rows, "the sign of a row that couldn't be checked would say something else"
    page = text_of(visitor.get(f"/jobs/{job.pk}/rows/2"))
    assert "Row 3: Decided: 10.1000/182 The check said: “This DOI isn’t registered, but we found one that is”" in page
    assert "✓ Accepted 10.1000/182 DOI for row 3" in page
    assert "Row 8: Goes back to the source" in text_of(visitor.get(f"/jobs/{job.pk}/rows/7"))


def test_another_doi_is_checked_at_once(visitor: Client, job: Job) -> None:
    page = review(visitor, job, "?correction=suggested")
    for text in ("no doi", "10.5555/missing", "https://doi.org/10.1000/182#x"):
        refused = decide(visitor, job, page, 7, "accepted", doi=text)
        assert refused.status_code == 422
        assert f'value="{text}"' in html_of(refused)
        assert 'aria-invalid="true"' in html_of(refused)
    away = decide(visitor, job, page, 7, "accepted", doi="10.5555/error-b")
    assert away.status_code == 503
    assert corrections(job)[7] == "suggested"
    assert decide(visitor, job, page, 7, "accepted", doi=" doi:10.5555/mine ").status_code == 302
    assert Row.objects.get(job=job, line=7).decided_doi == "10.5555/mine"


def test_the_page_names_the_main_doi_of_an_alias_that_was_entered(visitor: Client, job: Job) -> None:
    entered = decide(visitor, job, review(visitor, job, "?correction=suggested"), 7, "accepted", doi="10.5555/alias-1")
    assert Row.objects.get(job=job, line=7).decided_doi == "10.5555/alias-1"
    said = text_of(visitor.get(entered["Location"]))
    assert "The DOI that you entered is an alias. The main DOI is 10.5555/target-1." in said


def test_a_decision_is_undone(visitor: Client, job: Job) -> None:
    page = visitor.get(decide(visitor, job, review(visitor, job, "?correction=suggested"), 2, "rejected")["Location"])
    assert corrections(job)[2] == "rejected"
    undo = {"action": DecisionAction.objects.get().pk, "back": "correction=suggested&after=5"}
    address = reverse("job-review-undo", args=[job.pk])
    assert address in html_of(page)
    response = visitor.post(address, undo)
    assert response["Location"].endswith("/review?correction=suggested&after=1#row-2")
    assert corrections(job)[2] == "suggested"
    again = visitor.post(address, undo)
    assert again.status_code == 409


def test_two_people_at_once_overwrite_nothing(visitor: Client, job: Job) -> None:
    ada = User.objects.create_user("ada")
    Job.objects.filter(pk=job.pk).update(owner=f"user:{ada.pk}")
    one, two = Client(), Client()
    one.force_login(ada)
    two.force_login(ada)
    pages = review(one, job, "?correction=suggested"), review(two, job, "?correction=suggested")
    assert decide(one, job, pages[0], 2, "accepted").status_code == 302
    refused = decide(two, job, pages[1], 2, "rejected")
    assert refused.status_code == 409
    assert "Accepted (ada, " in text_of(refused)
    assert corrections(job)[2] == "accepted"


def test_a_row_with_another_proposal_than_seen_is_not_accepted(visitor: Client, job: Job) -> None:
    page = review(visitor, job, "?correction=suggested")
    Row.objects.filter(job=job, line=2).update(suggestion="10.5555/other")
    assert decide(visitor, job, page, 2, "accepted").status_code == 409


def test_all_of_a_kind_are_decided_after_a_look_at_ten(visitor: Client, upload: Look) -> None:
    upload("doi\n" + "".join(f"10.5555/n\u200b{number}\n" for number in range(25)) + "https://doi.org/10.1000/182#x\n")
    job = run(Job.objects.latest("created_at"))
    address = reverse("job-review-all", args=[job.pk])
    assert address not in html_of(review(visitor, job))  # no kind
    assert address not in html_of(review(visitor, job, "?correction=suggested&after=20"))  # five of them
    page = review(visitor, job, "?correction=suggested")
    assert len(shown(page)) == 10
    assert "Accept all 25 suggestions" in text_of(page)
    wrong = {"back": "correction=suggested", "decision": "accepted", "expected": "24"}
    assert visitor.post(address, wrong).status_code == 409
    assert set(corrections(job).values()) == {"suggested", "review"}
    assert visitor.post(address, {**wrong, "expected": "25"}).status_code == 302
    assert list(corrections(job).values()).count("accepted") == 25
    visitor.post(reverse("job-review-undo", args=[job.pk]), {"action": DecisionAction.objects.get().pk})
    assert list(corrections(job).values()).count("suggested") == 25


def test_decided_rows_are_shown_again_with_who_and_when(visitor: Client, job: Job) -> None:
    decide(visitor, job, review(visitor, job), 6, "rejected")
    page = review(visitor, job, "?correction=decided")
    assert shown(page) == [6]
    assert "Decided on " in text_of(page)
    assert decide(visitor, job, page, 6, "").status_code == 302
    assert corrections(job)[6] == "review"


def test_only_the_owner_decides(visitor: Client, stranger: Client, job: Job) -> None:
    addresses = [
        reverse("job-review-row", args=[job.pk, 2]),
        reverse("job-review-all", args=[job.pk]),
        reverse("job-review-undo", args=[job.pk]),
    ]
    assert review(stranger, job).status_code == 404
    share_job(job)
    stranger.get(reverse("shared", args=[job.share_token]))
    page = review(stranger, job)
    assert shown(page) == [6, 8]
    assert 'method="post" action="/jobs/' not in html_of(page)
    for address in addresses:
        assert stranger.post(address, {"decision": "accepted", "expected": "2", "action": "1"}).status_code == 404
        assert visitor.get(address).status_code == 405
    assert set(corrections(job).values()) >= {"suggested", "review"}


def test_a_list_that_runs_is_not_reviewed_yet(visitor: Client, upload: Look) -> None:
    upload(LIST)
    job = Job.objects.latest("created_at")
    assert shown(review(visitor, job)) == []
    assert "when it’s finished" in text_of(review(visitor, job))


@pytest.mark.parametrize(
    "sent",
    [
        {"decision": "odd"},
        {"decision": "accepted", "seen": "yesterday"},
        {"decision": "accepted", "seen": "0001-01-01T00:00:00+23:00"},
        {"decision": "edited", "doi": "10.5555/b"},
        {"decision": "accepted", "doi": "\0" * 5000},
        {"decision": "accepted", "choice": "10." + "1" * 20_000},
        {"decision": "rejected", "back": "&after=" + "9" * 5000, "seen": "2026-01-01T00:00:00"},
    ],
)
def test_forged_fields_change_nothing(visitor: Client, job: Job, sent: dict[str, str]) -> None:
    before = corrections(job)
    response = visitor.post(reverse("job-review-row", args=[job.pk, 2]), sent)
    assert response.status_code in (404, 409, 422)
    assert corrections(job) == before


def test_hostile_texts_stay_text(visitor: Client, upload: Look) -> None:
    upload('doi,"<b>name</b>"\n"10.1000/182#<script>alert(1)</script>\u202e","<img src=x>"\n')
    job = run(Job.objects.latest("created_at"))
    page = html_of(review(visitor, job)) + html_of(review(visitor, job, "?columns=1&column=1&column=99999"))
    assert not re.search("<script>|<b>name|<img", page)


def test_the_number_of_queries_does_not_grow_with_the_rows(
    visitor: Client, upload: Look, django_assert_num_queries: Any
) -> None:
    for rows in (1, 3):
        upload("doi\n" + "".join(f"10.5555/q\u200b{number}\n" for number in range(rows)))
        job = run(Job.objects.latest("created_at"))
        # The session, the list, the lines of the page, their rows, the counts, stored answers (3), the last action.
        with django_assert_num_queries(10):
            assert len(shown(review(visitor, job))) == rows


def test_the_list_and_its_rows_lead_to_the_review(visitor: Client, job: Job) -> None:
    address = reverse("job-review", args=[job.pk])
    page = visitor.get(reverse("job", args=[job.pk]))
    assert f'href="{address}"' in html_of(page)
    assert f'href="{address}?correction=review">Decide 2 rows' in html_of(page)
    assert "Review 2" in text_of(page)
    assert f'href="{address}"' in html_of(visitor.get(reverse("job-rows", args=[job.pk])))


def test_rows_are_narrowed_by_correction(visitor: Client, job: Job) -> None:
    page = visitor.get(reverse("job-rows", args=[job.pk]) + "?correction=review")
    assert "Correction: Needs a decision" in text_of(page)
    assert re.findall(r'class="open" href="[^"]*/rows/(\d+)', html_of(page)) == ["6", "8"]


def test_messages_number_the_rows_of_an_earlier_list_as_a_spreadsheet_does(visitor: Client, job: Job) -> None:
    Row.objects.filter(job=job).update(row=None)
    response = decide(visitor, job, review(visitor, job, "?correction=suggested"), 2, "accepted")
    assert "Row 3: accepted 10.1000/182." in text_of(visitor.get(response["Location"]))


def test_the_columns_chosen_for_the_rows_are_shown_in_the_review_too(visitor: Client, job: Job) -> None:
    visitor.post(reverse("job-columns", args=[job.pk]), {"column": ["3"]})
    card = text_of(review(visitor, job, "?correction=suggested"))
    assert "B" in card
    assert "Two" not in card
