"""Texts of 10,000 characters made to be slow: the pieces of texts around a DOI, repeated and nested.

    python -m benchmarks.long_texts --examples 100000

lets Hypothesis look for slower ones, and prints the slowest that it finds.
"""

import argparse
import sys
import time
from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import strategies as st

from doi_reading import LONGEST_TEXT, fold, read
from resolver.domain.handle.answers import MissingHandle, Resolution
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.correction import find_correction
from resolver.domain.report.judge import ProxyAnswers, judge
from tests.doi_reading.long_texts import HEADS, INNERMOST, NESTED, TAILS, UNITS, known, nested, repeated, texts

BOUND = 0.2  # seconds of processor time for LONGEST_TEXT characters, to read, judge and correct them
REGISTERED = Record("10.1000/a", (HandleValue(1, "URL", "string", "https://a.example/"),))
WORST = 5


def seconds(text: str) -> float:
    """The processor's time to read a text, to judge its name as registered and as missing, and to correct it."""
    start = time.process_time()
    reading = read(text, longest=len(text))
    _used = reading.candidates, reading.others, reading.url, reading.uri, reading.urn
    if reading.doi:
        longer = {fold(one.doi): False for one in reading.longer_names}
        found = judge(reading, ProxyAnswers(Resolution(REGISTERED), exists=longer))
        judge(reading, ProxyAnswers(Resolution(MissingHandle())))
        find_correction(found.outcome, str(reading.doi), [one.code for one in found.problems])
    return time.process_time() - start


def best(text: str) -> float:
    """The least of several, for a text that seems slow: others use the computer too."""
    first = seconds(text)
    return min(first, *(seconds(text) for _ in range(4))) if first > BOUND / 2 else first


def measure() -> Iterator[tuple[str, str]]:
    """The slowest of all texts, with the words that it begins with."""
    taken = sorted(((best(text), text) for text in texts()), reverse=True)
    yield (
        f"long texts: {len(taken)} of {LONGEST_TEXT:,} characters, mean",
        f"{sum(s for s, _ in taken) / len(taken) * 1e3:.1f} ms",
    )
    yield f"long texts: over {BOUND * 1e3:.0f} ms", f"{sum(s > BOUND for s, _ in taken)}"
    for slow, text in taken[:WORST]:
        yield f"  {text[:40]!r} … {text[-12:]!r}", f"{slow * 1e3:.1f} ms"


def slow_texts() -> st.SearchStrategy[str]:
    """Pieces repeated and nested, with other pieces before and after them."""
    unit = st.sampled_from(tuple(dict.fromkeys((*UNITS, *known()))))
    units = st.lists(unit, min_size=1, max_size=3).map("".join)
    head = st.sampled_from(HEADS) | st.builds(str.__mul__, unit, st.integers(1, 200))
    tail = st.sampled_from(TAILS) | st.builds(str.__mul__, unit, st.integers(1, 100))
    openers = st.lists(st.sampled_from(list(NESTED)), min_size=3, max_size=3).map(tuple)
    inside = st.builds(nested, openers, st.sampled_from(INNERMOST), st.just(LONGEST_TEXT - 100))
    return st.builds(repeated, head, units, tail) | st.builds(str.__add__, st.sampled_from(HEADS), inside)


def hunt(examples: int) -> int:
    """Try so many texts, more of those that are like the slowest; 1 if one takes longer than the bound."""
    slowest = (0.0, "")

    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=False,
        phases=[Phase.generate, Phase.target], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(slow_texts())
    def attempt(text: str) -> None:
        nonlocal slowest
        taken = best(text)
        target(taken)
        slowest = max(slowest, (taken, text))

    attempt()
    taken, text = slowest
    print(f"slowest of {examples:,}: {taken * 1e3:.1f} ms: {text[:120]!r} … {text[-60:]!r}")
    return int(taken > BOUND)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--examples", type=int, default=10_000)
    sys.exit(hunt(parser.parse_args().examples))
