"""The page of a list's hosts: started, watched, filtered, downloaded; readers of a shared list may look."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from resolver.models import CheckedHost, HostCheck, Job
from resolver.services.hosts.check import continue_host_check
from resolver.services.jobs.sharing import share_job
from resolver.standin.server import SampleProxyServer
from tests.web.conftest import Look, data_of, html_of, run, text_of

ADDRESSES = ["http://127.0.0.1:1/a", "http://127.0.0.1:1/b", "http://10.0.0.1/", "https://8.8.8.8:22/"]


@pytest.fixture
def job(settings: Any, tmp_path: Path, upload: Look) -> Iterator[Job]:
    """A checked list: two rows lead to a server that refuses, one inside the network, one to another service."""
    made = [
        {"doi": f"10.77/{number}", "ra": "Crossref", "values": [_url(address)]}
        for number, address in enumerate(ADDRESSES)
    ]
    (tmp_path / "records.json").write_text(json.dumps({"prefixes": {"10.77": "Crossref"}, "records": made}))
    with SampleProxyServer(tmp_path / "records.json") as server:
        settings.DOI_PROXY_URL = server.url
        upload("doi\n" + "".join(f"10.77/{number}\n" for number in range(len(ADDRESSES))))
        yield run(Job.objects.get())


def _url(address: str) -> dict[str, Any]:
    data = {"format": "string", "value": address}
    return {"index": 1, "type": "URL", "data": data, "ttl": 86400, "timestamp": "2026-01-01T00:00:00Z"}


@pytest.fixture
def page(job: Job) -> str:
    return f"/jobs/{job.pk}/hosts"


@pytest.fixture
def checked(job: Job, page: str, visitor: Client) -> HostCheck:
    """Started by the button, done by a worker; only this machine's servers are contacted."""
    assert visitor.post(f"{page}/check")["Location"] == page
    check = HostCheck.objects.get()
    assert continue_host_check(check.pk, until=0)
    CheckedHost.objects.exclude(name="127.0.0.1").update(verdict="not-contacted", checked_at=check.started_at)
    assert not continue_host_check(check.pk, allow_private=True)
    return check


def lines_of(response: Any) -> list[list[str]]:
    return [line.split(",") for line in b"".join(response).decode("utf-8-sig").splitlines()]


def test_the_page_of_the_list_leads_to_its_hosts_and_the_button_starts_their_check(
    job: Job, page: str, visitor: Client
) -> None:
    assert f'href="{page}"' in html_of(visitor.get(f"/jobs/{job.pk}/follow"))
    assert f'action="{page}/check"' in html_of(visitor.get(page))
    assert not HostCheck.objects.exists()
    for _ in range(2):
        assert visitor.post(f"{page}/check").status_code == 302
    check = HostCheck.objects.get()
    assert data_of(visitor.get(page), "percent") == ["0"]
    assert continue_host_check(check.pk, until=0)
    assert data_of(visitor.get(page), "percent") == ["10"]
    assert f'action="{page}/check"' not in html_of(visitor.get(page))


def test_the_page_of_a_check_under_way_polls_itself_until_its_end(job: Job, page: str, visitor: Client) -> None:
    visitor.post(f"{page}/check")
    assert f'<div id="progress" hx-get="{page}" hx-trigger="every 3s"' in html_of(visitor.get(page))
    assert visitor.get(page, headers={"HX-Request": "true"})["HX-Reselect"] == "#progress"
    HostCheck.objects.update(done=True)
    ended = visitor.get(page, headers={"HX-Request": "true"})
    assert (ended["HX-Reselect"], ended["HX-Retarget"]) == ("#main > *", "#live")
    assert '<div id="announcement" hx-swap-oob="innerHTML"><p>Hosts checked</p></div>' in html_of(ended)
    assert "hx-get" not in html_of(visitor.get(page))


def test_hosts_are_shown_with_their_rows_and_verdicts(checked: HostCheck, page: str, visitor: Client) -> None:
    answer = visitor.get(page)
    assert [host.name for host, _ in answer.context["hosts"]] == ["127.0.0.1", "10.0.0.1", "8.8.8.8"]
    assert [(code, number) for code, _, number in answer.context["verdicts"]] == [
        ("no-answer", 1),
        ("not-contacted", 2),
    ]
    assert "not whether the page is right" in text_of(answer)
    assert "http://127.0.0.1:1" in text_of(answer)


