"""However long and odd what strangers wrote is, a page stays below 70 kB; the front page below 300 with its files."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from resolver.models import Job, Row
from tests.web.conftest import Look, run, text_of

HIDDEN = "\u202e" * 3000


@pytest.fixture
def job(upload: Look) -> Job:
    header = ",".join(["doi", *(f"{HIDDEN[:60]}{number}" for number in range(299))])
    upload(f"{header}\n" + ("10.1000/182" + f",{HIDDEN[:100]}" * 299 + "\n") * 3)
    job = run(Job.objects.get())
    agencies = [f"{HIDDEN}{number}" for number in range(60)] + ["a" * 150 + str(number) for number in range(60)]
    Job.objects.filter(pk=job.pk).update(counts={**job.counts, "ra": dict.fromkeys(agencies, 1)})
    for line in (1, 2, 3):
        Row.objects.filter(job=job, line=line).update(ra=agencies[line], urls=[f"https://x.org/{HIDDEN}"] * 5)
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("page", ["", "/rows", "/rows/1"])
def test_a_list_of_hidden_characters_weighs_no_more_than_any_other(job: Job, visitor: Client, page: str):
    answer = visitor.get(f"/jobs/{job.pk}{page}")
    assert answer.status_code == 200
    assert len(answer.content) < 70_000


def test_a_row_says_how_many_of_its_columns_are_left_out(job: Job, visitor: Client):
    assert "more columns are in the downloads" in text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))


@pytest.mark.slow
def test_a_comparison_ends_its_page_where_there_is_no_more_room(upload: Look, visitor: Client):
    upload("doi\n" + "10.1000/182\n" * 60)
    first = run(Job.objects.get())
    visitor.post(f"/jobs/{first.pk}/again")
    second = run(Job.objects.get(rerun_of=first))
    for job in (first, second):
        Row.objects.filter(job=job).update(input=HIDDEN, urls=[f"https://{job.pk}.org/{HIDDEN}"] * 5)
    address, seen = f"/jobs/{first.pk}/compare/{second.pk}", 0
    after = -1
    while after is not None:
        answer = visitor.get(f"{address}?after={after}")
        assert len(answer.content) < 70_000
        page = answer.context["page"]
        seen, after = seen + len(page.items), page.items[-1].pair.place if page.has_next else None
    assert seen == 60
    back = visitor.get(f"{address}?before=121").context["page"]
    assert back.items[-1].pair.place == 120
    assert back.has_previous


def test_a_link_by_an_agency_with_a_long_name_finds_its_rows(job: Job, visitor: Client):
    agency = "a" * 150 + "0"
    Row.objects.filter(job=job, line=1).update(ra=agency * 2)
    answer = visitor.get(f"/jobs/{job.pk}/rows", {"ra": agency * 2})
    assert answer.status_code == 200
    assert [row.line for row in answer.context["page"].items] == [1]


def test_a_page_is_sent_without_the_indentation_of_its_template(visitor: Client):
    lines = visitor.get("/help").content.decode().splitlines()
    assert not [line for line in lines if line.startswith("  ")]


def test_the_front_page_and_the_files_that_it_loads_weigh_less_than_300_kb(visitor: Client):
    page = visitor.get("/").content
    names = re.findall(r'(?:href|src)="/static/(resolver/\w+)(?:\.\w{12})?(\.\w+)"', page.decode())
    files = {Path(settings.BASE_DIR) / f"static/{name}{kind}" for name, kind in names}
    sheets = [path for path in files if path.suffix == ".css"]
    files |= {
        sheet.parent / font for sheet in sheets for font in re.findall(r'url\("(fonts/[^"]+)"', sheet.read_text())
    }
    assert {path.suffix for path in files} >= {".css", ".woff2", ".js", ".svg"}
    assert len(page) + sum(path.stat().st_size for path in files) < 300_000
