"""Whether a text around a DOI describes a work."""

import pytest

from resolver.domain.work.row_work import is_reference


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Miller, A. (2016). Carbon storage in tropical soils. Soil 3. doi:10.5555/abc", True),
        ("Carbon storage in tropical soils https://doi.org/10.5555/abc", True),
        ("see 10.5555/abc in the table", False),
        ("https://publisher.example/one/two/three/four/five/six?doi=10.5555/abc", False),
        ("DOI: 10.5555/abc, 12, 13, 14, 15, 16", False),
        ("", False),
        ("word " * 401, False),
    ],
)
def test_a_text_is_a_reference_if_it_has_words_enough_beside_the_doi(text: str, found: bool) -> None:
    assert is_reference(text) is found
