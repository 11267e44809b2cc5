"""Every situation of a result: each outcome with each problem, and with what else decides about its page."""

import itertools
from collections.abc import Iterator
from typing import Any

from doi_reading import CATALOGUE, Severity
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.models import Row
from resolver.web.lookups.result_facts import ResultFacts

NAME = "10.5555/a"
LINK = f"https://doi.org/{NAME}"
HERE, GONE = {"doi": "10.5555/b", "outcome": "resolved"}, {"doi": "10.5555/c", "outcome": "not-found"}
LATER = {"doi": "10.5555/d", "outcome": ""}
_OF_FACTS = (
    "form", "suggestion", "doubtful", "meant", "untried", "rivals", "longer", "address", "expected", "found", "titled",
)  # fmt: skip


def build_facts(outcome: str, codes: tuple[str, ...], known: dict[str, Any]) -> ResultFacts:
    facts = {name: value for name, value in known.items() if name in _OF_FACTS}
    columns = {name: value for name, value in known.items() if name not in _OF_FACTS}
    errors = [code for code in codes if CATALOGUE[code].severity == Severity.ERROR]
    return ResultFacts(Row(outcome=outcome, **{"doi": NAME, "input": NAME, **columns}), codes, errors, **facts)


# One problem of each kind that the table tells apart.
KINDS = [
    "", "old-resolver", "from-link", "publisher-url", "unescaped-hash", "leftover", "trailing-slash", "unescaped-slash",
    "look-alike", "double-encoded", "several-dois", "other-not-registered", "link-differs", "short-doi", "no-doi",
    "missing-suffix", "cut-short", "unproven-suggestion", "fake-resolver", "deleted", "unsafe-url", "alias",
    "alias-loop", "empty", "template", "test-prefix", "leads-to-itself",
    "retracted", "concern",
]  # fmt: skip
WRITINGS: list[dict[str, Any]] = [
    {},
    {"input": LINK, "form": "url"},
    {"input": LINK, "form": "url", "titled": True},
    {"input": f"http://dx.doi.org/{NAME}", "form": "url"},
    {"input": f"doi:{NAME}", "form": "uri", "titled": True},
    {"input": "10.5555%2Fa", "form": "name"},
    {"input": f"https://proxy.example/{NAME}", "form": "wrapped"},
]
BESIDE: list[dict[str, Any]] = [{}, {"others": [HERE]}, {"others": [HERE, GONE]}, {"others": [GONE, LATER]}]
ADDRESSES: list[dict[str, Any]] = [
    {},
    {"address": "same", "expected": "https://a.example/", "found": "https://a.example/"},
    {"address": "same-host", "expected": "https://a.example/1", "found": "https://a.example/2"},
    {"address": "other-host", "expected": "https://a.example/", "found": "https://b.example/"},
    {"address": "no-address", "expected": "https://a.example/"},
]
OF_EXISTING: list[dict[str, Any]] = [
    *ADDRESSES,
    {"alias_of": "10.5555/main", "ra": "DataCite"},
    *({"longer": [(f"{NAME}#b", exists)]} for exists in (True, False, None)),
]
OF_MISSING: list[dict[str, Any]] = [
    {},
    {"prefix_ra": "Crossref"},
    {"prefix_status": "DOI does not exist"},
    {"prefix_ra": "DataCite", "meant": f"{NAME}#b"},
    {"meant": f"{NAME}b", "untried": True, "prefix_ra": "DataCite"},
    {"suggestion": "10.5555/b", "prefix_ra": "Crossref"},
    {"suggestion": "10.5555/b", "doubtful": True},
    {"rivals": ["10.5555/b", "10.5555/c"], "prefix_ra": "Crossref"},
]


def walk_situations() -> Iterator[ResultFacts]:
    """Every outcome with every problem alone and with every two of the kinds, each with some of all that decides about
    the steps besides."""
    pairs = itertools.combinations([code for code in KINDS if not code or code in CATALOGUE], 2)
    codes = [(), *((code,) for code in CATALOGUE), *(tuple(filter(None, pair)) for pair in pairs)]
    for outcome, held in itertools.product((*Outcome, ""), codes):
        around = OF_EXISTING if outcome in EXISTS else OF_MISSING
        for place, known in enumerate(itertools.product(around, BESIDE, WRITINGS)):
            unlike = "other-not-registered" in held and GONE not in known[1].get("others", [])
            if place % 41 == len("".join(held)) % 41 and not unlike:
                yield build_facts(outcome, held, {**known[2], **known[1], **known[0]})


