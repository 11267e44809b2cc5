"""The feed of a watch: a program that reads Atom finds each change once, and nothing new costs nothing."""

from datetime import datetime
from typing import Any

import feedparser
import pytest
from django.test import Client
from lxml import etree

from resolver.models import Watch, WatchChange, WatchRun
from tests.services.watches.conftest import DAY, NAMES
from tests.web.watches.conftest import Portal

A, B, C = NAMES
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def read(watch: Watch, **headers: str) -> Any:
    return Client().get(f"/watches/{watch.feed_token}/feed", headers=headers)


@pytest.fixture(scope="module")
def stored_watch(stored_portal: Portal) -> Watch:
    """A watch with two entries: one DOI broke, then it worked again."""
    watch = stored_portal.watch()
    stored_portal.break_row()
    stored_portal.know(*NAMES)
    stored_portal.next_day()
    return watch


@pytest.fixture
def changed(_portal: None, stored_watch: Watch) -> Watch:
    return Watch.objects.get(pk=stored_watch.pk)


def test_a_feed_reader_finds_each_change_newest_first(changed: Watch) -> None:
    feed = feedparser.parse(read(changed).content)
    assert not feed.bozo
    assert feed.version == "atom10"
    assert [entry.title for entry in feed.entries] == ["1 DOI works again in Spring", "1 DOI broke in Spring"]
    assert f"Row 4: {C}" in feed.entries[1].summary
    assert "Not registered" in feed.entries[1].summary
    assert feed.feed.title == "Watch: Spring"


def test_it_keeps_the_rules_of_atom(changed: Watch) -> None:
    """RFC 4287: 4.1.1, 4.1.2, 4.2.6, 4.2.7 (self), 3.3."""
    answer = read(changed)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = etree.fromstring(answer.content)
    entries = feed.findall("a:entry", ATOM)
    assert feed.tag == "{http://www.w3.org/2005/Atom}feed"
    for each in (feed, *entries):
        assert [len(each.findall(f"a:{name}", ATOM)) for name in ("id", "title", "updated")] == [1, 1, 1]
        assert each.findtext("a:id", "", ATOM).startswith("urn:uuid:")
        assert datetime.fromisoformat(each.findtext("a:updated", "", ATOM)).tzinfo is not None
        assert (
            len(each.xpath("a:link[@rel='alternate'][starts-with(@href, 'http://testserver/')]", namespaces=ATOM)) == 1
        )
    assert feed.findtext("a:author/a:name", "", ATOM) == "doiportal"
    (own,) = feed.xpath("a:link[@rel='self']/@href", namespaces=ATOM)
    assert own == f"http://testserver/watches/{changed.feed_token}/feed"
    assert len({entry.findtext("a:id", "", ATOM) for entry in (feed, *entries)}) == 3


@pytest.mark.slow
def test_without_changes_it_says_the_same_each_time(portal: Portal) -> None:
    watch = portal.watch()
    assert read(watch).content == read(watch).content
    assert not feedparser.parse(read(watch).content).entries


@pytest.mark.slow
def test_nothing_new_is_304_until_something_changes(portal: Portal, changed: Watch) -> None:
    first = read(changed)
    known = {"If-None-Match": first["ETag"]}
    again = read(changed, **known)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert read(changed, **{"If-Modified-Since": first["Last-Modified"]}).status_code == 304
    ids = [entry.id for entry in feedparser.parse(first.content).entries]
    portal.now += DAY
    portal.break_row(B)
    latest = read(changed, **known)
    assert latest.status_code == 200
    assert [entry.id for entry in feedparser.parse(latest.content).entries][1:] == ids


def test_it_needs_no_login_and_its_address_is_a_secret(changed: Watch, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    answer = read(changed)
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert not answer.cookies
    for token in ("x" * 32, "x", changed.pk):
        assert Client().get(f"/watches/{token}/feed").status_code == 404


def test_an_entry_has_at_most_fifty_rows_and_says_how_many_more(changed: Watch) -> None:
    run = WatchRun.objects.filter(newly_broken=1).get()
    WatchChange.objects.bulk_create(
        WatchChange(
            run=run, watch=changed, line=line, works=False, doi=f"10.77/x{line}", outcome="not-found", at=run.started_at
        )
        for line in range(10, 70)
    )
    WatchRun.objects.filter(pk=run.pk).update(newly_broken=61)
    (entry,) = [each for each in feedparser.parse(read(changed).content).entries if "broke" in each.title]
    assert entry.title == "61 DOIs broke in Spring"
    assert entry.summary.count("Row ") == 50
    assert "… and 11 more changes" in entry.summary


def test_texts_that_xml_bars_are_shown_by_their_names(changed: Watch) -> None:
    Watch.objects.update(name="a\x0b<b>&\u202e")
    WatchChange.objects.update(doi="10.77/\x00\ud800<script>")
    answer = read(changed)
    feed = feedparser.parse(answer.content)
    assert feed.feed.title == "Watch: aU+000B<b>&U+202E"
    assert b"<script>" not in answer.content
    assert "&lt;script&gt;" in feed.entries[0].summary


def test_it_is_in_the_language_of_its_owner(changed: Watch) -> None:
    Watch.objects.update(language="de")
    assert etree.fromstring(read(changed).content).get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
