"""CSL JSON of strangers: what it means is found within bounds, whatever its members are."""

import json
import time
from dataclasses import asdict
from typing import Any

import pytest

from resolver.domain.handle.proxy_json import WireError
from resolver.domain.work.authors import Person
from resolver.domain.work.metadata import (
    LONGEST_TEXT_CHARACTERS,
    LONGEST_TITLE_CHARACTERS,
    NoMetadata,
    NoMetadataReason,
    WorkMetadata,
    decode_csl_json,
    decode_metadata,
)


def decode(**members: Any) -> WorkMetadata:
    found = decode_csl_json(json.dumps({"title": "T", **members}).encode(), "data.example")
    assert found is not None
    return found


def test_an_article_as_crossref_gives_it():
    body = {
        "type": "journal-article",
        "DOI": "10.1103/physreva.76.042319",
        "title": "Charge-insensitive qubit design",
        "author": [{"given": "Jens", "family": "Koch", "affiliation": []}, {"given": "Terri M.", "family": "Yu"}],
        "issued": {"date-parts": [[2007, 10, 12]]},
        "container-title": "Physical Review A",
        "publisher": "American Physical Society (APS)",
        "reference": [{"key": "a"}] * 50,
    }
    assert decode_csl_json(json.dumps(body).encode(), "api.crossref.org") == WorkMetadata(
        doi="10.1103/physreva.76.042319",
        title="Charge-insensitive qubit design",
        first_author="Koch, Jens",
        authors=2,
        year=2007,
        container="Physical Review A",
        publisher="American Physical Society (APS)",
        type="journal-article",
        source="api.crossref.org",
        titles=("Charge-insensitive qubit design",),
        people=(Person("Koch", "Jens"), Person("Yu", "Terri M.")),
        years=(2007,),
        containers=("Physical Review A",),
    )


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        (["", "First", "Second"], "First"),
        ([["nested"], {"a": 1}, None, 7, "Text"], "Text"),
        ([], ""),
        (None, ""),
        (7, ""),
        ({"text": "T"}, ""),
        ("H<sub>2</sub>O and <i>E. coli</i>", "H2O and E. coli"),
        ("<jats:italic toggle='yes'>In vivo</jats:italic> study", "In vivo study"),
        ("&lt;i&gt;Homo&lt;/i&gt; &amp;amp; co", "Homo & co"),
        ("AT&amp;T; p &lt; 0.05 &gt; 0.01", "AT&T; p < 0.05 > 0.01"),
        ("if a<b and c>d", "if a<b and c>d"),
        ('<mml:math xmlns:mml="x"><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>-ray', "x2-ray"),
        ("<math><mi>x</mi><annotation encoding='TeX'>\\frac{x}</annotation></math>!", "x!"),
        (" two\n\t lines\u2028\x00and\x9fcontrols ", "two lines and controls"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # text, which pages escape
        ("half \ud800 of a pair", "half ? of a pair"),
    ],
)
def test_a_title_becomes_plain_text(title: Any, plain: str):
    assert decode(title=title, publisher="p", issued=2020).title == plain


@pytest.mark.parametrize(
    ("author", "name", "number"),
    [
        ([{"family": "Berg", "non-dropping-particle": "van der", "given": "Ada"}], "van der Berg, Ada", 1),
        ([{"literal": "The <b>ATLAS</b> Collaboration"}], "The ATLAS Collaboration", 1),
        ([{"name": "World Health Organization", "sequence": "first"}], "World Health Organization", 1),
        ([{"given": "北本, 朝展"}], "北本, 朝展", 1),
        ([{"affiliation": []}, None, 7, [], {"family": "Fourth"}], "Fourth", 5),
        (["Smith, J.", "Jones, K."], "Smith, J.", 2),
        ({"family": "Alone"}, "Alone", 1),
        ("Smith, J.", "Smith, J.", 1),
        ([], "", 0),
        (None, "", 0),
        ([{"family": {"a": 1}, "given": ["x"]}], "x", 1),
    ],
)
def test_the_first_author_is_found(author: Any, name: str, number: int):
    found = decode(author=author)
    assert (found.first_author, found.authors, found.is_editor) == (name, number, False)


