"""`manage.py checkdois`: the bulk job from the shell, by the same services, without a worker."""

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import closing

import pytest

from resolver.standin.sample_works import build_sample_work
from resolver.standin.server import SampleProxyServer
from tests.commands.shell import Shell, column, one_line, table
from tests.waiting import wait_until

LIST = (
    "nr,doi,note\r\n"
    "1,10.1000/182,=1+1\r\n"
    "2,10.5555/a.missing.b,\r\n"
    "3,no doi here,\r\n"
    "\r\n"
    '5,https://doi.org/10.5555/plain,"a ""b""\r\nc"\r\n'
)


def rows_in_database(shell: Shell, name: str) -> int:
    with closing(sqlite3.connect(shell.folder / "var" / "doiportal.sqlite3")) as database:
        return int(database.execute(f"SELECT count(*) FROM resolver_{name}").fetchone()[0])


def test_every_row_comes_back_in_order_with_its_outcome(asking: Shell):
    done = asking.run("checkdois", str(asking.file("list.csv", LIST)))
    rows = table(done.stdout)
    assert done.returncode == 0
    assert [row["nr"] for row in rows] == ["1", "2", "3", "", "5"]
    assert [row["outcome"] for row in rows] == ["resolved", "not-found", "invalid", "invalid", "resolved"]
    assert [row["note"] for row in rows] == ["'=1+1", "", "", "", 'a "b"\r\nc']
    assert rows[0]["url_values"] == "http://www.doi.org/hb.html"
    assert done.stderr.decode().splitlines() == [
        "Read as table, header row 1, delimiter comma, encoding utf-8, column doi.",
        "5 rows: 2 resolved, 2 invalid, 1 not-found.",
    ]


def test_a_text_too_long_for_a_doi_is_an_error_on_its_row_and_the_others_are_asked(asking: Shell):
    long = "10.5555/" + "x" * 9_993
    done = asking.run("checkdois", str(asking.file("list.csv", f"doi,n\r\n10.5555/a,1\r\n{long},2\r\n10.5555/b,3\r\n")))
    rows = table(done.stdout)
    assert [row["outcome"] for row in rows] == ["resolved", "invalid", "resolved"]
    assert (rows[1]["doi"], rows[1]["n"], rows[1]["problems"]) == (long, "2", "too-long")


def test_nothing_of_the_job_stays_behind(asking: Shell):
    asking.run("checkdois", str(asking.file("list.csv", LIST)))
    assert (rows_in_database(asking, "job"), rows_in_database(asking, "row"), asking.leftovers()) == (0, 0, [])


def test_only_the_rows_of_a_task_are_written(asking: Shell):
    done = asking.run("checkdois", str(asking.file("list.csv", LIST)), "--task", "back", "--output", "back.csv")
    assert done.returncode == 0, done.stderr
    rows = table((asking.folder / "back.csv").read_bytes())
    assert [list(row) for row in rows[:1]] == [["nr", "doi", "note", "row", "problem", "found"]]
    assert [row["nr"] for row in rows] == ["3"]
    assert rows[0]["problem"] == "This isn't a DOI. Please send the DOI, if the work has one."


def test_an_unknown_task_is_refused_before_anything_is_checked(shell: Shell):
    done = shell.run("checkdois", str(shell.file("list.csv", LIST)), "--task", "another-work")
    assert done.returncode == 2
    assert "invalid choice: 'another-work'" in done.stderr.decode()
    assert done.stdout == b""


def test_rows_say_how_their_address_differs_from_the_expected_one(asking: Shell):
    text = "doi,target\r\n10.1000/182,https://www.doi.org/hb.html\r\n10.5555/a.missing.b,https://example.org/\r\n"
    done = asking.run("checkdois", str(asking.file("list.csv", text)), "--expected", "Target")
    rows = table(done.stdout)
    assert [(row["expected"], row["address"]) for row in rows] == [
        ("https://www.doi.org/hb.html", "same-page"),
        ("https://example.org/", "no-address"),
    ]
    assert list(rows[0])[-2:] == ["expected", "address"]


