"""Bibliographic files, made like those that reference managers and catalogues write: with their line ends, marks, odd
indentation and fields that no reader knows."""

import itertools
from collections.abc import Iterator, Sequence

Field = tuple[bytes, bytes]

RIS = """TY  - JOUR
T1  - A title with - a dash
AU  - Doe, Jane
PY  - 2001/05//
DO  - 10.1000/182
XX  - a tag that nobody knows
UR  - https://doi.org/10.1000/182
ER  -

TY  - BOOK
TI  - Another
DO  - 10.1000/456 \t
DO  - 10.1000/a second one
L1  - https://example.org/file.pdf
N1  - 10.1000/note. And a sentence.
ER  - """
NBIB = """
PMID- 123
TI  - A long title that goes on
      in the next line
FAU - Doe, Jane
DP  - 2001 May
LID - 10.1000/182 [doi]
AID - S0001(01)00001 [pii]
AID - 10.1000/182 [doi]

PMID- 124
TI  - Another
LID - S1 [pii] 10.1000/456 [doi]"""
ENW = """%0 Journal Article
%A Doe, Jane
%T A title
%D 2001
%R 10.1000/182
%U https://doi.org/10.1000/182

%0 Book
%T Another
%R doi:10.1000/456
"""
BIBTEX = r"""@comment{ not an entry, }
@string(jan = "January")
% A line beside the entries
@Article { doe2001,
  author = {Doe, Jane and {The Group}},
  title = "A {T}itle" # " that goes on",
  month = jan,
  year=2001,
  doi = {10.1000/a\_b},
  url = "https://doi.org/10.1000/a\_b",
  note={See \url{https://doi.org/10.1000/182}.},
}

@BOOK(other,
  DOI = 10.1000/456, title = {Braces {in {braces}}}
)
@misc{third, doi = prefix # "/182", howpublished = {\url{https://example.org/}}}
"""
CSL_JSON = r"""[
  {"id": "a", "type": "article-journal", "title": "A \"title\"", "DOI": "10.1000\/182",
   "author": [{"family": "Doe", "given": "Jane"}], "issued": {"date-parts": [[2001, 5]]}, "volume": 1.50,
   "URL": "https://doi.org/10.1000/182"},
  { "id" : 7 , "DOI":"10.1000/456" , "note":"DOI: 10.1000/note\nmore", "custom": {"DOI": "10.1000/not-read"}}
]
"""
JSON = r"""{"status": "ok", "message": {"facets": {}, "items": [
  {"title": ["A title"], "DOI": "10.1000\/182", "reference": [{"DOI": "10.1000/not-read"}],
   "author": [{"family": "Doe", "given": "Jane"}], "issued": {"date-parts": [[2001, 5]]}, "score": 1.50},
  { "id" : 7 , "DOI":"10.1000/456" , "identifiers": [{"type": "doi", "value": "10.1000/not-read"}]},
  {"DOI": ["10.1000/789"]}
], "total-results": 3}}
"""
ENDNOTE_XML = """<?xml version="1.0" encoding="UTF-8"?><xml><records>
<record><rec-number>7</rec-number>
<contributors><authors><author><style>Doe, Jane</style></author></authors></contributors>
<titles><title><style face="normal">A </style><style face="italic">title</style></title></titles>
<dates><year><style>2001</style></year></dates>
<electronic-resource-num><style face="normal">10.1000/</style><style>182</style></electronic-resource-num>
<urls><related-urls><url><style>https://doi.org/10.1000/182</style></url></related-urls></urls></record>
<record><rec-number>8</rec-number><electronic-resource-num>10.1000/a&lt;b</electronic-resource-num></record>
</records></xml>
"""
MARCXML = """<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<m:collection xmlns:m="http://www.loc.gov/MARC21/slim">
 <m:record><m:leader>00000nam a2200000 a 4500</m:leader><m:controlfield tag="001">id1</m:controlfield>
  <m:datafield tag="024" ind1="7" ind2=" "><m:subfield code="a"> 10.1000/a&lt;b </m:subfield>
   <m:subfield code="2">doi</m:subfield></m:datafield>
  <m:datafield tag="245" ind1="1" ind2="0"><m:subfield code="a">A title /</m:subfield></m:datafield>
  <m:datafield tag="856" ind1="4" ind2="0"><m:subfield code="u"><![CDATA[https://doi.org/10.1000/182]]></m:subfield></m:datafield>
 </m:record>
 <m:record><m:leader>00000nam a2200000 a 4500</m:leader>
  <m:datafield tag="773" ind1="0" ind2=" "><m:subfield code="o">doi:10.1000/456</m:subfield></m:datafield></m:record>
</m:collection>
"""
MRK = """=LDR  00000nam a2200000 a 4500
=001  id1
=024  7\\\\$a10.1000/a{dollar}b$2doi
=245  10$aA title /
=856  40$uhttps://doi.org/10.1000/182$zA note

=LDR  00000nam a2200000 a 4500
=773  0\\$odoi:10.1000/456
"""
TEXTS = {
    "ris": RIS,
    "nbib": NBIB,
    "enw": ENW,
    "bibtex": BIBTEX,
    "csl-json": CSL_JSON,
    "json": JSON,
    "endnote-xml": ENDNOTE_XML,
    "marcxml": MARCXML,
    "mrk": MRK,
}
MARC_FIELDS: Sequence[Sequence[Field]] = (
    (
        (b"001", b"id1"),
        (b"008", b"010101s2001    xx            000 0 eng d"),
        (b"024", b"7 \x1fa10.1000/182\x1f2doi"),
        (b"100", b"1 \x1faDoe, Jane,"),
        (b"245", b"10\x1faA title /"),
        (b"856", b"40\x1fuhttps://doi.org/10.1000/182\x1fzA note"),
        (b"999", b"  \x1fx\x1fx"),
    ),
    ((b"024", b"7 \x1fa10.1000/456\x1fz10.1000/old\x1f2doi"), (b"773", b"0 \x1fodoi:10.1000/456")),
    ((b"001", b"u1"), (b"017", b"70\x1fa10.1000/789\x1f2DOI"), (b"200", b"1 \x1faTitre"), (b"210", b"  \x1fd2003")),
)


