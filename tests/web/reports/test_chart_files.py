"""The charts of a list as SVG and PNG: who gets them, and what strangers' names do to them."""

import struct
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone, translation

from resolver.models import Job
from resolver.web.reports.chart_files import (
    CHARTS,
    MARGIN_PIXELS,
    MOST_BARS,
    WIDTH_PIXELS,
    draw_chart_of,
    fit,
    render_png,
)
from tests.web.conftest import Look, html_of, run, text_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>\"'&\x00\x0b\ufffe\ud800\u202eevil"


def listed(ra: dict[str, int], **fields: object) -> Job:
    done = sum(ra.values())
    counts = {"outcome": {"resolved": done} if done else {}, "problem": {}, "ra": ra}
    return Job(
        filename="list.csv", state="finished", total=done, done=done, counts=counts, proxy="https://doi.org", **fields
    )


def words(root: ElementTree.Element) -> list[str]:
    return ["".join(part.itertext()).strip() for part in root.iter(f"{SVG}text")]


def lengths(root: ElementTree.Element) -> list[float]:
    """The bars, without the white page and the ground on which each bar lies."""
    return [float(part.attrib["width"]) for part in list(root.iter(f"{SVG}rect"))[2::2]]


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.fixture
def job(upload: Look) -> Job:
    upload("DOI\n10.1000/182\n10.5555/missing\nnothing\n")
    return run(Job.objects.get())


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_comes_as_svg_and_as_png(job: Job, visitor: Client, name: str) -> None:
    svg, png = (visitor.get(f"/jobs/{job.pk}/charts/{name}.{ending}") for ending in ("svg", "png"))
    assert svg.status_code == png.status_code == 200
    assert svg["Content-Type"].startswith("image/svg+xml")
    assert "default-src 'none'" in svg["Content-Security-Policy"]
    assert png["Content-Type"] == "image/png"
    assert png["X-Content-Type-Options"] == svg["X-Content-Type-Options"] == "nosniff"
    assert svg["Content-Disposition"] == f'attachment; filename="{name}.svg"'
    root = ElementTree.fromstring(svg.content)
    assert size(png.content) == (2 * WIDTH_PIXELS, 2 * int(root.attrib["height"]))
    assert b"style" not in svg.content


def test_the_page_of_the_list_links_to_its_charts_and_its_report(job: Job, visitor: Client) -> None:
    page = html_of(visitor.get(f"/jobs/{job.pk}"))
    shown = set(CHARTS) - {"groups", "addresses"}  # a list without expected addresses has no chart of them
    for end in ("report", *(f"charts/{name}.{ending}" for name in shown for ending in ("svg", "png"))):
        assert f'href="/jobs/{job.pk}/{end}"' in page
        assert visitor.get(f"/jobs/{job.pk}/{end}").status_code == 200


def test_another_visitor_gets_a_chart_only_if_the_list_is_shared(job: Job, visitor: Client, stranger: Client) -> None:
    address = f"/jobs/{job.pk}/charts/problems.svg"
    assert stranger.get(address).status_code == 404
    visitor.post(f"/jobs/{job.pk}/share")
    stranger.get(f"/shared/{Job.objects.get().share_token}")
    assert stranger.get(address).status_code == 200
    assert stranger.get(f"/jobs/{job.pk}/report").status_code == 200


def test_a_chart_that_does_not_exist_is_not_found(job: Job, visitor: Client) -> None:
    assert visitor.get(f"/jobs/{job.pk}/charts/owners.svg").status_code == 404


@pytest.mark.parametrize("end", ["charts/groups.svg", "charts/groups.png", "report"])
def test_a_list_that_is_being_checked_has_none_of_it_yet(job: Job, visitor: Client, end: str) -> None:
    Job.objects.update(state="checking")
    refused = visitor.get(f"/jobs/{job.pk}/{end}")
    assert refused.status_code == 409
    assert "We’re still checking this list." in text_of(refused)


def test_one_row_is_seen_beside_999_999() -> None:
    root = ElementTree.fromstring(draw_chart_of(listed({"Crossref": 999_999, "DataCite": 1}), "agencies"))
    assert lengths(root) == [WIDTH_PIXELS - 2 * MARGIN_PIXELS, 4]
    said = words(root)
    assert "999,999 (more than 99%)" in said
    assert "1 (less than 1%)" in said


def test_a_chart_without_rows_says_so() -> None:
    for name in CHARTS:
        root = ElementTree.fromstring(draw_chart_of(listed({}), name))
        assert words(root)[-1] == "none"


def test_of_200_agencies_the_largest_are_drawn_and_the_rest_are_counted() -> None:
    job = listed({f"Agency {number}": number for number in range(1, 201)})
    root = ElementTree.fromstring(draw_chart_of(job, "agencies"))
    assert len(lengths(root)) == MOST_BARS
    assert words(root)[-1] == f"{200 - MOST_BARS} more aren’t shown."
    bottom = max(float(part.attrib["y"]) for part in root.iter(f"{SVG}text"))
    assert bottom < float(root.attrib["height"])


def test_the_name_of_an_agency_cannot_put_anything_into_the_chart() -> None:
    svg = draw_chart_of(listed({HOSTILE: 3, "\x07" * 5: 1}), "agencies")
    root = ElementTree.fromstring(svg.encode())
    assert {part.tag for part in root.iter()} == {f"{SVG}{tag}" for tag in ("svg", "title", "rect", "text")}
    assert any("<script>alert(1)</script>" in text for text in words(root))
    assert size(render_png(svg))


@pytest.mark.parametrize("name", ["W" * 60, "ж" * 500, "中" * 500, "a" * 100_000])
def test_a_long_name_is_cut_before_its_numbers_begin(name: str) -> None:
    kept = fit(name, 60)
    assert len(kept) <= 60
    assert kept.endswith("…") or kept == name
    assert fit("中" * 30, 60) == "中" * 30


def test_a_chart_is_in_the_readers_language_and_says_where_its_data_come_from(visitor: Client) -> None:
    job = listed({"Crossref": 1234}, sample=True, finished_at=timezone.now())
    with translation.override("de"):
        said = " ".join(words(ElementTree.fromstring(draw_chart_of(job, "agencies"))))
    assert "Registrierungsagenturen" in said
    assert "1.234 (100" in said
    assert "Beispieldaten" in said
    assert "https://doi.org" not in said


def test_the_font_of_a_png_has_the_letters_of_the_languages() -> None:
    """A letter that the font lacks would be drawn as an empty box, the same for every such letter."""
    page = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><text x="5" y="20">{}</text></svg>'
    assert len({render_png(page.format(sign)) for sign in "äß✓✗!“Ж\U0010fffd"}) == 8
