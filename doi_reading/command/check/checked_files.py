"""The findings of files, with what is known of each DOI: whether it is registered, else which of its candidates is."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from doi_reading.command.check.registrations import Registrations
from doi_reading.command.findings import MOST_CANDIDATES, DoiFinding, DoiPlace, FileFindings
from doi_reading.command.outcomes import COULD_NOT_ASK, NOT_FOUND, OF_OTHER, OUTCOMES
from doi_reading.message import Message
from doi_reading.name.decoding import decode_once
from doi_reading.name.doi import fold
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import Problem, describe_as_registered, make_problem
from doi_reading.text.source_text import WHITE_RUN

_GROUP_DOIS, _GROUP_CHARACTERS = 2_000, 20_000_000
"""Places, and characters, of files that are held until their names are asked for together."""

_OF_ODD_NAMES = frozenset({"cut-short", "glued-dois", "leftover", "template"})
"""Problems that a name doesn't have if it is registered like that."""
_PRIVATE = re.compile(r"[@?]|[#&;][^#&;=]*=")
"""A sign of an e-mail address or of parameters, which may be secret."""


def check_files(
    files: Iterable[FileFindings], registrations: Registrations, ignored: frozenset[str] = frozenset()
) -> Iterator[FileFindings]:
    """Yield the files, which have their places, with other findings. `ignored`: codes that aren't reported."""
    group: list[FileFindings] = []
    dois = characters = 0
    for one in files:
        group.append(one)
        dois += len(one.places)
        characters += len(one.source.text)
        if dois >= _GROUP_DOIS or characters >= _GROUP_CHARACTERS:
            yield from _check_group(group, registrations, ignored)
            group, dois, characters = [], 0, 0
    yield from _check_group(group, registrations, ignored)


def _check_group(
    group: list[FileFindings], registrations: Registrations, ignored: frozenset[str]
) -> Iterator[FileFindings]:
    readings = [place.reading for found in group for place in found.places]
    registrations.ask(name for reading in readings for name in _list_names(reading))
    unusable = [reading for reading in readings if _is_unusable(reading, registrations)]
    registrations.ask(one.doi for reading in unusable for one in reading.candidates if _is_sendable(one.doi, reading))
    for found in group:
        checked = (one for place in found.places for one in _check_place(place, registrations))
        found.findings = [one for one in checked if one.code not in ignored]
        found.places = []
        yield found


def _list_names(reading: Reading) -> list[str]:
    return [str(reading.doi), *reading.others] if reading.doi else []


def _is_sendable(candidate: str, reading: Reading) -> bool:
    """Return whether a candidate may be sent: it holds no address, no query, no other text, and nothing made of one."""
    text = fold(reading.input)
    made = _PRIVATE.search(text) and fold(candidate) not in text
    return not (made or _PRIVATE.search(candidate) or WHITE_RUN.search(candidate))


def _is_unusable(reading: Reading, registrations: Registrations) -> bool:
    """Return whether the candidates are to be asked for: there is no name, or it isn't registered. Which RA knows no
    shortDOIs."""
    if reading.doi is None:
        return reading.short_doi is None
    return registrations.is_registered(str(reading.doi)) is False


def _check_place(place: DoiPlace, registrations: Registrations) -> Iterator[DoiFinding]:
    reading = place.reading
    if reading.doi is None:
        suggested = _find_suggestion(reading, registrations) if _is_unusable(reading, registrations) else None
        for number, one in enumerate(_rate_candidates(place.findings, registrations)):
            yield _suggest(one, suggested) if number == 0 else replace(one, suggestion=suggested)
        return
    name = str(reading.doi)
    registered = registrations.is_registered(name)
    if registered:
        yield from (_describe_as_registered(one, reading) for one in place.findings if not _is_of_name(one, place))
    elif registered is None:
        yield _add_outcome(place, COULD_NOT_ASK, why=registrations.find_failure(name))
        yield from place.findings
    else:
        suggested = _find_suggestion(reading, registrations)
        missing = _add_outcome(
            place, NOT_FOUND, candidates=tuple(one.doi for one in reading.candidates[:MOST_CANDIDATES])
        )
        found = _rate_candidates([missing, *place.findings], registrations)
        yield from (
            _suggest(one, suggested) if one.code == NOT_FOUND else replace(one, suggestion=suggested) for one in found
        )
    yield from _check_others(place, registrations)


def _check_others(place: DoiPlace, registrations: Registrations) -> Iterator[DoiFinding]:
    """Yield what is known of the other DOIs of a field."""
    others = place.reading.others
    if missing := [one for one in others if registrations.is_registered(one) is False]:
        problem = make_problem(OF_OTHER, names=", ".join(missing[:3]) + "…" * (len(missing) > 3))
        yield replace(place.whole, code=problem.code, severity=problem.severity, message=problem.message)
    if unknown := next((one for one in others if registrations.is_registered(one) is None), None):
        yield _add_outcome(place, COULD_NOT_ASK, why=f"{unknown}: {registrations.find_failure(unknown)}")


def _add_outcome(place: DoiPlace, code: str, *, why: str = "", candidates: tuple[str, ...] = ()) -> DoiFinding:
    entry = OUTCOMES[code]
    message = entry.sentence.format(why=why)
    return replace(place.whole, code=code, severity=entry.severity.value, message=message, candidates=candidates)


def _is_of_name(finding: DoiFinding, place: DoiPlace) -> bool:
    """Return whether odd characters are a part of the name, which is registered with them."""
    start, end = (offset - place.whole.start for offset in (finding.start, finding.end))
    part = fold(decode_once(place.whole.text[start:end]).text)
    return finding.code in _OF_ODD_NAMES and bool(part) and part in fold(str(place.reading.doi))


def _describe_as_registered(finding: DoiFinding, reading: Reading) -> DoiFinding:
    """Return the finding without guesses what else was meant, but for names that go on where this one was cut."""
    message = finding.message
    if isinstance(message, Message):
        message = describe_as_registered(Problem(finding.code, finding.severity, message)).message
    longer = {one.doi for one in reading.longer_names}
    return replace(finding, message=message, candidates=tuple(one for one in finding.candidates if one in longer))


def _rate_candidates(findings: Iterable[DoiFinding], registrations: Registrations) -> Iterator[DoiFinding]:
    """Yield the findings without candidates that aren't registered."""
    for one in findings:
        kept = tuple(name for name in one.candidates if registrations.is_registered(name) is not False)
        yield replace(one, candidates=kept)


def _find_suggestion(reading: Reading, registrations: Registrations) -> str | None:
    """Return the first candidate that is registered, a doubtful one last. Another DOI of the text is none, unless a
    rule gave it too."""
    beside = set(map(fold, reading.others)) - reading.corrections
    found = [one for one in reading.candidates if registrations.is_registered(one.doi) and fold(one.doi) not in beside]
    first = min(found, key=lambda one: one.doubtful, default=None)
    return first.doi if first else None


def _suggest(finding: DoiFinding, suggested: str | None) -> DoiFinding:
    """Return the finding with the suggestion, also in its message: each form of the report has that."""
    if suggested is None:
        return finding
    return replace(finding, message=f"{finding.message} The DOI {suggested} is registered.", suggestion=suggested)