def make_marc(fields: Sequence[Field], *, coding: bytes = b"a") -> bytes:
    """Return a record in ISO 2709; `coding` "a" is UTF-8, " " is MARC-8."""
    directory = data = b""
    for tag, value in fields:
        held = value + b"\x1e"
        directory += b"%s%04d%05d" % (tag, len(held), len(data))
        data += held
    base = 24 + len(directory) + 1
    leader = b"%05dnam %s22%05d   4500" % (base + len(data) + 1, coding, base)
    return leader + directory + b"\x1e" + data + b"\x1d"


MARC = b"".join(map(make_marc, MARC_FIELDS))


def iterate_files() -> Iterator[tuple[str, str, bytes]]:
    """Yield the name of each file, its kind and its bytes: more than a hundred."""
    variants = itertools.product(("\n", "\r\n", "\r"), ("utf-8", "utf-8-sig"), ("", "\n\n"), ("", "ü"))
    for (end, codec, last, more), (kind, text) in itertools.product(list(variants), TEXTS.items()):
        if (end == "\r" or codec == "utf-8-sig") and kind in ("bibtex", "csl-json", "json") and more:
            continue
        if end == "\r" and kind not in ("bibtex", "csl-json", "json", "endnote-xml", "marcxml"):
            continue
        changed = text.replace("Another", f"Another {more}".strip()).replace("A title", f"A title{more}") + last
        name = f"{kind}-{end.encode().hex()}-{codec}-{len(last)}{'-ü' if more else ''}"
        yield name, kind, changed.replace("\n", end).encode(codec)
    between = (b"", b"\n", b"\r\n", b"\0", b" ")
    for each, coding in itertools.product(between, (b"a", b" ")):
        records = (make_marc(fields, coding=coding) for fields in MARC_FIELDS)
        yield f"marc-{each.hex()}-{coding.decode()}", "marc", each.join(records) + each
    for kind, text in TEXTS.items():
        if kind not in ("csl-json", "json", "endnote-xml", "marcxml", "bibtex"):
            yield f"{kind}-windows", kind, text.replace("Doe", "Dö").encode("cp1252")


FILES = list(iterate_files())
