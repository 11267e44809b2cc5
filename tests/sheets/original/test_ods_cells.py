"""What becomes of a cell of an OpenDocument sheet, character by character."""

import pytest

from tests.sheets.made_workbooks import ods
from tests.sheets.original.written_ods import OdsRewriter, edit, read_rows

OLD, NEW = "10.1000/181", "10.1000/182"
OLD_LINK, LINK = "https://doi.org/10.1000/181", "https://doi.org/10.1000/182"
PUBLISHER = "https://onlinelibrary.wiley.com/doi/10.1000/181"
ROW = "<table:table-row>{}</table:table-row>".format
QUOTED = "&quot;&quot;a&quot;&quot;"
XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def cell(content: str, attributes: str = ' office:value-type="string"') -> str:
    return f"<table:table-cell{attributes}>{content}</table:table-cell>"


def anchor(address: str, text: str, more: str = "") -> str:
    return f'<text:a {XLINK} xlink:type="simple"{more} xlink:href="{address}">{text}</text:a>'


def hyperlink(address: str, *text: str, shown: str = "") -> str:
    """A cell with the formula."""
    arguments = ";".join(f"&quot;{each}&quot;" for each in (address, *text))
    formula = f' table:formula="of:=HYPERLINK({arguments})" office:value-type="string"'
    return cell(f"<text:p>{shown or (text or (address,))[0]}</text:p>", formula)


TEXTS = [  # content before, content after
    (f"<text:p>{OLD}</text:p>", f"<text:p>{NEW}</text:p>"),
    (
        f'<text:p text:style-name="P1"><text:span text:style-name="T1">{OLD}</text:span></text:p>',
        f'<text:p text:style-name="P1"><text:span text:style-name="T1">{NEW}</text:span></text:p>',
    ),
    (
        '<text:p><text:span text:style-name="T1">10.1000</text:span>/18<text:span>1</text:span></text:p>',
        '<text:p><text:span text:style-name="T1">10.1000</text:span>/18<text:span>2</text:span></text:p>',
    ),
    (f"<text:p>see <b>{OLD}</b> there</text:p>", f"<text:p>see <b>{NEW}</b> there</text:p>"),
    (f"<text:p>A title</text:p><text:p>{OLD}</text:p>", f"<text:p>A title</text:p><text:p>{NEW}</text:p>"),
    ("<text:p>10.10<!-- a > b -->00/181</text:p>", "<text:p>10.10<!-- a > b -->00/182</text:p>"),
    ("<text:p><![CDATA[10.1000/]]>&#49;81</text:p>", "<text:p><![CDATA[10.1000/]]>&#49;82</text:p>"),
    ("<text:p><![CDATA[10.1000/181]]></text:p>", "<text:p>10.1000/182</text:p>"),
    (
        f"<text:p>a &amp; b,<text:s text:c='2'/>{OLD}<text:tab/>c</text:p>",
        f"<text:p>a &amp; b,<text:s text:c='2'/>{NEW}<text:tab/>c</text:p>",
    ),
    ("<text:p>10.1000/\n  182</text:p>", "<text:p>10.1000/182</text:p>"),
    ("<text:p>10.1000<text:s/>/182</text:p>", "<text:p>10.1000/182</text:p>"),
    ("<text:p>10.1000/<text:span>1</text:span>8<text:s></text:s>2</text:p>", "<text:p>10.1000/182</text:p>"),
    ("<text:p>10.1000/</text:p>\n<text:p text:style-name='P'>182</text:p>", "<text:p>10.1000/182</text:p>"),
    ("<text:p>https://dx.doi.org/10.1000/181</text:p>", f"<text:p>{LINK}</text:p>"),
    ("<text:p>doi:10.1000/181</text:p>", f"<text:p>{NEW}</text:p>"),
    (
        f"<office:annotation><text:p>{OLD}</text:p></office:annotation>\n<text:p>{OLD}</text:p>",
        f"<office:annotation><text:p>{OLD}</text:p></office:annotation>\n<text:p>{NEW}</text:p>",
    ),
    (
        f"<text:p>{OLD}<text:note><text:p>1</text:p></text:note></text:p><draw:frame><text:p>x</text:p></draw:frame>",
        f"<text:p>{NEW}<text:note><text:p>1</text:p></text:note></text:p><draw:frame><text:p>x</text:p></draw:frame>",
    ),
    ("<text:p/>", f"<text:p>{NEW}</text:p>"),
    ("<text:p></text:p>", f"<text:p>{NEW}</text:p>"),
    ("<text:p>n/a</text:p>", f"<text:p>{NEW}</text:p>"),
]

