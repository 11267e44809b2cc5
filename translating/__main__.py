"""`make messages`: each language gets the texts that are new, loses those that are gone, and is compiled.

A text that has changed is a new one: nothing is guessed from the old translation, so nothing wrong is shown."""

import os
from io import BytesIO
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

import django
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

WIDTH = 120


def translations(root: Path) -> list[Path]:
    """The file of each language."""
    return sorted(root.glob("locale/*/LC_MESSAGES/django.po"))


def renewed(path: Path, found: Catalog) -> Catalog:
    """The language's catalogue with exactly the texts of `found`, written and compiled; translations stay."""
    with path.open("rb") as file:
        kept = read_po(file, locale=path.parts[-3], domain="django")
    kept.update(found, no_fuzzy_matching=True, update_creation_date=False)
    write(path, kept)
    return kept


def write(path: Path, texts: Catalog) -> None:
    """The catalogue for people, without what changes from one run to the next, and the same for the portal."""
    written = BytesIO()
    write_po(written, texts, width=WIDTH, ignore_obsolete=True, include_lineno=False, sort_by_file=True)
    lines = written.getvalue().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if not line.startswith(b'"Generated-By:')))
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, texts)


if __name__ == "__main__":
    django.setup()
    from translating.extracting import ROOT, catalog

    texts = catalog()
    for one in translations(ROOT):
        whole = renewed(one, texts)
        missing = [message for message in whole if message.id and not message.string]
        print(f"{one.relative_to(ROOT)}: {len(whole)} texts, {len(missing)} without a translation")
