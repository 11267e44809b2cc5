"""`python -m doi_reading TEXT …`: what each text means, as one line of JSON. Without texts, each line of the input."""

import json
import sys
from collections.abc import Iterable

from doi_reading import Reading, read


def main(texts: Iterable[str]) -> None:
    """Print a line of JSON for each text."""
    for text in texts:
        print(json.dumps(describe(read(text)), ensure_ascii=False))  # noqa: T201  (the output is its purpose)


def describe(reading: Reading) -> dict[str, object]:
    """Return the reading as JSON has it."""
    return {
        "input": reading.input,
        "doi": str(reading.doi) if reading.doi else None,
        "url": reading.url,
        "problems": [
            {"code": one.code, "severity": one.severity, "message": one.message, "start": one.start, "end": one.end}
            for one in reading.problems
        ],
        "candidates": [{"doi": one.doi, "reason": one.reason} for one in reading.candidates],
        "others": reading.others,
    }


if __name__ == "__main__":
    main(sys.argv[1:] or (line.rstrip("\n") for line in sys.stdin))
