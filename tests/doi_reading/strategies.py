"""What the properties draw from: names, texts that hold, hide or damage them, and how long a run takes."""

import os
from functools import cache

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from doi_reading import Reading
from doi_reading.name.doi import is_graphic
from doi_reading.parsing.separators import find_separator
from doi_reading.text import WHITE
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.source_text import SourceText
from doi_reading.text.unfilled_templates import find_template
from tests.doi_reading import long_texts
from tests.doi_reading.corpus import cases

_EXAMPLES = os.environ.get("PROPERTY_EXAMPLES")
PROPERTY = settings(
    max_examples=int(_EXAMPLES or 80),
    deadline=None,
    derandomize=_EXAMPLES is None,  # `make test` says the same of the same code; a long run looks for what is new
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
"""PROPERTY_EXAMPLES=20000 tries so many examples of each property, and others each time."""

DIGITS = st.text("0123456789", min_size=1, max_size=9)
PREFIXES = st.lists(DIGITS, min_size=1, max_size=4).map(lambda runs: ".".join(["10", *runs]))

_SIGNS = """
    # ? % " < > { } ^ [ ] ` | \\ + / // . .. , ; : & = ' ( ) ~ ! $ @ - _ * a Z 0 %23 %2523 %zz %2F %E9 10.1000/ 10.
    /./ /../ ;10.1000/2 ,https://doi.org/10.1000/b https:// doi: urn:doi: abs pdf /full .pdf
    (2011) S0140-6736(09)61933-4
"""
_RARE = " \u00a0\u3000éÉ\u0301\u0345ßſ\u212aа‐－ﬁ中𝒜😀\ufffd\u0378\U000e0fff"
SUFFIX_PIECES = st.sampled_from([*_SIGNS.split(), *_RARE])
GRAPHIC = st.characters(exclude_categories=["Cs", "Cc", "Cf", "Co", "Zl", "Zp"]).filter(is_graphic)
_DOTTED = st.lists(st.sampled_from(["/", ".", "..", "%2e", "a"]), min_size=1, max_size=6)
SUFFIXES = st.one_of(
    st.text(GRAPHIC, min_size=1), st.lists(SUFFIX_PIECES, min_size=1, max_size=8).map("".join), _DOTTED.map("".join)
)
NAMES = st.builds("{}/{}".format, PREFIXES, SUFFIXES)
"""Any valid name (S1 to S5)."""
_ENTITIES = st.sampled_from(["&lt;", "&amp;", "&#60;", "&#x3E;", "&amp;gt;"])
_MORE = st.one_of(st.just(""), SUFFIXES)
_NO_SECOND = _MORE.filter(lambda text: "http" not in text)
WITH_ENTITY = st.builds("{}/{}{}{}".format, PREFIXES, _NO_SECOND, _ENTITIES, _NO_SECOND)
"""Names in which a reader of HTML would see an entity."""

ORDINARY = st.from_regex(r"10\.[1-9][0-9]{3,4}/[a-z]{2}[a-z0-9]{0,5}([.-][a-z0-9]{1,4})?[a-z0-9]", fullmatch=True)
"""Names without anything to remark on."""
_SECOND = st.sampled_from([",https://doi.org/", ";http://dx.doi.org/"])
WITH_ADDRESS = st.builds("{}{}{}".format, ORDINARY, _SECOND, ORDINARY)
"""Names in which a second DOI seems to begin."""
NEARLY_CLEAN = st.from_regex(r"(https://doi\.org/)?10\.[0-9]{3,10}/([aZ1_-]|10\.1|[.();:/]){1,10}", fullmatch=True)
"""What the short way of reading takes, and what it must leave to the long one."""

_WORDS = """
    10.1000/ 10. doi: DOI https:// http://dx.doi.org/ doi.org/ doiRA/ api/handles/ ? # % %25 %E9 %20 a 1 / .. ; , ( >
    " ] &lt; &amp;lt; &#60; &nbsp; urn:doi: info:doi/ url= 10/ 10/abcde utm_source=x noredirect .pdf /full \\_ <br>
    10.1016/j.cell.2010.01.001 1O.1000/ 0.1016/j.x 10.1000.abc 1007/s10803-013-1946-0 10.0.3.239/ [x](http://x)
    https%3A%2F%2Fdoi.org%2F10.1/a .proxy.lib.edu/login?url= www.nature.com/articles/s41586-020-2649-2
    https://urldefense.proofpoint.com/v2/url?u=https-3A__doi.org_10.1_a &d=
"""
_ODD = " \n\t\u00a0\u2028\u200b\u00ad\ufeffé\u0301‐\x00\x85\ud800\ue000о𝟏"
PIECES = st.sampled_from([*_WORDS.split(), *_ODD, *long_texts.PIECES])
ANYTHING = st.text(st.characters(exclude_categories=[]))  # a lone surrogate too


@cache
def _cells() -> tuple[str, ...]:
    return tuple(case.input for case in cases())


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A text that somebody pasted, with a few characters of it lost, changed or added."""
    text = draw(st.sampled_from(_cells()))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 2))
        text = text[:start] + draw(st.one_of(st.just(""), PIECES, ANYTHING)) + text[end:]
    return text


@st.composite
def repeated(draw: st.DrawFn) -> str:
    """One piece again and again, up to the bound of a text."""
    unit = draw(st.one_of(PIECES, SUFFIX_PIECES))
    count = draw(st.integers(2, draw(st.sampled_from([20, 400, 9_900])) // len(unit) + 2))
    return draw(st.sampled_from(["", "10.1000/", "https://doi.org/10.1000/"])) + unit * count


_HEADS = """
    10.1000/ 10.1000/ doi:10.1000/ DOI10.1/ urn:doi:10.1000: info:doi/10.1000/ https://doi.org/10.1000/ (10.1000/
    http://dx.doi.org/10.1/ https://doi.org/doiRA/10.1000/ https://x.proxy.lib.edu/login?url=https://doi.org/10.1000/
    https://a.org/doi/10.1000/
"""
_TAILS = st.lists(PIECES, min_size=1, max_size=7).map("".join)
WRITTEN = st.builds("{}{}".format, st.sampled_from(_HEADS.split()), _TAILS)
TEXTS = st.one_of(
    ANYTHING, st.lists(PIECES, max_size=12).map("".join), NAMES, WRITTEN, WRITTEN, damaged(), damaged(), repeated()
)
"""Whatever a stranger may send."""

WHITE_SPACE = st.text(WHITE, min_size=1, max_size=3)
INVISIBLE = st.characters(categories=["Cc", "Cf", "Co", "Cs"]).filter(lambda c: not is_graphic(c) and c not in WHITE)


def codes(reading: Reading) -> set[str]:
    """The codes of a reading's problems."""
    return {problem.code for problem in reading.problems}


def is_plain(name: str) -> bool:
    """Whether the name's own URL means that name only. It does not where a reader of HTML sees an entity (the contract
    has `10.1000/a&lt;b` mean `10.1000/a<b`), where a separator and a whole identifier look like a second value, and in
    an unfilled template."""
    body, entities = decode_html_entities(SourceText.of(name))
    return not entities and find_separator(name, in_url=True) is None and find_template(body) is None
