"""The preview and the page of a list say what was assumed and left out when the file was read."""

import pytest
from django.test import Client

from resolver.models import Draft, Job
from tests.web.conftest import text_of
from tests.web.test_home import give

pytestmark = pytest.mark.django_db


def test_the_preview_and_the_list_say_what_was_assumed_and_left_out(visitor: Client) -> None:
    give(visitor, file="Заглавие статьи,DOI,Related\nА,10.1000/1,10.1000/2\n".encode("koi8-r"))
    address = f"/drafts/{Draft.objects.get().pk}"
    preview = text_of(visitor.get(address))
    for said in (preview, text_of(visitor.get(visitor.post(address)["Location"]))):
        assert "We assumed KOI8-R." in said
        assert "The column “Related” has other DOIs. They are not checked." in said
    assert Job.objects.get().layout["encoding_assumed"]


def test_an_encoding_that_is_not_clear_is_asked_for_in_the_preview(visitor: Client) -> None:
    give(visitor, file="Title,DOI\nΕλληνικό,10.1000/1\n".encode("iso8859-7"))
    address = f"/drafts/{Draft.objects.get().pk}"
    page = visitor.get(address)
    assert (page.status_code, "Encoding: We can’t tell the encoding of this text." in text_of(page)) == (422, True)
    assert "Ελληνικό" in text_of(visitor.get(f"{address}?encoding=iso8859-7"))
