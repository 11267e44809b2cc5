"""A long list of DOIs as librarians have them, made by program: five rows in six are damaged, each in its own way.

The kinds are those that occur in the wild (OpenCitations' invalid DOIs, OpenAPC's corrections, OpenAlex' DOI errors);
the names are made up. The same number of rows is always the same list.
"""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

Made = Callable[[str, Random], str]  # a DOI name → the cell

_WORDS = ("Journal", "of", "applied", "Untersuchungen", "zur", "étude", "history", "2004", "cells", "and", "networks")


def _sici(random: Random) -> str:
    page = random.randrange(100, 9999)
    issue = random.randrange(1, 24)
    return f"10.1002/(SICI)1097-0258(199808{random.randrange(10, 30)})17:{issue}<{page}::AID-SIM9>3.0.CO;2-2"


NAMES: tuple[Callable[[Random], str], ...] = (
    lambda random: f"10.1371/journal.pone.0{random.randrange(10**6):06}",
    lambda random: f"10.1016/j.dib.20{random.randrange(10, 25)}.{random.randrange(10**6):06}",
    lambda random: f"10.1007/s{random.randrange(10**5):05}-0{random.randrange(10, 24)}-{random.randrange(10**4):04}-x",
    lambda random: f"10.1093/aje/kwae{random.randrange(1000)}",
    lambda random: f"10.{random.randrange(10000, 60000)}/dataset.{random.randrange(10**5)}",
    lambda random: f"10.1016/S0140-6736({random.randrange(10, 20)}){random.randrange(10**5):05}-{random.randrange(10)}",
    lambda random: f"10.1111/j.1539-6924.2011.{random.randrange(10**5):05}.x",
    _sici,
)

_SOUND: tuple[Made, ...] = (
    lambda name, random: name,
    lambda name, random: name,
    lambda name, random: "https://doi.org/" + name.replace("<", "%3C").replace(">", "%3E"),
    lambda name, random: "doi:" + name.replace("<", "%3C").replace(">", "%3E"),
)


def _somewhere(inserted: str) -> Made:
    """The text at a place inside the name, after the prefix."""

    def made(name: str, random: Random) -> str:
        at = random.randrange(name.index("/") + 1, len(name))
        return name[:at] + inserted + name[at:]

    return made


def _instead(of: str, other: str) -> Made:
    """Every `of` replaced; where there is none, `other` is put somewhere."""
    return lambda name, random: name.replace(of, other) if of in name else _somewhere(other)(name, random)


def _around(before: str, after: str = "") -> Made:
    return lambda name, random: before + name + after


def _percent(name: str, times: int = 1) -> str:
    for _ in range(times):
        name = name.replace("%", "%25").replace("/", "%2F").replace("<", "%3C").replace(">", "%3E").replace("(", "%28")
    return name


def _second(between: str) -> Made:
    """Another DOI after the first."""
    return lambda name, random: name + between + random.choice(NAMES)(random)


