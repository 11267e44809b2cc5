"""`make messages`: add new texts to each language, remove the ones that are gone, and compile.

A changed text is a new one: nothing is guessed from its old translation.
"""

import os
from io import BytesIO
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po


def translations(root: Path) -> list[Path]:
    """Return the file of each language."""
    return sorted(root.glob("locale/*/LC_MESSAGES/django.po"))


def renewed(path: Path, found: Catalog) -> Catalog:
    """Write and compile the language's catalogue with exactly the texts of `found`. Translations stay."""
    with path.open("rb") as file:
        kept = read_po(file, locale=path.parts[-3], domain="django")
    kept.update(found, no_fuzzy_matching=True, update_creation_date=False)
    write(path, kept)
    return kept


def untranslated(texts: Catalog) -> list[Message]:
    """Return the texts without a translation, also those of which a form in number is missing."""
    return [one for one in texts if one.id and not (all(one.string) if one.pluralizable else one.string)]


def write(path: Path, texts: Catalog) -> None:
    """Write the catalogue for people, without a line that changes with each run, and compiled for the portal."""
    written = BytesIO()
    write_po(written, texts, width=120, ignore_obsolete=True, include_lineno=False, sort_by_file=True)
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
        print(f"{one.relative_to(ROOT)}: {len(whole)} texts, {len(untranslated(whole))} without a translation")
