"""Which names a text holds, and which of them are asked for."""

from resolver.domain.parsing.parse import Reading

OTHERS_IN_FULL = 20  # of the other DOIs in a text; whether the rest of them exist is told by Which RA alone


def name_to_ask(reading: Reading) -> str | None:
    """The name, or the handle of a short DOI (S12), or None when there is nothing to ask for."""
    return str(reading.doi) if reading.doi else reading.short_doi


def names_in(reading: Reading) -> list[str]:
    """All DOI names in the text: the one that it is read as, and the others."""
    return [*([str(reading.doi)] if reading.doi else []), *reading.others]


def names_asked(reading: Reading) -> tuple[list[str], list[str]]:
    """All that Which RA is asked for; and of these those whose records are: the one that the text is read as, or its
    short DOI (S12), before as many of the others as one text may ask for."""
    names = names_in(reading)
    if reading.doi:
        return names, names[: 1 + OTHERS_IN_FULL] if reading.others else names
    short = [reading.short_doi] if reading.short_doi else []
    return names, [*short, *names[:OTHERS_IN_FULL]]
