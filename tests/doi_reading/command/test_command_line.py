"""The command: exit statuses, corrections in place, and what it refuses."""

import io
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from doi_reading.command import file_text, findings, input_files
from doi_reading.command.command_line import main
from tests.doi_reading.command.sample_files import FILES, write_files

ROOT = Path(__file__).parents[3]
OLD, NEW = "http://dx.doi.org/10.1000/182", "https://doi.org/10.1000/182"
WRONG = "https://doi.org/10.1000/456#789"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the command runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DOIPORTAL_URL", raising=False)
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "arguments", "status"),
    [
        ("10.1000/182", [], 0),
        (OLD, [], 0),
        (OLD, ["--fail-on", "warning"], 0),
        ("10.1000/182/", [], 0),
        ("10.1000/182/", ["--fail-on", "warning"], 1),
        (WRONG, [], 1),
        (WRONG, ["--fail-on", "never"], 0),
        (WRONG, ["--ignore", "unescaped-hash"], 0),
        (WRONG, ["--diff"], 1),
    ],
)
def test_the_exit_status_says_what_was_found(folder: Path, text: str, arguments: list[str], status: int) -> None:
    write(folder, "a.txt", text)
    assert main(["a.txt", *arguments]) == status


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "a.txt", WRONG)
    write(folder, "b.json", "{")
    (folder / "c.txt").write_bytes(b"10.1000/182\0")
    (folder / "d.pdf").write_bytes(b"%PDF-1.7\n")
    (folder / "e.txt").write_bytes(b"\xff\xfe1")
    assert main(["none.txt", "b.json", "c.txt", "d.pdf", "e.txt", "a.txt"]) == 2
    printed = capsys.readouterr()
    assert [line.split(": ")[1] for line in printed.err.splitlines()] == "none.txt b.json c.txt d.pdf e.txt".split()
    assert "a.txt:1:28: error unescaped-hash" in printed.out


@pytest.mark.parametrize(
    "arguments", [["--format", "xml"], ["--fail-on", "info"], ["--ignore", "nothing"], ["--fix", "-"]]
)
def test_wrong_usage_has_exit_status_2(arguments: list[str]) -> None:
    if "-" in arguments:
        assert main(arguments) == 2
        return
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_a_correction_keeps_mode_and_links_and_touches_no_clean_file(folder: Path) -> None:
    path = write(folder, "a.txt", f"{OLD}\r\n")
    clean = write(folder, "b.txt", NEW)
    path.chmod(0o640)
    os.utime(clean, (1, 1))
    (folder / "link.txt").symlink_to("a.txt")
    assert main(["--fix", "link.txt", "b.txt"]) == 0
    assert (folder / "link.txt").is_symlink()
    assert path.read_bytes() == f"{NEW}\r\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert clean.stat().st_mtime == 1
    assert sorted(one.name for one in folder.iterdir()) == ["a.txt", "b.txt", "link.txt"]


def test_what_is_left_after_a_correction_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "a.txt", f"{OLD} {WRONG}")
    assert main(["--fix", "a.txt"]) == 1
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == ["error unescaped-hash"]
    assert (folder / "a.txt").read_text() == f"{NEW} {WRONG}"


@pytest.mark.parametrize(
    "text",
    [
        "https://doi.org/10.1000/a%252Fb", "10.1000/182.", "https://doi.org/10.1000/456?789", "10.1000/a–b",
        "https://doi.org/10.1000/a|b", "https://doi.org/10.1000/a\\_b", "https://doi.org/10.1000/a}", "10.1002/1&lt;2",
        "https://login.proxy.example.edu/login?url=http://dx.doi.org/10.1000/182", "https//doi.org/10.1000/182",
        "https://link.springer.com/article/10.1023/a:1006878621126", "DOI: https://doi.org/10.1000/182",
        "doi:10.1000/182",
        "https://doi.org/10.1000/1\u200b82", "https://doi.org/ 10.1000/182", "https://doi.org/10.1000/a<b",
    ],
)  # fmt: skip
def test_what_is_not_certain_is_not_changed(folder: Path, text: str) -> None:
    path = write(folder, "a.txt", text)
    main(["--fix", "--fail-on", "never", "a.txt"])
    assert path.read_bytes() == text.encode()


def test_characters_of_a_file_that_is_not_unicode_are_not_encoded(folder: Path) -> None:
    path = folder / "a.txt"
    path.write_bytes(b"http://dx.doi.org/10.1000/a\xe4b")
    main(["--fix", "a.txt"])
    assert path.read_bytes() == b"https://doi.org/10.1000/a\xe4b"


