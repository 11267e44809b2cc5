"""The clauses behind problems and encodings: a sentence and a source, by the id of spec.md."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

NISO = "ANSI/NISO Z39.84-2005, Syntax for the Digital Object Identifier"
URI = "The “doi” URI scheme"
RESOLUTION = "DOI Resolution Documentation"
HANDBOOK = "DOI Handbook (2026)"
ENCODING = "Encoding rules for URL presentation of DOI names"
CHARACTERS = "Special Characters in DOI names (2000)"
OWN = _("This portal’s own rule, not part of a standard")


@dataclass(frozen=True, slots=True)
class Rule:
    """One clause: a sentence, and the document that it comes from."""

    words: str | Promise
    source: str | Promise


RULES: Mapping[str, Rule] = {
    "S1": Rule(_("A DOI name is a prefix and a suffix, separated by the first slash."), NISO),
    "S2": Rule(_("A DOI name contains only printable characters, never a control character."), NISO),
    "S3": Rule(_("A prefix is 10, a full stop, and the registrant code; 10 is the only number in use."), NISO),
    "S4": Rule(_("A registrant code consists of digits. Full stops may separate them."), HANDBOOK),
    "S5": Rule(_("A suffix has at least one character and may contain slashes."), NISO),
    "S6": Rule(_("A suffix that begins with one character and a slash is reserved for the future."), NISO),
    "S7": Rule(_("A DOI name may have any length. A portal may limit what it reads, but must say so."), NISO),
    "S8": Rule(
        _(
            "Two DOI names are the same if their characters are the same. Only A–Z count as a–z. Letters "
            "aren’t normalised."
        ),
        URI,
    ),
    "S10": Rule(_("A name with a slash at the end and the name without it are two names."), RESOLUTION),
    "S11": Rule(_("Different characters can look the same. The portal must say so."), URI),
    "S12": Rule(_("A shortDOI isn’t a DOI name: it stands for one."), HANDBOOK),
    "S15": Rule(_("A DOI name may end in punctuation."), NISO),
    "E1": Rule(_('In a URL these are always encoded: % " # ? and the space.'), RESOLUTION),
    "E2": Rule(_("In a URL these should be encoded too: < > { } ^ [ ] ` | \\ +"), RESOLUTION),
    "E4": Rule(_("A character outside ASCII is written in UTF-8, each byte percent-encoded: é is %C3%A9."), RESOLUTION),
    "E5": Rule(_("A slash beside . or .. is encoded, because browsers remove /./ and /../."), ENCODING),
    "E6": Rule(_("A comma is encoded only in a Which RA request, where it separates names."), ENCODING),
    "E8": Rule(_("An unencoded ? starts the query. What follows it is never part of the name."), RESOLUTION),
    "E10": Rule(_("A name is decoded once: %2523 in a URL is %23 in the name."), CHARACTERS),
    "E11": Rule(
        _("In forms and lists a character may be plain or encoded. A percent sign always starts an encoded one."),
        CHARACTERS,
    ),
    "E12": Rule(
        _("A % without two hexadecimal digits after it can’t be decoded. It is reported and kept."), CHARACTERS
    ),
    "E14": Rule(_("In HTML the address of a link is encoded, and the name is escaped for HTML."), NISO),
    "E15": Rule(_("Bytes that aren’t UTF-8 aren’t a DOI name."), NISO),
    "E18": Rule(_("Spaces get into names by copying and pasting."), CHARACTERS),
    "U2": Rule(
        _(
            "A doi: URI leaves letters, digits and - . _ ~ ! $ & ' ( ) * + , ; = : @ as they are, and encodes "
            "everything else, slashes of the suffix too."
        ),
        URI,
    ),
    "U7": Rule(_("“doi:” is also the label before a name. It appears only once."), HANDBOOK),
    "N1": Rule(_("In a URN a colon stands for the first slash."), ENCODING),
    "N2": Rule(_("In a URN further slashes are encoded."), ENCODING),
    "N4": Rule(_("A URN encodes the same characters as a URL."), NISO),
    "P2": Rule(_("Of several URL values one is chosen, in no particular order."), RESOLUTION),
    "P7": Rule(
        _("An alias is answered with the record of the name it stands for. A loop of aliases is an error."), RESOLUTION
    ),
    "P14": Rule(_("https://doi.org/ is preferred. http: and dx.doi.org still work."), RESOLUTION),
    "A8": Rule(_("A record may have no web address. What it has is shown unchanged."), URI),
    "A9": Rule(_("Others write the records, so their content isn’t trusted."), URI),
    "B1": Rule(_("A list has one DOI name per row, plain or encoded."), CHARACTERS),
    "B2": Rule(_("For each entry: the DOI name, its agency, its URL values and every problem."), OWN),
}
