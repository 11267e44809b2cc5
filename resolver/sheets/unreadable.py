"""Why a file is refused: a reason, a line, and what to do instead."""

import re

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_BY_FIRST_BYTES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "This is a PDF document. Copy the DOIs into a text file, one on each line, and upload that."),
    (_OLE, "This is an old Excel file (.xls) or one with a password. Save it as .xlsx without a password."),
    (b"\x1f\x8b", "This file is compressed (gzip). Unpack it first."),
    (b"7z\xbc\xaf\x27\x1c", "This file is a 7-Zip archive. Unpack it and upload the table in it."),
    (b"Rar!", "This file is a RAR archive. Unpack it and upload the table in it."),
    (b"{\\rtf", "This is a rich text document (RTF). Save it as plain text (.txt)."),
    (b"\x89PNG", "This is a picture (PNG), not a table."),
    (b"\xff\xd8\xff", "This is a picture (JPEG), not a table."),
    (b"GIF8", "This is a picture (GIF), not a table."),
    (b"SQLite format 3", "This is a database file. Export the table as CSV."),
    (b"%0 ", "This is an EndNote export. Export from the same program as CSV, or as tab-separated text."),
)

_CSV_INSTEAD = "Export from the same program as CSV (or tab-separated text) with a DOI column."

_BY_FIRST_TEXT: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s*(?:\d+\.\s+)?TY {1,2}-\s", re.I), f"This is a RIS file. {_CSV_INSTEAD}"),
    (re.compile(r"\s*(?:%[^\n]*\n\s*)*@[A-Za-z]+\s*[{(]"), f"This is a BibTeX file. {_CSV_INSTEAD}"),
    (re.compile(r"\s*PMID ?- "), f"This is a PubMed (.nbib) file. {_CSV_INSTEAD}"),
    (re.compile(r"\s*FN (?:Clarivate|Thomson|ISI)"), f"This is a Web of Science file. {_CSV_INSTEAD}"),
    (
        re.compile(r"\d{5}[a-z][a-z][a-z ].[ a]22\d{5}.{3}4500", re.S),
        "This is a MARC file. Export field 024 (or 856) from the catalogue as CSV or as a plain list.",
    ),
    (
        re.compile(r"=(?:LDR|000)  "),
        "This is a MARC text file (MarcEdit .mrk). Export field 024 (or 856) as tab-separated text.",
    ),
    (re.compile(r"\s*<(?:!doctype\s+html|html)\b", re.I), "This is a web page (HTML). Save the table as CSV or XLSX."),
    (
        re.compile(r"\s*<\?xml\b[^>]*>\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:\w+:)?(?:collection|record)\b", re.S),
        "This is an XML file, probably MARCXML. Export the DOIs as CSV or as a plain list.",
    ),
    (re.compile(r"\s*<\?xml\b"), "This is an XML file. Export the DOIs as CSV or as a plain list."),
    (
        re.compile(r'\s*(?:\{\s*"|\[\s*[\[{"]|\{\s*\}|\[\s*\])'),
        "This is a JSON file. Export the DOIs as CSV or as a plain list.",
    ),
)


class UnreadableFile(Exception):
    """A file that cannot be read as a table; `reason` is plain text for a person, `line` the line at fault."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"Line {line}: {reason}")
        self.reason = reason
        self.line = line


def refuse_by_bytes(head: bytes) -> None:
    """Refuse what its first bytes show to be no table."""
    for magic, reason in _BY_FIRST_BYTES:
        if head.startswith(magic):
            raise UnreadableFile(reason)


def refuse_by_text(head: str) -> None:
    """Refuse text in a format that is no table, by its name."""
    for pattern, reason in _BY_FIRST_TEXT:
        if pattern.match(head):
            raise UnreadableFile(reason)
