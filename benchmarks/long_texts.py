"""Texts of 10,000 characters made to be slow: what a text around a DOI is made of, again and again and nested.

    python -m benchmarks.long_texts --minutes 10

tries pieces in twos and threes at random, with others before and after them, and prints each text over the bound.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from random import Random

from benchmarks.fuzzed import PIECES
from resolver.domain.parsing.parse import LONGEST, read
from resolver.domain.problems.catalogue import CATALOGUE
from resolver.domain.repair import RULES
from resolver.domain.tables import library_proxies, publisher_urls
from resolver.domain.tables.suffix_patterns import EXAMPLES
from resolver.domain.text.trailing import OPENERS

BOUND = 0.050  # seconds of the processor for LONGEST characters, everything that an inspection uses included
WORST = 5

_SIGNS = """
    １ 𝟏 ١ 10.１ 10.1/ 10/a, 10.1000/a, 10.1000/a; (10.1000/a; 10.1000/a</a doi: doi= &amp; &amp;amp; &amp &lt lt; &#
    60; %25 %2525 %41a %E2%80% %F0%9F %F4%90%80%80 %C3%28 %ED%A0%80 a a1 1a a- a. a/ /a /full .full -a-b v1 <a <1: ;2
    0.CO;2 [1:a] \\ \\_ {\\ \\r _x000D_ [amp]lt; && jsessionid= pmid epub www.a. a.com/ https http://a/ // a@ (2011)
    é 가 ﬁ ﷺ а аб × – ‐ “ ‘ 〈 《 【 _.-, __ ... … ?a ?a=1& ?a#b &a=b #a =2F ! * | ~ ` O l oO0 0.0. 10.0. [a](http://a)
    {\\textless} $_1$ {-} url= ?url=http:// url=https%3A%2F%2F __; -3A__ 10%2e1000%2f %31%30 /../ /./ ://
"""
_INVISIBLE = (
    " ", "\t", "\r\n", "\u00a0", "\u2028", "\u200b", "\u200d", "\u00ad", "-\u00ad", "\ufeff", "\x00", "\x00\x01",
    "\x85", "\ud800", "\u0378", "\ue000", "\ufdd0", "\ufffd", "\u0301", "\u0327\u0301", "\u0f71\u0f72", "e\u0301",
    "doi: ", "1 0 . ", "10. 1000/ a ", "10.1000/a ", "10.1000/%41 ", "10.1000/\x00 ",
)  # fmt: skip
UNITS = tuple(dict.fromkeys((*PIECES, *_SIGNS.split(), *_INVISIBLE)))
"""What is repeated."""
HEADS = (
    "", "10.1000/a", "10.", "10", "10.1", "10.1000", "doi:10.", "https://doi.org/10.", "10.１",
    "https://doi.org/10.1000/a", "doi:10.1000/a/", "urn:doi:10.1000:a",
    "https://doi.org/doiRA/10.1000/a", "10.1016/", "see 10.1000/a ", "https://journals.example.org/doi/full/10.1000/a", "https://x.example/?url=",
    "10.1 000/a", "(", "&amp;",
)  # fmt: skip
TAILS = ("", " b", "/", ")", "%", "\x00", "!", "&lt;", "#a?b", " see 10.1000/b", "\ufb01")
NESTED = {
    **OPENERS, "( ": " )", "&#40;": "&#41;", "%28": "%29", "{\\": "}", "[a](": ")", "https://doi.org/": "", "doi:": "",
    "https://x.example/?url=": "", "https://x.example/?url=https%3A%2F%2F": "", "urn:doi:": "", "info:doi/": "",
    "https%3A%2F%2F": "", "10.1000/": "", "https://doi-org.proxy.example/": "", "%25": "", "&amp;": "", "&": "amp;",
    "10.1000%25": "252f1", "\\": "", '<a href="': '">',
}  # fmt: skip
"""What may stand in itself, and what ends it."""
INNERMOST = ("", "10.1000/182", "https://doi.org/10.1000/a#b", "10.1000%252f1")


def _known() -> Iterator[str]:
    yield from (entry.example for entry in CATALOGUE.values() if entry.example)
    yield from (text for rule in RULES for example in rule.examples for text in example)
    yield from (*library_proxies.EXAMPLES, *EXAMPLES, *publisher_urls.PATH_EXAMPLES)
    yield from (text for rule in (*publisher_urls.NAMES, *publisher_urls.ADDRESSES) for text in rule.example)


def repeated(head: str, unit: str, tail: str, length: int = LONGEST) -> str:
    """`unit` again and again between `head` and `tail`, `length` characters in all."""
    space = max(0, length - len(head) - len(tail))
    return (head + (unit * (space // len(unit) + 1))[:space] + tail)[:length]


def nested(openers: tuple[str, ...], inner: str, length: int = LONGEST) -> str:
    """`inner` in as many of the openers, in turn, as fit; each closed again where something closes it."""
    left: list[str] = []
    size = len(inner)
    for opener in cycle(openers):
        size += len(opener) + len(NESTED[opener])
        if size > length:
            break
        left.append(opener)
    return "".join(left) + inner + "".join(NESTED[opener] for opener in reversed(left))


def texts(length: int = LONGEST) -> Iterator[str]:
    """Each unit repeated, by itself and as a suffix, and each that nests in itself around each inner text."""
    for unit in UNITS:
        for head in ("", "10.1000/a", "10."):
            yield repeated(head, unit, "", length)
    for opener in NESTED:
        for inner in INNERMOST:
            yield nested((opener,), inner, length)
    yield nested(tuple(OPENERS), "10.1000/182", length)
    yield nested(tuple(NESTED), "10.1000/182", length)


def seconds(text: str) -> float:
    """The processor's time for all that an inspection and a report use of a reading."""
    start = time.process_time()
    reading = read(text, longest=len(text))
    _used = reading.candidates, reading.others, reading.url, reading.uri, reading.urn
    return time.process_time() - start


def best(text: str) -> float:
    """The least of several, for a text that seems slow: others use the computer too."""
    first = seconds(text)
    return min(first, *(seconds(text) for _ in range(4))) if first > BOUND / 2 else first


def measure() -> Iterator[tuple[str, str]]:
    """The slowest of all texts, with the words that it begins with."""
    taken = sorted(((best(text), text) for text in texts()), reverse=True)
    yield (
        f"long texts: {len(taken)} of {LONGEST:,} characters, mean",
        f"{sum(s for s, _ in taken) / len(taken) * 1e3:.1f} ms",
    )
    yield f"long texts: over {BOUND * 1e3:.0f} ms", f"{sum(s > BOUND for s, _ in taken)}"
    for slow, text in taken[:WORST]:
        yield f"  {text[:40]!r} … {text[-12:]!r}", f"{slow * 1e3:.1f} ms"


def hunt(minutes: float, seed: int) -> int:
    """Texts at random for so long; 1 where one took longer than the bound."""
    random = Random(seed)
    units = tuple(dict.fromkeys((*UNITS, *_known())))
    end, slowest, count, slow = time.monotonic() + minutes * 60, 0.0, 0, 0
    while time.monotonic() < end:
        if random.random() < 0.3:
            text = random.choice(HEADS) + nested(
                tuple(random.choices(list(NESTED), k=3)), random.choice(INNERMOST), 9_900
            )
        else:
            unit = "".join(random.choices(units, k=random.choice((1, 2, 2, 3))))
            head = random.choice(HEADS) if random.random() < 0.7 else random.choice(units) * random.randint(1, 200)
            tail = random.choice(TAILS) if random.random() < 0.7 else random.choice(units) * random.randint(1, 100)
            text = repeated(head, unit, tail)
        taken = best(text)
        slowest, count, slow = max(slowest, taken), count + 1, slow + (taken > BOUND)
        if taken > BOUND:
            print(f"{taken * 1e3:.1f} ms: {text[:120]!r} … {text[-60:]!r}", flush=True)
    print(f"{count:,} texts of seed {seed} in {minutes:g} minutes, slowest {slowest * 1e3:.1f} ms, {slow} too long")
    return int(slow > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=20_261_122)
    options = parser.parse_args()
    sys.exit(hunt(options.minutes, options.seed))
