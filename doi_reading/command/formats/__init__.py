"""The formats of files. Each module has `find_passages`: the text of a file → the passages in which DOIs may be.

A format is found by the ending of the file's name. A file with another ending is plain text.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from types import MappingProxyType

from doi_reading.command.formats import bibtex, citation_file, html, json_strings, markdown, plain, table, tagged, tex
from doi_reading.command.passage import Passage

FORMATS: Mapping[str, Callable[[str], Iterator[Passage]]] = MappingProxyType(
    {
        ".bib": bibtex.find_passages,
        ".cff": citation_file.find_passages,
        ".csv": table.find_passages,
        ".htm": html.find_passages,
        ".html": html.find_passages,
        ".json": json_strings.find_passages,
        ".md": markdown.find_passages,
        ".ris": tagged.find_passages,
        ".tex": tex.find_passages,
        ".tsv": table.find_tab_passages,
        ".txt": plain.find_passages,
        ".xhtml": html.find_passages,
    }
)


def find_passages(text: str, name: str) -> Iterator[Passage]:
    """Return the passages of a file of this name. Raises RefusedFile if it breaks the rules of its format."""
    return FORMATS.get(PurePath(name).suffix.lower(), plain.find_passages)(text)
