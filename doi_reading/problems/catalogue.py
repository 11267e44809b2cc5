"""The catalogue of problems, for pages and docs: problems of the name, then of the text around it and of its record."""

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType


class Severity(StrEnum):
    """How much a problem matters to a reader who clicks the link."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class Entry:
    """The catalogue's entry for one code.

    `title`: its name for people, at most 40 characters. `sentence`: may contain {details}. `advice` is short.
    `example`: a text that has the problem when it is read, or when it is looked up at the sample proxy; "" if no such
    text can be on a page. `registered`: the sentence instead, once a name is registered; "" for the same.
    `several`: the sentence for the details of several problems with this code; "" for the same.
    """

    code: str
    severity: Severity
    title: str
    sentence: str
    clause: str
    advice: str
    example: str = ""
    registered: str = ""
    several: str = ""

    @cached_property
    def details(self) -> tuple[str, ...]:
        """The names of the details in the sentence, each once."""
        return tuple(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(self.sentence) if name))


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
_ENTRIES = (
    Entry(
        "no-doi", _E, "No DOI found",
        "This text contains no DOI, so there is nothing to look up. A DOI begins with 10., a number and a slash.",
        "S1", "Look for the DOI on the landing page or in the reference.",
        "Annual report of the library, 2019",
    ),
    Entry(
        "empty", _I, "Empty cell",
        "This cell is empty, so there is nothing to look up.",
        "S1", "If the work has a DOI, enter it.",
    ),
    Entry(
        "too-long", _E, "Text too long",
        "This text has {length} characters. We read no more than {most}, so nothing was looked up. Enter only the DOI.",
        "S7", "Enter only the DOI, without the text around it.",
    ),
    Entry(
        "not-read", _E, "Text we couldn't read",
        "We couldn't read this text because of an error in this portal, so nothing was looked up. "
        "The other texts are not affected.",
        "B1", "Enter only the DOI. If that fails, contact the people who run this portal.",
    ),
    Entry(
        "unreadable-record", _E, "Damaged record",
        "This record of the file is damaged, so we couldn't read its DOIs. Its bytes stay as they are.",
        "B1", "Export the record again, or repair it in the program that wrote the file.",
    ),
    Entry(
        "directory-code", _E, "Does not begin with 10.",
        "Every DOI begins with 10., for example 10.1000/. This name doesn't, so it isn't a DOI and can't resolve.",
        "S3", "Check the first characters: a DOI begins with 10.",
        "11.1000/182",
    ),
    Entry(
        "registrant-code", _E, "Number after 10. is wrong",
        "The part between “10.” and the first slash must be digits joined by full stops, as in 10.1000/. This "
        "name can't resolve.",
        "S4", "Correct the number before the first slash.",
        "10.1000a/182",
    ),
    Entry(
        "missing-suffix", _E, "Nothing right after the slash",
        "This is only a prefix. It identifies the registrant, not a document, so a link made from it doesn't "
        "work. The part after the slash is missing, or a space cuts it off.",
        "S5", "Add the part after the slash.",
        "10.1000/",
    ),
    Entry(
        "reserved-suffix", _W, "Single character before a second slash",
        "The suffix begins with one character and a slash, which the standard reserves. Such names exist, so it "
        "is looked up unchanged, but a typing error is likely.",
        "S6", "Check it against the source.",
        "10.5555/x/182",
        "The suffix begins with one character and a slash, which is rare. The DOI is registered like this.",
    ),
    Entry(
        "control-character", _E, "Invisible control character",
        "The name, or the address before it, contains an invisible control character ({characters}). No DOI may "
        "contain one, so the link fails. Use the name without it.",
        "S2", "Delete the invisible character.",
        "10.1000/1\u000282",
    ),
    Entry(
        "non-graphic", _E, "Invisible character",
        "The name, or the address before it, contains a character that can't be seen or printed ({characters}). No "
        "DOI may contain one, so the link fails. Use the name without it.",
        "S2", "Delete the invisible character.",
        "10.1000/\u200b182",
    ),
    Entry(
        "unescaped-hash", _E, "# not written as %23",
        "An unencoded # cuts the link short, so it may open the wrong DOI. If the # belongs to the DOI, write %23.",
        "E1", "Write %23 instead of #.",
        "https://doi.org/10.1000/456#789",
        registered="An unencoded # cuts the link short, so it may open the wrong DOI.",
    ),
    Entry(
        "unescaped-question-mark", _E, "? not written as %3F",
        "An unencoded ? starts the query of a URL, so the link may open the wrong DOI. If the ? belongs to the "
        "DOI, write %3F.",
        "E1", "Write %3F instead of ?.",
        "https://doi.org/10.1000/456?789",
        registered="An unencoded ? starts the query of a URL, so the link may open the wrong DOI.",
    ),
    Entry(
        "unescaped-percent", _E, "% not written as %25",
        "A % without two hex digits after it can't be decoded, so programs read the name differently. For a "
        "percent sign, write %25.",
        "E12", "Write %25 instead of %.",
        "https://doi.org/10.5555/100%",
        registered="A % without two hex digits after it can't be decoded, so programs read the name differently.",
    ),
    Entry(
        "unescaped-quote", _E, '" not written as %22',
        'An unencoded " is not allowed in a URL, and many programs end the link there. Write %22.',
        "E1", "Write %22 instead of a double quote.",
        'https://doi.org/10.5555/a"b',
    ),
    Entry(
        "unescaped-space", _E, "Space in the link",
        "White space ends a URL, so the link opens only the part before it. Remove the space, or write %20 if "
        "it belongs to the DOI.",
        "E1", "Remove the space, or write %20.",
        "https://doi.org/10.1037/0003-066X. 59.1.29",
        registered="White space ends a URL, so the link opens only the part before it.",
    ),
    Entry(
        "inner-space", _W, "Space in the DOI",
        "There is probably a space inside the DOI, so a link may open only the part before it. Remove the space, or "
        "write %20 if it belongs to the DOI.",
        "E18", "Remove the space, or write %20.",
        "10.1037/0003-066X. 59.1.29",
        "White space or markup ends the DOI that we read. The text after it was left out.",
    ),
    Entry(
        "unescaped-recommended", _W, "Special characters not encoded",
        "Write {pair}: some programs cut the link there.",
        "E2", "Use the link shown here.",
        "https://doi.org/10.1175/1520-0493(2002)130<1913:EDAWPO>2.0.CO;2",
    ),
    Entry(
        "unescaped-non-ascii", _W, "Letters beyond A–Z not encoded",
        "{characters} is not an ASCII character. In a URL, write it as {escaped}, or some programs may open the "
        "wrong DOI.",
        "E4", "Use the link shown here.",
        "https://doi.org/10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03",
        several="{characters} are not ASCII characters. In a URL, write them as {escaped}, or some programs may "
        "open the wrong DOI.",
    ),
    Entry(
        "unescaped-slash", _I, "/ not written as %2F",
        "By the standard, a slash inside the suffix of a doi: URI or urn:doi: is %2F. Nearly everybody writes /, and "
        "we read both.",
        "U2", "Keep it, unless a program asks for %2F.",
        "doi:10.6338/JDA.202212/SP_17(4).0000",
    ),
    Entry(
        "unescaped-comma", _W, "Comma not written as %2C",
        "In a Which RA request, a comma separates DOIs, so the name ends there. If the comma belongs to the "
        "DOI, write %2C.",
        "E6", "Write %2C instead of the comma.",
        "https://doi.org/doiRA/10.5555/a,b",
    ),
    Entry(
        "dot-segment", _W, "/./ or /../ in the link",
        "Browsers remove /./ and /../, so the link opens the wrong DOI. Write /.%2F and /..%2F, as in the URL "
        "shown here.",
        "E5", "Use the link shown here.",
        "https://doi.org/10.5555/ab/../c",
    ),
    Entry(
        "double-encoded", _E, "Encoded twice",
        "The name was probably percent-encoded twice. Decoded once, it still contains {characters}, so the link "
        "opens the wrong name. Encode it only once.",
        "E10", "Look at the other possible DOIs: one is decoded once more.",
        "https://doi.org/10.1000/456%2523789",
        "It looks encoded twice, but this DOI is registered. Check it against the publication.",
    ),
    Entry(
        "broken-utf8", _E, "Unreadable encoding",
        "Some percent-encoded bytes ({characters}) are not UTF-8, so the name can't be read and the link fails. "
        "Encode each character as UTF-8.",
        "E15", "Copy the DOI again from its source.",
        "https://doi.org/10.5555/caf%E9",
    ),
    Entry(
        "percent-in-name", _I, "Percent-encoded",
        "The name was percent-encoded, so we decoded it once ({characters}). For a percent sign that belongs to "
        "the DOI, write %25.",
        "E11", "Check the decoded name against the source.",
        "10.1175/1520-0493(2002)130%3C1913:EDAWPO%3E2.0.CO;2",
    ),
    Entry(
        "proxy-parameter", _I, "Instruction to the DOI proxy",
        "{characters} is an instruction to the DOI proxy, not part of the DOI. We left it out.",
        "E8", "Leave it out when you store the DOI.",
        "https://doi.org/10.1000/182?noredirect",
        several="{characters} are instructions to the DOI proxy, not part of the DOI. We left them out.",
    ),
    Entry(
        "tracking-parameter", _I, "Tracking parameter added",
        "{characters} was added to track visits and isn't part of the DOI. We left it out.",
        "E8", "Leave it out when you store the DOI.",
        "https://doi.org/10.1000/182?utm_source=newsletter",
        several="{characters} were added to track visits and aren't part of the DOI. We left them out.",
    ),
    Entry(
        "html-entity", _W, "HTML code in place of a character",
        "{characters} is HTML code for a character, and we read it as that character. In a link it fails. Write "
        "the character itself.",
        "E14", "Store the DOI without HTML entities.",
        "10.1175/1520-0493(2002)130&lt;1913:EDAWPO&gt;2.0.CO;2",
        several="{characters} are HTML code for characters, and we read them as those. In a link they fail. Write the "
        "characters themselves.",
    ),
    Entry(
        "look-alike", _W, "Look-alike character",
        "{characters} looks like {plain} but is a different character, so the link opens a different name. The "
        "DOI probably has {plain}.",
        "S11", "Retype the character.",
        "10.1037/0003–066X.59.1.29",
        "The name has a character that looks like a more common one. The DOI is registered like this.",
        several="{characters} look like {plain} but are different characters, so the link opens a different name. "
        "The DOI probably has {plain}.",
    ),
    Entry(
        "not-normalized", _I, "Accent written in an unusual way",
        "The name contains a letter composed in an unusual way. It looks the same as the usual form, but the "
        "DOI system treats it as a different name. We kept it as it is.",
        "S8", "Use the form in which the DOI was registered.",
        "10.5555/cafe\u0301",
    ),
    Entry(
        "trailing-slash", _W, "Slash at the end",
        "The name ends in a slash. Names with and without it are different, and the one with the slash rarely "
        "exists, so the link probably fails.",
        "S10", "Remove the slash at the end.",
        "10.1000/182/",
        "The DOI is registered with the slash at its end. Keep it: some programs drop it.",
    ),
    Entry(
        "trailing-punctuation", _W, "Punctuation at the end",
        "The name ends in “{characters}”. A DOI may end like this, but usually it belongs to the sentence around "
        "it, and the link fails. Try the DOI without it.",
        "S15", "Remove the punctuation at the end.",
        "10.1000/182.",
        "The DOI is registered with the punctuation at its end. Keep it: some programs drop it.",
    ),
    Entry(
        "cut-short", _E, "The end may be missing",
        "The text is shortened here (“{characters}”), so the end of the DOI is probably missing. What is left of it "
        "may be the DOI of another work.",
        "S15", "Copy the whole DOI from the source.",
        "10.1002/ece3.101...",
    ),
    Entry(
        "leftover", _W, "Extra text at the end",
        "“{characters}” was probably left over from copying or from a program and isn't part of the DOI. The "
        "link probably fails. Try the DOI without it.",
        "S11", "Check the end of the DOI against the source.",
        "10.1000/182</a>",
    ),
    Entry(
        "surrounding-text", _I, "Other text around it",
        "There is other text around the DOI. We left it out, because a link should contain only the DOI.",
        "B2", "Store only the DOI.",
        "The DOI Handbook, 10.1000/182",
    ),
    Entry(
        "template", _E, "Unfilled template",
        "This is an unfilled template of the journal's software: no DOI was assigned.",
        "B2", "Look for the DOI on the landing page. If there is none, ask the journal to correct its settings.",
        "10.5007/%j.v%vi%i.%p",
    ),
    Entry(
        "test-prefix", _W, "For examples and tests",
        "{used} is for examples and tests, so this isn't a registered DOI.",
        "B2", "Keep the web address instead. ACM's digital library shows 10.5555, a prefix for examples and tests, for "
        "works without a DOI.",
        "10.5555/missing-1",
        "{used} is for examples and tests. The DOI is registered.",
    ),
    Entry(
        "several-dois", _W, "More than one DOI",
        "There is more than one DOI here. We use the first, because a link can open only one. Put each DOI in "
        "its own row.",
        "B1", "Put each DOI in its own row.",
        "10.1000/182; 10.17487/RFC3651",
    ),
    Entry(
        "other-not-registered", _E, "Second DOI not registered",
        "Another DOI in this text isn't registered: {names}.",
        "B1", "Correct the other DOI, and put it in its own row.",
        "10.1000/182; 10.5555/missing-1",
    ),
    Entry(
        "glued-dois", _W, "Two DOIs run together",
        "Two different DOIs seem to run together here. We read them as one name, which probably isn't "
        "registered, so the link fails. Put each DOI in its own row.",
        "B1", "Put each DOI in its own row.",
        "10.1000/18210.17487/RFC3651",
    ),
    Entry(
        "repeated-prefix", _W, "Repeated beginning",
        "The resolver, label or prefix appears more than once, and such a link often fails. Keep it only once.",
        "U7", "Remove the repetition.",
        "https://doi.org/https://doi.org/10.1000/182",
    ),
    Entry(
        "old-resolver", _I, "Old resolver address",
        "{characters} still works, but https://doi.org/ is preferred.",
        "P14", "Use https://doi.org/ instead.",
        "http://dx.doi.org/10.1000/182",
    ),
    Entry(
        "damaged-resolver", _W, "Mistyped resolver address",
        "“{characters}” is probably a mistyped https://doi.org/, so the link opens nothing or another website. We read "
        "the DOI after it.",
        "B2", "Write https://doi.org/ before the DOI.",
        "https//doi.org/10.1000/182",
    ),
    Entry(
        "fake-resolver", _E, "Not the DOI system",
        "{characters} poses as the DOI system but isn't part of it. Most of its names look like DOIs and aren't "
        "registered. We checked this one at the DOI proxy.",
        "B2", "Don't use this link. Look for a registered DOI, or store the document's web address.",
        "https://doie.org/10.1000/182",
    ),
    Entry(
        "link-differs", _E, "Hyperlink opens another DOI",
        "The cell shows this DOI, but its hyperlink opens another one ({linked}).",
        "B2", "Find out which DOI is right, and correct the other one.",
        "10.1000/182 → https://doi.org/10.17487/RFC3651",
    ),
    Entry(
        "broken-link", _W, "Hyperlink's DOI isn't registered",
        "The cell's hyperlink opens another DOI ({linked}), which isn't registered.",
        "B2", "Correct the hyperlink of the cell, or remove it.",
    ),
    Entry(
        "link-suggests", _I, "Hyperlink has the suggested DOI",
        "The cell's hyperlink opens the suggested DOI, {suggested}.",
        "B2", "Use the suggested DOI.",
    ),
    Entry(
        "from-link", _I, "Read from the hyperlink",
        "The cell's text contains no DOI, so we read this one from its hyperlink.",
        "B2", "Store the DOI itself, not just a link.",
        "Full text → https://doi.org/10.1000/182",
    ),
    Entry(
        "wrapped", _I, "Taken from a library proxy’s link",
        "We took the DOI from the address of a library proxy or link service. That address may not work for "
        "everyone, or not for long. Use the https://doi.org/ form.",
        "B2", "Store the DOI, or its https://doi.org/ form.",
        "https://login.proxy.example.edu/login?url=https://doi.org/10.1000/182",
    ),
    Entry(
        "publisher-url", _W, "Link to a publisher",
        "We took the DOI from a web address that isn't a DOI link and may stop working. Check it against the "
        "page, and use the https://doi.org/ form.",
        "B2", "Check the DOI against the page.",
        "https://link.springer.com/article/10.1023/a:1006878621126",
    ),
    Entry(
        "short-doi", _W, "shortDOI, not the full DOI",
        "This is a shortDOI ({characters}). It stands for a DOI but isn't a DOI name itself. Use the full DOI.",
        "S12", "Use the full DOI.",
        "10/g8r7pm",
    ),
    Entry(
        "deleted", _W, "Deleted DOI",
        "The link opens an agency's page for deleted DOIs, not the document.",
        "A8", "Look for the DOI that replaced it.",
        "10.5555/deleted-1",
    ),
    Entry(
        "alias", _I, "Alias of another DOI",
        "This name is an alias. The proxy returns the record of the main DOI ({alias_of}). Store the main DOI instead.",
        "P7", "Use the main DOI instead.",
        "10.5479/si.0081024x.43",
    ),
    Entry(
        "alias-loop", _E, "Aliases form a loop",
        "The record is part of a loop of aliases, or of too many in a row, so the link ends in an error. Only the "
        "Registration Agency can fix it.",
        "P7", "Contact the Registration Agency.",
        "10.5555/loop-1",
    ),
    Entry(
        "unsafe-url", _W, "Address isn't a web address",
        "A URL in the record isn't a web address (http, https or ftp). We show it as text, not as a link: {url}.",
        "A9", "Don't open it unless you trust it.",
        "10.5555/unsafe-1",
    ),
    Entry(
        "leads-to-itself", _E, "Leads back to the DOI itself",
        "The web address in the record is the link of this DOI, or of one that leads back to it, so the link opens no "
        "page: {url}.",
        "P2", "Contact the Registration Agency.",
        "10.5555/itself-1",
    ),
    Entry(
        "leads-to-missing", _E, "Leads to a DOI that isn't registered",
        "The web address in the record is the link of a DOI that isn't registered, so the link shows an error "
        "page: {url}.",
        "P2", "Contact the Registration Agency.",
        "10.5555/nowhere-1",
    ),
    Entry(
        "private-address", _E, "Leads into a private network",
        "The web address in the record can't be opened from outside its network: {url}.",
        "P2", "Contact the Registration Agency.",
        "10.5555/localhost-1",
    ),
    Entry(
        "unusable-address", _E, "Web address that can't be opened",
        "The web address in the record can't be opened: {why}. Web address: {url}.",
        "P2", "Contact the Registration Agency.",
        "10.5555/halved-1",
    ),
    Entry(
        "placeholder-address", _E, "Placeholder in place of a web address",
        "The web address in the record opens no document: {why}. Web address: {url}.",
        "P2", "Contact the Registration Agency.",
        "10.5555/sandbox-1",
    ),
    Entry(
        "several-homes", _I, "Several web addresses",
        "The record has {count} web addresses. The link opens only one of them, and which one may depend on the "
        "reader's country.",
        "P2", "Check whether all of them are still right.",
        "10.5555/two-1",
    ),
    Entry(
        "wrong-character", _W, "Wrong or missing character",
        "A part of this DOI is probably mistyped or missing. It isn't registered, but the suggested DOI {suggested} "
        "is.",
        "B2", "Compare the suggested DOI with the publication.",
        "10.1021/JACS.5C0ll00",
    ),
    Entry(
        "check-digit", _W, "Wrong check digit",
        "The {kind} in this DOI ends in a wrong check digit: {characters}. One of its digits is probably mistyped.",
        "S15", "Compare the digits with the publication.",
        "10.1007/978-3-030-00000-9_1",
    ),
    Entry(
        "other-work", _E, "Another work",
        "The record describes another work than this row: {registered}.",
        "B2", "Compare title and author, and look for the right DOI.",
    ),
    Entry(
        "compare-work", _W, "Perhaps another work",
        "Perhaps the record describes another work than this row: {registered}.",
        "B2", "Compare title and author.",
    ),
    Entry(
        "found-by-title", _I, "Found by title",
        "We searched for the work of this row, and found: {found}. Compare before you accept.",
        "B2", "Compare title, author and year: a review, an edition or a preprint may have the same title.",
    ),
    Entry(
        "found-by-identifier", _I, "Found by identifier",
        "Another cell of this row names a registered DOI, or an identifier that is one: {found}.",
        "B2", "Look up that DOI, and compare title and author.",
    ),
    Entry(
        "unproven-suggestion", _W, "Suggested DOI is uncertain",
        "The suggested DOI {suggested} is registered, but {fault}.",
        "B2", "Look up the suggested DOI before you use it.",
        "10.5555:deleted-1",
    ),
    Entry(
        "retracted", _E, "Retracted work",
        "{work} was retracted on {date}, as listed by {source} on {listed}. {right} Listed: {events}.",
        "B2", "Read the notice, and decide whether you keep the work. Its DOI is right.",
    ),
    Entry(
        "concern", _W, "Expression of concern",
        "{work} has an expression of concern, published on {date}, as listed by {source} on {listed}. {right} Listed: "
        "{events}.",
        "B2", "Read the notice before you rely on the work.",
    ),
    Entry(
        "corrected-later", _I, "Corrected later",
        "{work} was corrected on {date}, as listed by {source} on {listed}. {right} Listed: {events}.",
        "B2", "Read the correction together with the work.",
    ),
    Entry(
        "reinstated", _I, "Reinstated after a retraction",
        "{work} was reinstated on {date}, as listed by {source} on {listed}. {right} Listed: {events}.",
        "B2", "Read the notice. The retraction before no longer stands.",
    ),
)  # fmt: skip
CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.code: entry for entry in _ENTRIES})
UNASSIGNED = ("template", "test-prefix")
"""Problems of a text that no DOI was assigned to: no agency can help."""
OF_RECORDS = frozenset(
    """
    deleted alias alias-loop unsafe-url leads-to-itself leads-to-missing private-address unusable-address
    placeholder-address several-homes check-digit test-prefix
    """.split()
)
"""Problems of a record, or of a name without one, which no text shows."""
OF_OTHERS = frozenset(
    {"other-not-registered", "unproven-suggestion", "broken-link", "link-suggests", "wrong-character"}
)
"""Problems of another DOI in the text, or of the suggestion: only its record shows them."""
OF_WORKS = frozenset({"retracted", "concern", "corrected-later", "reinstated"})
"""Problems of a work, which only a list of retractions shows."""
OF_COMPARISONS = frozenset({"other-work", "compare-work"})
"""Problems of a row's title and author, beside what the agency says about the work."""
OF_SEARCHES = frozenset({"found-by-title", "found-by-identifier"})
"""Notes about a DOI that was searched for because the row has none of its work."""
OF_CELLS = frozenset({"link-differs", "from-link"})
"""Problems of a workbook's cell and its hyperlink; the example has both, with an arrow between them."""
CUTS = frozenset({"unescaped-hash", "unescaped-question-mark", "unescaped-space", "inner-space", "unescaped-comma"})
"""Problems with which a part of the text is not in the name that was read, but may belong to it."""


def is_cut(problems: Iterable[str]) -> bool:
    """Return whether a part of the text may be missing in the name that was read. `problems` are codes."""
    return not CUTS.isdisjoint(problems)
