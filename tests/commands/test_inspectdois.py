"""`manage.py inspectdois`: reading only, no network, no database."""

import gzip
import json
import os
import signal
import subprocess
import sys

import openpyxl
import pytest

from tests.commands.shell import Shell, column, one_line, table

READ_AS = "Read as table, header row 0, encoding utf-8, column column 1."
LIST = 'id,doi,note\r\n1,https://doi.org/10.1000/456#789,=1+1\r\n2,nothing,\r\n3,10.1000/182,"a\r\nb"\r\n'


def test_it_reports_reading_and_encoding_problems(shell: Shell):
    done = shell.run("inspectdois", str(shell.file("list.csv", LIST)))
    rows = table(done.stdout)
    assert done.returncode == 0
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert [row["doi_2"] for row in rows] == ["10.1000/456", "", "10.1000/182"]
    assert [row["outcome"] for row in rows] == ["", "invalid", ""]
    assert [row["problems"] for row in rows] == ["unescaped-hash", "no-doi", ""]
    assert [row["note"] for row in rows] == ["'=1+1", "", "a\r\nb"]
    assert done.stderr.decode().splitlines() == [
        "Read as table, header row 1, delimiter comma, encoding utf-8, column doi.",
        "3 rows: 2 readable, 1 invalid.",
    ]


def test_it_says_what_was_assumed_and_left_out(shell: Shell):
    text = "Заглавие статьи,DOI,Related\nА,10.1000/1,10.1000/2\n"
    path = shell.folder / "list.csv"
    path.write_bytes(text.encode("koi8-r"))
    done = shell.run("inspectdois", str(path))
    assert done.stderr.decode().splitlines()[:3] == [
        "Read as table, header row 1, delimiter comma, encoding koi8-r (assumed), column DOI.",
        "The file doesn't say its encoding. We assumed KOI8-R. If letters look wrong, choose another encoding.",
        "The column “Related” has other DOIs. They are not checked.",
    ]


def test_a_damaged_record_is_told_as_such(shell: Shell):
    done = shell.run("inspectdois", str(shell.file("a.bib", "@book{a, title = {open\n@book{b, doi = {10.1000/1}}\n")))
    rows = table(done.stdout)
    assert [(row["field"], row["doi"], row["problems"]) for row in rows] == [
        ("", "", "unreadable-record"),
        ("doi", "10.1000/1", ""),
    ]


def test_a_text_too_long_for_a_doi_is_an_error_on_its_row_and_the_others_are_read(shell: Shell):
    shell.environment["MAX_CELL"] = "20"
    long = "10.1000/" + "x" * 13
    done = shell.run(
        "inspectdois", str(shell.file("list.csv", f"id,doi\r\n1,10.1000/1\r\n2,{long}\r\n3,10.1000/3\r\n"))
    )
    rows = table(done.stdout)
    assert done.returncode == 0
    assert [row["doi"] for row in rows] == ["10.1000/1", long, "10.1000/3"]
    assert [row["doi_2"] for row in rows] == ["10.1000/1", "", "10.1000/3"]
    assert [row["outcome"] for row in rows] == ["", "invalid", ""]
    assert rows[1]["problems"] == "too-long"
    assert "20" in rows[1]["messages"]


def test_a_row_of_deeply_nested_brackets_leaves_the_others_read(shell: Shell):
    nested = "(" * 2000 + "10.1000/2" + ")" * 2000
    done = shell.run("inspectdois", str(shell.file("list.csv", f"doi\n10.1000/1\n{nested}\n10.1000/3\n")))
    rows = table(done.stdout)
    assert done.returncode == 0
    assert [row["doi_2"] for row in rows][::2] == ["10.1000/1", "10.1000/3"]
    assert rows[1]["outcome"] == ""  # read or not: it is not called invalid


def test_a_cell_longer_than_any_table_has_refuses_the_file(shell: Shell):
    shell.environment |= {"MAX_CELL": "20", "MAX_FIELD": "30"}
    done = shell.run("inspectdois", str(shell.file("list.csv", f"doi,note\n10.1000/1,{'x' * 31}\n")))
    assert (done.returncode, done.stdout) == (2, b"")
    assert "Line 2: A cell has more than the 30 characters allowed" in one_line(done.stderr)


