"""Candidates that are tried when nothing else is registered: what follows from an identifier, else guesses, of which
only a person may accept one."""

from collections.abc import Iterable

from doi_reading.message import Message
from doi_reading.name.doi import fold, is_doi
from doi_reading.parsing.candidates import Candidate
from doi_reading.parsing.reading import Reading
from doi_reading.repair.bare_suffixes import propose_names_of_suffix
from doi_reading.repair.derived_names import derive_names
from doi_reading.repair.near_names import NO_LIST, ListVocabulary, propose_near_names
from doi_reading.text.inner_doi import find_second_doi


def propose_late_candidates(reading: Reading, vocabulary: ListVocabulary = NO_LIST) -> tuple[Candidate, ...]:
    """Return the late candidates of a text whose name isn't registered, or that has none; without its other ones.

    At most 35, so that Which RA takes them in one request (R2). None for an unfilled template, and for a text with
    several DOIs, but for that of its hyperlink; where two run together, the second.
    """
    if set(reading.others) - {reading.linked} or reading.short_doi:
        return ()
    if any(one.code == "template" for one in reading.problems):
        return ()
    by_rule = () if reading.doi else derive_names(reading.input)
    offers: Iterable[tuple[str, Message]] = by_rule
    if reading.doi and (second := find_second_doi(str(reading.doi))):
        offers = [(second, Message("the second of the two DOIs in it"))]
    elif reading.doi:
        offers = propose_near_names(str(reading.doi), vocabulary)
    elif not by_rule:
        offers = propose_names_of_suffix(reading.input)
    known = {fold(one.doi) for one in reading.candidates}
    new = {
        fold(doi): Candidate(doi, reason, doubtful=not by_rule)
        for doi, reason in offers
        if is_doi(doi) and fold(doi) not in known
    }
    return tuple(new.values())