def test_the_diff_is_what_patch_makes_the_correction_of_and_writes_nothing(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_files(folder)
    main(["--diff", "--fix", *(one.name for one in FILES)])
    assert all((folder / one.name).read_bytes() == one.before for one in FILES)
    difference = capfdbinary.readouterr().out
    assert b"# +https://doi.org/" in difference
    subprocess.run(["git", "apply", "-"], input=difference, cwd=folder, check=True)
    wrong = {one.name for one in FILES if (folder / one.name).read_bytes() != one.after}
    assert wrong == {one.name for one in FILES if "utf16" in one.name}


def test_a_folder_is_read_without_hidden_and_unknown_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.bib", "b/c.md", ".git/d.txt", "node_modules/e.md", "f.py", ".g.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        write(folder, name, WRONG)
    (folder / "h.txt").symlink_to("a.bib")
    assert main([".", "a.bib"]) == 1
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == ["a.bib", "b/c.md"]


def test_standard_input_is_read_in_the_format_of_the_name_it_is_given() -> None:
    command = [sys.executable, "-m", "doi_reading.command", "-", "--stdin-name", "x.json"]
    done = subprocess.run(
        command, cwd=ROOT, input=rb'{"DOI": "http:\/\/dx.doi.org\/10.1000\/182"}', capture_output=True
    )
    assert done.stdout.startswith(b"x.json:1:10: info old-resolver")
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_goes_away_is_no_fault(folder: Path) -> None:
    write(folder, "a.txt", f"{WRONG} " * 3_000)
    command = f"{sys.executable} -m doi_reading.command a.txt | head -1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=True)
    assert (len(done.stdout.splitlines()), done.stderr) == (1, "")


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(file_text.RefusedFile):
        file_text.read_text(io.BytesIO(b" " * (file_text.MOST_BYTES + 1)))
    assert len(file_text.read_text(io.BytesIO(b" " * 1_000)).text) == 1_000


def test_a_file_with_too_many_findings_is_not_called_clean(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "MOST_FINDINGS", 500)
    path = write(folder, "a.txt", f"{OLD} " + "10.1000/1/ " * (findings.MOST_FINDINGS + 5) + OLD)
    assert main(["--fail-on", "never", "a.txt"]) == 2
    assert "the rest of it wasn't read" in capsys.readouterr().err
    assert main(["--fail-on", "never", "--fix", "a.txt"]) == 2
    text = path.read_text()
    assert (text.startswith(NEW), text.endswith(OLD)) == (True, True)


def test_a_file_of_another_owner_is_not_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "gone").mkdir()
    with pytest.raises(file_text.RefusedFile):
        file_text.replace_file(folder / "gone", b"x")
    assert [one.name for one in folder.iterdir()] == ["gone"]


@pytest.mark.parametrize("arguments", [[""], ["--fix", ""], ["a.txt", ""]])
def test_an_empty_name_is_refused(folder: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "a.txt", OLD)
    assert main(arguments) == 2
    assert "a name of a file is empty" in capsys.readouterr().err
    assert (folder / "a.txt").read_text() == OLD


def test_a_folder_without_files_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["."]) == 0
    assert capsys.readouterr().err == "doi-read: there are no files to read\n"


def test_a_folder_with_too_many_files_is_not_clean(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(input_files, "MOST_FILES", 2)
    for name in ("a.txt", "b.txt"):
        write(folder, name, NEW)
    assert main(["."]) == 0
    write(folder, "c.txt", NEW)
    assert main(["."]) == 2
    assert "more than 2 files" in capsys.readouterr().err


def test_of_a_folder_what_is_no_json_is_left_out_with_a_note(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "tsconfig.json", "{\n  // settings\n}\n")
    write(folder, "empty.json", "")
    assert main(["."]) == 0
    assert [line.split(" left out")[0] for line in capsys.readouterr().err.splitlines()] == [
        "doi-read: empty.json:", "doi-read: tsconfig.json:",
    ]  # fmt: skip
    assert main(["tsconfig.json"]) == 2


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_a_report_that_cannot_be_written_is_no_clean_run(folder: Path, redirection: str) -> None:
    write(folder, "a.txt", OLD)
    command = f"{ROOT}/doi_reading/doi-read a.txt {redirection}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr


def test_a_pipe_is_read_but_not_corrected(folder: Path) -> None:
    for options, status in (("", 0), ("--fix", 2)):
        command = f"{ROOT}/doi_reading/doi-read {options} <(printf %s {OLD})"
        done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True)
        assert (done.returncode, "old-resolver" in done.stdout) == (status, True), done.stderr


def test_a_checkout_knows_its_version(folder: Path) -> None:
    done = subprocess.run([f"{ROOT}/doi_reading/doi-read", "--version"], cwd=folder, capture_output=True, text=True)
    project = tomllib.loads((ROOT / "doi_reading/pyproject.toml").read_text())["project"]
    assert done.stdout.strip() == project["version"]


@pytest.mark.parametrize(
    "name", ["a.txt", "./a.txt", "b/./a.txt", "b/../a.txt", "a b.txt", "ä\n+++ b\n.txt", 'q"\t\\.txt', "/"]
)
@pytest.mark.parametrize(
    "data",
    [
        f"\ufeff{OLD}\n".encode(),
        f"{OLD} \xe4\n".encode("latin-1"),
        f"x\r\n{OLD}\r\ny".encode(),
        f"{OLD} \u00e4".encode(),
    ],
)
def test_git_applies_the_diff_of_every_charset_and_name(folder: Path, name: str, data: bytes) -> None:
    path = folder / (name if name != "/" else "c/a.txt")
    (folder / "b").mkdir()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    command = [f"{ROOT}/doi_reading/doi-read", "--diff", "--fix", str(path) if name == "/" else name]
    change = subprocess.run(command, cwd=folder, capture_output=True).stdout
    subprocess.run(["git", "apply", "-"], input=change, cwd=folder, check=True)
    assert path.read_bytes() == data.replace(b"http://dx.", b"https://")


def test_sarif_takes_a_name_that_is_not_unicode(folder: Path) -> None:
    (folder / os.fsdecode(b"\xff a.txt")).write_text(WRONG)
    done = subprocess.run(
        [f"{ROOT}/doi_reading/doi-read", "--format", "sarif", "."], cwd=folder, capture_output=True, text=True
    )
    assert (done.returncode, '"%FF%20a.txt"' in done.stdout) == (1, True), done.stderr