def test_an_unknown_column_of_expected_addresses_ends_the_command(asking: Shell):
    done = asking.run("checkdois", str(asking.file("list.csv", "doi,n\r\n10.1000/182,1\r\n")), "--expected", "target")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "--expected: There is no column “target”. Choose one of these: “doi”, “n”." in one_line(done.stderr)


def test_a_quick_run_tells_agencies_and_no_urls(asking: Shell):
    rows = table(asking.run("checkdois", str(asking.file("list.csv", LIST)), "--quick").stdout)
    assert [row["outcome"] for row in rows] == ["registered", "not-found", "invalid", "invalid", "registered"]
    assert {row["url_values"] for row in rows} == {""}
    assert rows[4]["registration_agency"] != ""


def test_it_reads_standard_input_and_writes_json_lines(asking: Shell):
    done = asking.run("checkdois", "-", "--output", "out.jsonl", stdin=b"10.5555/one\n10.5555/two\n")
    assert done.returncode == 0
    lines = [json.loads(line) for line in (asking.folder / "out.jsonl").read_text().splitlines()]
    assert [(line["line"], line["outcome"]) for line in lines] == [(1, "resolved"), (2, "resolved")]


def test_a_proxy_that_is_not_there_is_no_failure_of_the_command_though_it_makes_the_tables(fresh: Shell):
    done = fresh.run("checkdois", "-", stdin=b"10.5555/one\nnothing\n")
    assert done.returncode == 0
    assert column(done.stdout, "outcome") == ["unreachable", "invalid"]


