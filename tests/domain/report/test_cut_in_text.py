"""A registered name in running text that may be only the beginning of the name that is meant."""

import pytest

from doi_reading import read
from resolver.domain.handle.answers import WhichRaAnswer
from resolver.domain.report.correction import Correction, find_correction
from resolver.domain.report.judge import ProxyAnswers, judge


def correction(text: str) -> Correction:
    """As in a quick check in which the name as read is registered."""
    reading = read(text)
    report = judge(reading, ProxyAnswers(agency=WhichRaAnswer(str(reading.doi), ra="Crossref")), quick=True)
    codes = [problem.code for problem in report.problems]
    return find_correction(report.outcome, str(reading.doi), codes, text=text).correction


@pytest.mark.parametrize(
    "text",
    [
        "see 10.1093/molbev msu300",
        "see 10.1093/molbev (msu300)",
        "10.1093/molbev (msu300)",
        "10.1093/molbev \u2013 msu300",
        "Lancet 10.1016/S0140-6736 (20)30183-5",
        "10.1002/(ISSN)1097-0258 (2020)12",
        "10.1002/10970258 (2020)12",
        "PLoS ONE 10.1371/journal.pone no. 12345",
        "PLoS Comput Biol. doi: 10.1371/journal.pcbi, e1003285",
        "ACS 10.1021/acs.jpc no. 5b00123",
        "see 10.1049/iet-com no. 2010.0123",
        "see (10.1093/molbev) msu300",
        "(doi:10.1093/molbev)/msu300",
        'see "10.1093/molbev" msu300',
        "see 10.1093/molbev., msu300",
        '<a href="https://doi.org/10.1093/molbev">10.1093/molbev</a>/msu300',
        "<td>10.1371/journal.pone</td><td>.0012345</td>",
        "https://doi.org/doiRA/10.1000/abc,def",
        "doi:10.1002/14651858.CD001234 .pub2. PMID: 12345678",
        "doi:10.1371/journal.pone.0012345 .g001, see there",
        "doi:10.1890/1051-0761(2000)010 [0689:BICEGC]2.0.CO;2, for more",
    ],
)
def test_a_name_that_may_go_on_needs_review(text: str) -> None:
    assert correction(text) == Correction.REVIEW


@pytest.mark.parametrize(
    "text",
    [
        "The handbook, 10.1000/182, explains",
        "Smith (2019). Nature. 10.1038/s41586-020-2649-2. PMID: 123",
        "10.1038/nature12373 (2013)",
        "Journal: 10.1093/molbev.",
        "<doi>10.1038/nphys1170</doi>",
        "<b>10.1038/nphys1170</b>",
        '<ELocationID EIdType="doi" ValidYN="Y">10.1038/nphys1170</ELocationID>',
        "<datafield><subfield>10.1038/nphys1170</subfield></datafield>",
        "x 10.1038/nphys1170<br>y",
        r"x: 10.1038/nphys1170\n",
        "10.1038/nphys1170 (Full text)",
        "10.1038/nphys1170 (doi)",
        "\u89c1 10.1000/182\u3002\u89c1",
        "10.1000/182 .Available at",
        "10.5194/acp-10-1-2010 (Volltext)",
        "10.1371/journal.pone.0012345 (OA)",
        "https://doi.org/10.2307/20482066; https://www.jstor.org/stable/20482066",
        '<a href="https://doi.org/10.2307/20482066">JSTOR</a>',
        '<a href="https://doi.org/10.1093/molbev">Molecular Biology and Evolution</a>',
        "10.2307/20482066 [accessed 2020-01-01]",
        '<a href="https://doi.org/10.7910/DVN/ARZBCW">the data</a>',
        "https://doi.org/10.15468/dl.dxoyfr (GBIF)",
        "Acoustics 10.1560/LFYE-YVHQ-BBTH-KMEC (2004)",
    ],
)
def test_a_whole_name_in_running_text_is_certain(text: str) -> None:
    assert correction(text) == Correction.CLEANED
