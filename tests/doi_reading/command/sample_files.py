# ruff: noqa: E501  (a file and its correction are a line each)
"""A repository made alike: 30 files of the kinds that `doi-read` knows, and the correction of each.

Most texts are written once, with `OLD` where the address of an old resolver stands. A corrected file has the new one in
its place, and every other byte as it was.
"""

from dataclasses import dataclass
from pathlib import Path

OLD, NEW = "http://dx.doi.org/", "https://doi.org/"
SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15<1661::AID-SIM9>3.0.CO;2-2"
SICI_ENCODED = "10.1002/(SICI)1097-0258(19980815/30)17:15%3C1661::AID-SIM9%3E3.0.CO;2-2"


@dataclass(frozen=True, slots=True)
class SampleFile:
    """A file, what `--fix` makes of it, and the codes that are found before."""

    name: str
    before: bytes
    after: bytes
    codes: tuple[str, ...]


def _sample(name: str, text: str, *codes: str, old: str = OLD, charset: str = "utf-8") -> SampleFile:
    return SampleFile(
        name, text.replace("OLD", old).encode(charset), text.replace("OLD", NEW).encode(charset), tuple(codes)
    )


def _edited(name: str, before: str, after: str, *codes: str, charset: str = "utf-8") -> SampleFile:
    return SampleFile(name, before.encode(charset), after.encode(charset), tuple(codes))


