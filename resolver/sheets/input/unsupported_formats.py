"""Files in formats that aren't read, known by their beginning: refused by name, with the format to export instead."""

import codecs
import re

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.marc.fields import EXPORT_FIELD
from resolver.sheets.errors import UnreadableFile

HEAD_BYTES = 1 << 13  # by which a format is known

COPY_DOIS = Message("Copy the DOIs into a text file, one per line, and upload it.")
_PICTURE = Message("Upload the DOIs as text, one per line.")
_UNPACK = Message("Unpack it, and upload the table inside.")
_UNPACK_GZIP = join_messages(" ", _UNPACK, Message("(You can upload gzip files as they are.)"))
_CSV = Message("Export from the same program as CSV (or tab-separated text) with a DOI column.")
_ALMA = Message("Export the records from Alma as MARC or MARCXML.")
_XML = Message("Export the DOIs as CSV or as a plain list.")


def _advise(what: Message, remedy: Message) -> Message:
    return join_messages(" ", what, remedy)


def _describe_picture(kind: str) -> Message:
    return _advise(Message("This is a picture ({format}), not a table.", format=kind), _PICTURE)


def _describe_compression(way: str) -> Message:
    return _advise(Message("This file is compressed with {way}.", way=way), _UNPACK_GZIP)


# A format that begins with letters could be the first cell of a table, so its pattern asks for more than these.
_BY_BYTES = (
    (rb"%PDF-\d", _advise(Message("This is a PDF document."), COPY_DOIS)),
    (rb"%!PS[-\s]", _advise(Message("This is a PostScript document."), COPY_DOIS)),
    (rb"\{\\rtf\d?[\\{\s]", Message("This is a rich text document (RTF). Save it as plain text (.txt).")),
    (rb"7z\xbc\xaf\x27\x1c", _advise(Message("This file is a 7-Zip archive."), _UNPACK)),
    (rb"Rar!\x1a\x07", _advise(Message("This file is a RAR archive."), _UNPACK)),
    (rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", _describe_compression("bzip2")),
    (rb"\xfd7zXZ\x00", _describe_compression("xz")),
    (rb"\x28\xb5\x2f\xfd", _describe_compression("zstd")),
    (rb"\x89PNG\r\n\x1a", _describe_picture("PNG")),
    (rb"\xff\xd8\xff[\xc0-\xfe]", _describe_picture("JPEG")),
    (rb"(?s)GIF8[79]a.{4}[\x00-\x08\x80-\xff]", _describe_picture("GIF")),
    (rb"II\*\x00|MM\x00\*", _describe_picture("TIFF")),
    (rb"\x00\x00\x00.ftyphei", _describe_picture("HEIC")),
    (rb"(?s)RIFF.{4}WEBP", _describe_picture("WebP")),
    (rb"(?s).{257}ustar(?:\x00|  \x00)", _advise(Message("This file is a tar archive."), _UNPACK)),
    (rb"SQLite format 3\x00", Message("This is a database file (SQLite). Export the table as CSV.")),
    (rb"\x00\x01\x00\x00Standard (?:Jet|ACE) DB", Message("This is an Access database. Export the table as CSV.")),
    # Both have a line break where a record of MARC has its directory.
    (
        rb"(?:\[[\w-]{0,40}\])?(?:Record type: \S{1,20}\s{1,4})?\d{5}[a-z][a-z][a-z ][^\r\n]{1,20}\r?\n\d{3} [^\r\n]",
        _advise(
            Message("This is a MARC record as the program yaz-client or yaz-marcdump shows it."),
            Message("Save the records themselves, as MARC (ISO 2709) or MARCXML."),
        ),
    ),
    (
        rb"(?:\xef\xbb\xbf)?\s{0,100}+(?:SET: [^\r\n]{0,200}\s{1,10})?"
        rb"(?:\x1d?\s{0,4}(?:\x1e\s?)?[0-2]\d\d[A-Z@](?:/\d\d)? ?(?:\x1f|\xc6\x92|\x83|\$)[0-9A-Za-z])",
        _advise(
            Message("This is a PICA file (PICA+ or PICA Plain)."),
            Message("Export the records as MARC or MARCXML, or the field 004V or 004P with the DOIs as CSV."),
        ),
    ),
    (rb"PAR1[\x00-\x08\x0e-\x1f]", Message("This is a Parquet file. Export the table as CSV.")),
)

_OLE_PARTS = (
    ("EncryptedPackage", Message("This workbook has a password. Save it as XLSX without one.")),
    ("WordDocument", _advise(Message("This is an old Word document (.doc)."), COPY_DOIS)),
    ("PowerPoint Document", _advise(Message("This is an old PowerPoint presentation (.ppt)."), COPY_DOIS)),
    ("__nameid_version1.0", _advise(Message("This is an Outlook message (.msg)."), COPY_DOIS)),
)
_OLE_ELSE = Message(
    "This is an old Excel file (.xls) or another old Office document. Save the table as XLSX or as CSV."
)

_BY_FIRST_TEXT = (
    (r"\s*FN (?:Clarivate|Thomson|ISI)[^\n]*\nVR ", _advise(Message("This is a Web of Science file."), _CSV)),
    (r"\s*RT [A-Z][^\n]{2,40}\n[A-Z][A-Z0-9] ", _advise(Message("This is a RefWorks file."), _CSV)),
    (
        r"\s*Record #\d+ of \d+\s*\n(?:ID|AN|AU): ",
        Message("This is a plain-text export of the Cochrane Library. Export as RIS or CSV."),
    ),
    (r"\s*Scopus\s+EXPORT DATE:", _advise(Message("This is a Scopus plain-text export."), _CSV)),
    (r"\d{9} (?:LDR|FMT) {1,5}L ", _advise(Message("This is a MARC file (Aleph sequential)."), EXPORT_FIELD)),
    (
        r'\s*(?:\{\s*"[^"\n]*"\s*:|\[\s*\{\s*["}]|\[\s*"[^"\n]*"\s*[,\]]|\[\s*\[\s*["\[]'
        r"|(?:\{\s*\}|\[\s*\])\s*\Z)",
        Message("This is a JSON file. Export the DOIs as CSV or as a plain list."),
    ),
    (r"\s*\\(?:documentclass|begin\{|bibitem|usepackage)", _advise(Message("This is a LaTeX document."), COPY_DOIS)),
    (r"\s*cff-version: *[\"']?\d", _advise(Message("This is a citation file (CFF)."), COPY_DOIS)),
    (r"(?i)\s*MIME-Version: *\d", Message("This is a saved web page or email (MHT). Save the table as CSV or XLSX.")),
    (r"ID;P[^\n]*\n(?:[PFBCOEXW]|N[NEUL]);", Message("This is a SYLK sheet (.slk). Save it as CSV or XLSX.")),
    (r"(?i)\s*<!doctype\s+html\b", Message("This is a web page (HTML). Save the table as CSV or XLSX.")),
)
_HTML = Message("This is a web page (HTML). Save the table as CSV or XLSX.")
_ROOTS = {
    **dict.fromkeys(("html", "head", "body", "table", "meta", "style"), _HTML),
    **dict.fromkeys(("mods", "modscollection"), _advise(Message("This is a MODS file (XML)."), _XML)),
    "doi_batch": Message(
        "This is a Crossref deposit (XML). Copy each doi and its resource into a table: a column of DOIs and one of "
        "expected web addresses."
    ),
    **dict.fromkeys(("bibs", "bib"), _advise(Message("This is an Alma file (bibs, XML)."), _ALMA)),
    **dict.fromkeys(
        ("article", "articles", "pmc-articleset", "journal-article"),
        _advise(Message("This is an article in XML (JATS)."), _XML),
    ),
    "pubmedarticleset": _advise(Message("This is a PubMed XML file."), _CSV),
    "rdf": _advise(Message("This is an RDF file (XML)."), _XML),
    "svg": _describe_picture("SVG"),
    "workbook": Message("This is an Excel 2003 XML sheet. Save it as XLSX or as CSV."),
    "office:document": Message("This is a flat XML office document. Save the table as ODS, XLSX or CSV."),
}
_PROLOG = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<![A-Za-z][^>\[]*(?:\[[^\]]*\][^>\[]*)?>)", re.S)
_ROOT = re.compile(r"\s*<((?:[A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*))(?:[\s>]|/>)")


def refuse_by_bytes(head: bytes) -> None:
    """Refuse a file whose first bytes are of no table."""
    for pattern, reason in _BY_BYTES:
        if re.match(pattern, head):
            raise UnreadableFile(reason)


def refuse_by_text(head: bytes) -> None:
    """Refuse text in a format that is no table, by its name. Its encoding is not known yet."""
    text = _decode_legibly(head)
    _refuse_other_encoding(text)
    for pattern, reason in _BY_FIRST_TEXT:
        if re.match(pattern, text):
            raise UnreadableFile(reason)
    _refuse_xml(text)


def is_ole(head: bytes) -> bool:
    """Whether the file is one of the binary documents that office programs wrote until 2007."""
    return head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def refuse_ole_but_xls(directory: bytes) -> None:
    """Refuse such a document, by the names in its directory, unless it is an Excel workbook."""
    for name, reason in _OLE_PARTS:
        if name.encode("utf-16-le") in directory:
            raise UnreadableFile(reason)
    if "book".encode("utf-16-le") not in directory.lower():  # "Workbook" from Excel 97 on, "Book" before, in any case
        raise UnreadableFile(_OLE_ELSE)


def _decode_legibly(head: bytes) -> str:
    """Return the text with all ASCII right, whatever its encoding."""
    bom = next(filter(head.startswith, (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)), b"")
    return head[len(bom) :].replace(b"\0", b"").decode("latin-1")


def _refuse_other_encoding(text: str) -> None:
    """Refuse a file in a format that is read, but not in this encoding."""
    content = _skip_prolog(text)
    for form in FORMATS.values():
        if form.refusal:
            pattern, what, remedy = form.refusal
            if re.match(pattern, content):
                raise UnreadableFile(_advise(what, remedy))


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
        raise UnreadableFile(_advise(Message("This is an XML file."), _XML))
