"""Workbooks made part by part, as programs that are not Excel make them."""

import io
import zipfile

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"

_BOOK = (
    f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATED}"><sheets>'
    '<sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_ODS_NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (("office", "office"), ("table", "table"), ("text", "text"), ("draw", "drawing"))
)


_RELS = "xl/_rels/workbook.xml.rels"


def archive(members: dict[str, str | bytes]) -> bytes:
    """A ZIP archive of these members, the same at any time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def relations(**targets: str) -> str:
    """A part that names others: id = "kind target"."""
    listed = "".join(
        f'<Relationship Id="{name}" Type="{_RELATED}/{kind}" Target="{target}"/>'
        for name, (kind, _, target) in ((name, target.partition(" ")) for name, target in targets.items())
    )
    return f'<Relationships xmlns="{_PACKAGE}">{listed}</Relationships>'


def sheet(rows: str) -> str:
    """A sheet's part with these <row> elements."""
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def strings(*texts: str) -> str:
    """The part of shared texts."""
    return f'<sst xmlns="{_MAIN}">' + "".join(f"<si>{text}</si>" for text in texts) + "</sst>"


def xlsx(rows: str = "", book: str = _BOOK, **parts: str | bytes) -> bytes:
    """A workbook whose first sheet has these rows; `parts` are shared strings, styles and whole other members."""
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(rId1="officeDocument xl/workbook.xml"),
        "xl/workbook.xml": book,
        _RELS: relations(
            rId1="worksheet worksheets/sheet1.xml", rId8="sharedStrings sharedStrings.xml", rId9="styles styles.xml"
        ),
        "xl/worksheets/sheet1.xml": sheet(rows),
    }
    return archive(members | {_member(name): content for name, content in parts.items()})


def _member(name: str) -> str:
    """xl__sharedStrings is xl/sharedStrings.xml; RELS stands for the workbook's list of parts."""
    return _RELS if name == "rels" else name.replace("__", "/") + ".xml"


def ods(rows: str, before: str = "", after: str = "") -> bytes:
    """An OpenDocument workbook whose first table has these rows."""
    table = f'<table:table table:name="One"><table:table-column/>{rows}</table:table>'
    return archive(
        {
            "mimetype": _ODS,
            "META-INF/manifest.xml": '<manifest:manifest manifest:version="1.2" '
            'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_ODS}"/>'
            '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
            "</manifest:manifest>",
            "content.xml": f"<office:document-content {_ODS_NAMES}><office:body><office:spreadsheet>"
            f"{before}{table}{after}</office:spreadsheet></office:body></office:document-content>",
        }
    )


def ods_row(*cells: str, times: int = 1) -> str:
    """A row of an OpenDocument table; a cell is its text, or a whole element."""
    return (
        f'<table:table-row table:number-rows-repeated="{times}">'
        + "".join(cell if cell.startswith("<") else ods_cell(f"<text:p>{cell}</text:p>") for cell in cells)
        + "</table:table-row>"
    )


def ods_cell(content: str = "", kind: str = "string", **attributes: object) -> str:
    """A cell: `kind` is its value type; `date_value`, `value` … are its value."""
    written = "".join(
        f' {"table" if name.startswith("number") else "office"}:{name.replace("_", "-")}="{value}"'
        for name, value in attributes.items()
    )
    return f'<table:table-cell office:value-type="{kind}"{written}>{content}</table:table-cell>'
