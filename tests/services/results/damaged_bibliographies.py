"""Bibliographies with damaged DOI fields, made alike at each run, and the same files as they should come back."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from doi_reading import encode
from tests.sheets.bibliographic.made_files import make_marc

_ODD = (
    "10.1126/science.169.3946.635", "10.1525/bio.2009.59.5.9", "10.1162/tacl_a_00276", "10.1038/nphys1170",
    "10.1371/journal.pone.0000030", "10.1002/chem.202000622", "10.1103/PhysRevLett.118.140402", "10.2307/1563325",
    "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2", "10.4103/tjosr.tjosr_158_21",
    "10.1175/1520-0493(2002)130<1913:EDAWPO>2.0.CO;2", "10.1023/a:1006878621126",
)  # fmt: skip
"""Names with signs that formats write in their own ways."""
REGISTERED = (*_ODD, *(f"10.1016/j.journal.{1990 + number % 30}.{number:04}" for number in range(400 - len(_ODD))))
"""The names of the references, in order."""

DAMAGE: Mapping[str, Callable[[str], str]] = {
    "doubled resolver": lambda name: f"https://doi.org/{encode(name)}",
    "old resolver": lambda name: f"http://dx.doi.org/{encode(name, 'path')}",
    "resolver with www": lambda name: f"https://www.doi.org/{encode(name, 'path')}",
    "resolver without a scheme": lambda name: f"doi.org/{encode(name, 'path')}",
    "resolver without a colon": lambda name: f"http//dx.doi.org/{encode(name, 'path')}",
    "library proxy": lambda name: f"https://doi-org.ezproxy.lib.example.edu/{encode(name, 'path')}",
    "log-in of a library proxy": lambda name: f"https://ezproxy.example.edu/login?url={encode(name)}",
    "encoded slash": lambda name: encode(name, "path").replace("/", "%2F"),
    "encoded twice": lambda name: f"https://doi.org/{encode(name, 'path').replace('/', '%252F')}",
    "followed reader": lambda name: f"{encode(name)}?utm_source=newsletter&utm_medium=email",
    "label": lambda name: f"doi:{name}",
    "label and space": lambda name: f"DOI: {name}",
    "label before a link": lambda name: f"doi: {encode(name)}",
    "doubled label": lambda name: f"doi:doi:{name}",
    "no-break spaces": lambda name: f"\u00a0{name}\u00a0",
    "zero-width space": lambda name: f"{name}\u200b",
    "byte order mark": lambda name: f"\ufeff{name}",
    "full stop": lambda name: f"{name}.",
    "comma": lambda name: f"{name},",
    "brackets": lambda name: f"({name})",
    "doubled prefix": lambda name: f"{name.partition('/')[0]}/{name}",
    "publisher's page": lambda name: f"https://publisher.example.org/doi/full/{encode(name, 'path')}",
    "registered with a date": lambda name: f"{name} (accessed 2024-05-01)",
    "info address": lambda name: f"info:doi/{encode(name, 'path')}",
    "twice": lambda name: f"{name} {name}",
    "fraction slash": lambda name: name.replace("/", "\u2215", 1),
}
"""Kinds of damage by their names: each leaves no doubt about the DOI."""
PLAIN: Sequence[Callable[[str], str]] = (str, str, str, encode, str.upper, str.lower)
"""How most fields hold a DOI: the name in any case, or its link."""


@dataclass(frozen=True, slots=True)
class MadeField:
    """A DOI field: the kind of its damage ("" for none), its text, and the text that it should have."""

    kind: str
    text: str
    whole: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference: its DOI field, and the text of its link; "" for none."""

    number: int
    doi: MadeField
    link: str


def make_references(count: int, kinds: Sequence[str], *, links: int = 0, seed: int = 55) -> list[Reference]:
    """Return so many references, of which these kinds of damage befell some, and of which `links` have a link: most of
    these lead to a publisher's page, others are the DOI's own."""
    chance = random.Random(seed)
    damaged = dict(zip(sorted(chance.sample(range(count), len(kinds))), kinds, strict=True))
    linked = set(chance.sample(range(count), links))
    made = []
    for number in range(count):
        name = REGISTERED[number]
        kind, plain = damaged.get(number, ""), chance.choice(PLAIN)(name)
        field = MadeField(kind, DAMAGE[kind](name), name) if kind else MadeField("", plain, plain)
        link = encode(name) if number % 10 == 0 else f"https://publisher.example.org/doi/abs/{encode(name, 'path')}"
        made.append(Reference(number, field, link if number in linked else ""))
    return made


