"""A file in which nothing was accepted comes out as it went in."""

import pytest

from resolver.sheets.bibliographic.formats import find_format
from tests.sheets.bibliographic.made_files import FILES
from tests.sheets.bibliographic.written import places, read, written


def test_there_are_at_least_a_hundred_files() -> None:
    assert len({data for _, _, data in FILES}) >= 100


@pytest.mark.parametrize(("kind", "data"), [pytest.param(kind, data, id=name) for name, kind, data in FILES])
def test_a_file_is_recognised_by_its_content(kind: str, data: bytes) -> None:
    found = find_format(data[:8192])
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(("kind", "data"), [pytest.param(kind, data, id=name) for name, kind, data in FILES])
def test_a_file_with_places_and_without_decisions_keeps_every_byte(kind: str, data: bytes) -> None:
    assert len(places(kind, data)) >= 3
    assert not any(record.fault for record in read(kind, data))
    assert written(kind, data, {}) == data


@pytest.mark.parametrize(("kind", "data"), [pytest.param(kind, data, id=name) for name, kind, data in FILES])
def test_only_the_bytes_of_accepted_places_change(kind: str, data: bytes) -> None:
    found = places(kind, data)
    for number, place in enumerate(found, 1):
        new = written(kind, data, {number: "10.5555/new"})
        if place.reason is not None:
            assert new == data
            continue
        assert new != data
        if kind == "marc":
            continue  # the lengths in the leader and the directory change as well
        (start, end), *others = place.spans
        assert new[:start] == data[:start]
        assert new.endswith(data[(others[-1][1] if others else end) :])
        again = places(kind, new)
        assert len(again) == len(found)
        assert "10.5555/new" in again[number - 1].text
        assert [one.text for one in again if one.text != again[number - 1].text] == [
            one.text for one in found if one.text != place.text
        ] or sum(one.text == place.text for one in found) > 1
