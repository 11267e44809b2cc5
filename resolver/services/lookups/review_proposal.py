"""The suggestion of a lookup as programs see it: also what the review of a list would propose for its text."""

from collections.abc import Mapping
from typing import Any

from doi_reading import Message, fold
from resolver.domain.report.correction import Correction, find_correction, find_proposal, is_main_doi
from resolver.models import Lookup

_BEHIND_ALIAS = Message("the main DOI behind an alias")


def find_lookup_suggestion(lookup: Lookup) -> Mapping[str, Any] | None:
    """Return the suggestion. Of a registered name in doubt the registered DOI that may be meant instead, as a doubtful
    one; None if there is none."""
    checked = find_correction(
        lookup.outcome, lookup.doi, lookup.problem_codes, text=lookup.input, alias_of=lookup.alias_of
    )
    suggestion: Mapping[str, Any] | None = lookup.suggestion
    if suggestion or checked.correction is not Correction.REVIEW:
        return suggestion
    others = {fold(other["doi"]) for other in lookup.others}
    found = {
        one["doi"]: one["reason"] for one in lookup.candidates if one.get("exists") and fold(one["doi"]) not in others
    }
    alias_of = lookup.alias_of if is_main_doi(lookup.outcome, lookup.alias_of) else ""
    doi = find_proposal(lookup.doi, alias_of=alias_of, also_registered=found)
    if fold(doi) == fold(lookup.doi):
        return None
    return {"doi": doi, "reason": found.get(doi, _BEHIND_ALIAS), "doubtful": True}
