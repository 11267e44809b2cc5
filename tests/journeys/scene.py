"""What a visitor has stored before the tour: lookups and lists of every kind, made through the REST face.

The faces' forms change; what is asked for here does not.
"""

import csv
import io
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from openpyxl import Workbook
from playwright.sync_api import APIRequestContext

from doi_reading.message import NOTHING
from resolver.domain.redirect.web_host import HostCode
from resolver.proxy.host_reachability import REFUSED
from resolver.standin.sample_works import build_sample_work
from tests.journeys.states import Stage
from tests.journeys.stored import StoredRows
from tests.sheets.binary_workbook.made import Sheet, xls
from tests.waiting import wait_until

LONG = "10.5555/" + "averylongnamewithoutanyplacetobreak" * 8
SEVERAL = "10.1000/182. 10.5555/" + "another" * 40 + "; 10.5555/missing-b; 10.5555/two; 10.5555/unsafe"
LOOKUPS = {
    "resolved": "10.1000/182",
    "hash": "https://doi.org/10.1000/456#789",
    "suggested": "10.5555/a\u200bb",
    "long": f" see {LONG}\u200b, ",
    "could_not_ask": "10.5555/error-1",
    "nothing": "no name at all",
    "several": SEVERAL,
    "no_url": "10.5555/nourl-1",
    "alias": "10.5555/alias-1",
    "formats": "10.5555/formats-1",
    "missing": "10.5555/missing-1",
    "cited": "Dupont, Carla (2008): Mutation in civic geysers: new findings from Tasmania. Crystal Growth 14.",
    "unlisted": "Nobody, Ann (2001): Quiet zebras after unlisted rain. Zebras 3.",
    "unsearched": "Nobody, Ann (2001): Quiet zebras after fault garbage. Zebras 3.",
}
# What the first of two runs had in its rows instead, one for each kind of change: the last row is unchanged.
CHANGED = (
    ("outcome", "resolved"),
    ("outcome", "not-found"),
    ("urls", '["https://old.example/"]'),
    ("ra", "DataCite"),
    ("alias_of", "10.5555/other"),
    ("outcome", "proxy-error"),
)
BIBTEX = """@article{doe2001, title = {An article}, author = {Doe, Jane}, doi = {10.5555/b\u200bibtex-1}}
@article{roe2002, doi = pre # "10.5555/bibtex-2", url = {https://doi.org/10.5555/bibtex-2}}
@book{damaged, doi = {10.5555/bibtex-3}, title = {open
@book{last, doi = {10.5555/bibtex-4}}
""".encode()
AUDITED = "DOI,Target\n" + "".join(
    f"{name},{address}\n"
    for name, address in (
        ("10.1000/182", "http://www.doi.org/hb.html"),
        ("10.1000/182", "https://www.doi.org/hb.html"),
        ("10.1000/182", "https://www.doi.org/" + "averylongaddress" * 20),
        ("10.1000/182", "https://elsewhere.example/"),
        ("10.5555/missing-9", "https://elsewhere.example/"),
    )
)
_TITLE = "Sample title of 10.5555/"
COMPARED = f"""DOI,Title,Authors,Year,Journal
10.5555/same,{_TITLE}same,,,Journal of Sample Data
10.5555/different,{"A quite different title " * 8},{"Nobody Inparticular; " * 12},1850,{"Journal" * 20}
10.5555/other,Owls,Nobody,1850,
10.5555/look,{_TITLE}ten,,,Journal of Sample Data
10.5555/unknownwork-1,Owls,,,
10.5555/without,,,,
10.5555/unasked,{_TITLE}unasked,,,
"""
"""Rows of each verdict about the work; the last one's agency gave no answer, in the list as it is stored."""


def _write_searched() -> str:
    """Rows without a right DOI: found, with several finds, of another work, without any find, too short, and with an
    identifier beside."""
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(["DOI", "Title", "Author", "Year", "Journal", "Link"])
    for doi, number, with_journal in (("", 0, True), ("", 4, False), ("10.5555/different", 6, True)):
        work = build_sample_work(number)
        journal = work["container-title"] if with_journal else ""
        writer.writerow(
            [doi, work["title"], work["author"][0]["family"], work["issued"]["date-parts"][0][0], journal, ""]
        )
    writer.writerow(["", "Of this <b>work</b> nobody has ever heard " * 6, "Nobody", 1850, "Journal" * 20, ""])
    writer.writerow(["", "Owls", "Nobody", 1850, "", ""])
    writer.writerow(["", "Sample title of 10.5555/beside", "", "", "", "https://doi.org/10.5555/beside"])
    return table.getvalue()


