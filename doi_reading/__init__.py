"""What a text means as a DOI name, what is wrong with it, and what was probably meant. README.md shows it at work.

`read` reads a text with one DOI, `read_all` a cell with several, `find_all` a long text. They raise nothing. The
packages below are the same library in parts; what each of them shows to others is in its `__init__`.
"""

from doi_reading.message import Message
from doi_reading.name.doi import Doi, NotADoi, fold
from doi_reading.name.encoding import encode
from doi_reading.parsing.candidates import OF_HYPERLINK, Candidate
from doi_reading.parsing.occurrences import LONGEST_DOCUMENT, Occurrence, find_all
from doi_reading.parsing.parse import LONGEST_TEXT, find_parts, read, read_all
from doi_reading.parsing.reading import FailedReading, Reading
from doi_reading.problems.catalogue import CATALOGUE, Severity
from doi_reading.problems.problem import Problem

__all__ = [
    "CATALOGUE",
    "LONGEST_DOCUMENT",
    "LONGEST_TEXT",
    "OF_HYPERLINK",
    "Candidate",
    "Doi",
    "FailedReading",
    "Message",
    "NotADoi",
    "Occurrence",
    "Problem",
    "Reading",
    "Severity",
    "encode",
    "find_all",
    "find_parts",
    "fold",
    "read",
    "read_all",
]
