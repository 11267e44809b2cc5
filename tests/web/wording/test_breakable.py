"""Where a long DOI or address may break."""

import pytest

from resolver.web.wording.text_filters import breakable, reveal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("10.1371/journal.pone.1", "10.1371/<wbr>journal.<wbr>pone.<wbr>1"),
        ("a/b<c>&d;", "a/<wbr>b&lt;c&gt;&amp;d;"),  # no break at the end, nor in an entity
        ("a.b\u200bc", 'a.<wbr>b<span class="hidden-char" title="zero width space">U+200B</span>c'),  # nor in a tag
    ],
)
def test_a_text_breaks_after_the_signs_of_dois_and_nowhere_in_its_markup(text: str, shown: str) -> None:
    assert breakable(reveal(text)) == shown
