"""The short way of reading, for what most cells hold, says what the long way says."""

from hypothesis import given
from hypothesis import strategies as st

from resolver.domain.parsing.parse import read
from resolver.domain.parsing.single_name import read_plain_name

CELL = st.builds(
    "{}10.{}/{}".format,
    st.sampled_from(["", "https://doi.org/"]),
    st.from_regex(r"[0-9]{3,6}", fullmatch=True),
    st.text("ab1XZ09._();:-/,# 0", min_size=1, max_size=20)
    | st.from_regex(r"[a-z]{1,4}10\.[0-9]{4}/?[a-z]{2}", fullmatch=True),
)


@given(CELL)
def test_the_short_way_reads_as_the_long_way_does(text: str) -> None:
    short = read_plain_name(text)
    if short is None:
        return
    long = read(text + " ")  # white space around a text is dropped, and too much for the short way
    assert (short.form, str(short.doi), short.problems) == (long.form, str(long.doi), long.problems)
    assert short.candidates == long.candidates


def test_a_clean_name_and_its_link_go_the_short_way() -> None:
    for text in ("10.1371/journal.pone.0000030", "https://doi.org/10.1016/S0140-6736(11)61786-8", "10.1000/a.b/c"):
        assert read_plain_name(text) is not None
    for text in (
        "10.1000/ab.",
        "10.1000//ab",
        "10.1000/a//b",
        "10.1000/ab10.1000/ab",
        "10.1/a",
        "10.1000/a/.",
        "doi:10.1000/a",
    ):
        assert read_plain_name(text) is None
