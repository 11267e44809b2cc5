"""The bibliographic formats that can be read, by their kinds."""

from resolver.sheets.bibliographic.bibtex.bibtex import BibTeX
from resolver.sheets.bibliographic.endnote_xml import EndNoteXml
from resolver.sheets.bibliographic.json_files.csl_json import CslJson
from resolver.sheets.bibliographic.json_files.json_records import JsonRecords
from resolver.sheets.bibliographic.marc.marc import Marc
from resolver.sheets.bibliographic.marc.marcxml import MarcXml
from resolver.sheets.bibliographic.marc.mrk import Mrk
from resolver.sheets.bibliographic.record import RecordFormat
from resolver.sheets.bibliographic.tagged_formats import EndNoteTagged, Nbib, Ris

_FORMATS = (Ris, BibTeX, CslJson, JsonRecords, Nbib, EndNoteTagged, Marc, MarcXml, Mrk, EndNoteXml)
FORMATS: dict[str, RecordFormat] = {each.kind: each() for each in _FORMATS}


def find_format(head: bytes) -> RecordFormat | None:
    """Return the format of a file that begins with these bytes, None if it is none of these."""
    return next((each for each in FORMATS.values() if each.begins(head)), None)