VALUES = [  # attributes before, the text that is read, attributes after
    ('office:value-type="float" office:value="10.1"', "10.1"),
    ('office:value-type="float" office:value="10.10" calcext:value-type="float"', "10.1"),
    ('table:style-name="ce1" office:value-type="percentage" office:value="0.5"', "0.5"),
    ('office:value-type="currency" office:currency="EUR" office:value="2"', "2"),
    ('office:value-type="date" office:date-value="2020-01-02" table:style-name="d"', "2020-01-02"),
    ('office:value-type="date" office:date-value="2020-01-02T03:04:05"', "2020-01-02 03:04:05"),
    ('office:value-type="time" office:time-value="PT26H00M00S"', "26:00:00"),
    ('office:value-type="boolean" office:boolean-value="true"', "TRUE"),
    ('office:value-type="string" office:string-value="10.1000/181"', OLD),
    ('office:value="10" office:value-type="float" table:content-validation-name="v"', "10"),
]

LINKS = [  # content before, what was read, content after
    (anchor(OLD_LINK, OLD), OLD, anchor(LINK, NEW)),
    (anchor(OLD_LINK, OLD_LINK), OLD_LINK, anchor(LINK, LINK)),
    (anchor(OLD_LINK, "Full text"), OLD_LINK, anchor(LINK, "Full text")),
    (anchor(PUBLISHER, OLD), OLD, anchor(PUBLISHER, NEW)),
    (anchor("mailto:a@example.org", OLD), OLD, anchor("mailto:a@example.org", NEW)),
    (
        "see " + anchor(OLD_LINK, "there", ' office:name="n"'),
        OLD_LINK,
        "see " + anchor(LINK, "there", ' office:name="n"'),
    ),
    (anchor(OLD_LINK, "<b>Full</b> text"), OLD_LINK, anchor(LINK, "<b>Full</b> text")),
    (
        anchor(OLD_LINK + "?utm_source=a&amp;utm_medium=c", "PDF"),
        OLD_LINK + "?utm_source=a&utm_medium=c",
        anchor(LINK, "PDF"),
    ),
    (anchor(OLD_LINK, "a") + anchor(PUBLISHER, "b"), OLD_LINK, anchor(LINK, "a") + anchor(PUBLISHER, "b")),
    (anchor(PUBLISHER, "a ") + anchor(OLD_LINK, OLD), OLD, anchor(PUBLISHER, "a ") + anchor(LINK, NEW)),
]

