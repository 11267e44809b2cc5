"""What `make mutants` changes, and how it tells."""

import csv
from itertools import islice
from types import CodeType

import pytest

from benchmarks.mutants.__main__ import report
from benchmarks.mutants.changes import ROOT, Mutant, mutants
from benchmarks.mutants.packages import PACKAGES, Package
from benchmarks.mutants.session import EQUIVALENT, of
from benchmarks.mutants.trial import KILLED, SURVIVED, Forks, MutantVerdict

DOI = "resolver/domain/name/doi.py"
ONE_FILE = Package("one", (DOI,), 3)


def words(mutant: Mutant) -> str:
    return f"{mutant.function} {mutant.words}"


def of_function(name: str) -> list[Mutant]:
    return [mutant for mutant in mutants(DOI) if mutant.function == name]


def test_an_operator_and_a_text_are_changed_inside_of_functions_only() -> None:
    assert any("0xFDD0 < code" in mutant.words for mutant in of_function("is_noncharacter"))
    assert any('"XXCnXX"' in mutant.words for mutant in of_function("is_unassigned"))
    source = (ROOT / DOI).read_text().splitlines()
    assert all(source[mutant.lines[0] - 1].startswith(" ") for mutant in mutants(DOI))


def test_a_docstring_and_an_annotation_stay() -> None:
    assert not [one for one in of_function("is_unassigned") if '"""' in one.words or ": str" in one.words]


def test_a_sample_depends_on_the_seed_alone() -> None:
    def sample(seed: int) -> list[str]:
        return list(map(words, islice(ONE_FILE.shuffled(seed), 5)))

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)


def test_every_package_has_files() -> None:
    assert all(package.paths for package in PACKAGES)
    with pytest.raises(ValueError, match="nothing fits"):
        _ = Package("none", ("resolver/nothing_there/*.py",), 1).paths


@pytest.mark.slow
def test_a_function_gets_its_changed_code_wherever_it_was_imported_to() -> None:
    from resolver.domain.name.doi import fold

    mutant = next(one for one in of_function("fold") if ".upper()" in one.words)
    ((function, code),) = Forks(()).changed(mutant)
    assert function is fold
    assert isinstance(code, CodeType)
    assert code.co_names != fold.__code__.co_names


def test_a_change_in_lines_alone_is_none() -> None:
    old = next(iter(mutants(DOI)))
    assert not Forks(()).changed(Mutant(DOI, "fold", (1, 1), old.text, old.module, old.old, old.old))


def test_the_table_counts_and_the_survivors_are_shown_with_their_change() -> None:
    verdicts = (MutantVerdict(KILLED, "t", 1), MutantVerdict(SURVIVED, tests=7), MutantVerdict(EQUIVALENT))
    lines = list(report({"one": [of(*one) for one in zip(islice(mutants(DOI), 3), verdicts, strict=True)]}))
    assert lines[0] == "| package | mutants | killed | timed out | survived | not run | equivalent | score |"
    assert lines[2] == "| one | 3 | 1 | 0 | 1 | 0 | 1 | 50% |"
    assert lines[3].endswith("7 tests")
    assert lines[4].startswith("    -")
    assert lines[5].startswith("    +")


def test_a_mutant_that_is_known_to_change_nothing_is_one_and_says_why() -> None:
    with (ROOT / "benchmarks/mutants/equivalent.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert all(row["reason"] for row in rows)
    for row in rows:
        lines = {line.strip() for line in (ROOT / row["path"]).read_text(encoding="utf-8").splitlines()}
        assert any(row["difference"].startswith(f"-{line} +") for line in lines if line), row
