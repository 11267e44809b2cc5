"""Publishers, library proxies and registrant codes, as tables with their sources."""

import re


def split_rows(table: str) -> list[list[str]]:
    """Return the cells of each line of a table, in which two spaces or more separate columns."""
    return [re.split(r"\s{2,}", line) for line in table.strip().splitlines()]