SITUATIONS: list[tuple[str, tuple[str, ...], dict[str, Any], tuple[str, str, list[str]]]] = [
    ("resolved", (), {}, ("works", "own", [])),
    ("resolved", ("unescaped-slash",), {"input": "doi:10.5555/a", "form": "uri"}, ("works", "own", [])),
    (
        "resolved",
        ("old-resolver",),
        {"input": "http://dx.doi.org/10.5555/a", "form": "url"},
        ("write-differently", "own", []),
    ),
    ("resolved", ("look-alike",), {"input": "10.5555\\a"}, ("write-differently", "own", [])),
    ("resolved", ("leftover",), {"input": "10.5555\\a"}, ("doubtful", "doubt", [])),
    ("resolved", ("leftover",), {"meant": "10.5555/b"}, ("doubtful-other", "doubt", [])),
    ("invalid", ("non-graphic",), {"suggestion": "10.5555/b"}, ("invisible-found", "suggested", [])),
    ("resolved", ("unescaped-hash",), {"longer": [("10.5555/a#b", True)]}, ("longer", "whole", [])),
    (
        "resolved",
        ("unescaped-hash",),
        {"longer": [("10.5555/a#b", False)], "input": "10.5555/a#b"},
        ("broken-link", "rest", []),
    ),
    (
        "resolved",
        ("inner-space",),
        {"longer": [("10.5555/ab", False), ("10.5555/a b", None)]},
        ("doubtful", "doubt", ["untried"]),
    ),
    (
        "registered",
        ("inner-space",),
        {"longer": [("10.5555/ab", None), ("10.5555/a b", True)]},
        ("longer", "whole", []),
    ),
    ("no-url", ("unescaped-hash",), {"longer": [("10.5555/a#b", True)]}, ("longer", "whole", [])),
    ("resolved", ("inner-space",), {"longer": [("10.5555/ab", False)], "others": [HERE]}, ("several", "", [])),
    ("resolved", ("publisher-url",), {"input": "https://x.example/10.5555/a"}, ("write-differently", "page", [])),
    ("resolved", ("trailing-slash",), {}, ("works-as-it-is", "own", [])),
    ("resolved", ("double-encoded", "percent-in-name"), {}, ("double-encoded", "doubt", [])),
    ("resolved", ("several-dois",), {"others": [HERE, HERE]}, ("several", "", [])),
    ("resolved", ("link-differs",), {"others": [HERE]}, ("several", "", ["link-differs"])),
    ("resolved", ("surrounding-text", "several-dois"), {"others": [GONE]}, ("several", "", ["others-missing"])),
    ("resolved", ("alias",), {"alias_of": "10.5555/b"}, ("alias", "main", [])),
    (
        "resolved",
        ("alias", "old-resolver"),
        {"alias_of": "10.5555/b", "input": "http://dx.doi.org/10.5555/a"},
        ("alias", "main", []),
    ),
    ("resolved", ("deleted",), {}, ("deleted", "faulty", ["deleted"])),
    (
        "resolved",
        ("deleted", "old-resolver"),
        {"input": "http://dx.doi.org/10.5555/a", "form": "url"},
        ("deleted", "faulty", ["deleted"]),
    ),
    ("resolved", ("unsafe-url",), {}, ("unsafe-address", "faulty", ["unsafe-url"])),
    ("resolved", (), {"incomplete": True}, ("works", "own", ["incomplete"])),
    (
        "resolved",
        ("old-resolver",),
        {"input": "dx.doi.org/10.5555/a", "incomplete": True},
        ("write-differently", "own", ["incomplete"]),
    ),
    (
        "resolved",
        ("inner-space",),
        {"incomplete": True, "longer": [("10.5555/ab", None)]},
        ("doubtful", "doubt", ["untried"]),
    ),
    ("not-found", (), {"incomplete": True}, ("not-registered", "", ["compare", "again"])),
    ("resolved", ("leads-to-itself",), {}, ("nowhere", "faulty", ["leads-to-itself"])),
    ("resolved", ("retracted",), {}, ("retracted", "retracted", ["retracted"])),
    ("resolved", ("concern",), {}, ("concern", "own", ["concern"])),
    ("resolved", ("retracted",), {"others": [HERE]}, ("several", "", ["retracted"])),
    ("not-found", ("retracted",), {"suggestion": "10.5555/b"}, ("found", "suggested", ["retracted"])),
    ("resolved", ("other-work",), {}, ("other-work", "doubt", [])),
    ("resolved", ("compare-work",), {}, ("compare-work", "doubt", [])),
    ("resolved", ("leads-to-missing",), {}, ("nowhere", "faulty", ["leads-to-missing"])),
    ("resolved", ("private-address",), {}, ("nowhere", "faulty", ["private-address"])),
    ("resolved", ("unusable-address",), {}, ("nowhere", "faulty", ["unusable-address"])),
    ("resolved", ("placeholder-address",), {}, ("nowhere", "faulty", ["placeholder-address"])),
    (
        "resolved",
        ("old-resolver", "private-address"),
        {"input": "http://dx.doi.org/10.5555/a"},
        ("nowhere", "faulty", ["private-address"]),
    ),
    (
        "resolved",
        (),
        {"address": "other-host", "expected": "https://a", "found": "https://b"},
        ("other-host", "faulty", ["correct-address"]),
    ),
    (
        "resolved",
        (),
        {"address": "same-host", "expected": "https://a/1", "found": "https://a/2"},
        ("same-host", "own", ["other-page"]),
    ),
    ("no-url", (), {"address": "no-address", "expected": "https://a"}, ("no-url", "faulty", ["correct-address"])),
    ("not-found", (), {"address": "no-address", "expected": "https://a"}, ("not-registered", "", ["compare", "again"])),
    ("registered", (), {}, ("registered", "own", ["full"])),
    ("registered", ("unescaped-space",), {}, ("broken-link", "doubt", ["full"])),
    ("no-url", (), {}, ("no-url", "faulty", ["contact-agency"])),
    ("no-url", ("alias",), {"alias_of": "10.5555/b"}, ("no-url", "faulty", ["contact-agency", "alias"])),
    ("no-url", ("alias-loop",), {"alias_of": "10.5555/b"}, ("alias-loop", "faulty", ["alias-loop"])),
    ("no-values", (), {}, ("no-values", "faulty", ["contact-agency"])),
    ("not-found", ("look-alike",), {"suggestion": "10.5555/b", "prefix_ra": "Crossref"}, ("found", "suggested", [])),
    ("not-found", (), {"suggestion": "10.5555/b", "doubtful": True, "prefix_ra": "Crossref"}, ("guess", "guess", [])),
    ("not-found", ("cut-short",), {"suggestion": "10.5555/b"}, ("guess", "guess", [])),
    ("not-found", ("cut-short",), {"prefix_ra": "Crossref"}, ("cut-short", "", ["cut-short"])),
    ("not-found", (), {"rivals": ["10.5555/b", "10.5555/c"], "prefix_ra": "Crossref"}, ("rivals", "", [])),
    (
        "not-found",
        (),
        {"prefix_ra": "Crossref"},
        ("not-registered", "", ["compare-suffix", "contact-agency", "report"]),
    ),
    ("not-found", (), {"prefix_status": "DOI does not exist"}, ("not-registered", "", ["compare-prefix", "search"])),
    ("not-found", (), {"prefix_status": "Unknown"}, ("not-registered", "", ["compare"])),
    ("not-found", (), {}, ("not-registered", "", ["compare", "again"])),
    (
        "not-found",
        (),
        {"untried": True, "prefix_ra": "Crossref"},
        ("not-registered", "", ["untried", "compare-suffix"]),
    ),
    (
        "not-found",
        ("unescaped-hash",),
        {"meant": "10.5555/a#b", "prefix_ra": "OP"},
        ("not-registered", "", ["compare-whole", "contact-agency", "report"]),
    ),
    ("invalid", ("directory-code",), {"suggestion": "10.5555/b"}, ("invalid-found", "suggested", [])),
    ("invalid", ("non-graphic",), {"meant": "10.5555/b", "untried": True}, ("invalid", "", ["untried", "non-graphic"])),
    ("invalid", ("non-graphic",), {"meant": "10.5555/b"}, ("invalid", "", ["non-graphic", "compare"])),
    ("invalid", ("missing-suffix",), {}, ("missing-suffix", "", ["missing-suffix"])),
    ("invalid", ("no-doi",), {}, ("no-doi", "", ["no-doi"])),
    ("invalid", ("template",), {}, ("template", "", ["template"])),
    (
        "invalid",
        ("no-doi", "test-prefix"),
        {"doi": "", "input": "https://sandbox.zenodo.org/"},
        ("no-doi", "", ["no-doi"]),
    ),
    ("not-found", ("test-prefix",), {"doi": "10.5072/a", "prefix_ra": "DataCite"}, ("test-prefix", "", ["no-doi"])),
    ("not-found", ("fake-resolver",), {"prefix_ra": "Crossref"}, ("fake-resolver", "", ["fake-resolver"])),
    ("not-found", ("fake-resolver",), {"suggestion": "10.5555/b"}, ("found", "suggested", [])),
    ("not-found", ("template",), {"prefix_ra": "Crossref"}, ("template", "", ["template"])),
    ("not-found", ("test-prefix",), {"prefix_status": "Unknown"}, ("test-prefix", "", ["test-prefix"])),
    ("invalid", ("short-doi",), {}, ("short-doi", "", ["short-doi", "again"])),
    ("invalid", ("short-doi",), {"suggestion": "10.5555/b"}, ("short-doi-found", "suggested", [])),
    (
        "invalid",
        ("short-doi", "unproven-suggestion"),
        {"suggestion": "10.5555/b"},
        ("guess-for-invalid", "unproven", []),
    ),
    ("proxy-error", (), {}, ("proxy-error", "", ["again", "status"])),
    ("proxy-error", ("not-read",), {}, ("not-read", "", ["again", "not-read"])),
    (
        "not-found",
        ("unescaped-hash",),
        {"doi": "10.5555/a#b", "meant": "10.5555/a"},
        ("not-registered", "", ["compare", "again"]),
    ),
    ("unreachable", ("unescaped-hash",), {}, ("unreachable", "", ["again", "status"])),
    ("", (), {}, ("not-checked", "", ["wait"])),
    ("resolved", (), {"titled": True}, ("works", "own", [])),
    (
        "resolved",
        ("unescaped-hash",),
        {"longer": [("10.5555/a#b", True)], "input": "https://doi.org/10.5555/a#b", "form": "url"},
        ("cut-link-longer", "whole", []),
    ),
    ("resolved", (), {"address": "no-address", "expected": "https://a"}, ("no-address", "faulty", ["correct-address"])),
    ("resolved", ("alias", "leftover"), {"alias_of": "10.5555/b"}, ("doubtful", "doubt", [])),
    (
        "registered",
        ("old-resolver",),
        {"input": "http://dx.doi.org/10.5555/a", "form": "url"},
        ("write-differently-unchecked", "own", ["full"]),
    ),
    (
        "resolved",
        ("from-link",),
        {"input": "https://doi.org/10.5555/a", "form": "url"},
        ("write-differently", "own", []),
    ),
    (
        "not-found",
        ("unescaped-hash",),
        {"suggestion": "10.5555/a#b", "input": "https://doi.org/10.5555/a#b", "form": "url"},
        ("cut-link-found", "suggested", []),
    ),
    (
        "not-found",
        ("unescaped-hash",),
        {"meant": "10.5555/a#b", "input": "https://doi.org/10.5555/a#b", "form": "url"},
        ("cut-link", "", ["compare-whole", "again"]),
    ),
    ("not-found", ("inner-space",), {"suggestion": "10.5555/ab"}, ("divided-found", "suggested", [])),
    ("not-found", ("link-suggests",), {"suggestion": "10.5555/ab"}, ("hyperlink-found", "suggested", [])),
    ("not-found", ("several-dois",), {"suggestion": "10.5555/b", "others": [HERE]}, ("several", "guess", [])),
    ("invalid", (), {"suggestion": "10.5555/b", "doubtful": True}, ("guess-for-invalid", "guess", [])),
    ("invalid", ("found-by-identifier",), {"suggestion": "10.5555/b", "doubtful": True}, ("identified", "guess", [])),
    ("invalid", ("found-by-title",), {"suggestion": "10.5555/b", "doubtful": True}, ("searched", "searched", [])),
    ("invalid", ("inner-space",), {}, ("divided", "", ["problems"])),
    ("invalid", ("empty",), {"input": "", "doi": ""}, ("empty", "", ["empty"])),
    ("invalid", ("unreadable-record",), {}, ("damaged-record", "", ["unreadable-record"])),
    ("invalid", ("empty", "found-by-title"), {"rivals": ["10.5555/b", "10.5555/c"]}, ("several-found", "", [])),
    ("invalid", ("non-graphic",), {"rivals": ["10.5555/b", "10.5555/c"]}, ("rivals-for-invalid", "", [])),
    ("unreachable", (), {"ra": "Crossref"}, ("no-record", "", ["again", "status"])),
]
"""An outcome, its problems and what else is known; then the headline, the DOI that is offered, and the next steps."""
