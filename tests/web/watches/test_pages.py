"""The pages of watches: what they say of the runs, and what people do there."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job, Row, Watch, WatchChange, WatchedRow, WatchedState, WatchRun
from resolver.services.uploads import stored_uploads
from tests.services.conftest import NOWHERE
from tests.services.watches.conftest import NAMES
from tests.web.conftest import Look, html_of, run, text_of
from tests.web.site.test_page_weight import HIDDEN
from tests.web.watches.conftest import FORM, Portal

A, B, C = NAMES


def page(portal: Portal, watch: Watch, end: str = "") -> str:
    return text_of(portal.ada.get(f"/watches/{watch.pk}{end}"))


def test_without_watches_the_page_says_what_a_watch_is_and_leads_to_the_lists(visitor: Client) -> None:
    answer = visitor.get("/watches")
    assert re.search(r'<p class="empty">[^/]*<a href="/jobs">', html_of(answer))


def test_a_list_that_has_ended_is_watched_from_its_page_once(portal: Portal) -> None:
    job = portal.check_list()
    address = f"/jobs/{job.pk}/watch"
    assert f'href="{address}"' in html_of(portal.ada.get(f"/jobs/{job.pk}/follow"))
    said = text_of(portal.ada.post(address, FORM, follow=True))
    assert "You’re watching this list. We’ll tell you when a DOI breaks." in said
    assert "every day" in said
    watch = Watch.objects.get()
    assert (watch.name, watch.every, watch.depth, watch.portal) == ("Spring", "day", "existence", "http://testserver")
    portal.ada.post(address, FORM)
    assert Watch.objects.count() == 1
    assert f'You’re watching this list.</strong><a href="/watches/{watch.pk}"' in html_of(
        portal.ada.get(f"/jobs/{job.pk}/follow")
    )


def test_a_session_without_an_account_may_watch_and_is_offered_no_mails(
    portal: Portal, visitor: Client, upload: Look, settings: Any
) -> None:
    settings.EMAIL_HOST = "mail.example"
    upload("doi\n10.77/a\n")
    job = run(Job.objects.latest("created_at"))
    form = visitor.get(f"/jobs/{job.pk}/watch")
    assert f'href="/accounts/login/?next=/jobs/{job.pk}/watch"' in html_of(form)
    assert 'name="mail"' not in html_of(form)
    visitor.post(f"/jobs/{job.pk}/watch", FORM)
    assert "Spring" in text_of(visitor.get("/watches"))
    assert "Spring" not in text_of(portal.ada.get("/watches"))


def test_a_portal_without_a_mail_server_says_who_can_turn_emails_on(portal: Portal, settings: Any) -> None:
    settings.EMAIL_HOST = ""
    form = text_of(portal.ada.get(f"/jobs/{portal.check_list().pk}/watch"))
    assert "This portal sends no emails yet. The people who run it can turn them on." in form


def test_an_empty_cell_is_no_broken_row(visitor: Client, upload: Look) -> None:
    upload("doi,title\n10.77/a,One\n,Two\n")
    job = run(Job.objects.latest("created_at"))
    answer = visitor.post(f"/jobs/{job.pk}/watch", FORM, follow=True)
    assert "10.77/a Row 2" in text_of(answer)
    assert "Row 3" not in text_of(answer)


def test_two_webhooks_of_the_same_name_are_told_apart(portal: Portal) -> None:
    job = portal.check_list()
    for end in ("one", "two"):
        portal.ada.post("/webhooks", {"url": f"https://192.0.3.1/{end}", "name": "Import", "events": ["watch.changed"]})
    form = text_of(portal.ada.get(f"/jobs/{job.pk}/watch"))
    assert "Import: https://192.0.3.1/one" in form
    assert "Import: https://192.0.3.1/two" in form


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [({"every": "hour"}, "valid choice"), ({"depth": ""}, "required"), ({"name": "x" * 201}, "The limit is 200")],
)
def test_a_form_with_a_mistake_says_it_and_makes_nothing(portal: Portal, sent: dict[str, str], sentence: str) -> None:
    answer = portal.ada.post(f"/jobs/{portal.check_list().pk}/watch", FORM | sent)
    assert (answer.status_code, Watch.objects.count()) == (422, 0)
    assert sentence in text_of(answer)


def test_what_the_portal_refuses_is_said_with_its_bound(portal: Portal, settings: Any) -> None:
    job = portal.check_list()
    address = f"/jobs/{job.pk}/watch"
    settings.MAX_WATCHED_NAMES = 2
    assert "may have 2 rows together. With the 3 rows of this list" in text_of(portal.ada.post(address, FORM))
    settings.MAX_WATCHES = 0
    assert "You have 0 watches, the most possible." in text_of(portal.ada.post(address, FORM))
    stored_uploads.delete_upload(job.upload)
    assert "The uploaded file of this list is no longer available." in text_of(portal.ada.post(address, FORM))
    assert not Watch.objects.exists()


def test_a_change_of_the_interval_begins_a_new_schedule_and_no_change_keeps_it(portal: Portal) -> None:
    watch = portal.watch()
    address = f"/watches/{watch.pk}/edit"
    assert "Your changes are saved." in text_of(portal.ada.post(address, FORM | {"name": "Autumn"}, follow=True))
    same = Watch.objects.get()
    assert (same.name, same.next_at) == ("Autumn", watch.next_at)
    portal.ada.post(address, FORM | {"every": "quarter"})
    assert Watch.objects.get().next_at > watch.next_at + timedelta(days=60)


def test_a_break_stands_on_the_page_with_what_happened_and_what_to_do(portal: Portal) -> None:
    watch = portal.watch()
    portal.know(A, B)
    portal.do_due()
    said = page(portal, watch)
    assert "Some rows look newly broken. They are checked a second time after" in said
    assert "Seen broken once (1)" in said
    portal.next_day()
    said = page(portal, watch)
    assert f"{C} Row 4 ✗ Not registered Check it against the publication" in said
    assert "Broken now (1)" in said
    assert "1 broke" in text_of(portal.ada.get("/watches"))
    portal.know(*NAMES)
    portal.next_day()
    assert "✓ Works again Nothing to do." in page(portal, watch)
    assert "✓ No row is broken" in page(portal, watch)


def test_no_row_is_called_working_before_it_is_known_or_while_it_is_in_doubt(portal: Portal) -> None:
    watch = portal.watch()
    assert "No row is broken" in page(portal, watch)
    for state in (WatchedState.SUSPECTED, WatchedState.UNKNOWN):
        WatchedRow.objects.create(watch=watch, line=1, state=state, since=portal.now)
        assert "No row is broken" not in page(portal, watch)
        WatchedRow.objects.all().delete()
    Watch.objects.update(baseline=False)
    said = page(portal, watch)
    assert "No row is broken" not in said
    assert "The first run finds out which rows are broken." in said


@pytest.mark.slow
def test_a_broken_row_leads_to_the_list_in_which_it_is_broken(portal: Portal) -> None:
    watch = portal.watch()
    portal.break_row()
    newest, told = WatchRun.objects.latest("pk").job_id, WatchChange.objects.get().run.job_id
    for end, lists in (("", {newest, told}), ("/rows", {newest}), ("/changes", {told})):
        html = html_of(portal.ada.get(f"/watches/{watch.pk}{end}"))
        found = set(re.findall(r'href="(/jobs/[^"]*/rows/3)"', html))
        assert found == {f"/jobs/{one}/rows/3" for one in lists}
        assert all("isn’t registered" in text_of(portal.ada.get(address)) for address in found)
    WatchedRow.objects.update(outcome="no-url")  # what no check of existence sees
    assert "Row 4 (as it was when the watch began)" in page(portal, watch, "/rows")
    WatchRun.objects.update(job=None)
    for end in ("/rows", "/changes"):
        assert "Row 4 (as it was when the watch began)" in page(portal, watch, end)
        assert f'href="/jobs/{watch.job_id}/rows/3"' in html_of(portal.ada.get(f"/watches/{watch.pk}{end}"))


@pytest.mark.parametrize(("depth", "said"), [("existence", True), ("full", False)])
def test_the_chart_of_an_existence_watch_says_what_its_runs_do_not_see(portal: Portal, depth: str, said: bool) -> None:
    watch = portal.watch(depth=depth)
    portal.do_due()
    assert ('id="only-existence"' in html_of(portal.ada.get(f"/watches/{watch.pk}"))) == said


def test_before_its_end_a_watch_says_until_when_its_lists_are_kept(portal: Portal, settings: Any) -> None:
    watch = portal.watch()
    said = page(portal, watch, "/end")
    assert "the lists of its last 3 runs" in said
    assert "a list is removed 365 days after its check ended." in said
    assert "will be removed soon" not in said
    old = portal.now - timedelta(days=400)
    Job.objects.update(created_at=old, finished_at=old)
    assert "will be removed soon" in page(portal, watch, "/end")
    settings.KEEP_DAYS = 0
    said = page(portal, watch, "/end")
    assert "They stay until you delete them." in said
    assert "will be removed soon" not in said


@pytest.mark.slow
def test_each_run_leads_to_its_list_while_it_is_kept_and_to_the_comparison_with_the_one_before(portal: Portal) -> None:
    watch = portal.watch()
    portal.do_due()
    for _ in range(4):
        portal.next_day()
    kept = list(WatchRun.objects.filter(job__isnull=False).order_by("-pk").values_list("job", flat=True))
    html = html_of(portal.ada.get(f"/watches/{watch.pk}"))
    compared = re.findall(r'href="(/jobs/[^"]*/compare/[^"]*)"', html)
    assert compared == [f"/jobs/{a}/compare/{b}" for b, a in zip(kept, [*kept[1:], watch.job_id], strict=True)]
    assert {portal.ada.get(address).status_code for address in compared} == {200}
    assert text_of(portal.ada.get(f"/jobs/{kept[0]}/follow")).count("This list is a run of a watch.") == 1


@pytest.mark.slow
def test_the_chart_says_its_numbers_too(portal: Portal) -> None:
    watch = portal.watch()
    portal.do_due()
    portal.now = Watch.objects.get().next_at
    portal.break_row()
    words = "Broken rows in the last 3 runs, the oldest first: 0, 1, 1"
    for address in ("/watches", f"/watches/{watch.pk}"):
        assert f'aria-label="{words}"' in html_of(portal.ada.get(address))


def test_a_run_that_could_not_check_enough_says_why_and_when_the_next_one_is(portal: Portal, settings: Any) -> None:
    watch = portal.watch(every="month")
    settings.DOI_PROXY_URL = NOWHERE
    portal.do_due()
    said = page(portal, watch)
    assert "3 of 3 rows couldn’t be checked, so this run says nothing about changes. The next run is on" in said


def test_a_failed_run_says_why(portal: Portal) -> None:
    watch = portal.watch()
    stored_uploads.delete_upload(watch.job.upload)
    portal.do_due()
    said = page(portal, watch)
    assert "The uploaded file is no longer available. Upload it again, and watch that list." in said
    assert "This watch is paused." in said


def test_a_watch_is_paused_resumed_run_and_ended(portal: Portal) -> None:
    watch = portal.watch()
    portal.ada.post(f"/watches/{watch.pk}/pause")
    assert "paused" in page(portal, watch)
    portal.ada.post(f"/watches/{watch.pk}/resume")
    assert "The watch is running again." in text_of(portal.ada.get("/watches"))
    assert Watch.objects.get().paused_at is None
    assert 'href="">Refresh' not in html_of(portal.ada.get(f"/watches/{watch.pk}"))
    answer = portal.ada.post(f"/watches/{watch.pk}/run", follow=True)
    assert "The check is starting." in text_of(answer)
    assert 'href="">Refresh' in html_of(answer)
    portal.now = Watch.objects.get().next_at
    portal.do_due()
    assert WatchRun.objects.count() == 1
    lists = Job.objects.count()
    assert "End this watch?" in page(portal, watch, "/end")
    assert "The watch has ended." in text_of(portal.ada.post(f"/watches/{watch.pk}/end", follow=True))
    assert (Watch.objects.count(), Job.objects.count()) == (0, lists)


@pytest.mark.slow
def test_a_broken_row_is_accepted_with_a_note_and_counted_again(portal: Portal) -> None:
    watch = portal.watch()
    portal.break_row()
    row = f"/watches/{watch.pk}/rows/3"
    assert "The limit is 500" in text_of(portal.ada.post(f"{row}/accept", {"note": "x" * 501}))
    said = text_of(portal.ada.post(f"{row}/accept", {"note": "withdrawn <b>"}, follow=True))
    assert "The row is accepted as it is." in said
    assert "Accepted as they are (1)" in said
    assert "withdrawn <b>" in said
    assert "Broken now" not in said.partition("Runs")[0]
    assert "Broken now (1)" in text_of(portal.ada.post(f"{row}/withdraw", follow=True))
    assert "there is nothing to accept" in text_of(portal.ada.post(f"/watches/{watch.pk}/rows/1/accept", follow=True))


@pytest.mark.slow
def test_all_changes_and_all_rows_are_paged(portal: Portal) -> None:
    names = [f"10.77/n{number}" for number in range(60)]
    portal.know()
    watch = portal.watch(portal.check_list("doi\n" + "\n".join(names) + "\n"))
    portal.know(*names)
    portal.do_due()
    for kind, attribute in (("changes", "changes"), ("rows", "lines")):
        if kind == "rows":
            WatchedRow.objects.bulk_create(
                WatchedRow(watch=watch, line=line, state=WatchedState.BROKEN, outcome="not-found", since=portal.now)
                for line in range(1, 61)
            )
        seen, address = 0, f"/watches/{watch.pk}/{kind}"
        while address:
            answer = portal.ada.get(address)
            context = answer.context["changes"] if attribute == "changes" else answer.context["group"]["lines"]
            seen += len(context)
            found = re.search(r'rel="next" href="([^"]*)"', html_of(answer))
            address = f"/watches/{watch.pk}/{kind}{found[1].replace('&amp;', '&')}" if found else ""
        assert seen == 60
    assert "View all 60 rows" in page(portal, watch)
    assert "View all changes" in page(portal, watch)


def test_the_list_of_watches_takes_three_queries_however_many_there_are(
    portal: Portal, django_assert_num_queries: Any
) -> None:
    for _ in range(2):
        portal.watch()
        portal.do_due()
        portal.now = max(Watch.objects.values_list("next_at", flat=True))
        with django_assert_num_queries(5):  # with the session and the account
            portal.ada.get("/watches")


def test_hostile_texts_stay_text(portal: Portal) -> None:
    evil = "<script>alert(1)</script>\u202e"
    watch = portal.watch(name=evil)
    portal.break_row()
    WatchChange.objects.update(doi=evil, suggestion=evil, ra=evil, input=evil)
    for end in ("", "/changes", "/rows", "/edit", "/end"):
        html = html_of(portal.ada.get(f"/watches/{watch.pk}{end}"))
        assert "<script>alert" not in html
        assert "\u202e" not in html or end == "/edit"  # there it is the value of a field


def test_a_watched_list_says_before_its_deletion_that_the_watch_ends(portal: Portal) -> None:
    watch = portal.watch()
    assert "Its watch ends." in text_of(portal.ada.get(f"/jobs/{watch.job_id}/delete"))


def test_a_page_stays_light_however_odd_the_texts_are(portal: Portal) -> None:
    names = "\n".join(f"10.77/n{number}" for number in range(40))
    watch = portal.watch(portal.check_list(f"doi\n{names}\n"), name=HIDDEN[:200])
    run = WatchRun.objects.create(watch=watch, state="settled", started_at=portal.now)
    texts = {"doi": HIDDEN, "input": HIDDEN, "ra": HIDDEN, "suggestion": HIDDEN}
    WatchChange.objects.bulk_create(
        WatchChange(run=run, watch=watch, line=line, works=False, outcome="not-found", at=portal.now, **texts)
        for line in range(1, 41)
    )
    WatchedRow.objects.all().delete()
    WatchedRow.objects.bulk_create(
        WatchedRow(watch=watch, line=line, state=state, outcome="no-url", since=portal.now, note=HIDDEN[:500])
        for line, state in enumerate(10 * list(WatchedState), 1)
    )
    Row.objects.filter(job=watch.job).update(input=HIDDEN, doi=HIDDEN)
    for end in ("", "/changes", "/rows", "/rows?state=accepted"):
        assert len(portal.ada.get(f"/watches/{watch.pk}{end}").content) < 70_000, end
