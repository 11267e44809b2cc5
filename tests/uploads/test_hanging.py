"""Uploads that once took a thread of the web server each and never gave it back."""

import gzip
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.gateway_outside.portal import Gateway
from tests.sheets.binary_workbook.made import Sheet, xls
from tests.sheets.made_workbooks import strings, xlsx
from tests.uploads.made import BIBTEX, iso2709
from tests.uploads.sending import Sender, Told

pytestmark = pytest.mark.slow

AT_ONCE = 8  # as many as once shut the portal
_CELLS = "".join(f'<c t="str"><v>{number}</v></c>' for number in range(2_001))
_SECOND_TEXT = '<row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row>'

ONCE_FATAL = {
    "no-column": b"a,b\n1,2\n",
    "2001-cells": xlsx(f"<row>{_CELLS}</row>"),
    "2001-cells-of-text": b"a,b\n" + b",".join(b"%d" % number for number in range(2_001)) + b"\n",
    "no-such-text": xlsx(_SECOND_TEXT, xl__sharedStrings=strings("<t>doi</t>")),
    "bibtex-behind-tabs": "".join(f"\t{line}\n" for line in BIBTEX.splitlines()[1:-1] * 2).replace("10.", "").encode(),
    "line-without-end": b"x" * 5_000_000,
    "open-quotation-mark": gzip.compress(b'doi,a\n10.1000/1,"' + b"10.1000/2\n" * 600_000),
}


def test_eight_files_of_marc_without_lengths_at_once_are_lists_of_damaged_records(portal: Gateway):
    marc = (iso2709("X0150nam", "A title, one") + b"\n") * 2

    def send(_: int) -> Told:
        with Sender(portal.url) as another:
            return another.by_rest(marc)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        told = {told.status for told in pool.map(send, range(AT_ONCE))}
    assert 202 in told
    assert told <= {202, 503}


def test_eight_old_workbooks_at_once_are_read_or_sent_away(portal: Gateway):
    book = xls(Sheet("One", [["doi"], ["10.5555/first"]]))

    def send(_: int) -> Told:
        with Sender(portal.url) as another:
            return another.by_rest(book)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        told = {told.status for told in pool.map(send, range(AT_ONCE))}
    assert 202 in told
    assert told <= {202, 503}


@pytest.mark.parametrize("content", ONCE_FATAL.values(), ids=ONCE_FATAL)
def test_eight_at_once_are_each_refused_with_the_reason(portal: Gateway, sender: Sender, content: bytes):
    def send(_: int) -> Told:
        with Sender(portal.url) as another:
            return another.by_rest(content)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        told = {one for one in pool.map(send, range(AT_ONCE)) if one.status != 503}  # some find no place
    assert len(told) == 1
    assert told.pop().status == 400
    assert sender.is_answered()
    assert sender.by_page(content).reason
