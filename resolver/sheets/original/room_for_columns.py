"""The room for two columns more behind the last used one of a sheet."""

from resolver.sheets.workbook.rows import MAX_COLUMNS, build_row_too_wide_error

_MAX_USED = MAX_COLUMNS - 2


def ensure_room(width: int, row: int) -> None:
    """Raise UnreadableFile if the row with this number uses so many columns that the sheet couldn't be read with two
    more."""
    if width > _MAX_USED:
        raise build_row_too_wide_error(_MAX_USED, row)
