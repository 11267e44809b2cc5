"""What a hostile file costs by its bytes: signs that mean little are passed over in bulk."""

import io
import time
from contextlib import suppress

import pytest

from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.errors import UnreadableFile

BYTES = 2_000_000
MOST = 1.5  # seconds of the processor: a step of Python for each sign would take two to six
HEADS = {"bibtex": b"@article{a, title=", "marcxml": b"<collection><record><a>", "mrk": b"=LDR  00000\n=856  40"}
HOSTILE = {
    "open braces": ("bibtex", b"", b"{"),
    "pairs of braces": ("bibtex", b"", b"{}"),
    "braces in a comment": ("bibtex", b"x}\n@comment{", b"{}"),
    "parentheses": ("bibtex", b"x}\n@misc(", b"("),
    "quotation marks": ("bibtex", b"x}\n@misc(a, note=", b'"'),
    "signs that begin an entry": ("bibtex", b"x}\n", b"@"),
    "short lines": ("bibtex", b"{", b"x\n"),
    "fields": ("bibtex", b"{x},", b"a={},"),
    "values joined": ("bibtex", b'"x"', b'#"x"'),
    "entities": ("marcxml", b"", b"&amp;"),
    "sections": ("marcxml", b"", b"<![CDATA[x]]>"),
    "subfields": ("mrk", b"", b"$"),
}


@pytest.mark.parametrize(("kind", "head", "unit"), HOSTILE.values(), ids=HOSTILE)
def test_two_megabytes_take_a_part_of_a_second(kind: str, head: bytes, unit: bytes) -> None:
    form = FORMATS[kind]
    stream = io.BytesIO(HEADS[kind] + head + unit * (BYTES // len(unit)))
    began = time.process_time()
    with suppress(UnreadableFile):  # XML that ends in the middle
        assert list(form.read(stream, frozenset(form.fields)))
    assert time.process_time() - began < MOST


def test_a_value_behind_many_braces_is_read() -> None:
    """What is passed over in bulk is counted."""
    form = FORMATS["bibtex"]
    nested = b"{" * 5_000 + b"}" * 5_000 + b"{}" * 5_000
    raw = b"@article{a, title={" + nested + b"}, doi={10.1000/1}}\n@article{b, doi={10.1000/2}}\n"
    found = [place.text for record in form.read(io.BytesIO(raw), frozenset(form.fields)) for place in record.places]
    assert found == ["10.1000/1", "10.1000/2"]


def test_an_entry_that_begins_within_open_braces_ends_the_one_before() -> None:
    form = FORMATS["bibtex"]
    raw = b"@article{a, title=" + b"{" * 5_000 + b"\n@article{b, doi={10.1000/2}}\n@article{c, doi={10.1000/3}}\n"
    records = list(form.read(io.BytesIO(raw), frozenset(form.fields)))
    assert [record.fault is None for record in records] == [False, True, True]
