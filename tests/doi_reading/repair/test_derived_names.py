"""Names that follow from an identifier by the registrant's own rule."""

import pytest

from doi_reading import read


def derived(text: str) -> list[str]:
    """The late candidates that aren't doubtful."""
    return [one.doi for one in read(text).propose_late_candidates() if not one.doubtful]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("arXiv:2101.00001", "10.48550/arXiv.2101.00001"),
        ("arXiv:2101.00001v2", "10.48550/arXiv.2101.00001"),
        ("arXiv:2101.00001v1 [cs.CL] 1 Jan 2021", "10.48550/arXiv.2101.00001"),
        ("arXiv 0706.0376", "10.48550/arXiv.0706.0376"),
        ("arXiv preprint arXiv:2101.00001, 2021", "10.48550/arXiv.2101.00001"),
        ("arxiv.org/abs/2101.00001", "10.48550/arXiv.2101.00001"),
        ("https://arxiv.org/pdf/2101.00001v2.pdf", "10.48550/arXiv.2101.00001"),
        ("https://export.arxiv.org/abs/hep-th/9901001", "10.48550/arXiv.hep-th/9901001"),
        ("arXiv:math.GT/0309136", "10.48550/arXiv.math/0309136"),
        ("https://www.jstor.org/stable/1914185", "10.2307/1914185"),
        ("http://www.jstor.org/stable/1914185?origin=crossref", "10.2307/1914185"),
        ("https://www-jstor-org.proxy.lib.example.edu/stable/1914185", "10.2307/1914185"),
        ("https://www.jstor.org.proxy.lib.example.edu/stable/1914185", "10.2307/1914185"),
        ("https://www.jstor.org/stable/j.ctt4cgd90.10", "10.2307/j.ctt4cgd90.10"),
        ("https://www.jstor.org/stable/resrep12345", "10.2307/resrep12345"),
        ("JSTOR 1914185", "10.2307/1914185"),
        ("PII: S0140-6736(20)30183-5", "10.1016/S0140-6736(20)30183-5"),
        ("S0140-6736(20)30183-5 [pii]", "10.1016/S0140-6736(20)30183-5"),
        ("pii S0140673620301835", "10.1016/S0140-6736(20)30183-5"),
        ("PIIS0140-6736(20)30183-5", "10.1016/S0140-6736(20)30183-5"),
        ("Lancet 2020;395:497. P.I.I.: S0140-6736(20)30183-5", "10.1016/S0140-6736(20)30183-5"),
        ("0304-3894(95)00119-0 [pii]", "10.1016/0304-3894(95)00119-0"),
        ("S0007123411000202", "10.1017/S0007123411000202"),
        ("B978-0-12-801238-3.00001-2", "10.1016/B978-0-12-801238-3.00001-2"),
        ("1-s2.0-S0092867421002191-main.pdf", "10.1016/S0092-8674(21)00219-1"),
        ("https://linkinghub.elsevier.com/retrieve/pii/S0140673609619334", "10.1016/S0140-6736(09)61933-4"),
        ("https://linkinghub.elsevier.com/retrieve/pii/S0140-6736(09)61933-4", "10.1016/S0140-6736(09)61933-4"),
        ("zenodo.6614829", "10.5281/zenodo.6614829"),
        ("m9.figshare.7504448.v5", "10.6084/m9.figshare.7504448.v5"),
    ],
)
def test_the_name_that_follows_from_an_identifier_is_no_guess(text: str, meant: str) -> None:
    assert meant in derived(text)


@pytest.mark.parametrize(
    "text",
    [
        "2101.00001",
        "1914185",
        "Retrieved from JSTOR 2019",  # a year
        "S0140673620301836",  # a wrong check digit: any number may look like this
        "arXiv:2101.00001 and arXiv:2101.00002",
        "arXiv:2101.00001; zenodo.6614829",
        "https://arxiv.org/abs/2101.00001 https://doi.org/zenodo.6614829",
        "PII: S0140-6736(20)30183-5, https://www.jstor.org/stable/1914185",
        "https://arxiv.org/abs/2101.00001 https://arxiv.org/abs/2101.00002",
        "arXiv:2101.000011",
        "JSTOR 1914185-7",
        "https://www.jstor.org/journal/econometrica",
        "https://www.notjstor.org/stable/1914185",
        "https://linkinghub.elsevier.com/retrieve/pii/S01406736096193345",
        "Annual report of the library, 2019",
    ],
)
def test_a_bare_number_two_identifiers_or_a_longer_number_stand_for_none(text: str) -> None:
    assert derived(text) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("osf.io/vw2su", "10.17605/OSF.IO/vw2su"),
        ("zenodo.org/record/6614829", "10.5281/zenodo.6614829"),
        ("elifesciences.org/articles/61408", "10.7554/eLife.61408"),
    ],
)
def test_an_address_without_its_scheme_is_one_too(text: str, meant: str) -> None:
    assert [one.doi for one in read(text).candidates] == [meant]
