"""The works that queries without a DOI describe: searched for by their words, for a person who chooses."""

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from doi_reading import encode, fold
from doi_reading.name import is_doi
from resolver.domain.report.outcome import EXISTS
from resolver.domain.work.found_works import FoundWork, SearchedWork
from resolver.domain.work.metadata import YEAR
from resolver.domain.work.row_work import RowWork, is_reference
from resolver.domain.work.search_query import LEAST_WORDS_OF_A_TITLE
from resolver.domain.work.words import LONGEST_TEXT_CHARACTERS, split_words
from resolver.reconcile.candidates import CandidateScore, ReconcileCandidate, is_unsettled
from resolver.reconcile.errors import build_unchecked_batch
from resolver.reconcile.queries import ReconcileQuery
from resolver.reconcile.works import LONGEST_BATCH_SECONDS
from resolver.services.lookups.check_batch import BATCH_SECONDS, check_batch
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.reading_judge import CheckedText
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES, TurnedBack
from resolver.services.works.search import WantedSearch, search_now

SECONDS_OF_THE_PROXY = 5.0  # that a batch keeps for asking whether what was found is registered
LEAST_SECONDS = 3.0  # of a search, and of the proxy, however long the batch has taken
LONGEST_NAME, LONGEST_DESCRIPTION = 500, 1000  # characters


def describe_work(query: ReconcileQuery) -> RowWork | None:
    """Return the work to search for; None if the text has fewer than four words, or more than is read. The text is the
    title, unless a property gives it. Without any property, a text with a year may be a whole reference."""
    text, work = query.text, query.work or RowWork()
    if len(text) > LONGEST_TEXT_CHARACTERS or len(split_words(text)) < LEAST_WORDS_OF_A_TITLE:
        return None
    if work == RowWork() and is_reference(text) and YEAR.search(text):
        return RowWork(text=text)
    return RowWork(work.title or text, work.authors, work.year, work.container)


def search_candidates(
    works: Mapping[str, RowWork], *, searcher: str, now: datetime, began: float
) -> dict[str, list[ReconcileCandidate]]:
    """Search for the works by their keys, and return the registered ones that were found; none of them matches.
    `searcher`: for whom the searches count; `began`: when the batch did, in monotonic seconds.

    Raises ReconcileError (503) if a service or the proxy couldn't be asked about any of them, and LookupPaused if the
    web server runs the request again.
    """
    ends = began + LONGEST_BATCH_SECONDS
    wanted = [WantedSearch(work, title_alone=True) for work in works.values()]
    try:
        with PROXY_PLACES.keep_place(is_batch=True):
            searched = search_now(wanted, caller=searcher, now=now, longest=_limit(ends - SECONDS_OF_THE_PROXY))
    except TurnedBack as turned_back:
        raise LookupPaused(turned_back) from turned_back
    failures = [one.failure for one in searched if one.failure]
    if failures:
        raise build_unchecked_batch(len(failures), len(searched), failures[0])
    registered = _find_registered(searched, now=now, longest=_limit(ends))
    return {key: list(_list_candidates(one, registered)) for key, one in zip(works, searched, strict=True)}


def _limit(until: float) -> float:
    return max(LEAST_SECONDS, min(BATCH_SECONDS, until - time.monotonic()))


def _find_registered(searched: Sequence[SearchedWork], *, now: datetime, longest: float) -> dict[str, CheckedText]:
    """Return what Which RA says about the found works that are registered, by their folded names."""
    names = list({fold(work.doi): work.doi for one in searched for work in one.works if is_doi(work.doi)}.values())
    if not names:
        return {}
    texts = [encode(name) for name in names]
    checked = check_batch(texts, proxy=proxy_from_settings(), now=now, quick=True, guesses=False, longest=longest)
    unsettled = [one.report.failure for one in checked if is_unsettled(one.report)]
    if unsettled:
        raise build_unchecked_batch(len(unsettled), len(checked), unsettled[0])
    return {fold(name): one for name, one in zip(names, checked, strict=True) if one.report.outcome in EXISTS}


def _list_candidates(searched: SearchedWork, registered: Mapping[str, CheckedText]) -> Iterator[ReconcileCandidate]:
    """Yield the registered works, the best first, as they were found."""
    for place, work in enumerate(searched.works):
        checked = registered.get(fold(work.doi))
        if checked is None:
            continue
        if work.doi == searched.suggested:
            score: int = CandidateScore.SUGGESTED
        else:
            score = (CandidateScore.ALSO_REGISTERED if work.is_same else CandidateScore.OTHER_DOI) - place
        title = _get_registered(work).get("title", "")[:LONGEST_NAME]
        yield ReconcileCandidate(work.doi, score, _describe(work, checked.report.ra), title=title)


def _describe(work: FoundWork, agency: str | None) -> str:
    """Return the agency, what it says of the work, and what differs."""
    said = _get_registered(work)
    author = " ".join(filter(None, [said.get("authors"), f"({said['year']})" if said.get("year") else ""]))
    reasons = " ".join(str(reason.sentence) for reason in work.comparison.reasons) if work.comparison else ""
    return " · ".join(filter(None, [agency, author, said.get("container"), reasons]))[:LONGEST_DESCRIPTION]


def _get_registered(work: FoundWork) -> dict[str, str]:
    return {field.name: field.registered for field in work.comparison.fields} if work.comparison else {}
