"""How a name stands in HTML: the link encoded, the name escaped, each labelled (E14)."""

import re

import pytest

from tests.web.conftest import Look, html_of, text_of

NAME = '10.5555/<i>#"&é b'
LINK = "https://doi.org/10.5555/%3Ci%3E%23%22&%C3%A9%20b"


@pytest.mark.clause("E14")
def test_the_link_is_encoded_and_the_name_is_escaped_and_both_stand_there_labelled(look: Look) -> None:
    page = look(LINK)
    html, said = html_of(page), text_of(page)
    assert f'href="{LINK.replace("&", "&amp;")}"' in html
    assert NAME in said
    assert LINK in said
    assert "<i>" not in html
    for label in ("Copy DOI", "Copy link"):
        assert re.search(rf'aria-label="{label}"', html), label
