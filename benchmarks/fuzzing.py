"""`make fuzz`: the reader on generated inputs. `make bench`: the slowest of 100,000 of them.

    python -m benchmarks.fuzzing --minutes 10

checks each reading against what must always hold, and stops at the first input for which it does not.
"""

import argparse
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from itertools import islice

from benchmarks.fuzzed import LONGEST, inputs
from resolver.domain.doi import Doi, NotADoi
from resolver.domain.reading import Reading, read

SEED = 20_261_121
COUNT = 100_000
MOST_CANDIDATES = 8
BOUND_MS = 100.0  # for LONGEST code points, candidates included; a slow or busy computer may need --bound


def measure() -> Iterator[tuple[str, str]]:
    """The slowest of 100,000 inputs, by itself and for its length."""
    times = [(_seconds(read, text), text) for text in islice(inputs(SEED), COUNT)]
    yield f"fuzzed: mean of {COUNT:,} inputs", f"{sum(time for time, _ in times) / COUNT * 1e6:,.1f} µs"
    # Another program's turn looks like a slow input: those at the top are timed again.
    times = [(min(_seconds(read, text) for _ in range(3)), text) for _, text in sorted(times)[-200:]]
    for label, texts in (
        (f"fuzzed: slowest of {COUNT:,}", times),
        ("fuzzed: slowest of up to 200 characters", [one for one in times if len(one[1]) <= 200]),
    ):
        if texts:
            seconds, text = max(texts)
            yield f"{label} ({len(text):,} characters)", f"{seconds * 1e6:,.1f} µs"
            yield f"  {text[:60]!r}", ""


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.perf_counter()
    work(text)
    return time.perf_counter() - start


def broken(text: str, bound_ms: float = BOUND_MS) -> str | None:
    """What does not hold for the reading of this text; None when all does."""
    start = time.perf_counter()
    try:
        reading = read(text)
        fault = _fault(reading, text)
        taken = time.perf_counter() - start
        if fault is None:
            fault = next((f"{kind}: {found}" for kind, found in _read_back(reading)), None)
    except Exception:  # noqa: BLE001  (whatever it is, it is what is looked for)
        return traceback.format_exc()
    if fault is None and taken * 1000 > bound_ms:
        taken = min(_seconds(lambda text: read(text).candidates, text) for _ in range(3))
        if taken * 1000 > bound_ms:
            return f"it took {taken * 1000:,.1f} ms, more than {bound_ms:g} ms"
    return fault


def _fault(reading: Reading, text: str) -> str | None:
    if reading.input != text:
        return "the input was changed"
    for problem in reading.problems:
        if not 0 <= problem.start <= problem.end <= len(text):
            return f"the span of {problem} lies outside the input"
    starts = [problem.start for problem in reading.problems]
    if starts != sorted(starts):
        return f"the problems are not in order: {starts}"
    named = reading.doi or reading.short_doi
    if not named and not any(problem.severity == "error" for problem in reading.problems):
        return "no name, and no error says why"
    names = [candidate.doi for candidate in reading.candidates]
    if len(names) > MOST_CANDIDATES:
        return f"{len(names)} candidates"
    for kind, found in (("candidate", names), ("other DOI", reading.others)):
        keys = set()
        for name in found:
            try:
                keys.add(Doi.parse(name))
            except NotADoi as error:
                return f"a {kind} is no name: {error}"
        if len(keys) < len(found):
            return f"a {kind} is there twice: {found}"
        if reading.doi in keys:
            return f"a {kind} is the name itself"
    return None


def _read_back(reading: Reading) -> Iterator[tuple[str, str]]:
    """The forms of the name that are not read as the same name."""
    for kind in ("url", "uri", "urn") if reading.doi else ():
        form = getattr(reading, kind)
        if read(form, longest=len(form)).doi != reading.doi:
            yield kind, f"{str(reading.doi)!r} is written {form!r}, which reads as {str(read(form).doi)!r}"


def shortest(text: str, bound_ms: float) -> str:
    """The text with everything left out that the fault does not need."""
    size = len(text) // 2
    while size:
        start = 0
        while start < len(text):
            shorter = text[:start] + text[start + size :]
            if broken(shorter, bound_ms):
                text = shorter
            else:
                start += size
        size //= 2
    return text


def fuzz(minutes: float, seed: int, bound_ms: float) -> int:
    """Read inputs for so long; 1 at the first fault, 0 when there is none."""
    end = time.monotonic() + minutes * 60
    slowest, count = 0.0, 0
    for text in inputs(seed):
        if time.monotonic() > end:
            break
        start = time.perf_counter()
        fault = broken(text, bound_ms)
        slowest = max(slowest, time.perf_counter() - start)
        count += 1
        if fault:
            print(f"input {count:,} of seed {seed}: {fault}\n{text!r}\nshortened:\n{shortest(text, bound_ms)!r}")
            return 1
    print(f"{count:,} inputs of seed {seed} in {minutes:g} minutes, up to {LONGEST:,} characters long: no fault")
    print(f"slowest, with its candidates and three forms read back: {slowest * 1000:,.1f} ms (bound {bound_ms:g} ms)")
    return 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--bound", type=float, default=BOUND_MS, metavar="MS", help="the longest that one may take")
    options = parser.parse_args()
    return fuzz(options.minutes, options.seed, options.bound)


if __name__ == "__main__":
    sys.exit(main())