OLD_RESOLVER, REPEATED, IN_FIELD = "old-resolver", "repeated-prefix", "prefix-in-field"
FILES = (
    _edited(
        "bib/links.bib", f"@article{{a,\n  doi = {{{OLD}10.1000/182}},\n  url = {{{OLD}10.1000/182}}\n}}\n",
        f"@article{{a,\n  doi = {{10.1000/182}},\n  url = {{{NEW}10.1000/182}}\n}}\n", OLD_RESOLVER, IN_FIELD, OLD_RESOLVER,
    ),
    _edited("bib/labels.bib", '@misc{b,\r\n  DOI = "doi:10.1000/182",\r\n}\r\n', '@misc{b,\r\n  DOI = "10.1000/182",\r\n}\r\n', IN_FIELD),
    _sample("bib/escapes.bib", "@misc{c, doi = {10.1000/a\\_b}, note = {{\\_} OLD10.1000/a{\\_}b}}", OLD_RESOLVER),
    _sample("bib/sici.bib", f"@misc{{d, url = {{{NEW}{SICI}}}}}\n", "unescaped-recommended"),
    _sample("bib/clean.bib", "@misc{e, doi = {10.1000/182}, url = {https://doi.org/10.1000/182}}\n"),
    _sample("ris/list.ris", "TY  - JOUR\r\nDO  - 10.1000/182\r\nUR  - OLD10.1000/182\r\nER  - \r\n", OLD_RESOLVER),
    _edited("ris/labels.ris", "TY  - JOUR\nDO  - DOI: 10.1000/182\nER  - \n", "TY  - JOUR\nDO  - 10.1000/182\nER  - \n", IN_FIELD),
    _sample("ris/cut.ris", "TY  - JOUR\nDO  - 10.1000/456#789\nDO  - 10.1000a/182\nER  - \n", "registrant-code"),
    _sample("csv/list.csv", 'title,doi\n"Title, with ""quotes""",OLD10.1000/182\n', OLD_RESOLVER),
    _sample("csv/semicolons.csv", "\ufefftitle;DOI;note\r\nA;10.1000/182.;x\r\nB;;OLD10.1000/183\r\n", "trailing-punctuation", OLD_RESOLVER),
    _sample("csv/quotes.csv", 'DOI\n"10.1000/a""b"\n"OLD10.1000/182"\n', OLD_RESOLVER),
    _edited("csv/doubled.csv", f"doi\n{NEW}{NEW}10.1000/182\n", f"doi\n{NEW}10.1000/182\n", REPEATED),
    _sample("tsv/list.tsv", "title\tdoi\nA \"quoted\" word\tOLD10.1000/182\n", OLD_RESOLVER),
    _sample("tsv/old.tsv", "T\xe4tle\tdoi\nA\tOLD10.1000/182\n", OLD_RESOLVER, charset="latin-1"),
    _sample("json/csl.json", '[{"DOI": "10.1000/182", "URL": "OLD10.1000/182"}]', OLD_RESOLVER),
    _edited(
        "json/slashes.json", r'{"DOI": "http:\/\/dx.doi.org\/10.1000\/182", "URL": "http:\/\/dx.doi.org\/10.1000\/182"}',
        r'{"DOI": "10.1000\/182", "URL": "https:\/\/doi.org\/10.1000\/182"}', OLD_RESOLVER, IN_FIELD, OLD_RESOLVER,
    ),
    _edited(
        "json/escapes.json", r'{"URL": "https://doi.org/10.1000/\u00fc\u003c1\u003e", "note": "\"doi:doi:10.1000/182\""}',
        r'{"URL": "https://doi.org/10.1000/%C3%BC%3C1%3E", "note": "\"doi:10.1000/182\""}',
        "unescaped-non-ascii", "unescaped-recommended", REPEATED,
    ),
    _sample("CITATION.cff", 'cff-version: 1.2.0\ndoi: 10.5281/zenodo.1234567\nurl: "OLD10.5281/zenodo.1234567"\n', OLD_RESOLVER),
    _edited("old/CITATION.cff", "title: A\ndoi: 'doi:10.5281/zenodo.1234567'  # all\n", "title: A\ndoi: '10.5281/zenodo.1234567'  # all\n", IN_FIELD),
    _sample("docs/README.md", "# T\n\n[![DOI](badge.svg)](OLD10.1000/182), see [it](OLD10.1000/a(b)c).\n", OLD_RESOLVER, OLD_RESOLVER),
    _sample("docs/escapes.md", "DOI: https://doi.org/10.1000/a\\_b, *OLD10.1000/a\\_b*.\n", OLD_RESOLVER),
    _edited("docs/sici.md", f"See {NEW}{SICI}.\n", f"See {NEW}{SICI_ENCODED}.\n", "unescaped-recommended"),
    _sample("docs/cut.md", f"See {NEW}10.1000/456#789 and {NEW}10.1093/nar/ 25.17.3389.\n", "unescaped-hash", "trailing-slash", "unescaped-space"),
    _sample("tex/paper.tex", "\\href{OLD10.1000/182}{10.1000/182} % \\url{OLD10.1000/a\\_b}\n", OLD_RESOLVER, OLD_RESOLVER),
    _sample("tex/sici.tex", f"\\footnote{{\\url{{{NEW}{SICI}}}}}\n", "unescaped-recommended"),
    _sample("html/page.html", '<p><a href="OLD10.1000/182?a=1&amp;b=2">OLD10.1000/182</a></p>\n', OLD_RESOLVER, "unescaped-question-mark", OLD_RESOLVER),
    _edited(
        "html/entities.html", f"<a href='{NEW}{SICI.replace('<', '&lt;').replace('>', '&gt;')}'>x</a>",
        f"<a href='{NEW}{SICI_ENCODED}'>x</a>", "unescaped-recommended",
    ),
    _sample("html/script.html", '<script type="application/ld+json">{"@id": "OLD10.1000/182"}</script><p>&copy;</p>', OLD_RESOLVER),
    _sample("notes.txt", "OLD10.1000/182\rdoi:10.1000/182, (OLD10.1000/182)", OLD_RESOLVER, OLD_RESOLVER, old="https://www.doi.org/"),
    _sample("utf16.txt", "\ufeffOLD10.1000/182 \u2028\n", OLD_RESOLVER, old="doi.org/".replace("doi", "dx.doi"), charset="utf-16-le"),
)  # fmt: skip


def write_files(folder: Path) -> None:
    """Write the files into the folder."""
    for sample in FILES:
        path = folder / sample.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sample.before)