def write_ris(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in RIS."""
    return "".join(
        f"TY  - JOUR\r\nID  - r{each.number}\r\nTI  - Title {each.number}\r\nDO  - {pick(each.doi)}\r\n"
        + (f"UR  - {each.link}\r\n" if each.link else "")
        + "ER  - \r\n\r\n"
        for each in references
    ).encode()


def write_bibtex(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in BibTeX, whose special characters are escaped, some values in quotation marks and some in
    two pairs of braces."""
    return "".join(
        f"@article{{r{each.number},\n  title = {{Title {{\\'E}} {each.number}}},\n  doi = "
        + ("{%s}", '"%s"', "{{%s}}")[each.number % 3] % _escape_tex(pick(each.doi))
        + (f",\n  url = {{{_escape_tex(each.link)}}}" if each.link else "")
        + ",\n}\n\n"
        for each in references
    ).encode()


def _escape_tex(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "_%&#" else sign for sign in text)


def write_csl_json(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in CSL-JSON."""
    items = [
        {"id": f"r{each.number}", "type": "article", "DOI": pick(each.doi)} | ({"URL": each.link} if each.link else {})
        for each in references
    ]
    return json.dumps(items, ensure_ascii=False, indent=1).encode()


def write_nbib(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references as PubMed exports them."""
    return "".join(
        f"PMID- {each.number + 1}\nTI  - Title\nLID - {pick(each.doi)} [doi]\n\n" for each in references
    ).encode()


def write_enw(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in EndNote's tagged format."""
    return "".join(
        f"%0 Journal Article\n%T Title\n%R {pick(each.doi)}\n" + (f"%U {each.link}\n\n" if each.link else "\n")
        for each in references
    ).encode()


def write_endnote_xml(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in EndNote's XML."""
    records = "".join(
        f"<record><rec-number>{each.number}</rec-number>"
        f"<electronic-resource-num><style>{escape(pick(each.doi))}</style></electronic-resource-num>"
        + (f"<urls><related-urls><url>{escape(each.link)}</url></related-urls></urls>" if each.link else "")
        + "</record>\n"
        for each in references
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><xml><records>{records}</records></xml>'.encode()


def write_marc(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in ISO 2709."""
    return b"".join(
        make_marc(
            [
                (b"001", b"r%d" % each.number),
                (b"024", b"7 \x1fa" + pick(each.doi).encode() + b"\x1f2doi"),
                (b"245", b"10\x1faTitle /"),
                *([(b"856", b"40\x1fu" + each.link.encode())] if each.link else []),
            ]
        )
        for each in references
    )


def write_marcxml(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in MARCXML."""
    records = "".join(
        f'<record><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">r{each.number}</controlfield>'
        f'<datafield tag="024" ind1="7" ind2=" "><subfield code="a">{escape(pick(each.doi))}</subfield>'
        '<subfield code="2">doi</subfield></datafield>'
        + (f'<datafield tag="856"><subfield code="u">{escape(each.link)}</subfield></datafield>' if each.link else "")
        + "</record>\n"
        for each in references
    )
    return f'<collection xmlns="http://www.loc.gov/MARC21/slim">{records}</collection>'.encode()


def write_mrk(references: Sequence[Reference], pick: Callable[[MadeField], str]) -> bytes:
    """Return the references in MARCEdit's text format."""
    return "".join(
        f"=LDR  00000nam a2200000 a 4500\n=001  r{each.number}\n=024  7\\$a{pick(each.doi)}$2doi\n=245  10$aTitle /\n"
        + (f"=856  40$u{each.link}\n\n" if each.link else "\n")
        for each in references
    ).encode()


WRITERS: Mapping[str, Callable[[Sequence[Reference], Callable[[MadeField], str]], bytes]] = {
    "ris": write_ris,
    "bibtex": write_bibtex,
    "csl-json": write_csl_json,
    "nbib": write_nbib,
    "enw": write_enw,
    "endnote-xml": write_endnote_xml,
    "marc": write_marc,
    "marcxml": write_marcxml,
    "mrk": write_mrk,
}
