"""Tags as they are written: one attribute changes, and every other character stays."""

import pytest

from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.written_tags import get_attribute, set_attribute, unescape_xml

TAG = """<t:c  t:value = '1 "a" b:x="2"'\n o:x="&lt;&#65;" />"""


@pytest.mark.parametrize(
    ("local", "value", "name", "expected"),
    [
        ("value", "2", "", TAG.replace("""'1 "a" b:x="2"'""", '"2"')),
        ("x", None, "", TAG.replace('\n o:x="&lt;&#65;"', "")),
        ("x", 'a"b<&\n', "", TAG.replace("&lt;&#65;", "a&quot;b&lt;&amp;&#10;")),
        ("y", "3", "o:y", TAG.replace(" />", '  o:y="3"/>')),
        ("y", "3", "", TAG),
        ("y", None, "o:y", TAG),
    ],
)
def test_an_attribute_is_set_removed_or_added(local: str, value: str | None, name: str, expected: str) -> None:
    assert set_attribute(TAG, local, value, name) == expected


def test_a_value_is_read_as_xml_says() -> None:
    assert (get_attribute(TAG, "x"), get_attribute(TAG, "value")) == ("<A", '1 "a" b:x="2"')
    assert get_attribute(TAG, "y") is None
    assert unescape_xml("&#x1F600;&apos;&#10;&amp;lt;") == "\U0001f600'\n&lt;"


def test_a_character_that_xml_can_not_hold_is_refused() -> None:
    with pytest.raises(NotWritable):
        set_attribute(TAG, "x", "\x00")
