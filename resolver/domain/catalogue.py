"""The catalogue of problems: code, severity, sentence, clause, advice. Page, API, CSV legend and docs all read it."""

import string
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType


class Severity(StrEnum):
    """How much a problem matters to the reader who clicks."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class Entry:
    """What the catalogue knows of one code; `sentence` may have {details}, `advice` is short."""

    code: str
    severity: Severity
    sentence: str
    clause: str
    advice: str

    @cached_property
    def details(self) -> frozenset[str]:
        """The names of what the sentence is to be filled with."""
        return frozenset(name for _, name, _, _ in string.Formatter().parse(self.sentence) if name)


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

_ENTRIES = (
    Entry(
        "no-doi", _E,
        "Nothing here reads as a DOI, so there is nothing to look up; a DOI begins with 10., a number and a slash.",
        "S1", "Look for the DOI on the landing page or in the reference.",
    ),
    Entry(
        "too-long", _E,
        "This text has {length} characters, and no more than {most} are read, so nothing was looked up; "
        "the right form is the DOI alone.",
        "S7", "Give the DOI alone, without the text around it.",
    ),
    Entry(
        "directory-code", _E,
        "The name does not begin with 10, the only directory indicator in use, so it is no DOI and does not resolve; "
        "a DOI begins like 10.1000/.",
        "S3", "Check the first characters: a DOI begins with 10.",
    ),
    Entry(
        "registrant-code", _E,
        "Between “10.” and the first slash there must be digits joined by full stops, as in 10.1000/; "
        "as it stands the name cannot resolve.",
        "S4", "Correct the number before the first slash.",
    ),
    Entry(
        "missing-suffix", _E,
        "This is a prefix alone: it names the registrant and not a document, so a link made of it leads nowhere; "
        "the part after the slash is needed.",
        "S5", "Add the part after the slash.",
    ),
    Entry(
        "reserved-suffix", _W,
        "The suffix begins with one character and a slash, which the standard reserves; such names do exist, "
        "so it is looked up as it is, but a slip is likely.",
        "S6", "Compare it with the source.",
    ),
    Entry(
        "control-character", _E,
        "The name holds an invisible control character ({characters}), which no DOI may hold, so the link fails; "
        "the right form is the name without it.",
        "S2", "Delete the invisible character.",
    ),
    Entry(
        "non-graphic", _E,
        "The name holds a character that cannot be seen or printed ({characters}), which no DOI may hold, "
        "so the link fails; the right form is the name without it.",
        "S2", "Delete the invisible character.",
    ),
    Entry(
        "unescaped-hash", _E,
        "A bare # ends a URL, so what follows it never reaches the DOI proxy and the reader gets another name or none; "
        "if it belongs to the DOI, write %23.",
        "E1", "Write %23 for #.",
    ),
    Entry(
        "unescaped-question-mark", _E,
        "A bare ? starts the query of a URL, so what follows it is not taken as part of the DOI and the reader "
        "gets another name or none; if it belongs to the DOI, write %3F.",
        "E1", "Write %3F for ?.",
    ),
    Entry(
        "unescaped-percent", _E,
        "A % that no two hex digits follow cannot be decoded, so each program reads the name in its own way; "
        "for a percent sign write %25.",
        "E12", "Write %25 for %.",
    ),
    Entry(
        "unescaped-quote", _E,
        'A bare " is not allowed in a URL and many programs end the link there; write %22.',
        "E1", "Write %22 for a double quote.",
    ),
    Entry(
        "unescaped-space", _E,
        "White space ends a URL, so the reader gets only what stands before it; remove the space, "
        "or write %20 if it belongs to the DOI.",
        "E1", "Remove the space, or write %20.",
    ),
    Entry(
        "inner-space", _W,
        "White space stands inside what is probably one name, and only what stands before it is read; "
        "remove the space, or write %20 if it belongs to the DOI.",
        "E18", "Remove the space, or write %20.",
    ),
    Entry(
        "unescaped-recommended", _W,
        "{characters} should be encoded in a URL: some programs change it or end the link there; write {escaped}.",
        "E2", "Use the URL form that is shown here.",
    ),
    Entry(
        "unescaped-non-ascii", _W,
        "{characters} is no ASCII character: in a URL it should be written as {escaped}, "
        "or some programs send the reader to another name.",
        "E4", "Use the URL form that is shown here.",
    ),
    Entry(
        "unescaped-slash", _I,
        "In a doi: URI or urn:doi: a slash inside the suffix is written %2F; the DOI is read all the same, "
        "but other programs may not understand it.",
        "U2", "Write %2F for the slash.",
    ),
    Entry(
        "unescaped-comma", _W,
        "In a Which RA request a comma separates DOIs, so the name is cut there; "
        "if the comma belongs to the DOI, write %2C.",
        "E6", "Write %2C for the comma.",
    ),
    Entry(
        "dot-segment", _W,
        "Browsers fold /./ and /../ away and so ask for another name; "
        "write /.%2F and /..%2F, as the URL form shown here does.",
        "E5", "Use the URL form that is shown here.",
    ),
    Entry(
        "double-encoded", _E,
        "The name has probably been percent-encoded twice: decoded once it still holds {characters}, "
        "so the link asks for a name that is not meant; encode only once.",
        "E10", "Try the candidate that is decoded once more.",
    ),
    Entry(
        "broken-utf8", _E,
        "The percent-encoded bytes {characters} are not UTF-8, so no name can be read from them and the link fails; "
        "encode each character as UTF-8.",
        "E15", "Copy the DOI again from its source.",
    ),
    Entry(
        "percent-in-name", _I,
        "The name was given percent-encoded and has been decoded once ({characters}); "
        "a percent sign that belongs to the DOI is written %25.",
        "E11", "Compare the decoded name with the source.",
    ),
    Entry(
        "proxy-parameter", _I,
        "{characters} is an instruction to the DOI proxy and no part of the DOI; it has been set aside.",
        "E8", "Leave it away when you store the DOI.",
    ),
    Entry(
        "tracking-parameter", _I,
        "{characters} was added to measure visits and is no part of the DOI; it has been set aside.",
        "E8", "Leave it away when you store the DOI.",
    ),
    Entry(
        "html-entity", _W,
        "{characters} stands for a character in HTML and has been read as that character; "
        "as it is written here the link fails, and the right form has the character itself.",
        "E14", "Store the DOI without HTML entities.",
    ),
    Entry(
        "look-alike", _W,
        "{characters} looks like {plain} but is another character, so the link asks for a different name; "
        "the DOI probably has {plain}.",
        "S11", "Type the character anew.",
    ),
    Entry(
        "not-normalized", _I,
        "The name holds a letter composed in an unusual way, which looks the same as its usual form but is another "
        "name to the DOI system; it is kept as it is.",
        "S8", "Use the form in which the DOI was registered.",
    ),
    Entry(
        "trailing-slash", _W,
        "The name ends in a slash; with it and without it are two names, and the one with the slash seldom exists, "
        "so the link probably fails.",
        "S10", "Remove the slash at the end.",
    ),
    Entry(
        "trailing-punctuation", _W,
        "The name ends in “{characters}”; a DOI may, but mostly such a character belongs to the sentence around it, "
        "and then the link fails; the right form is probably the name without it.",
        "S15", "Remove the punctuation at the end.",
    ),
    Entry(
        "leftover", _W,
        "“{characters}” looks like something that a program or a copy left here, and no part of the DOI, so the link "
        "probably fails; the right form is probably the DOI without it.",
        "S11", "Compare the end of the DOI with the source.",
    ),
    Entry(
        "surrounding-text", _I,
        "There is other text around the DOI; it has been left out, and a link should hold the DOI alone.",
        "B2", "Store the DOI alone.",
    ),
    Entry(
        "several-dois", _W,
        "There is more than one DOI here; the first one is taken, and a link can lead to one only: "
        "put each into a row of its own.",
        "B1", "Put each DOI into a row of its own.",
    ),
    Entry(
        "glued-dois", _W,
        "Two different DOIs seem to be run together here; as it stands all of it is one name, which probably does not "
        "exist, so the link fails; put each into a row of its own.",
        "B1", "Put each DOI into a row of its own.",
    ),
    Entry(
        "repeated-prefix", _W,
        "The resolver, the label or the prefix is there more than once, and such a link often fails; "
        "it belongs there once.",
        "U7", "Remove the repetition.",
    ),
    Entry(
        "old-resolver", _I,
        "{characters} still leads to the document, but the preferred form is https://doi.org/.",
        "P14", "Write https://doi.org/.",
    ),
    Entry(
        "wrapped", _I,
        "The DOI was taken out of the address of a library proxy or link service, which does not work for everybody "
        "or not for long; the right form begins with https://doi.org/.",
        "B2", "Store the DOI or its https://doi.org/ form.",
    ),
    Entry(
        "publisher-url", _W,
        "The DOI was taken out of a web address that is not the DOI resolver's and may stop working; "
        "compare it with the page, and use the https://doi.org/ form.",
        "B2", "Compare the DOI with the page.",
    ),
    Entry(
        "short-doi", _W,
        "This is a shortDOI ({characters}), which stands for a DOI but is no DOI name itself; "
        "the right form is the DOI behind it.",
        "S12", "Use the DOI behind it.",
    ),
    Entry(
        "deleted", _W,
        "The record leads to an agency's page for deleted DOIs, so the reader does not get the document.",
        "A8", "Look for the DOI that replaced it.",
    ),
    Entry(
        "alias", _I,
        "This name is an alias: the proxy answers with the record of the DOI behind it ({alias_of}), "
        "which is the better one to store.",
        "P7", "Store the DOI behind it.",
    ),
    Entry(
        "alias-loop", _E,
        "The record is an alias that leads round in a circle, so the link ends in an error; "
        "only the registration agency can mend it.",
        "P7", "Tell the registration agency.",
    ),
    Entry(
        "unsafe-url", _W,
        "A URL of the record is not a web address (http, https or ftp), so it is shown as text and not as a link: "
        "{url}.",
        "A9", "Do not open it unless you know it.",
    ),
)  # fmt: skip

CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.code: entry for entry in _ENTRIES})
