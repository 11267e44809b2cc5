"""Good small files of each kind, and what damages them: bytes changed, lost or repeated; of workbooks also the XML."""

import gzip
import io
import random
import re
import zipfile
from collections.abc import Iterator

import xlsxwriter

from tests.uploads import made, suites

MOST_OTHER = 100_000  # bytes of a file of another format
_WORDS = (
    b"0", b"-1", b"1e400", b"NaN", b"999999999", b"99999999999999999999", b"2958465.9999999", b"A1", b"ZZZ9", b"a1",
    b"", b"s", b"inlineStr", b"d", b"b", b"n", b"hidden", b"false", b"\xff\xfe", b"\x00", b"&#0;", b"&#x10FFFF;",
    b"&x;", b"\r\r\n",
    b"<t/>", b"<is>", b"</is>", b"<row>", b"<c>", b"<v>", b"]]>", b"<!--", b"<!DOCTYPE a>", b'"', b"\n", b",",
    b"_xD800_", b"_x0041_", "一\U0001f600".encode(), b"x" * 70_000, b"<a>" * 150, b"<t></t>" * 5_000,
)  # fmt: skip
_FIGURE = re.compile(rb"\d+")
_VALUE = re.compile(rb'(?<==")[^"<>]*(?=")|(?<=>)[^<>]+(?=<)')
_ELEMENT = re.compile(rb"<((?:\w+:)?\w+)\b[^<>]*>[^<>]*</\1>|<[^<>/]+/>")


def _xlsx(*, constant_memory: bool) -> bytes:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"constant_memory": constant_memory}) as book:
        date = book.add_format({"num_format": "yyyy-mm-dd"})
        book.add_worksheet("Empty").hide()
        sheet = book.add_worksheet("List")
        sheet.activate()
        sheet.write_row(0, 0, ["id", "doi", "title", "day", "yes"])
        for number in range(1, 40):
            sheet.write_row(number, 0, [number / 3, f"10.1000/{number}", f"Ünï <{number % 5}>"])
            sheet.write_number(number, 3, 45_000 + number, date)
            sheet.write_boolean(number, 4, number % 2 == 0)
            sheet.write_formula(number, 5, "=1+1", None, "2")
    return buffer.getvalue()


def _ods() -> bytes:
    kinds = ("office", "table", "text", "style")
    names = " ".join(f'xmlns:{kind}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0"' for kind in kinds)
    cells = (
        '<table:table-cell office:value-type="float" office:value="{0}"><text:p>{0},0</text:p></table:table-cell>'
        '<table:table-cell office:value-type="string"><text:p>10.1000/{0}<text:s text:c="2"/>x</text:p>'
        '</table:table-cell><table:table-cell office:value-type="time" office:time-value="PT01H02M03S"/>'
        '<table:table-cell office:value-type="date" office:date-value="2020-01-02" table:number-columns-repeated="3"/>'
    )
    row = '<table:table-row table:number-rows-repeated="2">{}</table:table-row>'.format
    listed = "".join(row(cells.format(number)) for number in range(30))
    header = row("<table:table-cell><text:p>doi</text:p></table:table-cell>" * 2)
    style = '<style:style style:name="t2" style:family="table"><style:table-properties table:display="false"/>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("META-INF/manifest.xml", "<manifest/>")
        file.writestr(
            "content.xml",
            f"<office:document-content {names}>{style}</style:style><office:body><office:spreadsheet>"
            f'<table:table table:style-name="t2">{header}</table:table><table:table table:name="One">{header}{listed}'
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return buffer.getvalue()


def _texts() -> list[bytes]:
    table = "id,doi,title\r\n" + "".join(f'{n},10.1000/{n},"Müller, ""{n}""\r\nx"\r\n' for n in range(60))
    tabs = table.replace(",", "\t")
    listed = "".join(f"10.1000/{n}\n" for n in range(80))
    texts = [table.encode(), table.encode("cp1252"), table.encode("utf-16"), tabs.encode("utf-8-sig"), listed.encode()]
    return [*texts, *(gzip.compress(text) for text in texts)]


def damage_bytes(content: bytes, chance: random.Random) -> bytes:
    """The content after one to five changes."""
    for _ in range(chance.randint(1, 5)):
        place, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
        end = min(end, place + chance.choice((1, 8, 64, 4_096)))
        found = _FIGURE.search(content, place)
        change = chance.randrange(8)
        if change == 0 and content:
            flipped = bytearray(content)
            flipped[place % len(content)] ^= 1 << chance.randrange(8)
            content = bytes(flipped)
        elif change == 1:
            content = content[:place] + content[end:]
        elif change == 2:
            content = content[:end] + content[place:end] * chance.choice((1, 2, 50)) + content[end:]
        elif change == 3 and chance.random() < 0.3:
            content = content[:place]
        elif change <= 5 and found:
            content = content[: found.start()] + chance.choice(_WORDS) + content[found.end() :]
        else:
            content = content[:place] + chance.choice(_WORDS) + content[end:]
    return content


def _reword(content: bytes, chance: random.Random) -> bytes:
    """XML in which values are others and elements are there twice, not at all, or very often: still well-formed."""
    for _ in range(chance.randint(1, 5)):
        places = list(chance.choice((_VALUE, _VALUE, _ELEMENT)).finditer(content))
        if not places:
            continue
        found = chance.choice(places)
        if found.re is _VALUE:
            new = chance.choice(_WORDS + tuple(place[0] for place in places[:50]))
        else:
            new = found[0] * chance.choice((0, 2, 2, 3_000))
        content = content[: found.start()] + new + content[found.end() :]
    return content


def _repack(content: bytes, chance: random.Random) -> bytes:
    """A workbook in which one part, or two, are damaged."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    for name in chance.sample(sorted(members), min(len(members), chance.choice((1, 1, 2)))):
        members[name] = chance.choice((damage_bytes, _reword))(members[name], chance)
    if chance.random() < 0.05:
        members.pop(chance.choice(sorted(members)))
    way = chance.choice((zipfile.ZIP_DEFLATED,) * 9 + (zipfile.ZIP_BZIP2,))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", way) as out:
        for name, member in members.items():
            out.writestr(name, member)
    return buffer.getvalue()


def files() -> Iterator[tuple[bytes, bool]]:
    """Workbooks, text files, and files of other formats; True for a workbook, whose parts can be damaged."""
    yield from ((book, True) for book in (_xlsx(constant_memory=False), _xlsx(constant_memory=True), _ods()))
    yield from ((text, False) for text in _texts())
    others = (content for kind in (suites.files(), made.files()) for _, content in kind)
    yield from ((content, False) for content in others if len(content) < MOST_OTHER)


def damage(content: bytes, is_workbook: bool, chance: random.Random) -> bytes:
    """The file after one to five changes; of most workbooks one part is damaged and packed again."""
    return _repack(content, chance) if is_workbook and chance.random() < 0.8 else damage_bytes(content, chance)
