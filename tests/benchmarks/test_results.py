"""What `make bench` writes."""

from pathlib import Path

from benchmarks import results


def test_the_median_is_the_run_in_the_middle_by_its_first_number():
    assert results.median(["1,200 rows/s", "90 rows/s", "950.5 rows/s"]) == "950.5 rows/s"


def test_a_table_shows_every_run_beside_the_median():
    table = results.table([{"job": "3 s"}, {"job": "1 s"}, {"job": "2 s"}])
    assert table.splitlines()[0] == "| measured | median | run 1 | run 2 | run 3 |"
    assert table.splitlines()[2] == "| job | 2 s | 3 s | 1 s | 2 s |"


def test_what_was_measured_once_has_one_column():
    assert results.table([{"job": "3 s"}]).splitlines()[2] == "| job | 3 s |"


def test_a_part_measured_again_takes_the_place_of_the_old_one(tmp_path: Path):
    file = tmp_path / "results.md"
    for name, text in (("jobs", "old"), ("million", "stays"), ("jobs", "new")):
        results.write(name, text, file)
    assert file.read_text().split("\n\n")[2:] == ["## jobs", "new", "## million", "stays\n"]


def test_circumstances_name_commit_processor_and_version():
    words = results.circumstances()
    assert " commit " in words
    assert " cores, " in words
    assert "Python 3" in words
