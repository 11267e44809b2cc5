"""`make fuzz`: the reader on generated inputs. `make bench`: the slowest of 100,000 of them.

    python -m benchmarks.fuzzing --minutes 10

checks each reading against what must always hold, and stops at the first input for which it does not.
"""

import argparse
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from itertools import islice

from benchmarks.fuzzed import LONGEST, inputs
from resolver.domain.name.doi import Doi, NotADoi
from resolver.domain.parsing.parse import Reading, read

SEED = 20_261_121
COUNT = 100_000
MOST_CANDIDATES = 8
BOUND = 50.0  # µs a code point, candidates included; a slow computer may need --bound
SHORT = 500  # what is shorter may take as long as that


def measure() -> Iterator[tuple[str, str]]:
    """The slowest of 100,000 inputs, by itself and for its length."""
    times = [(_seconds(read, text), text) for text in islice(inputs(SEED), COUNT)]
    yield f"fuzzed: mean of {COUNT:,} inputs", f"{sum(time for time, _ in times) / COUNT * 1e6:,.1f} µs"
    # A collection of garbage looks like a slow input: those at the top are timed again.
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
    start = time.process_time()
    work(text)
    return time.process_time() - start


def broken(text: str, bound: float = BOUND) -> str | None:
    """What does not hold for the reading of this text; None when all does."""
    start = time.process_time()
    try:
        reading = read(text)
        fault = _fault(reading, text)
        taken = time.process_time() - start
        if fault is None:
            fault = next((f"{kind}: {found}" for kind, found in _read_back(reading)), None)
    except Exception:  # noqa: BLE001  (whatever it is, it is what is looked for)
        return traceback.format_exc()
    allowed = bound * max(SHORT, len(text)) / 1e6
    if fault is None and taken > allowed:
        taken = min(_seconds(lambda text: read(text).candidates, text) for _ in range(3))
        if taken > allowed:
            return f"{len(text):,} characters took {taken * 1000:,.1f} ms, more than {allowed * 1000:,.1f} ms"
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
    if any(problem.code == "not-read" for problem in reading.problems):
        return "it could not be read: the log has the reason"
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
    """The forms of the name that are not read as the same name. A name that holds a separator and a whole address, or
    an HTML entity, can be read in two ways: its own link is a list to a librarian."""
    plain = reading.doi and not re.search("[;,|]https?://|&[A-Za-z#]", str(reading.doi), re.IGNORECASE)
    for kind in ("url", "uri", "urn") if plain else ():
        form = getattr(reading, kind)
        if read(form, longest=len(form)).doi != reading.doi:
            yield kind, f"{str(reading.doi)!r} is written {form!r}, which reads as {str(read(form).doi)!r}"


def shortened(text: str, bound: float) -> str:
    """The text without what the fault does not need, as far as that is found in half a minute."""
    end = time.monotonic() + 30
    size = len(text) // 2
    while size and time.monotonic() < end:
        start = 0
        while start < len(text) and time.monotonic() < end:
            shorter = text[:start] + text[start + size :]
            if broken(shorter, bound):
                text = shorter
            else:
                start += size
        size //= 2
    return text


def fuzz(minutes: float, seed: int, bound: float) -> int:
    """Read inputs for so long; 1 at the first fault, 0 when there is none."""
    end = time.monotonic() + minutes * 60
    slowest, count = 0.0, 0
    for text in inputs(seed):
        if time.monotonic() > end:
            break
        start = time.process_time()
        fault = broken(text, bound)
        slowest = max(slowest, time.process_time() - start)
        count += 1
        if fault:
            print(f"input {count:,} of seed {seed}: {fault}\n{text!r}", flush=True)
            print(f"shortened:\n{shortened(text, bound)!r}")
            return 1
    print(f"{count:,} inputs of seed {seed} in {minutes:g} minutes, up to {LONGEST:,} characters long: no fault")
    print(f"slowest, with its candidates and three forms read back: {slowest * 1000:,.1f} ms")
    print(f"bound: {bound:g} µs a character, for less than {SHORT} that of {SHORT}")
    return 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--bound", type=float, default=BOUND, metavar="US", help="microseconds a character")
    options = parser.parse_args()
    return fuzz(options.minutes, options.seed, options.bound)


if __name__ == "__main__":
    sys.exit(main())
