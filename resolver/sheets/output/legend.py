"""The meanings of outcomes and problem codes, for the legend sheet of a results file and the docs."""

from collections.abc import Iterator, Sequence

from doi_reading import CATALOGUE
from doi_reading.problems import make_problem
from resolver.domain.report.correction import Correction
from resolver.domain.report.target import Target
from resolver.domain.work.comparison import explain_reason
from resolver.domain.work.evidence import COULD_NOT_ASK, WorkReason, WorkVerdict
from resolver.domain.work.found_works import FOUND_BY, IDENTIFIER, OWN_SERVICE, SearchStatus
from resolver.sheets.output.result_table import ResultColumn

CORRECTION_MEANINGS = {
    Correction.UNCHANGED: "The cell is this registered DOI, or its https://doi.org/ link.",
    Correction.CLEANED: "The cell names this registered DOI and no other work, but holds more than the DOI, or has it "
    "encoded.",
    Correction.SUGGESTED: "The DOI in the cell isn't registered. We tried another reading of it, and that is.",
    Correction.MAIN_DOI: "The DOI in the cell is an alias. This is the main DOI.",
    Correction.ACCEPTED: "A person agreed to our proposal.",
    Correction.EDITED: "A person chose or entered this DOI.",
    Correction.REJECTED: "A person refused our proposal. Empty.",
    Correction.REVIEW: "A person must look: a DOI here is registered, but it may not be the one that is meant. Empty.",
    Correction.NOT_REGISTERED: "The DOI isn't registered, and we found no other that is. Empty.",
    Correction.NO_DOI: "The cell has no DOI. Empty.",
    Correction.UNCHECKED: "Not checked, or we couldn't check it. Empty.",
}

ADDRESS_MEANINGS = {
    Target.SAME: "A URL value is the expected address, letter by letter.",
    Target.SAME_PAGE: "The same page, written otherwise: http or https, www., case of the host, port, a final slash, "
    "encoding, tracking parameters.",
    Target.SAME_HOST: "Another page of the same host.",
    Target.OTHER_HOST: "Another host.",
    Target.NO_ADDRESS: "The DOI has no web address, or isn't registered.",
}

WORK_MEANINGS = {
    WorkVerdict.SAME: "Your title is that of the work, or another spelling of it, and so are the authors.",
    WorkVerdict.DIFFERENT: "The work has another title and other authors.",
    WorkVerdict.LOOK: "Something differs: a person must compare.",
    WorkVerdict.CANNOT_TELL: "Your row or the agency doesn't say enough.",
    COULD_NOT_ASK: "The agency gave no answer. This says nothing about the work.",
}

SEARCH_MEANINGS = {
    "Crossref": "Crossref lists the work.",
    "DataCite": "DataCite lists the work.",
    "OpenAlex": "OpenAlex lists the work.",
    OWN_SERVICE: "The search service of this portal's operator lists the work.",
    IDENTIFIER: "Another identifier in the row is a DOI by the rule of its registrant.",
    SearchStatus.NONE: "The services that were asked list no work with this title and author. Others can't be "
    "searched.",
    SearchStatus.TOO_LITTLE: "Not searched for: the row has no title of four words, or nothing beside it.",
    SearchStatus.COULD_NOT_ASK: "A search service gave no answer. This says nothing about the work.",
}

OUTCOME_MEANINGS = {
    "resolved": "The DOI is registered and its record has a URL. We don't check whether the page opens.",
    "no-url": "The DOI is registered, but its record has no URL.",
    "no-values": "The DOI is registered, but its record has no values.",
    "not-found": "The DOI isn't registered.",
    "registered": "Quick check: the DOI has an agency. Its record wasn't checked.",
    "invalid": "The cell has no DOI name that we can check.",
    "proxy-error": "Couldn't check: the proxy gave no usable answer. This says nothing about the DOI.",
    "unreachable": "Couldn't check: the proxy didn't answer. This says nothing about the DOI.",
}

CONTINUED = "The results continue here, below the same header, because one sheet can't hold them all."


def iterate_legend_rows(
    columns: Sequence[ResultColumn], further_sheets: Sequence[str] = (), names: Sequence[str] = ()
) -> Iterator[list[str]]:
    """Yield the rows of the legend sheet: kind, value, meaning; of the columns those that the sheet has. `names`: their
    names in the sheet, if the uploaded file has columns of ours."""
    yield ["Kind", "Value", "Meaning"]
    for title in further_sheets:
        yield ["sheet", title, CONTINUED]
    ours = [column.name for column in columns]
    for column, name in zip(columns, names or ours, strict=True):
        yield ["column", name, column.meaning]
    if "correction" in ours:
        yield from (["correction", value, meaning] for value, meaning in CORRECTION_MEANINGS.items())
    if "work" in ours:
        yield from (["work", verdict, meaning] for verdict, meaning in WORK_MEANINGS.items())
        yield from (["work_reason", code, str(explain_reason(code).sentence)] for code in WorkReason)
    if "found_by" in ours:
        yield from (["found_by", value, SEARCH_MEANINGS[value]] for value in FOUND_BY)
    if "address" in ours:
        yield from (["address", target, meaning] for target, meaning in ADDRESS_MEANINGS.items())
    yield from (["outcome", name, meaning] for name, meaning in OUTCOME_MEANINGS.items())
    for code, entry in CATALOGUE.items():
        # A sentence with details says little without them.
        meaning = f"{entry.title}. {entry.advice}" if entry.details else str(make_problem(code).message)
        yield [f"problem ({entry.severity})", code, meaning]
