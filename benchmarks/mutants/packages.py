"""The packages whose tests are put to the proof, and how many mutants of each a sample has."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.mutants.changes import ROOT, Mutant, mutants


@dataclass(frozen=True)
class Package:
    name: str
    files: tuple[str, ...]  # patterns from the root
    sample: int

    @property
    def paths(self) -> list[str]:
        found = [sorted(ROOT.glob(pattern)) for pattern in self.files]
        if not all(found):
            raise ValueError(f"nothing fits a pattern of the package {self.name}: {self.files}")
        return [str(path.relative_to(ROOT)) for paths in found for path in paths]

    def shuffled(self, seed: int) -> Iterator[Mutant]:
        """All mutants, in an order that depends on the seed and the code alone."""
        places = [(path, number) for path in self.paths for number in range(len(mutants(path)))]
        random.Random(f"{seed} {self.name}").shuffle(places)
        return (mutants(path)[number] for path, number in places)


def _of(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.py" for name in names)


PACKAGES = (
    Package("domain", ("doi_reading/**/*.py", "resolver/domain/**/*.py"), 120),
    Package("gateway", ("resolver/gateway/*.py",), 50),
    Package(
        "rows",
        (
            *_of("resolver/services/lookups", "inspection", "report_messages", "stored_results", "suggestions"),
            *_of("resolver/services/jobs", "row_readings", "chunk_claims", "duplicates"),
            *_of("resolver/services/jobs", "retry", "row_results"),
            *_of("resolver/services/turns", "check"),
            *_of("resolver/services/results", "export"),
            *_of(
                "resolver/services/proxy_answers",
                "name_answers",
                "name_requests",
                "reading_judge",
                "cache",
                "dated_answer",
            ),
            *_of("resolver/services/proxy_answers", "configured_proxy"),
            *_of("resolver/models", "raw_sql"),
            *_of("resolver/models/reports", "report_value"),
        ),
        60,
    ),
    Package(
        "files",
        (
            *_of("resolver/sheets/output", "csv_and_jsonl", "legend", "result_table", "xlsx", "xlsx_fixed_parts"),
            *_of("resolver/services/result_files", "columns", "json_members"),
        ),
        40,
    ),
)
