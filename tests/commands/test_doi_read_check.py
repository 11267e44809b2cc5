"""`doi-read --check` with the sample proxy in place of the portal."""

import csv
import io
import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from doi_reading.command import findings
from doi_reading.command.check.registrations import AskingBounds, Registrations
from doi_reading.command.check.service import DoiService
from doi_reading.command.command_line import main
from doi_reading.command.output import REPORTS
from resolver.standin.server import SampleProxyServer
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request

MISSING, CUT = "10.5555/missing-1", "https://doi.org/10.1000/182."
BIB = f"@misc{{a, doi = {{10.1000/182}}, note = {{see {CUT} and\n  {MISSING}}}}}\n"
"""One that is registered, one with a full stop that isn't its own, and one that isn't registered."""


@pytest.fixture(scope="module")
def standin() -> Iterator[SampleProxyServer]:
    with SampleProxyServer() as standin:
        yield standin


@pytest.fixture
def folder(tmp_path: Path, standin: SampleProxyServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the command runs."""
    standin.reset()
    standin.refuse()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOIPORTAL_URL", standin.url)
    monkeypatch.delenv("CONTACT_EMAIL", raising=False)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["--check", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def find(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(capsys, "--format", "json", *arguments)[1])
    return found


def test_each_place_of_a_doi_that_is_not_registered_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], standin: SampleProxyServer
) -> None:
    (folder / "a.bib").write_text(BIB)
    (folder / "b.md").write_text(f"[{MISSING}](https://doi.org/{MISSING.upper()})\n\n10.1000/182\n")
    status, out, err = run(capsys, ".")
    assert (status, err) == (1, "")
    assert [line.partition(": ")[0] for line in out.splitlines() if " not-found: " in line] == [
        "a.bib:2:3", "b.md:1:2", "b.md:1:21",
    ]  # fmt: skip
    assert standin.requests == [f"/doiRA/10.1000/182,{MISSING}"]
    assert standin.headers[0]["User-Agent"].startswith("doi-read")


@pytest.mark.parametrize(
    "text",
    [
        "{} <jane@example.org>",
        "https://doi.org/{}?token=SECRET",
        "{}, SECRET?x",
        "https://doi.org/{}#frag=SECRET",
        "{}/ SECRET <a@b.c>",
        "{}- SECRET@x",
    ],
)
def test_no_address_and_no_query_is_sent(
    folder: Path, capsys: pytest.CaptureFixture[str], standin: SampleProxyServer, text: str
) -> None:
    (folder / "a.csv").write_text(f"doi\n{text.format(MISSING)}\n")
    run(capsys, "a.csv")
    assert standin.requests
    assert not [one for one in standin.requests if "jane" in one or "SECRET" in one or "%3F" in one]


@pytest.mark.parametrize("form", REPORTS)
def test_every_form_of_the_report_has_what_is_registered_instead(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    (folder / "a.ris").write_text("DO  - 10.1000/182/\n")
    status, out, _ = run(capsys, "--format", form, "a.ris")
    assert status == 1
    assert "not-found" in out
    assert "The DOI 10.1000/182 is registered." in out
    assert "Perhaps" not in out
    if form == "json":
        assert {(one["code"], one["severity"], one["suggestion"]) for one in json.loads(out)} == {
            ("not-found", "error", "10.1000/182"), ("trailing-slash", "warning", "10.1000/182"),
        }  # fmt: skip
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        assert [row["suggestion"] for row in rows] == ["10.1000/182"] * 2
    elif form == "sarif":
        run_of_log = json.loads(out)["runs"][0]
        rules = {rule["id"]: rule for rule in run_of_log["tool"]["driver"]["rules"]}
        assert rules["trailing-slash"]["helpUri"].endswith("/help/problems/trailing-slash")
        assert "helpUri" not in rules["not-found"]
        assert {one["ruleId"] for one in run_of_log["results"]} == {"not-found", "trailing-slash"}
    elif form == "github":
        assert "::error file=a.ris,line=1,endLine=1,endColumn=19,col=7,title=not-found::" in out


def test_a_registered_doi_gets_no_suggestion_and_no_guess(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.ris").write_text("DO  - 10.5555/12345678.\n")
    (one,) = find(capsys, "a.ris")
    assert (one["code"], one["candidates"], one["suggestion"]) == ("trailing-punctuation", [], None)
    assert one["message"].startswith("The DOI is registered with the punctuation at its end.")


def test_a_text_that_is_no_doi_gets_the_registered_one_among_those_that_may_be_meant(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.ris").write_text("DO  - 1O.1000/182\nDO  - see the journal\n")
    first, *_, last = find(capsys, "a.ris")
    assert (first["doi"], first["suggestion"]) == (None, "10.1000/182")
    assert first["message"].endswith("The DOI 10.1000/182 is registered.")
    assert (last["code"], last["suggestion"]) == ("no-doi", None)


def test_another_doi_of_a_field_is_checked_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.ris").write_text(f"DO  - 10.1000/182; {MISSING}\n")
    codes = {one["code"]: one for one in find(capsys, "a.ris")}
    assert codes["other-not-registered"]["severity"] == "error"
    assert MISSING in codes["other-not-registered"]["message"]


def test_standard_input_is_checked(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BIB.encode())))
    status, out, _ = run(capsys, "-", "--stdin-name", "x.bib")
    assert status == 1
    assert "x.bib:2:3: error not-found" in out


def test_fix_changes_what_is_certain_without_asking_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "http://dx.doi.org/10.1000/182 and https://doi.org/10.1000/182/\n"
    (folder / "a.txt").write_text(text)
    assert run(capsys, "--fix", "a.txt")[0] == 1
    assert (folder / "a.txt").read_text() == text.replace("http://dx.", "https://")


def test_a_diff_asks_nobody(folder: Path, capsys: pytest.CaptureFixture[str], standin: SampleProxyServer) -> None:
    (folder / "a.bib").write_text(BIB.replace("https://doi", "http://dx.doi"))
    status, out, _ = run(capsys, "--diff", "a.bib")
    assert (status, out.startswith("--- a/a.bib"), standin.requests) == (0, True, [])


def test_nothing_is_asked_where_there_is_no_doi(
    folder: Path, capsys: pytest.CaptureFixture[str], standin: SampleProxyServer
) -> None:
    (folder / "a.txt").write_text("no DOI here, only 10/g8r7pm\n")
    assert run(capsys, "a.txt", "none.txt")[0] == 2
    assert standin.requests == []


def test_what_could_not_be_asked_is_neither_clean_nor_missing(
    folder: Path, capsys: pytest.CaptureFixture[str], standin: SampleProxyServer
) -> None:
    (folder / "a.bib").write_text(BIB)
    standin.refuse(everyone=True)
    status, out, err = run(capsys, "--fail-on", "never", "a.bib")
    assert status == 2
    assert out.count(" warning could-not-ask: ") == 3
    assert "not-found" not in out
    assert err == f"doi-read: {standin.url}: 2 DOIs couldn't be checked: it refuses requests (HTTP 403)\n"
    assert len(standin.requests) == 1
    assert run(capsys, "--fail-on", "never", "--ignore", "could-not-ask", "a.bib")[0] == 0


def test_ignored_dois_that_are_not_registered_are_no_failure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.bib").write_text(f"doi = {{{MISSING}}}")
    assert run(capsys, "--ignore", "not-found", "a.bib") == (0, "", "")


@pytest.mark.parametrize(
    ("address", "contact", "said"),
    [("portal.example", "", "DOIPORTAL_URL must be"), ("", "nobody", "the contact must be")],
)
def test_unusable_settings_end_the_command(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    contact: str,
    said: str,
) -> None:
    monkeypatch.setenv("DOIPORTAL_URL", address)
    status, out, err = run(capsys, f"--contact={contact}", "a.txt")
    assert (status, out) == (2, "")
    assert err.startswith(f"doi-read: {said}")


def test_doi_org_is_asked_with_a_contact_and_advice_is_given_without_one(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.txt").write_text("no DOI here\n")
    monkeypatch.delenv("DOIPORTAL_URL")
    assert run(capsys, "a.txt") == (
        0, "", "doi-read: without CONTACT_EMAIL, doi.org can't write to you before it blocks your address\n",
    )  # fmt: skip
    monkeypatch.setenv("CONTACT_EMAIL", "me@example.org")
    assert run(capsys, "a.txt") == (0, "", "")


def test_names_of_many_files_are_asked_for_together_and_once(
    folder: Path, capsys: pytest.CaptureFixture[str], standin: SampleProxyServer
) -> None:
    for number in range(60):
        (folder / f"{number}.txt").write_text(f"10.1000/182 10.5555/one-{number % 40}\n")
    assert run(capsys, ".") == (0, "", "")
    assert len(standin.requests) == 1


def test_more_dois_than_are_held_at_once_are_asked_for_in_turn(
    folder: Path, capsys: pytest.CaptureFixture[str], standin: SampleProxyServer
) -> None:
    for number in range(3):
        names = (f"10.5555/{name}" for name in (*range(40), *[f"{number}-missing"] * 1_500))
        (folder / f"{number}.txt").write_text("\n".join(names))
    status, out, _ = run(capsys, ".")
    assert (status, out.count(" not-found: ")) == (1, 4_500)
    assert [request.count(",") + 1 for request in standin.requests] == [42, 1]


def test_a_file_with_too_many_dois_is_not_called_clean(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.txt").write_text("10.1000/182\n" * (findings.MOST_FINDINGS + 5))
    status, out, err = run(capsys, "a.txt")
    assert (status, out) == (2, "")
    assert err == "doi-read: a.txt: it has more than 10,000 findings or DOIs, so the rest of it wasn't read\n"


def say_crossref(request: Request) -> Answer:
    return raw.agencies(request.names)


@pytest.mark.parametrize(
    ("trusted", "host", "found"),
    [(True, "localhost", True), (False, "localhost", None), (True, "127.0.0.1", None)],
)
def test_only_a_certificate_that_is_trusted_here_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool, host: str, found: bool | None
) -> None:
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with RawServer(say_crossref, context) as server:
        asked = Registrations(DoiService(server.url.replace("localhost", host)), AskingBounds(backoff=0.01))
        asked.ask(["10.1000/182"])
    assert asked.is_registered("10.1000/182") is found
    assert bool(server.requests) is bool(found)


def test_the_http_proxy_of_the_network_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with RawServer(say_crossref) as server:
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.setenv("no_proxy", "")
        asked = Registrations(DoiService("http://portal.example/dois/"))
        asked.ask(["10.1000/182"])
    assert asked.is_registered("10.1000/182")
    assert server.targets == ["http://portal.example/dois/doiRA/10.1000/182"]
