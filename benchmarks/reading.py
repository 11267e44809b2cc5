"""Microseconds for each reading, by kind of input: alone, and with its candidates (worked out only when asked for)."""

import statistics
import time
from collections.abc import Callable, Iterator

from doi_reading import Reading, read
from doi_reading.parsing.candidates import MOST_CANDIDATES

SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"

KINDS = {
    "clean name": "10.1371/journal.pone.0000030",
    "label": "doi: 10.1371/journal.pone.0000030",
    "doi: URI": "doi:10.1016/j.dib.2024.111034",
    "clean URL": "https://doi.org/10.1016/j.dib.2024.111034",
    "SICI": SICI,
    "raw # in a URL": "https://doi.org/10.1000/456#789",
    "query after a URL": "https://doi.org/10.1016/j.dib.2024.111034?utm_source=list&utm_medium=mail",
    "full stop at the end": "10.1016/j.dib.2024.111034.",
    "en dash": "10.1038/s41586–020–2649–2",
    "zero-width space": "10.1242/\u200bbio.201410934",
    "no-break space around": "\u00a010.1242/bio.201410934\u00a0",
    "inner space": "10.1007/s00404-018- 4801-9",
    "resolver twice": "https://doi.org/https://doi.org/10.1162/089976600300015015",
    "library proxy": "https://doi-org.ezproxy.library.example/10.1093/aje/kwae183",
    "publisher's URL": "https://onlinelibrary.wiley.com/doi/full/10.1111/jbi.13402?src=toc",
    "encoded twice": "https://doi.org/10.1002%252Fanie.201914555",
    "SICI with entities": SICI.replace("<", "&lt;").replace(">", "&gt;"),
    "two DOIs": "10.1093/aje/kwae183; 10.1371/journal.pone.0000030",
    "two DOIs run together": "10.1111/joop.1212810.1111/joop.12128",
    "glued text": "10.1111/j.1539-6924.2011.01695.x.pmid:21992607Epub",
    "mojibake": "10.1109/5.771073â€“2",
    "a reference": "Müller, A. (2004). On names. Journal of Applied Names, 10(1), 12-19. doi: 10.1000/182.",
    "a sentence without a DOI": "Vol. 10.1, pp. 12-19, Berlin 2004, ISBN 978-3-16-148410-0",
    "an empty cell": "",
}

LONG = {
    "letters": "10.1000/" + "a" * 9_992,
    "full stops and digits": "10." * 3_333,
    "prefixes": "10.1000/" * 1_250,
    "percent signs": "https://doi.org/10.1000/" + "%25" * 3_325,
    "entities": "10.1000/" + "&lt;" * 2_498,
    "brackets": "10.1000/" + "(" * 4_996 + ")" * 4_996,
    "spaces": "10.1000/a" + " " * 9_990 + "b",
    "zero-width spaces": "10.1000/" + "\u200b" * 9_992,
    "en dashes": "10.1000/" + "–" * 9_992,
    "full-width": "１０．" * 3_333,
    "schemes": "https://" * 1_250,
    "words": "a sentence without " * 526,
    "DOIs": "10.1000/182, " * 769,
}


def measure() -> Iterator[tuple[str, str]]:
    """One row a kind: the median time of a reading and, in brackets, of one whose candidates are wanted too."""
    yield "µs a reading (with its candidates)", ""
    for label, kinds in (("read", KINDS), ("10,000 characters", LONG)):
        for kind, text in kinds.items():
            yield f"{label}: {kind}", f"{_median(read, text):,.1f} ({_median(with_candidates, text):,.1f}) µs"


def with_candidates(text: str) -> Reading:
    """Read, and have the candidates worked out, which happens when they are first asked for."""
    reading = read(text)
    assert len(reading.candidates) <= MOST_CANDIDATES
    return reading


def _median(work: Callable[[str], Reading], text: str) -> float:
    repeat = 3 if len(text) > 1000 else 300
    rounds = []
    end = time.perf_counter() + 1  # seconds: a slow kind is slow enough to be measured in fewer rounds
    while len(rounds) < 7 and (not rounds or time.perf_counter() < end):
        start = time.perf_counter()
        for _ in range(repeat):
            work(text)
        rounds.append((time.perf_counter() - start) / repeat * 1e6)
    return statistics.median(rounds)
