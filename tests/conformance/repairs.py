"""docs/repairs.md, written from the rules and tables of repair by `python -m tests.conformance.repairs`."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from doi_reading import read
from doi_reading.parsing.candidates import MOST_CANDIDATES as MOST
from doi_reading.parsing.damaged_text import DISGUISES
from doi_reading.parsing.text_cleaning import LAYERS
from doi_reading.repair.rule import RepairRule
from doi_reading.repair.rules import ALONE, TOGETHER
from doi_reading.repair.rules import LONGEST_REPAIRED_NAME as LONGEST
from doi_reading.tables import publisher_endings, publisher_urls
from doi_reading.tables.link_services import REDIRECTORS
from doi_reading.tables.registrant_numbers import NUMBERS
from doi_reading.text.homoglyphs import find_homoglyphs

PAGE = Path(__file__).parents[2] / "docs" / "repairs.md"
HEAD = f"""# How damaged names are repaired

Don't edit this page. `python -m tests.conformance.repairs` writes it from the rules.

A DOI is often damaged on its way: a program encodes it twice, a sentence leaves its full stop behind, a scan turns a 0
into an O. This page lists the damage that doiportal repairs, in the order of the repairs. Other tools
[were put to the same texts](comparison.md).

## Candidates and suggestions

doiportal first reads a text by the standards. The result is the **name**, and it never changes. Then doiportal works
out what may have been meant. These are the **candidates**: at most {MOST}, likeliest first, each with its reason. Every
candidate keeps the syntax of a DOI name, and none is equivalent to the name or to another candidate. A candidate is a
guess and costs no request.

A **suggestion** is not a guess. If the name is not registered, or the text holds no name, doiportal asks the DOI proxy
about the candidates. The first one that is registered is the suggestion, and the page lists the other registered ones.
If none is registered, there is no suggestion. If another one is registered too, or the text goes on after the
suggestion, only a person may accept it. If the name is registered, no candidate is checked, however odd the name looks,
unless the text goes on after it.

## The order

1. The part that the form of the text cut off is put back: the `#` or `?` of a link and everything after it, or the text
   after white space.
2. All rules under *Applied together* that match, one after the other; then each of them alone.
3. Each rule under *Applied alone*: it may be wrong, or another rule may be right instead. It starts from the name that
   the rules under 2 produced, and they are applied to its result again. After that it starts from the original name.

Names of more than {LONGEST} characters are only repaired for white space, invisible and look-alike characters, double
encoding and punctuation at the end. No name in use is nearly as long, and each rule takes time.

The first {MOST} results that are names are the candidates. If a text holds several DOIs, the other DOIs are candidates
too. Such a DOI is the suggestion only if a rule gives it for the first one too, or if one of the two begins with the
other. A text without a name may still hide one: the *disguises* are removed first, then the
rules are applied.

In the tables, a character that is invisible or looks like another one is written as its code point: [U+00AD] is a soft
hyphen. Sources such as S11 or E8 are [clauses](conformance.md). `damage.md` is the list of kinds of damage with which
the work on repairs began.
"""
ADDING = """## Add a rule

To repair one more kind of damage, add one entry to one of the tuples in `doi_reading/repair/`:

- **name**: a word that no other rule has;
- **reason**: what a librarian reads after “the name …”; it starts with a small letter and has no full stop at the end;
- **apply**: a function from a name to the repaired name; it returns the name unchanged if it finds nothing to repair;
- **examples**: damaged names and their repaired names; they are the tests of the rule;
- **source**: the evidence for the damage: a clause, an issue, a count. Damage without evidence needs no rule;
- **together**: `False` if the rule may well be wrong.

If a publisher's addresses add something to a name or rewrite it, add a line to a table in
`doi_reading/tables/publisher_urls.py`, with its example.