def test_a_file_that_unpacks_to_more_than_allowed_is_refused_with_the_figure(shell: Shell):
    shell.environment["MAX_EXPANDED"] = "1000"
    path = shell.folder / "list.gz"
    path.write_bytes(gzip.compress(b"10.1000/1\n" * 200))
    done = shell.run("inspectdois", str(path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert "The unpacked file is larger than the 1,000 bytes allowed" in one_line(done.stderr)


def test_a_long_list_read_by_several_processes_keeps_its_order(shell: Shell):
    texts = [f"https://doi.org/10.1000/{n}#x" if n % 3 else f"10.1000/{n}" for n in range(6_001)]
    rows = table(shell.run("inspectdois", str(shell.file("list.txt", "\n".join(texts)))).stdout)
    assert [row["doi"] for row in rows] == [f"10.1000/{n}" for n in range(6_001)]
    assert [row["problems"] for row in rows] == ["unescaped-hash" if n % 3 else "" for n in range(6_001)]


@pytest.mark.slow
def test_ctrl_c_ends_a_long_run_with_all_its_processes(shell: Shell):
    path = shell.file("long.txt", "https://doi.org/10.1000/1#2 and more\n" * 300_000)
    with subprocess.Popen(
        shell.command("inspectdois", str(path)),
        env=shell.told, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.read(100_000)  # it is at work
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert told.decode().splitlines() == [READ_AS, "Interrupted: nothing was kept."]


def test_it_makes_no_database_and_asks_nobody(fresh: Shell):
    done = fresh.run_alone("inspectdois", str(fresh.file("l.txt", "10.1000/1\n")))
    assert (done.returncode, column(done.stdout, "checked_at")) == (0, [""])
    assert not list((fresh.folder / "var").glob("*.sqlite3"))


def test_it_reads_standard_input(shell: Shell):
    done = shell.run("inspectdois", "-", stdin="10.1000/1\n10.1000/é\n".encode("utf-16"))
    assert column(done.stdout, "doi") == ["10.1000/1", "10.1000/é"]


def test_the_ending_of_the_output_says_its_format(shell: Shell):
    path = str(shell.file("list.csv", LIST))
    for name in ("out.jsonl", "out.xlsx", "out.csv", "out.tsv"):
        done = shell.run("inspectdois", path, "--output", name)
        assert (done.returncode, done.stdout) == (0, b"")
    first = json.loads((shell.folder / "out.jsonl").read_text().splitlines()[0])
    assert (first["doi"], first["cells"]["note"]) == ("10.1000/456", "=1+1")
    assert openpyxl.load_workbook(shell.folder / "out.xlsx")["Results"]["E2"].value == "10.1000/456"
    assert len(table((shell.folder / "out.csv").read_bytes())) == 3
    assert (shell.folder / "out.tsv").read_bytes().startswith(b"\xef\xbb\xbfid\tdoi\tnote\trow\tdoi_2\t")
    assert shell.leftovers() == []


def test_a_named_column_is_read(shell: Shell):
    path = str(shell.file("list.csv", "doi,other\n10.1000/1,10.1000/2\n"))
    assert column(shell.run("inspectdois", path, "--column", "OTHER").stdout, "doi_2") == ["10.1000/2"]


@pytest.mark.parametrize("command", ["inspectdois", "checkdois"])
@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        (None, [], "No such file"),
        ("a,b\n1,2\n", [], "No column seems to contain DOIs"),
        ("id,doi\n1,10.1000/1\n", ["--column", "nope"], "--column: There is no column “nope”."),
        ('id,doi\n1,"10.1000/1\n', [], "Line 2: A quotation mark"),
        ("", [], "empty"),
        ("10.1000/1\n", ["--output", "nowhere/out.csv"], "Cannot write nowhere/out.csv"),
        ("10.1000/1\n", ["--output", "."], "Cannot write .: it is a folder"),
        ("10.1000/1\n", ["--output", "out.XLS"], "can't be written as .xls. Choose a name that ends with .csv,"),
        ("10.1000/1\n", ["--output", "out.csv.gz"], "can't be written as .gz."),
        ("10.1000/1\n", ["--output", "list.csv"], "same file"),
    ],
)
def test_what_cannot_run_says_why_in_one_line_and_exits_with_2(
    shell: Shell, command: str, content: str | None, options: list[str], said: str
):
    if content is not None:
        shell.file("list.csv", content)
    done = shell.run(command, "list.csv", *options)
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert done.stdout == b""
    assert shell.leftovers() == []


@pytest.mark.parametrize("command", ["inspectdois", "checkdois"])
def test_a_bibliographic_file_without_a_doi_is_refused(shell: Shell, command: str):
    path = str(shell.file("list.ris", "TY  - JOUR\nTI  - An article\nER  - \n"))
    done = shell.run(command, path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert "1 record, without a DOI in the fields that are read" in one_line(done.stderr)


def test_a_failed_run_leaves_an_earlier_result_as_it_was(shell: Shell):
    shell.file("out.csv", "earlier")
    assert shell.run("inspectdois", str(shell.file("bad.csv", "")), "--output", "out.csv").returncode == 2
    assert (shell.folder / "out.csv").read_text() == "earlier"


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_fault(shell: Shell):
    path = shell.file("long.txt", "10.1000/1\n" * 20_000)
    with subprocess.Popen(
        shell.command("inspectdois", str(path)), env=shell.told, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read().decode().splitlines() == [READ_AS]
        process.wait(60)


# A process of its own in between: a child's peak counts what its parent held when it was forked, here all of pytest.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(shell: Shell):
    peaks = []
    for rows in (5_000, 25_000):
        path = shell.file("list.txt", "".join(f"10.5555/{number}-{'x' * 500}\n" for number in range(rows)))
        command = shell.command("inspectdois", str(path), "--output", os.devnull)
        done = subprocess.run([sys.executable, "-c", PEAK, *command], env=shell.told, capture_output=True, check=True)
        peaks.append(int(done.stdout))
    assert peaks[1] - peaks[0] < 4 * 1024, f"{peaks} kB; the larger file has 10 MB"