FORMULAS = [  # cell before, what was read, cell after
    (hyperlink(OLD_LINK, OLD), OLD, hyperlink(LINK, NEW)),
    (hyperlink(OLD_LINK, "Full text"), OLD_LINK, hyperlink(LINK, "Full text")),
    (hyperlink(OLD_LINK), OLD_LINK, hyperlink(LINK)),
    (hyperlink(PUBLISHER, OLD), OLD, hyperlink(PUBLISHER, NEW)),
    (hyperlink(OLD_LINK, OLD_LINK), OLD_LINK, hyperlink(LINK, LINK)),
    (
        hyperlink(OLD_LINK, "&quot;&quot;a&quot;&quot;", shown='"a"'),
        OLD_LINK,
        hyperlink(LINK, "&quot;&quot;a&quot;&quot;", shown='"a"'),
    ),
    (
        f"<table:table-cell table:formula='of:=hyperlink( \"{OLD_LINK}\" ; B2 )' office:value-type='string'>"
        "<text:p>Full text</text:p></table:table-cell>",
        OLD_LINK,
        f"<table:table-cell table:formula=\"of:=hyperlink( &quot;{LINK}&quot; ; B2 )\" office:value-type='string'>"
        "<text:p>Full text</text:p></table:table-cell>",
    ),
    (
        f'<table:table-cell table:formula="of:=HYPERLINK(&quot;{OLD_LINK}&quot;)"/>',
        OLD_LINK,
        f'<table:table-cell table:formula="of:=HYPERLINK(&quot;{LINK}&quot;)" office:value-type="string">'
        f"<text:p>{LINK}</text:p></table:table-cell>",
    ),
    (
        f'<table:table-cell table:formula="of:=HYPERLINK(&quot;{OLD_LINK}&quot;;&quot;{OLD}&quot;)" '
        f'office:value-type="string" office:string-value="{OLD}"/>',
        OLD,
        f'<table:table-cell table:formula="of:=HYPERLINK(&quot;{LINK}&quot;;&quot;{NEW}&quot;)" '
        f'office:value-type="string" office:string-value="{NEW}"/>',
    ),
    (
        cell(f"<text:p>{OLD}</text:p>", f' table:formula="msoxl:=HYPERLINK(&quot;{OLD_LINK}&quot;,&quot;{OLD}&quot;)"'),
        OLD,
        cell(
            f"<text:p>{NEW}</text:p>",
            f' table:formula="msoxl:=HYPERLINK(&quot;{LINK}&quot;,&quot;{NEW}&quot;)" office:value-type="string"',
        ),
    ),
]


def read_text(rewriter: OdsRewriter, written: str) -> str:
    """The text that is read in the only cell of a sheet; "" for an empty one."""
    rewriter.path.write_bytes(ods(ROW(written)))
    return read_rows(rewriter.path).get(1, [""])[0]


@pytest.mark.parametrize(("before", "after"), TEXTS)
def test_only_the_changed_characters_of_a_text_are_written_anew(rewriter: OdsRewriter, before: str, after: str) -> None:
    text = read_text(rewriter, cell(before))
    assert rewriter.rewrite_rows(ROW(cell(before)), edit(1, text, NEW)) == ROW(cell(after))
    assert rewriter.reasons == []


@pytest.mark.usefixtures("any_cell")
@pytest.mark.parametrize(("attributes", "read"), VALUES)
def test_a_value_becomes_a_text_with_the_style_of_its_cell(rewriter: OdsRewriter, attributes: str, read: str) -> None:
    names = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    before = cell("<text:p>shown</text:p>", f" {names} {attributes}")
    assert read_text(rewriter, before) in (read, "shown")
    after = rewriter.rewrite_rows(ROW(before), edit(1, read, NEW))
    assert 'office:value-type="string"' in after
    assert f"<text:p>{NEW}</text:p>" in after
    assert 'calcext:value-type="float"' not in after
    for gone in ("office:value=", "-value=", "office:currency"):
        assert gone not in after.replace(f'office:string-value="{NEW}"', "")
    for kept in ("table:style-name", "table:content-validation-name"):
        assert (kept in after) == (kept in before)
    assert rewriter.reasons == []


@pytest.mark.parametrize(("before", "read", "after"), LINKS)
def test_a_hyperlink_changes_where_it_held_a_doi(rewriter: OdsRewriter, before: str, read: str, after: str) -> None:
    rows = [ROW(cell(f"<text:p>{each}</text:p>")) for each in (before, after)]
    assert rewriter.rewrite_rows(rows[0], edit(1, read, NEW)) == rows[1]
    assert rewriter.reasons == []


@pytest.mark.parametrize(("before", "read", "after"), FORMULAS)
def test_the_formula_of_a_hyperlink_changes_with_its_result(
    rewriter: OdsRewriter, before: str, read: str, after: str
) -> None:
    assert rewriter.rewrite_rows(ROW(before), edit(1, read, NEW)) == ROW(after)
    assert rewriter.reasons == []
