"""The twelve presentations and the forty readings in which a name is most easily lost, each with its reason."""

import pytest

from doi_reading import Doi, encode, read

PRESENTATIONS = [
    # name, function, presentation, reason
    ("10.1000/456#789", "url", "https://doi.org/10.1000/456%23789", "E1: a bare # ends the URL"),
    ("10.1000/a?b", "url", "https://doi.org/10.1000/a%3Fb", "E1: a bare ? starts the query"),
    ("10.1000/a%23", "url", "https://doi.org/10.1000/a%2523", "E1: the percent of a name is encoded itself"),
    ("10.1/a/../b", "url", "https://doi.org/10.1/a/..%2Fb", "E5: browsers fold /../"),
    ("10.1/..", "url", "https://doi.org/10.1%2F..", "E5: and at the end, where only the slash before is left"),
    ("10.1/a\\b+c", "url", "https://doi.org/10.1/a%5Cb%2Bc", "E2: \\ becomes / in browsers, + a space in forms"),
    ("10.1/a,b/c", "url", "https://doi.org/10.1/a,b/c", "E17: slash and comma stay in a URL"),
    ("10.1/a,b/c+d", "uri", "doi:10.1/a,b%2Fc+d", "U2: in the URI + and , stay, the slash does not"),
    ("10.26321/Á.A\u0301", "uri", "doi:10.26321/%C3%81.A%CC%81", "U2: nothing is normalised"),
    ("10.123/4:5/6", "urn", "urn:doi:10.123:4:5%2F6", "N3: only the first colon separates"),
    ("10.1/a,b", "which-ra", "10.1/a%2Cb", "E6: a comma separates names in Which RA"),
    ("10.1/(SICI)5/6<642::A>3.0;2-#", "url", "https://doi.org/10.1/(SICI)5/6%3C642::A%3E3.0;2-%23", "E2: a SICI"),
]

