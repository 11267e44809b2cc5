"""Requests that the texts of the corpus cause, with and without those for doubtful candidates.

The corpus is checked as a list, once where the right names are registered and once where none is. Doubtful candidates
are tried last, in Which RA requests of their own (`NameRequests.learn_guesses`); a quick check makes none.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote


def measure() -> Iterator[tuple[str, str]]:
    """Requests for 1,000 texts. They are counted in a process of its own, which has a database of its own."""
    with tempfile.TemporaryDirectory(prefix="doiportal-bench-") as folder:
        told = {**os.environ, "DOIPORTAL_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "doiportal.settings"}
        told.pop("DATABASE_URL", None)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.corpus_requests"], env=told, capture_output=True, text=True, check=True
        )
    for line in done.stdout.splitlines():
        label, _, figure = line.partition("\t")
        yield label, figure


def main() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from tests.doi_reading.corpus import FOLDER, cases, read_cases

    every = cases()
    public = [case.input for case in read_cases(FOLDER / "public_texts.tsv")]
    right = {case.expected for case in every if case.expected}
    for label, texts, names in (
        ("corpus", [case.input for case in every], right),
        ("public texts", public, right),
        ("corpus, nothing registered", [case.input for case in every], set()),
        ("public texts, nothing registered", public, set()),
    ):
        records, other, guesses = count(texts, names)
        each = 1000 / len(texts)
        print(f"{label}: records for 1,000 texts\t{records * each:,.1f}")
        print(f"{label}: Which RA for 1,000 texts, without guesses\t{other * each:,.1f}")
        print(f"{label}: Which RA for 1,000 texts, with guesses\t{(other + guesses) * each:,.1f}")
        more = guesses / (records + other)
        print(f"{label}: requests more because of guesses\t{more:.1%} ({guesses:,} on {records + other:,})", flush=True)


def count(texts: Iterable[str], registered: Iterable[str]) -> tuple[int, int, int]:
    """Check the texts as one list at a sample proxy where just these names exist, and no answer is stored; the requests
    for records, the other Which RA requests, and those for doubtful candidates."""
    from doi_reading import fold
    from resolver.models import StoredAnswer
    from resolver.proxy.limits import FileBudget
    from resolver.proxy.proxy_config import ProxyConfig
    from resolver.services.lookups.inspection import inspect_input
    from resolver.services.proxy_answers.configured_proxy import DoiProxy
    from resolver.services.proxy_answers.name_answers import list_names
    from tests.doi_reading.corpus import as_csv
    from tests.services.conftest import Queue, make_job
    from tests.services.registered_names import sample_proxy_where

    texts = list(texts)
    StoredAnswer.objects.all().delete()
    with sample_proxy_where(registered) as standin, tempfile.TemporaryDirectory() as folder:
        # The batches are those of the rate for doi.org; the budget lets more through, so that it takes no hour.
        config = ProxyConfig(standin.url, "doiportal-bench", backoff=0.01, concurrency=16, rate=10)
        proxy = DoiProxy(config, FileBudget(Path(folder, "budget"), 16, 100_000))
        job = make_job(as_csv(texts), proxy, column="doi", owner=f"session:{standin.url}")
        Queue(proxy, turn=3600, piece=3600).work_off()
        job.refresh_from_db()
        if job.done != len(texts):
            raise AssertionError(f"{job.done} of {len(texts)} texts were checked")
        requests = list(standin.requests)
    by_rule = set()
    for reading in map(inspect_input, texts):
        names = [*list_names(reading), *(candidate.doi for candidate in reading.candidates)]
        by_rule.update(map(fold, names))
    asked = [unquote(target.removeprefix("/doiRA/")).split(",") for target in requests if target.startswith("/doiRA/")]
    guesses = sum(all("/" in name and fold(name) not in by_rule for name in names) for names in asked)
    return len(requests) - len(asked), len(asked) - guesses, guesses


if __name__ == "__main__":
    main()
