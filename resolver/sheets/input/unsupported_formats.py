"""What is no table and no bibliographic file that we read, known by how it begins: refused by its name, with what to
export instead."""

import codecs
import re

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.marc.fields import EXPORT_FIELD
from resolver.sheets.errors import UnreadableFile

# How much of a file's beginning is looked at.
HEAD = 1 << 13

COPY_DOIS = Message("Copy the DOIs into a text file, one per line, and upload it.")
_PICTURE = Message("Upload the DOIs as text, one per line.")
_UNPACK = Message("Unpack it, and upload the table inside.")
_UNPACK_GZIP = join_messages(" ", _UNPACK, Message("(You can upload gzip files as they are.)"))
_CSV = Message("Export from the same program as CSV (or tab-separated text) with a DOI column.")
_ALMA = Message("Export the records from Alma as MARC or MARCXML.")
_XML = Message("Export the DOIs as CSV or as a plain list.")


def _describe_picture(kind: str) -> Message:
    return Message("This is a picture ({format}), not a table.", format=kind)


def _describe_compression(way: str) -> Message:
    return Message("This file is compressed with {way}.", way=way)


# What begins with letters may be the first cell of a table: more of the format is required than these.
_BY_BYTES = (
    (rb"%PDF-\d", Message("This is a PDF document."), COPY_DOIS),
    (rb"%!PS[-\s]", Message("This is a PostScript document."), COPY_DOIS),
    (rb"\{\\rtf\d?[\\{\s]", Message("This is a rich text document (RTF). Save it as plain text (.txt)."), None),
    (rb"7z\xbc\xaf\x27\x1c", Message("This file is a 7-Zip archive."), _UNPACK),
    (rb"Rar!\x1a\x07", Message("This file is a RAR archive."), _UNPACK),
    (rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", _describe_compression("bzip2"), _UNPACK_GZIP),
    (rb"\xfd7zXZ\x00", _describe_compression("xz"), _UNPACK_GZIP),
    (rb"\x28\xb5\x2f\xfd", _describe_compression("zstd"), _UNPACK_GZIP),
    (rb"\x89PNG\r\n\x1a", _describe_picture("PNG"), _PICTURE),
    (rb"\xff\xd8\xff[\xc0-\xfe]", _describe_picture("JPEG"), _PICTURE),
    (rb"(?s)GIF8[79]a.{4}[\x00-\x08\x80-\xff]", _describe_picture("GIF"), _PICTURE),
    (rb"II\*\x00|MM\x00\*", _describe_picture("TIFF"), _PICTURE),
    (rb"\x00\x00\x00.ftyphei", _describe_picture("HEIC"), _PICTURE),
    (rb"(?s)RIFF.{4}WEBP", _describe_picture("WebP"), _PICTURE),
    (rb"(?s).{257}ustar(?:\x00|  \x00)", Message("This file is a tar archive."), _UNPACK),
    (rb"SQLite format 3\x00", Message("This is a database file (SQLite). Export the table as CSV."), None),
    (
        rb"\x00\x01\x00\x00Standard (?:Jet|ACE) DB",
        Message("This is an Access database. Export the table as CSV."),
        None,
    ),
    # Both have a line break where a record of MARC has its directory.
    (
        rb"(?:\[[\w-]{0,40}\])?(?:Record type: \S{1,20}\s{1,4})?\d{5}[a-z][a-z][a-z ][^\r\n]{1,20}\r?\n\d{3} [^\r\n]",
        Message("This is a MARC record as the program yaz-client or yaz-marcdump shows it."),
        Message("Save the records themselves, as MARC (ISO 2709) or MARCXML."),
    ),
    (
        rb"(?:\xef\xbb\xbf)?\s{0,100}+(?:SET: [^\r\n]{0,200}\s{1,10})?"
        rb"(?:\x1d?\s{0,4}(?:\x1e\s?)?[0-2]\d\d[A-Z@](?:/\d\d)? ?(?:\x1f|\xc6\x92|\x83|\$)[0-9A-Za-z])",
        Message("This is a PICA file (PICA+ or PICA Plain)."),
        Message("Export the records as MARC or MARCXML, or the field 004V or 004P with the DOIs as CSV."),
    ),
    (rb"PAR1[\x00-\x08\x0e-\x1f]", Message("This is a Parquet file. Export the table as CSV."), None),
)

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_PARTS = (
    ("EncryptedPackage", Message("This workbook has a password. Save it as XLSX without one."), None),
    ("WordDocument", Message("This is an old Word document (.doc)."), COPY_DOIS),
    ("PowerPoint Document", Message("This is an old PowerPoint presentation (.ppt)."), COPY_DOIS),
    ("__nameid_version1.0", Message("This is an Outlook message (.msg)."), COPY_DOIS),
)
_OLE_ELSE = Message(
    "This is an old Excel file (.xls) or another old Office document. Save the table as XLSX or as CSV."
)
_XLS_PART = "book"  # of "Workbook" from Excel 97 on, "Book" before, in any case

_BY_FIRST_TEXT = (
    (r"\s*FN (?:Clarivate|Thomson|ISI)[^\n]*\nVR ", Message("This is a Web of Science file."), _CSV),
    (r"\s*RT [A-Z][^\n]{2,40}\n[A-Z][A-Z0-9] ", Message("This is a RefWorks file."), _CSV),
    (
        r"\s*Record #\d+ of \d+\s*\n(?:ID|AN|AU): ",
        Message("This is a plain-text export of the Cochrane Library. Export as RIS or CSV."),
        None,
    ),
    (r"\s*Scopus\s+EXPORT DATE:", Message("This is a Scopus plain-text export."), _CSV),
    (r"\d{9} (?:LDR|FMT) {1,5}L ", Message("This is a MARC file (Aleph sequential)."), EXPORT_FIELD),
    (
        r'\s*(?:\{\s*"[^"\n]*"\s*:|\[\s*\{\s*["}]|\[\s*"[^"\n]*"\s*[,\]]|\[\s*\[\s*["\[]'
        r"|(?:\{\s*\}|\[\s*\])\s*\Z)",
        Message("This is a JSON file. Export the DOIs as CSV or as a plain list."),
        None,
    ),
    (r"\s*\\(?:documentclass|begin\{|bibitem|usepackage)", Message("This is a LaTeX document."), COPY_DOIS),
    (r"\s*cff-version: *[\"']?\d", Message("This is a citation file (CFF)."), COPY_DOIS),
    (
        r"(?i)\s*MIME-Version: *\d",
        Message("This is a saved web page or email (MHT). Save the table as CSV or XLSX."),
        None,
    ),
    (r"ID;P[^\n]*\n(?:[PFBCOEXW]|N[NEUL]);", Message("This is a SYLK sheet (.slk). Save it as CSV or XLSX."), None),
    (r"(?i)\s*<!doctype\s+html\b", Message("This is a web page (HTML). Save the table as CSV or XLSX."), None),
)
_HTML = Message("This is a web page (HTML). Save the table as CSV or XLSX.")
_ROOTS = {
    **dict.fromkeys(("html", "head", "body", "table", "meta", "style"), _HTML),
    **dict.fromkeys(("mods", "modscollection"), join_messages(" ", Message("This is a MODS file (XML)."), _XML)),
    "doi_batch": Message(
        "This is a Crossref deposit (XML). Copy each doi and its resource into a table: a column of DOIs and one of "
        "expected web addresses."
    ),
    **dict.fromkeys(("bibs", "bib"), join_messages(" ", Message("This is an Alma file (bibs, XML)."), _ALMA)),
    **dict.fromkeys(
        ("article", "articles", "pmc-articleset", "journal-article"),
        join_messages(" ", Message("This is an article in XML (JATS)."), _XML),
    ),
    "pubmedarticleset": join_messages(" ", Message("This is a PubMed XML file."), _CSV),
    "rdf": join_messages(" ", Message("This is an RDF file (XML)."), _XML),
    "svg": join_messages(" ", _describe_picture("SVG"), _PICTURE),
    "workbook": Message("This is an Excel 2003 XML sheet. Save it as XLSX or as CSV."),
    "office:document": Message("This is a flat XML office document. Save the table as ODS, XLSX or CSV."),
}
_PROLOG = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<![A-Za-z][^>\[]*(?:\[[^\]]*\][^>\[]*)?>)", re.S)
_ROOT = re.compile(r"\s*<((?:[A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*))(?:[\s>]|/>)")


def refuse_by_bytes(head: bytes) -> None:
    """Refuse what its first bytes show to be no table."""
    for pattern, what, remedy in _BY_BYTES:
        if re.match(pattern, head):
            raise _build_refusal(what, remedy)


def refuse_by_text(head: bytes) -> None:
    """Refuse text in a format that is no table, by its name; before its encoding is known, which it may not keep."""
    text = _decode_legibly(head)
    _refuse_other_encoding(text)
    for pattern, what, remedy in _BY_FIRST_TEXT:
        if re.match(pattern, text):
            raise _build_refusal(what, remedy)
    _refuse_xml(text)


def _build_refusal(what: Message, remedy: Message | None) -> UnreadableFile:
    return UnreadableFile(join_messages(" ", what, remedy) if remedy else what)


def is_ole(head: bytes) -> bool:
    """Whether the file is one of the binary documents that office programs wrote until 2007."""
    return head.startswith(_OLE)


def refuse_ole_but_xls(directory: bytes) -> None:
    """Refuse such a document, by the names in its directory, unless it is an Excel workbook."""
    for name, what, remedy in _OLE_PARTS:
        if name.encode("utf-16-le") in directory:
            raise _build_refusal(what, remedy)
    if _XLS_PART.encode("utf-16-le") not in directory.lower():
        raise UnreadableFile(_OLE_ELSE)


def _decode_legibly(head: bytes) -> str:
    """ASCII as it is, whatever the encoding; the rest need not be right."""
    if head.startswith(codecs.BOM_UTF8):
        head = head[len(codecs.BOM_UTF8) :]
    elif head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head[2:]
    return head.replace(b"\0", b"").decode("latin-1")


def _refuse_other_encoding(text: str) -> None:
    """Refuse a file in a format that is read, but not in this encoding."""
    content = _skip_prolog(text)
    for form in FORMATS.values():
        if form.refusal:
            pattern, what, remedy = form.refusal
            if re.match(pattern, content):
                raise _build_refusal(what, remedy)


def _skip_prolog(text: str) -> str:
    place = 0
    while match := _PROLOG.match(text, place):
        place = match.end()
    return text[place:]


def _refuse_xml(text: str) -> None:
    root = _ROOT.match(_skip_prolog(text))
    if root and (reason := _ROOTS.get(root[1].lower()) or _ROOTS.get(root[2].lower())):
        raise UnreadableFile(reason)
    if re.match(r"\s*<(?:\?xml|!DOCTYPE)\b", text):
        raise UnreadableFile(join_messages(" ", Message("This is an XML file."), _XML))