READINGS = [
    # input, doi or None, codes, first candidate or None, reason
    ("https://doi.org/10.1000/456#789", "10.1000/456", "unescaped-hash", "10.1000/456#789", "E7: # ends the URL"),
    ("https://doi.org/10.1/a?b", "10.1/a", "unescaped-question-mark", "10.1/a?b", "E8: ? starts the query"),
    ("https://doi.org/10.1/a#b?c", "10.1/a", "unescaped-hash", "10.1/a#b?c", "E7: a ? after # is in the fragment"),
    ("10.1000/456#789", "10.1000/456#789", "", "10.1000/456", "contract: a plain name may hold #"),
    (
        "doi:10.1000/456#789",
        "10.1000/456#789",
        "unescaped-hash",
        "10.1000/456",
        "U7: # is illegal in the URI, so a label",
    ),
    ("10.1000/456%23789", "10.1000/456#789", "percent-in-name", "10.1000/456", "E11: plain names are decoded too"),
    ("https://doi.org/10.1/a%2523", "10.1/a%23", "double-encoded", "10.1/a#", "E10: once, and suspected"),
    ("10.1/100%", "10.1/100%", "unescaped-percent", "10.1/100", "E12: kept as a literal percent"),
    ("https://doi.org/10.1/%E9", None, "broken-utf8", "10.1/é", "E15: nothing guessed silently"),
    ("urn:doi:10.123:456ABC%2Fzyz", "10.123/456ABC/zyz", "", None, "N2"),
    ("urn:doi:10.123:456/z:1", "10.123/456/z:1", "unescaped-slash", None, "N3: later colons are the suffix's"),
    ("urn:doi:10.123/456", "10.123/456", "", None, "N3: the slash may be kept"),
    ("https://doi.org/urn:doi:10.123:456", "10.123/456", "", None, "N1: the proxy takes it"),
    ("doi:10.6338/JDA%2FS(4).0", "10.6338/JDA/S(4).0", "", None, "U6"),
    ("doi:10.6338/JDA/S(4).0", "10.6338/JDA/S(4).0", "unescaped-slash", None, "U2: tolerated"),
    ("10.1/a+b", "10.1/a+b", "", None, "+ is no space"),
    ("https://doi.org/10.1/a+b", "10.1/a+b", "unescaped-recommended", None, "E2: in a path + is +"),
    ("https://doi.org/10.1/a?noredirect", "10.1/a", "proxy-parameter", None, "P6"),
    ("https://doi.org/10.1/a?utm_source=x", "10.1/a", "tracking-parameter", None, "E8"),
    ("https://doi.org/doiRA/10.1/a,b", "10.1/a", "unescaped-comma", "10.1/a,b", "E6"),
    ("https://doi.org/doiRA/10.10/a,10.10/b", "10.10/a", "several-dois", "10.10/b", "R2"),
    ("10.1000/456 789", "10.1000/456", "inner-space", "10.1000/456789", "E18: white space ends a name"),
    ("https://doi.org/10.1/a b", "10.1/a", "unescaped-space", "10.1/ab", "E1: and a URL"),
    ("10.3390/ agro12", None, "inner-space missing-suffix", "10.3390/agro12", "E18: nothing is left before it"),
    ("10.1000/18\u200b2", None, "non-graphic", "10.1000/182", "S2: invisible"),
    ("\ufeff10.1000/182", None, "non-graphic", "10.1000/182", "S2: a byte order mark is no white space"),
    ("10.1000/a\x00b", None, "control-character", "10.1000/ab", "S2, E3"),
    ("10.1186/1472‐6750", "10.1186/1472‐6750", "look-alike", "10.1186/1472-6750", "S11: U+2010"),
    ("10.1000/аbc", "10.1000/аbc", "look-alike", "10.1000/abc", "S11: a Cyrillic а"),
    ("10.1000/журнал", "10.1000/журнал", "", None, "S2: a word of another script is no trap"),
    ("10.1000/A\u0301", "10.1000/A\u0301", "not-normalized", "10.1000/Á", "S8"),
    ("10.1000/demo_DOI/", "10.1000/demo_DOI/", "trailing-slash", "10.1000/demo_DOI", "S10"),
    ("10.1000/a.", "10.1000/a.", "trailing-punctuation", "10.1000/a", "S15: kept, and offered without"),
    ("10.1000/a(13)", "10.1000/a(13)", "", None, "a bracket that belongs"),
    ("(see doi:10.1000/182).", "10.1000/182", "surrounding-text", "10.1000/182).", "as a person reads it"),
    ("10.1/a&lt;b", "10.1/a<b", "html-entity", "10.1/a&lt;b", "the undecoded text is a candidate"),
    ("10/abcde", None, "short-doi", None, "S12"),
    ("https://p.lib.edu/login?url=https://doi.org/10.1/a#b", "10.1/a", "unescaped-hash wrapped", "10.1/a#b", "EZproxy"),
    ("https://doi-org.p.lib.edu/10.1000/182", "10.1000/182", "wrapped", None, "a host rewritten by a proxy"),
    ("11.1000/182", None, "directory-code", None, "S3: gives no name"),
]


@pytest.mark.clause("E1", "E2", "E5", "E6", "E17", "U2", "N3", "N4")
@pytest.mark.parametrize(("name", "form", "presentation", "reason"), PRESENTATIONS)
def test_the_most_treacherous_presentations(name, form, presentation, reason) -> None:
    assert encode(Doi.parse(name), form) == presentation, reason


@pytest.mark.clause("S2", "S3", "S8", "S10", "S11", "S12", "S15", "E7", "E8", "E10", "E11", "E12", "E15", "E18")
@pytest.mark.clause("U2", "U6", "U7", "N1", "N2", "N3")
@pytest.mark.parametrize(("text", "doi", "codes", "candidate", "reason"), READINGS)
def test_the_most_treacherous_readings(text, doi, codes, candidate, reason) -> None:
    reading = read(text)
    assert (str(reading.doi) if reading.doi else None) == doi, reason
    assert sorted({problem.code for problem in reading.problems}) == sorted(codes.split()), reason
    assert next((one.doi for one in reading.candidates), None) == candidate, reason
