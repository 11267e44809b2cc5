"""The new text and the new hyperlinks of a cell for the names that were accepted."""

from collections.abc import Sequence

from doi_reading import Message, encode
from resolver.sheets.bibliographic.doi_link import holds_doi, read_value
from resolver.sheets.bibliographic.notes import FOREIGN, SEVERAL
from resolver.sheets.bibliographic.remainder import ensure_no_remainder
from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.cell_text import build_cell_text, fold_text

HAS_FORMULA = Message("The cell has a formula. Change it by hand.")


def build_linked_cell(
    text: str, links: Sequence[str], names: Sequence[tuple[str, str]], *, is_split: bool
) -> tuple[str, list[str]]:
    """Return the new text of a cell and the new addresses of its hyperlinks. A text without a DOI stays if a hyperlink
    held one, and so does an address that held none, or is a publisher's. `names` are as in RowEdit. Raises NotWritable.
    """
    held = [holds_doi(link) for link in links]
    if not any(held) and all(part in links and part != text for part, _ in names):
        raise NotWritable(FOREIGN)
    if not any(held) or read_value(text).doi or any(part == text for part, _ in names):
        is_of_link = len(names) == 1 and names[0][0] in links
        new = build_cell_text(text, [(text, names[0][1])] if is_of_link else names, is_split=is_split)
    else:
        new = text
    keys = [fold_text(link) if is_held else None for link, is_held in zip(links, held, strict=True)]
    accepted = _match_names({key for key in keys if key is not None}, names, is_split=is_split)
    addresses = []
    for key, link in zip(keys, links, strict=True):
        if key in accepted:
            ensure_no_remainder(link, accepted[key])
        addresses.append(encode(accepted[key]) if key in accepted else link)
    return new, addresses


def _match_names(keys: set[str], names: Sequence[tuple[str, str]], *, is_split: bool) -> dict[str | None, str]:
    """Return the names by those keys of hyperlinks that are to change."""
    accepted: dict[str | None, str] = {fold_text(part): name for part, name in names}
    if is_split or not accepted.keys().isdisjoint(keys):
        return accepted
    if len(keys) > 1:
        raise NotWritable(SEVERAL)
    return dict.fromkeys(keys, names[0][1])
