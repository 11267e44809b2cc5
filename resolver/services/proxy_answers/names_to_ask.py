"""The DOI names of a reading: all of them, and those to request."""

from doi_reading import Reading

OTHERS_IN_FULL = 20  # other DOIs of a text whose records are requested; the rest is checked with Which RA alone


def get_name_to_ask(reading: Reading) -> str | None:
    """Return the name, or the handle of a short DOI (S12), or None if there is nothing to request."""
    return str(reading.doi) if reading.doi else reading.short_doi


def list_names(reading: Reading) -> list[str]:
    """Return all DOI names in the text, the one that it is read as first."""
    return [*([str(reading.doi)] if reading.doi else []), *reading.others]


def list_names_to_ask(reading: Reading) -> tuple[list[str], list[str]]:
    """Return the names for Which RA, and the names whose records are requested: what the text is read as, or its short
    DOI (S12), then as many of the others as one text may request."""
    names = list_names(reading)
    if reading.doi:
        return names, names[: 1 + OTHERS_IN_FULL]
    short = [reading.short_doi] if reading.short_doi else []
    return names, [*short, *names[:OTHERS_IN_FULL]]