def test_more_rows_than_a_chunk_all_come_back_once(asking: Shell):
    names = [f"10.5555/n.{number}" for number in range(1203)]
    done = asking.run("checkdois", "-", stdin="\n".join(names).encode())
    assert column(done.stdout, "doi") == names
    assert set(column(done.stdout, "outcome")) == {"resolved"}


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_ended_early_leaves_no_job_behind(shell: Shell, number: int, status: int):
    path = shell.file("list.txt", "".join(f"10.5555/n.{number}\n" for number in range(1000)))
    with SampleProxyServer(latency=0.1) as standin:
        shell.environment |= {"DOI_PROXY_URL": standin.url, "PROXY_CONCURRENCY": "4", "PROXY_RATE": "0"}
        with subprocess.Popen(
            shell.command("checkdois", str(path), "--output", "out.csv"),
            cwd=shell.folder,
            env=shell.told,
            stderr=subprocess.PIPE,
            # A shell starts what it puts into the background with Ctrl-C ignored, and children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as process:
            assert process.stderr is not None
            wait_until("a row is done", lambda: are_some_rows_done(shell))
            process.send_signal(number)
            assert process.wait(60) == status
            said = process.stderr.read().decode()
    assert (rows_in_database(shell, "job"), shell.leftovers()) == (0, [])
    if number == signal.SIGTERM:
        assert not (shell.folder / "out.csv").exists()
        return
    outcomes = column((shell.folder / "out.csv").read_bytes(), "outcome")
    asked = outcomes.count("resolved")
    assert (len(outcomes), asked + outcomes.count("")) == (1000, 1000)
    assert 0 < asked < 1000
    assert f"Interrupted: {asked} of 1,000 rows were checked. out.csv has every row" in said


def are_some_rows_done(shell: Shell) -> bool:
    path = shell.folder / "var" / "doiportal.sqlite3"
    if not path.exists():
        return False
    with closing(sqlite3.connect(path)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'resolver_job'").fetchone():
            return False
        return bool(database.execute("SELECT max(done) FROM resolver_job").fetchone()[0])


def test_a_database_that_does_not_answer_is_told_in_one_line(asking: Shell):
    asking.environment["DATABASE_URL"] = "postgres://nobody@127.0.0.1:9/nothing"
    done = asking.run("checkdois", "-", stdin=b"10.5555/one\n")
    assert done.returncode == 2
    assert "The database cannot be used" in one_line(done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("command", [("prepare",), ("createtoken", "ada", "--name", "x"), ("runwatches",)])
def test_another_command_tells_so_too(asking: Shell, command: tuple[str, ...]):
    asking.environment["DATABASE_URL"] = "postgres://nobody@127.0.0.1:9/nothing"
    done = asking.run(*command)
    assert done.returncode == 2
    assert "doiportal: The portal can't reach its database, Redis or file storage." in one_line(done.stderr)
    assert b"Traceback" in asking.run(*command, "--traceback").stderr


def test_an_output_file_in_a_folder_that_may_not_be_opened_is_said(asking: Shell):
    done = asking.run("checkdois", "-", "--output", "x" * 300 + "/out.csv", stdin=b"10.5555/one\n")
    assert done.returncode == 2
    assert "File name too long" in one_line(done.stderr)


if "DATABASE_URL" in os.environ:  # the suite runs on PostgreSQL; the run on SQLite has no server to try this on

    @pytest.mark.slow
    def test_a_server_database_without_tables_is_not_changed_but_said(asking: Shell):
        asking.environment["DATABASE_URL"] = os.environ["DATABASE_URL"]  # the empty one beside the test database
        done = asking.run("checkdois", "-", stdin=b"10.5555/one\n")
        assert done.returncode == 2
        assert "manage.py prepare" in one_line(done.stderr)


TITLED = "doi,title,author,year\n10.5555/one,Sample title of 10.5555/one,,\n10.5555/two,On owls,Strix,1901\n"


def test_rows_are_compared_with_what_is_registered_and_another_work_can_end_the_command_with_1(asking: Shell):
    path = str(asking.file("list.csv", TITLED))
    done = asking.run("checkdois", path, "--compare", "--fail-on", "different")
    assert done.returncode == 1
    assert [row["work"] for row in table(done.stdout)] == ["same", "different"]
    assert "1 different" in done.stderr.decode()
    assert asking.run("checkdois", path, "--compare", "--fail-on", "look").returncode == 0


@pytest.mark.parametrize(
    ("option", "needed"),
    [(("--fail-on", "different"), "--compare"), (("--title-column", "title"), "--compare or --search")],
)
def test_options_about_works_need_the_comparison(asking: Shell, option: tuple[str, str], needed: str):
    done = asking.run("checkdois", str(asking.file("list.csv", TITLED)), *option)
    assert done.returncode == 2
    assert f"{option[0]} is for works. Add {needed}." in done.stderr.decode()


def test_a_doi_is_searched_for_where_a_row_has_none(asking: Shell):
    work = build_sample_work(7)
    author, year = work["author"][0]["family"], work["issued"]["date-parts"][0][0]
    text = f'doi,title,author,year\n10.5555/one,,,\n,"{work["title"]}",{author},{year}\n'
    done = asking.run("checkdois", str(asking.file("list.csv", text)), "--search")
    rows = table(done.stdout)
    assert [(row["suggested_doi"], row["found_by"]) for row in rows] == [("", ""), (work["DOI"], "Crossref")]
    assert "found_by" not in table(asking.run("checkdois", str(asking.file("list.csv", text))).stdout)[0]


def test_a_search_that_the_operator_forbids_or_that_is_quick_ends_the_command_with_2(asking: Shell):
    path = str(asking.file("list.csv", TITLED))
    asking.environment["SEARCH"] = "0"
    forbidden = asking.run("checkdois", path, "--search")
    del asking.environment["SEARCH"]
    assert (forbidden.returncode, b"SEARCH=0 forbids it" in forbidden.stderr) == (2, True)
    assert asking.run("checkdois", path, "--search", "--quick").returncode == 2


def test_an_unknown_title_column_is_named_with_its_option(asking: Shell):
    done = asking.run("checkdois", str(asking.file("list.csv", TITLED)), "--compare", "--title-column", "Titel")
    assert done.returncode == 2
    assert "--title-column: There is no column “Titel”." in done.stderr.decode()