DAMAGE: dict[str, Made] = {
    "mistyped": lambda name, random: name[:-1] + random.choice("0123456789x"),
    "cut short": lambda name, random: name[: -random.randrange(1, 4)],
    "letter for digit": lambda name, random: name.replace("0", "O", 2).replace("1O.", "10.", 1),
    "full stop at the end": _around("", "."),
    "comma at the end": _around("https://doi.org/", ","),
    "semicolon at the end": _around("", ";"),
    "closing bracket at the end": _around("", ")"),
    "quote at the end": _around("https://doi.org/", '"'),
    "asterisk at the end": _around("", " •"),
    "en dash": _instead("-", "–"),
    "hyphen U+2010": _instead("-", "\u2010"),
    "non-breaking hyphen": _instead("-", "\u2011"),
    "minus sign": _instead("-", "\u2212"),
    "soft hyphen": _somewhere("\u00ad"),
    "zero-width space": _somewhere("\u200b"),
    "byte order mark": _around("\ufeff"),
    "no-break space around": _around("\u00a0", "\u00a0 "),
    "inner space": _somewhere(" "),
    "space after the slash": _instead("/", "/ "),
    "line break": _somewhere("\r\n"),
    "_x000D_": _around("", "_x000D_"),
    "label": _around("DOI: "),
    "label twice": _around("doi:DOI:"),
    "resolver twice": _around("https://doi.org/https://doi.org/"),
    "resolver and label": _around("http://dx.doi.org/doi:"),
    "damaged scheme": _around("https//doi.org/"),
    "damaged host": _around("http://dx.doi.og/"),
    "old resolver": _around("http://dx.doi.org/"),
    "prefix without 10.": lambda name, random: name.removeprefix("10."),
    "prefix doubled": _around("10."),
    "double slash": lambda name, random: name.replace("/", "//", 1),
    "comma in the prefix": lambda name, random: name.replace("10.", "10,", 1),
    "percent-encoded": lambda name, random: _percent(name),
    "percent-encoded twice": lambda name, random: "https://doi.org/" + _percent(name, 2),
    "percent alone": _somewhere("%"),
    "entities": lambda name, random: _sici(random).replace("<", "&lt;").replace(">", "&gt;"),
    "entities twice": lambda name, random: _sici(random).replace("<", "&amp;lt;").replace(">", "&amp;gt;"),
    "raw SICI in a URL": lambda name, random: "https://doi.org/" + _sici(random),
    "raw #": lambda name, random: f"https://doi.org/{name}#{random.randrange(999)}",
    "query": _around("https://doi.org/", "?utm_source=list&utm_medium=mail"),
    "EZproxy host": _around("https://doi-org.ezproxy.library.example/"),
    "proxy login": _around("https://login.library.example/login?url=https://doi.org/"),
    "publisher's URL": _around("https://onlinelibrary.wiley.com/doi/full/", "?src=toc"),
    "publisher's chapter": _around("https://link.springer.com/chapter/", "#Sec2"),
    "redirector": lambda name, random: f"https://www.google.com/url?q=https://doi.org/{_percent(name)}&sa=D",
    "path at the end": _around("", "/abstract"),
    "session id": _around("https://www.tandfonline.com/doi/", ";jsessionid=A1B2C3"),
    "PMID run on": lambda name, random: f"{name}.pmid:{random.randrange(10**7, 10**8)}",
    "words run on": _around("", "Epub"),
    "URL run on": _around("", "http://www.example.org/article"),
    "two DOIs": _second("; "),
    "two DOIs run together": _second(""),
    "the same DOI twice": lambda name, random: f"{name}.https://doi.org/{name}",
    "in a reference": lambda name, random: (
        f"Müller, A. (20{random.randrange(10, 25)}). {' '.join(random.choices(_WORDS, k=6))}. doi: {name}."
    ),
    "HTML": lambda name, random: f'<a href="https://doi.org/{name}">{name}</a>',
    "tag at the end": _around("", "<br/>"),
    "LaTeX": _somewhere(r"\_"),
    "angle brackets": _around("<", ">"),
    "mojibake": _instead("-", "â€“"),
    "replacement character": _somewhere("\ufffd"),
    "lost character": _instead("-", "?"),
    "ligature": _somewhere("\ufb01"),
    "accented letter": _somewhere("Á"),
    "short DOI": lambda name, random: f"https://doi.org/{random.choice('abcdefgh')}{random.randrange(10**4, 10**5)}",
    "no DOI": lambda name, random: f"Vol. 10.{random.randrange(9)}, pp. {random.randrange(99)}–102, 10.1.2.3, 2004/05",
    "ISBN": lambda name, random: f"978-3-16-{random.randrange(10**5, 10**6)}-0",
    "nothing": lambda name, random: "",
}


def cells(count: int) -> Iterator[str]:
    """So many cells: every sixth is sound, the others take the kinds of damage in turn."""
    random = Random(3)
    damage = list(DAMAGE.values())
    turn = 0
    for number in range(count):
        name = random.choice(NAMES)(random)
        if number % 6 == 0:
            yield random.choice(_SOUND)(name, random)
        else:
            yield damage[turn % len(damage)](name, random)
            turn += 1


def write_list(path: Path, count: int) -> None:
    """A CSV file of three columns: a number, the DOI, a title."""
    random = Random(4)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "doi", "title"))
        for number, cell in enumerate(cells(count), 1):
            writer.writerow((number, cell, " ".join(random.choices(_WORDS, k=7)).capitalize()))
