"""What `make mutants` changes, and how it tells."""

import ast
import csv
import re
import sys
from itertools import islice
from types import CodeType

import pytest

from benchmarks.mutants.__main__ import report
from benchmarks.mutants.changes import ROOT, Mutant, mutants
from benchmarks.mutants.constants import compute_changes, find_lines
from benchmarks.mutants.packages import PACKAGES, Package
from benchmarks.mutants.regular_expressions import weaken
from benchmarks.mutants.session import EQUIVALENT, of
from benchmarks.mutants.trial import KILLED, SURVIVED, Forks, MutantVerdict

DOI = "doi_reading/name/doi.py"
ENCODING = "doi_reading/name/encoding.py"
ONE_FILE = Package("one", (DOI,), 3)


def words(mutant: Mutant) -> str:
    return f"{mutant.function} {mutant.words}"


def of_function(name: str) -> list[Mutant]:
    return [mutant for mutant in mutants(DOI) if mutant.function == name]


def test_an_operator_and_a_text_are_changed_inside_of_functions() -> None:
    assert any("0xFDD0 < code" in mutant.words for mutant in of_function("is_noncharacter"))
    assert any('"XXCnXX"' in mutant.words for mutant in of_function("is_unassigned"))


def test_a_text_and_a_part_of_a_pattern_are_changed_at_the_top_of_a_module() -> None:
    assert any('"Zl", "XXZpXX"})' in mutant.words for mutant in of_function("_NOT_GRAPHIC"))
    assert any(r"10(?:\.[0-9]+){1,3}\Z" in mutant.words for mutant in of_function("_PREFIX"))
    source = (ROOT / DOI).read_text().splitlines()
    assert all(mutant.constant != source[mutant.lines[0] - 1].startswith(" ") for mutant in mutants(DOI))


@pytest.mark.parametrize(
    ("pattern", "others"),
    [
        (r"10(?:\.[0-9]+)+\Z", 5),  # two quantifiers with two others each, and the anchor
        (r"a{2,9}b{3}", 3),
        (r"[+*?^]\+\?(?=x)(?P<n>y)(?i:z)", 0),
        (r"^a*?$", 4),
    ],
)
def test_a_pattern_loses_a_quantifier_or_an_anchor_and_can_still_be_compiled(pattern: str, others: int) -> None:
    found = list(weaken(pattern))
    assert (len(found), len({pattern, *found})) == (others, others + 1)
    assert all(map(re.compile, found))


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
    from doi_reading import fold

    mutant = next(one for one in of_function("fold") if ".upper()" in one.words)
    ((function, name, code),) = Forks(()).changed(mutant)
    assert (function, name) == (fold, "__code__")
    assert isinstance(code, CodeType)
    assert code.co_names != fold.__code__.co_names


def test_a_constant_is_set_wherever_it_was_imported_to_with_all_that_are_built_from_it() -> None:
    from doi_reading.name import encoding

    mutant = next(one for one in mutants(ENCODING) if one.function == "RECOMMENDED" and "XX" in one.words)
    before = vars(encoding).copy()
    changes = {(getattr(holder, "__name__", ""), name): new for holder, name, new in Forks(()).changed(mutant)}
    new = changes[encoding.__name__, "RECOMMENDED"]
    assert isinstance(new, frozenset)
    assert new != encoding.RECOMMENDED
    assert changes[encoding.__name__, "IN_URL"] != encoding.IN_URL
    importers = {
        name for name, module in sys.modules.items() if vars(module).get("RECOMMENDED") is encoding.RECOMMENDED
    }
    assert importers <= {name for name, constant in changes if constant == "RECOMMENDED"}
    assert vars(encoding) == before, "only a fork is changed"


def test_the_tests_of_a_constant_are_those_of_the_lines_that_read_it_or_one_built_from_it() -> None:
    def read(name: str) -> set[str]:
        return {(ROOT / path).read_text().splitlines()[line - 1].strip() for path, line in find_lines((ENCODING, name))}

    assert read("COMMA") >= {'return path.replace(",", COMMA) if form == "which-ra" else path'}
    assert read("RECOMMENDED") >= {"path = _encode_dot_segments(apply_table(text, IN_URL))"}


def test_a_constant_that_stays_the_same_or_cannot_be_made_is_no_mutant() -> None:
    for text in ("COMMA = '%2' + 'C'", "COMMA = 1 / 0"):
        assert not compute_changes((ENCODING, "COMMA"), ast.parse(text).body[0])


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