The place in the tuple is the place in the order: damage that hides other damage comes first, doubtful damage last. A
rule that spoils correct names is worse than no rule: `make test` reads the texts of `tests/doi_reading/corpus/`, which
include odd but correct names. Then run `python -m tests.conformance.repairs`, which writes this page.
"""


def page() -> str:
    """Return the page: introduction, what is removed first, rules, tables, disguises, how to add a rule."""
    return "\n".join([HEAD, *_layers(), *_rules(), *_addresses(), *_disguises(), ADDING])


def _layers() -> Iterable[str]:
    yield "## Removed before a text is read\n"
    yield "These are surely no part of a name. What is left is read, and the problems say what was removed.\n"
    rows = ((_plain(str(one.__doc__).splitlines()[0]), _code(given), _code(left)) for given, left, one in LAYERS)
    yield from _table(("what", "input", "what is left"), rows)


def _rules() -> Iterable[str]:
    yield "## Applied together\n"
    yield from _table(("rule", "the name …", "input", "repaired", "source"), map(_rule, TOGETHER))
    yield "## Applied alone\n"
    yield from _table(("rule", "the name …", "input", "repaired", "source"), map(_rule, ALONE))


def _rule(rule: RepairRule) -> tuple[str, ...]:
    given, mended = ("<br>".join(map(_code, texts)) for texts in zip(*rule.examples, strict=True))
    return f"`{rule.name}`", _plain(rule.reason), given, mended, _plain(rule.source)


def _addresses() -> Iterable[str]:
    yield "## What publishers' addresses add after a name\n"
    source = "`doi_reading/tables/publisher_urls.py`"
    yield f"The ending is removed; `x` is a suffix. {source} has the source of each.\n"
    yield from _table(
        ("address", "read as"),
        ((_code(given), _code(str(read(given).doi))) for given in publisher_endings.PATH_EXAMPLES),
    )
    yield "## Names that publishers write differently in their addresses\n"
    yield f"Source: {_plain(publisher_urls.SOURCE)}.\n"
    yield from _table(("input", "registered"), (tuple(map(_code, rule.example)) for rule in publisher_urls.NAMES))
    yield "## Addresses that hold the parts of a name but not the name\n"
    yield "They hold no name, so the name they stand for is a candidate.\n"
    yield from _table(("address", "stands for"), (tuple(map(_code, rule.example)) for rule in publisher_urls.ADDRESSES))
    yield from _numbers()
    yield "## Services that rewrite an address\n"
    yield "Services that keep the address as it is, or percent-encode it, need no entry.\n"
    rows = ((f"`{one.host}`", *map(_code, one.example), _plain(one.source)) for one in REDIRECTORS)
    yield from _table(("host", "input", "read as", "source"), rows)


def _numbers() -> Iterable[str]:
    yield "## Numbers that registrants give their works\n"
    yield "They hold no name. The name follows from the number by the registrant's own rule. It is tried if nothing"
    yield "else in the text is registered, and it is no guess. `doi_reading/repair/derived_names.py` has the rules for"
    yield "arXiv numbers (the version is no part of the name), JSTOR numbers (many have a name, not all), deposits, and"
    yield "Publisher Item Identifiers. The label says whose the number is. Without it, it stands for nothing.\n"
    rows = ((*map(_code, rule.example), _plain(rule.source)) for rule in NUMBERS)
    yield from _table(("number", "stands for", "source"), rows)


def _disguises() -> Iterable[str]:
    yield "## Disguises: texts that show a name only after a repair\n"
    yield "None of them holds a name. The name that the repair shows is the first candidate.\n"
    rows = ((_plain(str(disguise.__doc__).splitlines()[0]), _code(example)) for example, disguise in DISGUISES)
    yield from _table(("disguise", "example"), rows)


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterable[str]:
    for row in (columns, ("---",) * len(columns), *rows):
        yield f"| {' | '.join(row)} |"
    yield ""


def _plain(text: str) -> str:
    """Text as a table shows it: no Markdown and no HTML in it means anything."""
    for special in ("\\", "|", "<", "*", "_", "`", "["):
        text = text.replace(special, f"\\{special}")
    return text


def _code(text: str) -> str:
    """A name or an address as it is, with the code points of what cannot be seen or looks like something else."""
    strange = {at for at, _plain in find_homoglyphs(text)}
    strange |= {at for at, c in enumerate(text) if not c.isprintable() or unicodedata.combining(c)}
    strange |= {at for at in (0, len(text) - 1) if text[at] == " "}
    shown = "".join(f"[U+{ord(c):04X}]" if at in strange else c for at, c in enumerate(text))
    quote = "``" if "`" in shown else "`"
    return f"{quote}{shown.replace('|', chr(92) + '|')}{quote}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
