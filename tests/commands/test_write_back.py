"""`checkdois FILE --write-back OUT`."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from resolver.standin.server import SampleProxyServer
from tests.sheets.binary_workbook.made import Sheet, xls

pytestmark = pytest.mark.django_db
UNWRITABLE = "info:doi/10.1000/182 a"
RIS = b"TY  - JOUR\r\nDO  - 10.1000/182.\r\nN1  - \xfc\r\nER  - \r\n"


@pytest.fixture(autouse=True)
def _portal(settings: Any, tmp_path: Path) -> Any:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    with SampleProxyServer() as server:
        settings.DOI_PROXY_URL = server.url
        yield


def test_the_file_comes_back_with_the_suggestions_that_are_not_doubtful(tmp_path: Path) -> None:
    (tmp_path / "list.ris").write_bytes(RIS)
    out, back = tmp_path / "results.csv", tmp_path / "new.ris"
    call_command("checkdois", str(tmp_path / "list.ris"), output=str(out), write_back=str(back), verbosity=0)
    assert back.read_bytes() == RIS.replace(b"182.", b"182")
    header = out.read_text("utf-8-sig").partition(",outcome")[0]
    assert header == "record,field,value,title,author,year,writable,reason,container,volume,page,row,doi,doi_url"


def test_a_doi_that_the_file_can_not_hold_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.bib").write_text("@book{doe2001, doi = 10.1000/182. }")
    out, back = tmp_path / "results.csv", tmp_path / "new.bib"
    call_command("checkdois", str(tmp_path / "list.bib"), output=str(out), write_back=str(back), verbosity=0)
    assert back.read_bytes() == (tmp_path / "list.bib").read_bytes()
    assert "Row 1, record doe2001, doi: 10.1000/182 was not written. The value has no braces" in capsys.readouterr().err


@pytest.mark.parametrize(("output", "back"), [("-", "-"), (None, "-"), ("a.ris", "./a.ris")])
def test_the_results_and_the_file_can_not_go_to_one_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str | None, back: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.ris").write_bytes(RIS)
    with pytest.raises(CommandError, match="the same place") as refusal:
        call_command("checkdois", "list.ris", output=output, write_back=back)
    assert refusal.value.returncode == 2
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".ris"] == ["list.ris"]


def test_a_file_that_is_not_written_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "list.xls").write_bytes(xls(Sheet("One", [["doi"], ["10.1000/182."]])))
    out, back = tmp_path / "o.csv", tmp_path / "n.xls"
    with pytest.raises(CommandError, match=r"--write-back: We don't write this kind of workbook\.") as refusal:
        call_command("checkdois", str(tmp_path / "list.xls"), output=str(out), write_back=str(back))
    assert refusal.value.returncode == 2
    assert not out.exists()
    assert not back.exists()


def test_a_table_comes_back_with_its_suggestions_and_the_columns_if_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out, back = tmp_path / "list.csv", tmp_path / "results.csv", tmp_path / "new.csv"
    source.write_bytes(b"id;DOI\r\n1;10.1000/182.\r\n2;10.5555/two\r\n")
    call_command("checkdois", str(source), output=str(out), write_back=str(back), verbosity=0)
    assert back.read_bytes() == source.read_bytes().replace(b"182.", b"182")
    call_command("checkdois", str(source), output=str(out), write_back=str(back), columns=True, verbosity=0)
    assert back.read_bytes() == (
        b"id;DOI;corrected_doi;correction\r\n1;10.1000/182;10.1000/182;suggested\r\n2;10.5555/two;10.5555/two;unchanged\r\n"
    )
    assert capsys.readouterr().err == ""


def test_the_cell_of_a_table_that_can_not_hold_its_doi_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, back = tmp_path / "list.tsv", tmp_path / "new.tsv"
    source.write_text(f"DOI\tnote\n{UNWRITABLE}\t\n10.5555/two\t\n")
    call_command("checkdois", str(source), output=str(tmp_path / "o.csv"), write_back=str(back), verbosity=0)
    assert back.read_bytes() == source.read_bytes()
    assert "Row 2, DOI: 10.1000/182 was not written. " in capsys.readouterr().err


def test_columns_without_a_file_to_write_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--columns is for the table of --write-back") as refusal:
        call_command("checkdois", str(tmp_path / "list.csv"), columns=True)
    assert refusal.value.returncode == 2
