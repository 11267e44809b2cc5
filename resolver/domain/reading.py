"""Text → Reading: form, name, problems with spans, candidates. `read` is total: no input raises (E, U, N, S)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from resolver.domain import checks, forms, prose, wrappers
from resolver.domain.candidates import Candidate, byte_guess, cut_off, ranked, repaired
from resolver.domain.doi import Doi, NotADoi, is_graphic, is_short_doi
from resolver.domain.encoding import to_uri, to_url, to_urn
from resolver.domain.excerpt import WHITE_RUN, Excerpt, without_entities
from resolver.domain.forms import Coding, Found
from resolver.domain.problems import Problem, problem
from resolver.domain.spaces import may_belong

__all__ = ["Candidate", "Reading", "read"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text means by the standards (`doi`), what is wrong with it, and what was probably meant."""

    input: str
    form: str
    doi: Doi | None = None
    short_doi: str | None = None
    problems: tuple[Problem, ...] = ()
    candidates: tuple[Candidate, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the text reads as a DOI name that keeps S1 to S5."""
        return self.doi is not None

    @property
    def url(self) -> str | None:
        """The name for a browser (E17)."""
        return to_url(self.doi) if self.doi else None

    @property
    def uri(self) -> str | None:
        """The name as a doi: URI (U2)."""
        return to_uri(self.doi) if self.doi else None

    @property
    def urn(self) -> str | None:
        """The name as urn:doi: (N4)."""
        return to_urn(self.doi) if self.doi else None


def read(text: str) -> Reading:
    """Read `text` as a librarian's cell: one name in any form, or text around it."""
    body, entities = without_entities(Excerpt.of(text))
    reading = _body(text, body.stripped())
    if not entities:
        return reading
    told = tuple(problem("html-entity", *span, characters=text[slice(*span)][:20]) for span in entities[:50])
    if not reading.doi and not reading.candidates:
        return reading
    undecoded = _body(text, Excerpt.of(text).stripped()).doi
    offers = [(one.doi, one.reason) for one in reading.candidates]
    if undecoded:
        offers.insert(1, (str(undecoded), "with the HTML entity as it stands"))
    return replace(reading, problems=told + reading.problems, candidates=ranked(reading.doi, offers))


def _body(text: str, body: Excerpt) -> Reading:
    """The ways to read a text, in order: as a form, as text around one, as a form with invisible damage."""
    hidden = _hidden_start(body)
    found = forms.find(body.part(hidden))
    if found and _stands_alone(found):
        return _alone(text, found, body.part(0, hidden))
    mentions = prose.mentions(body)
    if mentions:
        return _among(text, body, mentions)
    if found:
        return _alone(text, replace(found, rest=None), body.part(0, hidden))
    return _disguised(text, body) or Reading(text, "none", problems=(problem("no-doi", *body.span()),))


def _hidden_start(body: Excerpt) -> int:
    return next((index for index, character in enumerate(body.text) if is_graphic(character)), 0)


def _stands_alone(found: Found) -> bool:
    if prose.SEPARATOR.search(found.raw.text):
        return False
    return found.rest is None or may_belong(found.raw.text, found.rest.text)


def _alone(text: str, found: Found, hidden: Excerpt) -> Reading:
    if found.rest:
        code = "inner-space" if found.coding is Coding.PLAIN else "unescaped-space"
        spans = [found.rest.span(*match.span()) for match in WHITE_RUN.finditer(found.rest.text)]
        found = replace(found, problems=found.problems + tuple(problem(code, *span) for span in spans[:50]))
    reading = _reading(text, found)
    if not hidden.text:
        return reading
    told = problem("non-graphic", *hidden.span(), characters=checks.shown(hidden.text))
    if all(ord(character) < 0x20 for character in hidden.text):
        told = problem("control-character", *hidden.span(), characters=checks.shown(hidden.text))
    offers = [(str(reading.doi), "without the invisible characters")] if reading.doi else []
    offers += [(one.doi, one.reason) for one in reading.candidates]
    return replace(reading, doi=None, problems=(told, *reading.problems), candidates=ranked(None, offers))


def _among(text: str, body: Excerpt, mentions: list[prose.Mention]) -> Reading:
    """One or more DOIs in a text: the first is taken, the rest are candidates."""
    first = _reading(text, mentions[0].found)
    others = [_reading(text, mention.found) for mention in mentions[1:9]]
    told = [problem("surrounding-text", *span) for span in prose.around(body, mentions)[:50]]
    names = {reading.doi for reading in (first, *others) if reading.doi}
    rest = (body.span(mentions[1].start)[0], body.span(0, mentions[-1].end)[1]) if others else (0, 0)
    if len(names) > 1:
        told.append(problem("several-dois", *rest))
    elif others and not told:
        told.append(problem("repeated-prefix", *rest))
    own = [(one.doi, one.reason) for one in first.candidates]
    other = [(str(reading.doi), "another DOI in the text") for reading in others if reading.doi]
    uncut = forms.find(mentions[0].uncut)
    whole = [(prose.forms_text(uncut), "with the punctuation that follows it")] if uncut else []
    damaged = any(one.severity == "error" for one in first.problems)
    offers = own[:1] + other + own[1:] + whole if damaged else other + own + whole
    return replace(
        first, form="text", problems=first.problems + tuple(told), candidates=ranked(first.doi, offers)
    )  # fmt: skip


def _disguised(text: str, body: Excerpt) -> Reading | None:
    """A form that only shows when invisible characters are gone and look-alikes are what they look like."""
    pieces = [(i, i + 1, "") for i, c in enumerate(body.text) if not is_graphic(c)]
    told = [problem("non-graphic", *body.span(a, b), characters=checks.shown(body.text[a:b])) for a, b, _ in pieces]
    alike = checks.lookalikes.find(body.text)
    told += [
        problem("look-alike", *body.span(i, i + 1), characters=body.text[i], plain=plain) for i, plain in alike
    ]  # fmt: skip
    pieces += [(i, i + 1, plain) for i, plain in alike]
    if not pieces:
        return None
    found = forms.find(body.with_replaced(sorted(pieces)))
    if found is None or not prose.forms_text(found).startswith("10."):
        return None
    reading = _reading(text, found)
    if all(one.code == "look-alike" for one in told):
        start = body.text.find("10.") < 0
        told.insert(
            0,
            problem("directory-code" if start else "registrant-code", *told[0:1][0:1] and (told[0].start, told[0].end)),
        )
    offers = [(str(reading.doi), "with the ordinary characters in place of those that look like them")]
    offers += [(one.doi, one.reason) for one in reading.candidates]
    return replace(
        reading, doi=None, problems=tuple(told[:50]) + reading.problems, candidates=ranked(None, offers)
    )  # fmt: skip


def _reading(text: str, found: Found) -> Reading:
    """One name as it was found: decoded once, checked, and with its other readings."""
    raw = found.raw
    if found.coding is Coding.URN:
        at = min((i for i in (raw.text.find(":"), raw.text.find("/")) if i >= 0), default=-1)
        raw = raw if at < 0 else raw.with_replaced([(at, at + 1, "/")])
    name, decoded = raw.decoded()
    told = list(found.problems) + list(checks.written(found, decoded))
    comma = found.which_ra and "," in found.raw.text
    short = name.text.rstrip("/") if is_short_doi(name.text.rstrip("/")) else None
    if short:
        told.append(problem("short-doi", *name.span(), characters=short))
        return Reading(text, found.form, None, short, tuple(told))
    aside, queried = _query(found)
    told += queried
    if found.fragment:
        told.append(problem("unescaped-hash", *found.fragment.span()))
    listed: list[tuple[str, str]] = []
    if comma:
        return _which_ra(text, found)
    told += checks.read_as(name)
    try:
        doi = None if decoded.broken else Doi.parse(name.text)
    except NotADoi:
        doi = None
    return Reading(
        text,
        found.form,
        doi,
        None,
        tuple(told),
        ranked(doi, _offers(found, name.text, aside, listed, bool(decoded.broken))),
    )


def _offers(
    found: Found, name: str, aside: bool, listed: list[tuple[str, str]], broken: bool
) -> Iterator[tuple[str, str]]:
    if broken:
        yield from byte_guess(found)
        return
    for whole, reason in cut_off(found, set_aside=aside):
        yield whole, reason
        yield from ((better, f"{reason}, {why}") for better, why in repaired(whole) if better.startswith("10."))
    yield from listed
    yield from repaired(name)
    if found.coding is Coding.PLAIN and found.raw.text != name:
        yield found.raw.text, "with the percent signs as they stand"


def _query(found: Found) -> tuple[bool, list[Problem]]:
    """What stands after a `?`: instructions and tracking set aside, or perhaps a part of the name (E8)."""
    if not found.query:
        return False, []
    told: list[Problem] = []
    at = 1
    for index, part in enumerate(found.query.text[1:].split("&")):
        key = part.partition("=")[0].lower()
        known = "proxy-parameter" if key in wrappers.PROXY_PARAMETERS else None
        known = known or ("tracking-parameter" if wrappers.is_tracking(key) else None)
        if index == 0 and known is None:
            return False, [problem("unescaped-question-mark", *found.query.span())]
        if known and part:
            told.append(problem(known, *found.query.span(at, at + len(part)), characters=part[:40]))
        at += len(part) + 1
    return True, told[:50]


def _which_ra(text: str, found: Found) -> Reading:
    """A Which RA request: a raw comma separates names, and may have been meant as part of one (E6)."""
    at = found.raw.text.index(",")
    first = _reading(text, replace(found, raw=found.raw.part(0, at), which_ra=False))
    others = []
    for piece in found.raw.text[at + 1 :].split(",")[:8]:
        other = forms.find(Excerpt.of(piece))
        others += [(prose.forms_text(other), "another DOI of the request")] if other else []
    span = found.raw.span(at)
    code = "several-dois" if others else "unescaped-comma"
    whole = [(prose.forms_text(found), "with the comma as part of the name")]
    own = [(one.doi, one.reason) for one in first.candidates]
    return replace(
        first,
        problems=(*first.problems, problem(code, *span)),
        candidates=ranked(first.doi, others + whole + own),
    )