SEARCHED = _write_searched()
ENDED = {"finished", "cancelled", "failed"}
PATIENCE = 60  # seconds


class Scene:
    """The addresses by name. `asks` sends with the cookies of the visitor whose all of this is; `folder` has the
    portal's database."""

    def __init__(self, asks: APIRequestContext, folder: Path) -> None:
        self._asks, self._stored = asks, StoredRows(folder)
        self.places: dict[str, str] = {"name": LONG}

    def enter(self, stage: Stage) -> None:
        """Store what a stage has more than the one before."""
        if stage is Stage.FULL:
            self._fill()
        if stage is Stage.RUNNING:
            self._running = self.list("running", "running.csv", _slow("r"), until="checking")

    def leave(self) -> None:
        """Stop what still runs: the portal serves others too."""
        self._asks.delete(f"/api/v1/jobs/{self._running}")

    def _fill(self) -> None:
        for key, text in LOOKUPS.items():
            self.places[key] = self._page("/api/v1/lookups", data={"input": text})
        rows = [f"1,{'cell' * 60},{LONG}", "2,,10.1000/456#789", f"3,,{SEVERAL}", f"4,,{LONG}", "5,,10.5555/error-1"]
        rows += [f"{n},,10.5555/n{n}" for n in range(6, 140)]
        table = "\n".join([f"id,{'column' * 30},DOI", *rows])
        self.list("finished", "long" * 30 + ".csv", table, name="name" * 50, note="note" * 500)
        self.list(
            "plain",
            "spring.csv",
            "DOI\n10.1000/182\n10.1000/456#789\n10.5555/missing-2\n10.1000/182\n10.5555/a\u200bb\n",
        )
        self.list("bibtex", "library.bib", BIBTEX)
        self.list("audited", "repository.csv", AUDITED, expected_column="Target")
        self.list("linked", "linked.xlsx", _linked())
        self.list("binary", "old.xls", xls(Sheet("One", [["DOI"], ["10.1000/182."]])))
        self._review()
        self._compare_works()
        self.list("searched", "searched.csv", SEARCHED, search="true", compare="true")
        self._compare()
        self._share()
        self._watch()
        self._check_hosts()
        self._draft()
        self._stored.remember(3)
        self._stored.fail(self.list("failed", "broken.csv", "DOI\n10.1000/182\n"))
        cancelled = self.list("cancelled", "cancelled.csv", _slow("c"), until="checking")
        self._asks.post(f"/api/v1/jobs/{cancelled}/cancel")

    def list(self, key: str, filename: str, content: str | bytes, *, until: str = "finished", **form: str) -> str:
        """Upload, and wait until the list is in that state; its id."""
        content = content.encode() if isinstance(content, str) else content
        file = {"name": filename, "mimeType": "application/octet-stream", "buffer": content}
        return self._until(until, key, self._page("/api/v1/jobs", multipart={"file": file, **form}))

    def _until(self, until: str, key: str, place: str) -> str:
        self.places[key] = place
        self.places[f"{key}_id"] = pk = place.rpartition("/")[2]
        state = wait_until(
            f"{key} is {until}",
            lambda: self._asks.get(f"/api/v1/jobs/{pk}").json()["state"],
            lambda state: state in {until, *ENDED},
            seconds=PATIENCE,
        )
        assert state == until, f"{key}: {state}"
        return pk

    def _review(self) -> None:
        """A hundred rows to review, the third decided."""
        rows = [f"{n},Title {n},1234-567{n % 10},10.5555/v\u200bendor-{n}" for n in range(1, 99)]
        table = "\n".join(["id,title,issn,DOI", *rows, "99,Cut,,https://doi.org/10.1000/182#x", f"100,Two,,{SEVERAL}"])
        pk = self.list("vendor", "vendor.csv", table)
        self._asks.patch(f"/api/v1/jobs/{pk}/rows/3", data={"decision": "rejected"})

    def _compare_works(self) -> None:
        """A list with a row of each verdict about the work."""
        pk = self.list("works", "works.csv", COMPARED, compare="true")
        self._asks.patch(f"/api/v1/jobs/{pk}/rows/3", data={"decision": "rejected"})
        self._stored.leave_uncompared(pk, 7)

    def _compare(self) -> None:
        """Three runs of a file: one row of each kind changes from the first to the second, none to the third."""
        earlier = self.list("earlier", "runs.csv", "DOI\n" + "".join(f"10.5555/run{n}\n" for n in range(1, 9)))
        for line, (column, value) in enumerate(CHANGED, 1):
            self._stored.answer(earlier, line, column, value)
        later = self._again("later", earlier)
        latest = self._again("latest", later)
        self._stored.answer(later, 1, "outcome", "not-found")
        self._stored.answer(latest, 1, "outcome", "not-found")
        self._stored.compare(earlier, latest)

    def _again(self, key: str, pk: str) -> str:
        return self._until("finished", key, self._send(f"/jobs/{pk}/again"))

    def _share(self) -> None:
        table = "DOI\n10.1000/182\n10.5555/missing-3\n"
        self._stored.share(self.list("shared", "shared.csv", table), token_hex(16))
        theirs, token = self.list("theirs", "theirs.csv", table), token_hex(16)
        self._stored.share(theirs, token, owner="somebody")
        self.places["token"] = token

    def _watch(self) -> None:
        """A watch with runs, changes and rows of every kind, and one that begins, with a long name."""
        rows = "DOI\n10.1000/182\n10.5555/missing-1\n10.5555/nourl-1\n10.5555/two\n"
        watched = self.list("watched", "watched.csv", f"{rows}{LONG}\n")
        self.places["watch"] = self._send(f"/jobs/{watched}/watch", every="month", depth="full")
        self._stored.watch(self.places["watch"].rpartition("/")[2])
        other = self.list("watched_long", "long" * 30 + ".csv", "DOI\n10.1000/182\n")
        self.places["new_watch"] = self._send(f"/jobs/{other}/watch", name="name" * 50, every="day", depth="existence")

    def _check_hosts(self) -> None:
        """A list with a host of every verdict, and one whose hosts are being checked; the tour contacts none."""
        table = "DOI\n10.1000/182\n10.5555/hosts-1\n"
        verdicts = [(f"{code}.example.org", str(code), REFUSED) for code in HostCode]
        verdicts += [(f"{'journal' * 9}.{'university' * 5}.example", "answers", NOTHING)]
        self._stored.check_hosts(self.list("hosts", "hosts.csv", table), verdicts)
        verdicts += [(f"journal-{number}.example", "", NOTHING) for number in range(len(verdicts))]
        self._stored.check_hosts(self.list("hosts_under_way", "hosts.csv", table), verdicts, done=False)
        self.list("quick", "quick.csv", table, quick="true")

    def _draft(self) -> None:
        rows = "".join(f"{n},Title {n},https://doi.org/10.5555/draft-{n}#x\n" for n in range(30))
        self._given("draft", "vendor.csv", f"id,title,DOI\n{rows}3,none,none\n".encode())
        book, content = Workbook(), io.BytesIO()
        for row in (["id", "DOI"], [1, "10.1000/182"], [2, "no name"]):
            book.active.append(row)
        book.create_sheet("Notes").append(["nothing here"])
        book.save(content)
        self._given("searched_draft", "searched.csv", SEARCHED.encode())
        self._given("works_draft", "works.csv", COMPARED.encode())
        self._given("audited_draft", "repository.csv", AUDITED.encode())
        self._given("bibtex_draft", "library.bib", BIBTEX)
        self._given("workbook", "vendor.xlsx", content.getvalue())
        self.places["pasted"] = self._send("/lookups", text="10.1000/182\n10.5555/two lines\nnone\n")

    def _given(self, key: str, filename: str, content: bytes) -> None:
        file = {"name": filename, "mimeType": "application/octet-stream", "buffer": content}
        self.places[key] = self._send("/jobs/new", file=file)

    def _send(self, address: str, **fields: Any) -> str:
        """A form of the pages; where it leads."""
        tokens = (cookie["value"] for cookie in self._asks.storage_state()["cookies"] if cookie["name"] == "csrftoken")
        answer = self._asks.post(address, multipart={"csrfmiddlewaretoken": next(tokens), **fields})
        assert answer.ok, answer.text()
        return urlsplit(answer.url).path

    def _page(self, address: str, **sent: Any) -> str:
        answer = self._asks.post(address, **sent)
        assert answer.ok, answer.text()
        return urlsplit(answer.json()["page"]).path


def _slow(word: str) -> str:
    """A list that keeps the sample proxy busy for minutes."""
    return "DOI\n" + "".join(f"10.5555/slow-{word}-{number}\n" for number in range(3000))


def _linked() -> bytes:
    """A workbook with a cell whose hyperlink leads to another DOI than it shows."""
    book, content = Workbook(), io.BytesIO()
    for row in (["id", "DOI"], [1, "10.1000/182"]):
        book.active.append(row)
    book.active["B2"].hyperlink = "https://doi.org/10.5555/linked-1"
    book.save(content)
    return content.getvalue()
