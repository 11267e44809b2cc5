"""The parts of an XLSX package apart from its rows (ISO/IEC 29500-2)."""

from collections.abc import Collection, Iterator, Sequence
from xml.sax.saxutils import quoteattr

from resolver.sheets.workbook.numbers_and_dates import FIRST_CUSTOM_FORMAT, classify_format
from resolver.sheets.workbook.typed_cell import DATE_AND_TIME, ELAPSED, GENERAL

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELATIONS_TYPE = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

# The header row stays in sight.
_SHEET_HEAD = (
    f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
    'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>{columns}<sheetData>'
)
LEGEND_HEAD = (
    f'{_HEAD}<worksheet xmlns="{_MAIN}"><cols><col min="1" max="2" width="26" customWidth="1"/>'
    '<col min="3" max="3" width="110" customWidth="1"/></cols><sheetData>'
)
SHEET_FOOT = b"</sheetData></worksheet>"

_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}">{{own}}'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="{count}">{formats}</cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
_MAX_FORMATS = 200  # that are defined: with some more, old versions of Excel call a file damaged
_MAX_FORMAT_CHARACTERS = 255
_PLAIN = {"date": DATE_AND_TIME, "elapsed": ELAPSED, None: GENERAL}


class CellStyles:
    """The number formats of a workbook, each with the number of its cell style."""

    def __init__(self) -> None:
        self._styles: dict[int | str, int] = {GENERAL: 0}
        self._own: list[str] = []

    def find_style(self, number_format: int | str) -> int:
        """Return the cell style with this format, or with a similar one if there are too many, or if it is invalid."""
        if (style := self._styles.get(number_format)) is not None:
            return style
        if isinstance(number_format, str):
            if len(self._own) >= _MAX_FORMATS or not 0 < len(number_format) <= _MAX_FORMAT_CHARACTERS:
                return self.find_style(_PLAIN[classify_format(number_format[:_MAX_FORMAT_CHARACTERS])])
            self._own.append(number_format)
        return self._styles.setdefault(number_format, len(self._styles))

    def write_styles(self) -> str:
        """Return the part that lists the styles."""
        numbers = {code: FIRST_CUSTOM_FORMAT + place for place, code in enumerate(self._own)}
        own = "".join(f'<numFmt numFmtId="{n}" formatCode={quoteattr(code)}/>' for code, n in numbers.items())
        ids = [one if isinstance(one, int) else numbers[one] for one in self._styles]
        styles = "".join(
            f'<xf numFmtId="{n}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="{int(n > 0)}"/>'
            for n in ids
        )
        listed = f'<numFmts count="{len(numbers)}">{own}</numFmts>' if own else ""
        return _STYLES.format(own=listed, count=len(self._styles), formats=styles)


def build_sheet_head(wide: Collection[int]) -> str:
    """Return the beginning of a sheet whose columns with these numbers, counted from 1, have room for a date."""
    # A day with a time has 20 characters; a date without room is shown as ########.
    columns = "".join(f'<col min="{n}" max="{n}" width="20" customWidth="1"/>' for n in sorted(wide))
    return _SHEET_HEAD.format(columns=f"<cols>{columns}</cols>" if columns else "")


def name_sheet_part(number: int) -> str:
    """Return the name of a sheet's part, counted from 1."""
    return f"xl/worksheets/sheet{number}.xml"


def build_other_parts(titles: Sequence[str], styles: str) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of all other parts, for sheets with these titles in order."""
    numbered = list(enumerate(titles, 1))
    sheets = "".join(f'<sheet name="{title}" sheetId="{n}" r:id="rId{n}"/>' for n, title in numbered)
    book = f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><bookViews><workbookView/></bookViews>'
    yield "xl/workbook.xml", f"{book}<sheets>{sheets}</sheets></workbook>"
    related = [("worksheet", f"worksheets/sheet{n}.xml") for n, _ in numbered]
    yield "xl/_rels/workbook.xml.rels", _write_relations([*related, ("styles", "styles.xml")])
    yield "xl/styles.xml", styles
    yield "_rels/.rels", _write_relations([("officeDocument", "xl/workbook.xml")])
    typed = [(f"/{name_sheet_part(n)}", "worksheet") for n, _ in numbered]
    typed += [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    types = "".join(f'<Override PartName="{name}" ContentType="{_TYPE}.{kind}+xml"/>' for name, kind in typed)
    yield "[Content_Types].xml", f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">{_RELATIONS_TYPE}{types}</Types>'


def _write_relations(related: Sequence[tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="rId{n}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(related, 1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'
