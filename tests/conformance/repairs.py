"""docs/repairs.md, made of the rules and tables of repair: `python -m tests.conformance.repairs` writes it."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from resolver.domain.parsing.candidates import MOST
from resolver.domain.parsing.damaged_text import DISGUISES
from resolver.domain.parsing.parse import read
from resolver.domain.repair import ALONE, LONGEST, TOGETHER
from resolver.domain.repair.rule import Repair
from resolver.domain.tables import publisher_urls
from resolver.domain.tables.link_rewriters import REDIRECTORS
from resolver.domain.text.homoglyphs import find

PAGE = Path(__file__).parents[2] / "docs" / "repairs.md"
HEAD = f"""# How damaged names are mended

Generated from the rules by `python -m tests.conformance.repairs`; not to be edited.

A DOI is often damaged on its way: a program encodes it twice, a sentence leaves its full stop behind, a scan makes an
O of a 0. This page lists the damage that doiportal undoes, in the order in which it does so.

## What a candidate is, and what a suggestion

doiportal reads a text by the standards first: that is the **name**, and it is never changed. Besides, it works out
what may have been meant. These are the **candidates**: at most {MOST}, likeliest first, each with its reason. A
candidate keeps the syntax of a DOI name, and none is equivalent to the name or to another candidate. It is a guess;
making it costs no request.

A **suggestion** is no guess. When the name as given is not registered, or the text holds no name, the candidates are
asked for at the DOI proxy, and the first that exists is the suggestion; others that exist are listed beside it. When
none exists, nothing is suggested. When the name as given exists, nothing else is tried, however odd it looks.

## The order

1. What the form of the text cut off is put back: the `#` or `?` of a link and what follows, or what stands after white
   space.
2. All the rules under *Undone together* that find something, one after the other; then each of them by itself.
3. Each rule under *Tried alone*: it may be wrong, or another in its place be right. It takes up the name as the rules
   under 2 left it, and these go over what it leaves; after that each takes the name as it was.

Names of more than {LONGEST} characters are repaired for white space, invisible and look-alike characters, double
encoding and signs at the end, and for nothing else: no name in use is near that length, and each rule takes time.

The first {MOST} that are names are the candidates. In a text that holds several DOIs, the others are candidates too,
and never the suggestion. A text without a name may still hide one: the *disguises* come off first, then the rules
follow.

In the tables, a character that cannot be seen or that looks like another is written as its code point: [U+00AD] is a
soft hyphen. Sources like S11 or E8 are [clauses](conformance.md); `damage.md` is the list of kinds of damage with which
the work on repairs began.
"""
ADDING = """## Adding a rule

Undoing one more kind of damage is one entry in one of the tuples in `resolver/domain/repair/`:

- **name**: a word of its own;
- **reason**: what a librarian reads after “the name …”; it begins with a small letter and has no full stop at the end;
- **apply**: a function from a name to the name mended, or to the same name where it finds nothing to undo;
- **examples**: a damaged name and what becomes of it; they are the rule's tests;
- **source**: who has seen the damage: a clause, an issue, a count. Damage that nobody has seen needs no rule;
- **together**: `False` where the rule may well be wrong.

What publishers' addresses add or rewrite is a line in a table of `resolver/domain/tables/publisher_urls.py`, with its
example.

The place in the tuple is the place in the order: what hides other damage stands first, what is doubtful last. A rule
that costs right names is worse than none: `make test` reads the texts of `tests/corpus/`, odd names that are right
among them. Afterwards run `python -m tests.conformance.repairs`, which writes this page.
"""


def page() -> str:
    """The introduction, the rules in their order, the tables of addresses, the disguises, how to add one."""
    return "\n".join([HEAD, *_rules(), *_addresses(), *_disguises(), ADDING])


def _rules() -> Iterable[str]:
    yield "## Undone together\n"
    yield from _table(("rule", "the name …", "given", "mended", "source"), map(_rule, TOGETHER))
    yield "## Tried alone\n"
    yield from _table(("rule", "the name …", "given", "mended", "source"), map(_rule, ALONE))


def _rule(rule: Repair) -> tuple[str, ...]:
    given, mended = ("<br>".join(map(_code, texts)) for texts in zip(*rule.examples, strict=True))
    return f"`{rule.name}`", _plain(rule.reason), given, mended, _plain(rule.source)


def _addresses() -> Iterable[str]:
    yield "## What publishers' addresses add after a name\n"
    source = "`resolver/domain/tables/publisher_urls.py`"
    yield f"Such an ending is left away; `x` is a suffix. Sources: {source}, beside each.\n"
    yield from _table(
        ("address", "read as"), ((_code(given), _code(str(read(given).doi))) for given in publisher_urls.PATH_EXAMPLES)
    )
    yield "## Names that publishers write otherwise in their addresses\n"
    yield f"Source: {_plain(publisher_urls.SOURCE)}.\n"
    yield from _table(("given", "registered"), (tuple(map(_code, rule.example)) for rule in publisher_urls.NAMES))
    yield "## Addresses that hold the parts of a name, but not the name\n"
    yield "There is no name in them, so what they stand for is a candidate.\n"
    yield from _table(("address", "stands for"), (tuple(map(_code, rule.example)) for rule in publisher_urls.ADDRESSES))
    yield "## Services that write an address in a way of their own\n"
    yield "Services that hold the address as it is, or percent-encoded, are seen through without an entry.\n"
    services = REDIRECTORS.values()
    rows = ((f"`{one.host}`", *map(_code, one.example), _plain(one.source)) for one in services)
    yield from _table(("host", "given", "read as", "source"), rows)


def _disguises() -> Iterable[str]:
    yield "## Disguises: texts in which a name shows only when some damage is undone\n"
    yield "None of them has a name as it stands; what shows is the first candidate.\n"
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
    strange = {at for at, _plain in find(text)}
    strange |= {at for at, c in enumerate(text) if not c.isprintable() or unicodedata.combining(c)}
    strange |= {at for at in (0, len(text) - 1) if text[at] == " "}
    shown = "".join(f"[U+{ord(c):04X}]" if at in strange else c for at, c in enumerate(text))
    quote = "``" if "`" in shown else "`"
    return f"{quote}{shown.replace('|', chr(92) + '|')}{quote}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
