"""The head of each page of a list: its name, its facts, and the tabs."""

import re

import pytest
from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, html_of, run

TABS = ("", "/rows", "/review", "/files", "/follow")


def list_tabs(page: str, job: Job) -> list[tuple[str, str, str]]:
    """The end of each address, how it is marked, and what stands beside its name."""
    nav = page.partition('id="tabs"')[2].partition("</nav>")[0]
    links = re.findall(rf'<a href="/jobs/{job.pk}([^"]*)"([^>]*)>(.*?)</a>', nav, re.DOTALL)
    notes = [re.search(r'"count">([^<]*)', words) for _, _, words in links]
    return [(end, mark.strip(), note[1] if note else "") for (end, mark, _), note in zip(links, notes, strict=True)]


@pytest.mark.parametrize("end", TABS)
def test_each_page_of_a_list_leads_to_the_others_and_is_marked(visitor: Client, upload: Look, end: str) -> None:
    upload("doi\n10.1000/182\n10.5555/one and 10.5555/two\n")
    job = run(Job.objects.get())
    page = html_of(visitor.get(f"/jobs/{job.pk}{end}"))
    assert [tab for tab, mark, _ in list_tabs(page, job) if mark == 'aria-current="page"'] == [end]
    assert [note for _, _, note in list_tabs(page, job)] == ["", "2", "1", "", ""]
    assert page.count("<h1") == 1


def test_what_comes_later_is_there_and_says_so(visitor: Client, upload: Look) -> None:
    upload("doi\n10.1000/182\n")
    job = Job.objects.get()
    page = html_of(visitor.get(f"/jobs/{job.pk}"))
    assert [tab for tab, _, note in list_tabs(page, job) if note == "later"] == ["/review", "/files"]
    for end in TABS:
        assert visitor.get(f"/jobs/{job.pk}{end}").status_code == 200
