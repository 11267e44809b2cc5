"""What the columns, outcomes and problem codes of a results file mean; for the legend sheet and the docs."""

from collections.abc import Iterator, Sequence

from resolver.domain.problems.problem import CATALOGUE

COLUMN_MEANINGS = {
    "doi": "The DOI name that the cell means by the standards; empty when there is none.",
    "doi_url": "The same as a link, encoded.",
    "outcome": "What the DOI proxy said; the values are below. Empty: not asked.",
    "registration_agency": "The agency that registered the DOI, as Which RA names it.",
    "url_values": "The URL values of the DOI's record, joined by “ | ”.",
    "problems": "Codes of what is wrong or worth knowing about the cell, joined by a space; they are below.",
    "suggested_doi": "Another reading of the cell that exists (it was tried), when the DOI as given does not.",
    "checked_at": "When the answer was given, in UTC (ISO 8601).",
    "messages": "The problems as sentences.",
    "proxy": "The address of the DOI proxy that answered.",
    "corrected_doi": "The DOI to go on with: “doi” where it exists, else “suggested_doi”, else empty.",
}

OUTCOME_MEANINGS = {
    "resolved": "The DOI exists and its record has a URL. That the page behind it opens is another question.",
    "no-url": "The DOI exists, but its record has no URL.",
    "no-values": "The DOI exists, but its record has no values.",
    "not-found": "The DOI does not exist.",
    "registered": "Quick mode: an agency is named for the DOI; its record was not asked for.",
    "invalid": "The cell has no DOI name to ask for.",
    "proxy-error": "Could not ask: the proxy gave no usable answer. Nothing is known about the DOI.",
    "unreachable": "Could not ask: the proxy did not answer. Nothing is known about the DOI.",
}


GOES_ON = "The results go on here, below the same header: one sheet cannot hold them all."


def legend_rows(columns: Sequence[str], further_sheets: Sequence[str] = ()) -> Iterator[list[str]]:
    """The rows of the legend sheet: kind, value, meaning; of the columns those that the sheet has."""
    yield ["Kind", "Value", "Meaning"]
    for title in further_sheets:
        yield ["sheet", title, GOES_ON]
    for name in columns:
        yield ["column", name, COLUMN_MEANINGS[name]]
    for name, meaning in OUTCOME_MEANINGS.items():
        yield ["outcome", name, meaning]
    for code, entry in CATALOGUE.items():
        yield [f"problem ({entry.severity})", code, str(entry.sentence)]
