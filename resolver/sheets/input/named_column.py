"""A column that a program names."""

from doi_reading import Message
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.header_and_column import list_names
from resolver.sheets.input.layout import Layout, name_unnamed_column


def find_named_column(layout: Layout, name: str, about: str) -> int:
    """Return the index of the column with this name, in this or another case, or in "column 3". Raises NeedsChoice
    about `about` if none or several have it."""
    folded = name.strip().casefold()
    names = list(layout.header) if layout.has_header else []
    numbers = [name_unnamed_column(place) for place in range(layout.width)]
    for known, wanted in ((names, name), ([each.strip().casefold() for each in names], folded), (numbers, folded)):
        found = [place for place, each in enumerate(known) if each == wanted]
        if len(found) > 1:
            reason = Message(
                "The file has several columns “{name}”. Choose one by its number: {numbers}.",
                name=name,
                numbers=list_names([numbers[place] for place in found]),
            )
            raise NeedsChoice(about, reason)
        if found:
            return found[0]
    reason = Message(
        "There is no column “{name}”. Choose one of these: {names}.", name=name, names=list_names(layout.header)
    )
    raise NeedsChoice(about, reason)
