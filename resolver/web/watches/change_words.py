"""A change of a watched row in words: what happened, and what to do."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from doi_reading import CATALOGUE
from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.report.destination import NOWHERE
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import DELETED
from resolver.models import WatchChange
from resolver.web.lookups.next_steps import describe_record_that_leads_nowhere
from resolver.web.wording.tones import Toned
from resolver.web.wording.translate_message import translate_message, translate_text
from resolver.web.wording.verdicts import VERDICTS


@dataclass(frozen=True, slots=True)
class ChangeWords(Toned):
    """`happened` is a few words, `advice` a sentence. `tone` is a colour, and never shown without the words."""

    happened: str
    advice: str
    tone: str


def describe_change(outcome: str, *, works: bool, doi: str = "", ra: str = "", suggestion: str = "") -> ChangeWords:
    """Return the words for a row with this outcome, which may be one of LEADS_NOWHERE."""
    if works:
        return ChangeWords(_("Works again"), _("Nothing to do."), "good")
    advice = _advise(outcome, doi, ra, suggestion if suggestion != doi else "")
    if outcome == DELETED:
        return ChangeWords(_("Leads to its agency’s page for deleted DOIs"), advice, "warn")
    if outcome in NOWHERE:
        return ChangeWords(translate_text(CATALOGUE[outcome].title), advice, "warn")
    verdict = VERDICTS.get(outcome, VERDICTS[""])
    return ChangeWords(str(verdict.headline), advice, verdict.tone)


def describe_stored(change: WatchChange) -> ChangeWords:
    """Return the words for a stored change."""
    return describe_change(
        change.outcome, works=change.works, doi=change.doi, ra=change.ra, suggestion=change.suggestion
    )


def _advise(outcome: str, doi: str, ra: str, suggestion: str) -> str:
    if suggestion:
        sentence = _("Use the suggested DOI %(name)s: it is registered. Check it against the publication first.")
        return sentence % {"name": suggestion}
    if outcome == DELETED:
        sentence = _(
            "Look for the DOI that replaced it, on the publisher’s website or by title. If you can’t find "
            "it, contact %(agency)s."
        )
        return _name_agency(sentence, ra)
    if outcome in NOWHERE:
        return _name_agency(describe_record_that_leads_nowhere(outcome, doi), ra)
    if outcome == Outcome.NO_VALUES:
        sentence = _("Contact %(agency)s: the record of this DOI is empty, so its link doesn’t open a page.")
        return _name_agency(sentence, ra)
    if outcome == Outcome.NO_URL:
        return _name_agency(_("If this DOI should open a page, contact %(agency)s: its record has no web address."), ra)
    return str(VERDICTS.get(outcome, VERDICTS[""]).advice)


def _name_agency(sentence: str, ra: str) -> str:
    return sentence % {"agency": translate_message(find_contact(ra).both) if ra else _("the publisher")}