def test_without_an_author_the_first_editor_stands_and_is_called_so():
    found = decode(author=[{}], editor=[{"family": "Ed"}, {"family": "Itor"}])
    assert (found.first_author, found.authors, found.is_editor) == ("Ed", 2, True)


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"date-parts": [[2004, 1]]}, 2004),
        ({"date-parts": [["2004", "1"]]}, 2004),
        ({"date-parts": [2004, 1]}, 2004),
        ({"date-parts": [[2004.0]]}, 2004),
        ({"raw": "published in May 2019"}, 2019),
        ({"literal": "c1998"}, 1998),
        ("2004-05-06", 2004),
        (2004, 2004),
        ({"date-parts": [[None]]}, None),
        ({"date-parts": [[]]}, None),
        ({"date-parts": [[True]]}, None),
        ({"date-parts": [[{"year": 2004}]]}, None),
        ({"date-parts": {"0": 2004}}, None),
        ({"date-parts": [[20040506]]}, None),
        ({"date-parts": [[999]]}, None),
        ([], None),
        (None, None),
    ],
)
def test_the_year_is_found_in_a_number_or_a_text(issued: Any, year: int | None):
    assert decode(issued=issued).year == year


def test_another_date_stands_in_for_one_without_a_year():
    assert decode(issued={"date-parts": [[None]]}, **{"published-online": {"date-parts": [[2011]]}}).year == 2011


@pytest.mark.parametrize(
    "body", ["{}", "[]", "null", "7", '"text"', '{"errors": [{"status": "404"}]}', '{"title": [], "author": [{}]}']
)
def test_what_describes_no_work_is_none(body: str):
    assert decode_csl_json(body.encode(), "data.example") is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"title": "cut',
        b'{"title": NaN}',
        b'{"title": 1e999}',
        b"\xff\xfe{",
        b"[" * 100_000,
        b'{"a":' * 60 + b"1",
    ],
)
def test_what_is_no_sound_json_is_an_error(body: bytes):
    with pytest.raises(WireError):
        decode_csl_json(body, "data.example")


def test_huge_members_are_read_in_part_and_cut():
    many = [{"family": "x" * 1000, "given": "y" * 1000}] * 20_000
    began = time.monotonic()
    found = decode(
        title="<i" * 1_000_000,
        author=many,
        publisher="p" * 1_000_000,
        type="t" * 1_000_000,
        DOI="10.1/" + "d" * 1_000_000,
        **{"container-title": ["&lt;annotation>" * 200_000]},
    )
    assert time.monotonic() - began < 10  # some tenths of a second
    assert len(found.title) == LONGEST_TITLE_CHARACTERS
    assert found.title.endswith("…")
    assert len(found.first_author) == len(found.container) == len(found.publisher) == LONGEST_TEXT_CHARACTERS
    assert found.authors == 20_000
    assert len(found.doi) <= 2000
    assert len(found.type) <= 60


@pytest.mark.parametrize(
    "answer", [WorkMetadata(title="T", year=2004, authors=2), NoMetadata(NoMetadataReason.NOT_AVAILABLE, "a.example")]
)
def test_an_answer_comes_back_as_it_was_stored(answer: Any):
    assert decode_metadata(json.loads(json.dumps(asdict(answer)))) == answer


@pytest.mark.parametrize("reason", NoMetadataReason)
def test_each_reason_has_a_sentence(reason: NoMetadataReason):
    assert reason.sentence.endswith(".")


def test_all_titles_people_years_and_journals_are_kept_for_comparing():
    found = decode(
        title=["Soil", "Boden"],
        subtitle=["A history"],
        **{"original-title": ["Der Boden"], "short-title": ["Soils"]},
        author=[{"family": "Miller", "given": "Anna"}, {"name": "Soil Group"}, {"family": "0001", "given": "Wei Li"}],
        editor=[{"family": "Sato", "non-dropping-particle": "de"}],
        issued={"date-parts": [[2016]]},
        created={"date-parts": [[2014]]},
        **{"container-title": "Soil Letters", "container-title-short": "Soil Lett."},
        page="12–19",
        volume="3",
        relation={"is-preprint-of": [{"id": "10.1/x"}], "has-review": []},
    )
    assert found.titles == ("Soil", "Boden", "Soils", "Der Boden", "Soil: A history")
    assert found.people == (Person("Miller", "Anna"), Person("Soil Group"), Person("", "Wei Li"), Person("de Sato"))
    assert (found.years, found.containers) == ((2016, 2014), ("Soil Letters", "Soil Lett."))
    assert (found.volume, found.first_page, found.relations) == ("3", "12", ("is-preprint-of",))
    assert decode_metadata(json.loads(json.dumps(asdict(found)))) == found