def test_hosts_lead_to_their_rows_and_that_filter_can_be_removed(
    checked: HostCheck, page: str, visitor: Client, monkeypatch: Any
) -> None:
    rows = f"/jobs/{checked.job.pk}/rows"
    assert f'href="{rows}?host=127.0.0.1"' in html_of(visitor.get(f"{page}?faults=1"))
    for exact in (25_000, 1):  # rows up to which each filter is counted
        monkeypatch.setattr("resolver.services.results.facets.MAX_ROWS_TO_COUNT", exact)
        shown = visitor.get(f"{rows}?host=127.0.0.1")
        assert [row.line for row, *_ in shown.context["rows"]] == [1, 2]
        assert "Host: 127.0.0.1 ✕" in text_of(shown)
        assert "2 of 4 rows" in text_of(shown)
        assert f'<a class="chip" href="{rows}">' in html_of(shown)
        assert f'href="{rows[:-5]}/results.csv?host=127.0.0.1"' in html_of(shown)
        assert f'href="{rows}/1?host=127.0.0.1"' in html_of(shown)
    assert "These 2 rows, corrected" in text_of(shown)


def test_hosts_with_a_fault_are_shown_alone(checked: HostCheck, page: str, visitor: Client) -> None:
    assert 'href="?faults=1#hosts"' in html_of(visitor.get(page))
    answer = visitor.get(page, {"faults": "1"})
    assert [host.name for host, _ in answer.context["hosts"]] == ["127.0.0.1"]
    lines = lines_of(visitor.get(f"{page}/checked.csv?faults=1"))
    assert [line[0] for line in lines] == ["host", "127.0.0.1"]


def test_the_verdicts_can_be_downloaded(checked: HostCheck, page: str, visitor: Client) -> None:
    answer = visitor.get(f"{page}/checked.csv")
    assert 'filename="list-checked-hosts.csv"' in answer["Content-Disposition"]
    head, first, *_ = lines_of(answer)
    assert head == ["host", "scheme", "port", "rows", "verdict", "detail", "checked_at"]
    assert first[:6] == ["127.0.0.1", "http", "1", "2", "no-answer", "The server refused the connection."]
    assert ";no-answer;" in b"".join(visitor.get(f"{page}/checked.csv?delimiter=;")).decode()  # type: ignore[arg-type] # a streamed answer is iterated over


def test_a_page_on_which_no_host_was_reached_doubts_the_network(checked: HostCheck, page: str, visitor: Client) -> None:
    assert data_of(visitor.get(page), "none-seen") == []  # one host alone may well be gone
    CheckedHost.objects.update(verdict="no-answer")
    shown = visitor.get(page)
    assert data_of(shown, "none-seen") == ["1"]
    assert {label.tone for _code, label, _number in shown.context["verdicts"]} == {"unknown"}
    CheckedHost.objects.filter(place=1).update(verdict="certificate-ended")
    assert data_of(visitor.get(page), "none-seen") == []


def test_hosts_are_shown_in_pages(checked: HostCheck, page: str, visitor: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr("resolver.web.hosts.views.HOSTS_ON_PAGE", 2)
    first = visitor.get(page)
    assert [host.place for host, _ in first.context["hosts"]] == [1, 2]
    assert "after=2" in html_of(first)
    assert [host.place for host, _ in visitor.get(page, {"after": "2"}).context["hosts"]] == [3]


def test_who_reads_a_shared_list_sees_the_verdicts_and_starts_no_check(
    job: Job, checked: HostCheck, page: str, stranger: Client
) -> None:
    assert stranger.get(page).status_code == 404
    share_job(job)
    stranger.get(f"/shared/{job.share_token}")
    stranger.post(f"/shared/{job.share_token}")
    answer = stranger.get(page)
    assert len(answer.context["hosts"]) == 3
    assert f'action="{page}/check"' not in html_of(answer)
    assert stranger.post(f"{page}/check").status_code == 404
    assert len(lines_of(stranger.get(f"{page}/checked.csv"))) == 4


def test_a_quick_list_says_that_there_is_nothing_to_check(upload: Look, visitor: Client) -> None:
    upload("10.1000/182\n", quick="on")
    job = run(Job.objects.get())
    assert "quick check doesn’t read web addresses" in text_of(visitor.get(f"/jobs/{job.pk}/hosts"))
    assert f"/jobs/{job.pk}/hosts" not in html_of(visitor.get(f"/jobs/{job.pk}"))
    visitor.post(f"/jobs/{job.pk}/hosts/check")
    assert not HostCheck.objects.exists()


def test_a_running_list_has_no_hosts_yet(upload: Look, visitor: Client) -> None:
    upload("10.1000/182\n")
    page = f"/jobs/{Job.objects.get().pk}/hosts"
    assert "still checking this list" in text_of(visitor.get(page))
    assert visitor.post(f"{page}/check").status_code == 302
    assert not HostCheck.objects.exists()


def test_a_portal_that_checks_no_hosts_offers_none(job: Job, page: str, visitor: Client, settings: Any) -> None:
    settings.HOST_CHECKS = False
    assert f'action="{page}/check"' not in html_of(visitor.get(page))
    visitor.post(f"{page}/check")
    assert not HostCheck.objects.exists()
