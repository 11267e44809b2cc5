"""Texts that are neither UTF-8 nor UTF-16: what their letters say of the encoding, and when a person is asked."""

import pytest

from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.text.letter_frequencies import guess_encoding
from tests.sheets.reader import SheetReader

CLEAR = [
    ("cp1251", "Вестник Московского университета. Серия: История"),
    ("koi8-r", "Журнал химии"),
    ("cp866", "Проблемы управления и моделирования"),
    ("iso8859-5", "Журнал химии"),
    ("koi8-u", "Український журнал історії науки"),
    ("cp1253", "Η ιστορία της ελληνικής γλώσσας"),
    ("cp1256", "مجلة العلوم الإنسانية والاجتماعية"),
    ("cp874", "วารสารมหาวิทยาลัยเชียงใหม่"),
    ("gb18030", "中国农业科学研究进展"),
    ("big5", "臺灣文學研究學報"),
    ("shift_jis", "日本における図書館の歴史"),
    ("euc_jp", "コンピュータと教育"),
    ("euc_kr", "한국문헌정보학회지"),
    ("iso2022_jp", "日本における図書館の歴史"),
]


@pytest.mark.parametrize(("codec", "title"), CLEAR)
@pytest.mark.parametrize("end", ["", "\n", "\nMore,10.60055/k.2\n"])
def test_a_script_that_is_clear_is_read_in_its_encoding(reader: SheetReader, codec: str, title: str, end: str):
    found = reader(f"Title,DOI\n{title},10.60055/k.1{end}".encode(codec))
    assert found.rows[0] == [title, "10.60055/k.1"]
    assert found.layout.encoding_assumed


@pytest.mark.parametrize(
    ("codec", "title"),
    [
        ("cp1252", "Über die Ärzte"),
        ("cp1252", "ÄÖÜ"),
        ("cp1252", "Été à Évian – “Œuvre”"),
        ("cp1250", "Zażółć gęślą jaźń"),
        ("iso8859-2", "Příliš žluťoučký kůň"),
        ("cp1254", "Türkçe öğrenciler için şiir"),
        ("mac-roman", "Été à Évian"),
        ("cp850", "Größe"),
    ],
)
def test_a_latin_text_is_assumed_to_be_windows_1252(reader: SheetReader, codec: str, title: str):
    layout = reader(f"Title,DOI\n{title},10.60055/k.1\n".encode(codec)).layout
    assert (layout.encoding, layout.encoding_assumed) == ("cp1252", True)


@pytest.mark.parametrize(("codec", "title"), [("iso8859-7", "Ελληνικό"), ("cp1255", "כתב העת לחקר ההיסטוריה של ישראל")])
def test_where_nothing_is_clear_a_person_is_asked_and_told_what_is_likely(reader: SheetReader, codec: str, title: str):
    refused = reader.refused(f"Title,DOI\n{title},10.60055/k.1\n".encode(codec))
    assert isinstance(refused, NeedsChoice)
    assert (refused.about, codec in refused.reason) == ("encoding", True)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "ascii"])
def test_nothing_is_assumed_of_unicode(reader: SheetReader, encoding: str):
    title = "A" if encoding == "ascii" else "Журнал"
    assert not reader(f"Title,DOI\n{title},10.60055/k.1\n".encode(encoding)).layout.encoding_assumed


def test_bytes_of_no_script_are_told_in_a_short_time():
    raw = bytes(range(128, 256)) * 64
    guess = guess_encoding(raw)
    assert guess is None or not guess.is_clear
