"""A table that is wider than the window: what is hidden at its end is hinted at."""

from pathlib import Path

from playwright.sync_api import Locator, Page

from tests.journeys.steps import preview
from tests.waiting import wait_until

FADE = "table => getComputedStyle(table).getPropertyValue('--fade')"


def preview_table(page: Page, folder: Path, columns: int) -> Locator:
    file = folder / "list.csv"
    header = ",".join(["DOI", *(f"Column {n} of this file" for n in range(columns))])
    file.write_text(f"{header}\n10.1000/182{',a' * columns}\n")
    preview(page, file)
    return page.get_by_role("region", name="Preview of the rows")


def test_a_table_fades_at_its_edge_until_its_end_is_seen(scripted: Page, tmp_path: Path) -> None:
    table = preview_table(scripted, tmp_path, columns=15)
    assert table.evaluate(FADE) != "0px"
    table.evaluate("table => table.scrollTo(table.scrollWidth, 0)")
    wait_until("the edge no longer fades", lambda: table.evaluate(FADE), lambda fade: fade == "0px")


def test_a_table_that_fits_does_not_fade(scripted: Page, tmp_path: Path) -> None:
    assert preview_table(scripted, tmp_path, columns=1).evaluate(FADE) == "0px"
