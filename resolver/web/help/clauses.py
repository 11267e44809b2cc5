"""The clauses that problems and presentations go by, in words for people: sentence and source, by the id of spec.md."""

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
OWN = _("This portal’s own rule, which no standard states")


@dataclass(frozen=True, slots=True)
class Rule:
    """One clause: `words` is a sentence, `source` the document that it comes from."""

    words: str | Promise
    source: str | Promise


RULES: Mapping[str, Rule] = {
    "S1": Rule(_("A DOI name is a prefix and a suffix, parted by the first slash."), NISO),
    "S2": Rule(_("A DOI name holds only characters that can be printed, and never a control character."), NISO),
    "S3": Rule(_("A prefix is 10, a full stop, and the registrant code; 10 is the only number in use."), NISO),
    "S4": Rule(_("A registrant code is made of digits, which full stops may part."), HANDBOOK),
    "S5": Rule(_("A suffix has at least one character, and may hold slashes."), NISO),
    "S6": Rule(_("A suffix that begins with one character and a slash is reserved for the future."), NISO),
    "S7": Rule(_("A DOI name may have any length; a portal may bound what it reads, and then has to say so."), NISO),
    "S8": Rule(
        _("Two DOI names are the same when their characters are; only A–Z count as a–z. No letter is composed anew."),
        URI,
    ),
    "S10": Rule(_("With a slash at the end and without it are two names."), RESOLUTION),
    "S11": Rule(_("Different characters can look the same, and the reader has to be told."), URI),
    "S12": Rule(_("A shortDOI is no DOI name: it stands for one."), HANDBOOK),
    "S15": Rule(_("A DOI name may end in punctuation."), NISO),
    "E1": Rule(_('In a URL these are always encoded: % " # ? and the space.'), RESOLUTION),
    "E2": Rule(_("In a URL these should be encoded too: < > { } ^ [ ] ` | \\ +"), RESOLUTION),
    "E4": Rule(_("A character outside ASCII is written in UTF-8, each byte percent-encoded: é is %C3%A9."), RESOLUTION),
    "E5": Rule(_("A slash beside . or .. is encoded, since browsers fold /./ and /../ away."), ENCODING),
    "E6": Rule(_("A comma is encoded in a Which RA request, where it separates names, and only there."), ENCODING),
    "E8": Rule(_("An unencoded ? starts the query, and what follows it is never part of the name."), RESOLUTION),
    "E10": Rule(_("A name is decoded once: %2523 in a URL is %23 in the name."), CHARACTERS),
    "E11": Rule(
        _("In forms and lists a character may come as it is or encoded; a percent sign always begins an encoded one."),
        CHARACTERS,
    ),
    "E12": Rule(_("A % that no two hexadecimal digits follow cannot be decoded; it is reported and kept."), CHARACTERS),
    "E14": Rule(_("In HTML the address of a link is encoded, and the name is written for HTML."), NISO),
    "E15": Rule(_("Bytes that are not UTF-8 are no name."), NISO),
    "E18": Rule(_("Spaces get into names by copying and pasting."), CHARACTERS),
    "U2": Rule(
        _(
            "A doi: URI leaves letters, digits and - . _ ~ ! $ & ' ( ) * + , ; = : @ as they are, and encodes "
            "everything else, slashes of the suffix too."
        ),
        URI,
    ),
    "U7": Rule(_("“doi:” is also the label that is printed before a name; it belongs there once."), HANDBOOK),
    "N1": Rule(_("In a URN a colon stands for the first slash."), ENCODING),
    "N2": Rule(_("In a URN further slashes are encoded."), ENCODING),
    "N4": Rule(_("A URN encodes what a URL does."), NISO),
    "P7": Rule(
        _("Of an alias, the record of the name behind it is the answer; a circle of aliases is an error."), RESOLUTION
    ),
    "P14": Rule(_("https://doi.org/ is preferred; http: and dx.doi.org still answer."), RESOLUTION),
    "A8": Rule(_("A record need not have a web address, and what it has is shown as it is."), URI),
    "A9": Rule(_("What a record holds was written by others, and is not trusted."), URI),
    "B1": Rule(_("A list has one DOI name in each row, as it is or encoded."), CHARACTERS),
    "B2": Rule(_("For each entry: the name that is read, its agency, its URL values, and every problem."), OWN),
}
