"""The problems of a name and of how it is written."""

from resolver.domain.problems.entry import Entry, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

OF_NAMES = (
    Entry(
        "no-doi", _E, "No DOI found",
        "This text contains no DOI, so there is nothing to look up. A DOI begins with 10., a number and a slash.",
        "S1", "Look for the DOI on the landing page or in the reference.",
        "Annual report of the library, 2019",
    ),
    Entry(
        "too-long", _E, "Text too long",
        "This text has {length} characters. We read no more than {most}, so nothing was looked up. Enter only the DOI.",
        "S7", "Enter only the DOI, without the text around it.",
        "",
    ),
    Entry(
        "not-read", _E, "Text we couldn't read",
        "We couldn't read this text because of an error in this portal, so nothing was looked up. "
        "The other texts are not affected.",
        "B1", "Enter only the DOI. If that fails, contact the people who run this portal.",
        "",
    ),
    Entry(
        "directory-code", _E, "Does not begin with 10.",
        "The name doesn't begin with 10, the only directory indicator in use. It isn't a DOI and can't resolve. "
        "A DOI begins like 10.1000/.",
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
        "missing-suffix", _E, "Nothing after the slash",
        "This is only a prefix. It identifies the registrant, not a document, so a link made from it doesn't "
        "work. The part after the slash is missing.",
        "S5", "Add the part after the slash.",
        "10.1000/",
    ),
    Entry(
        "reserved-suffix", _W, "Single character before a second slash",
        "The suffix begins with one character and a slash, which the standard reserves. Such names exist, so it "
        "is looked up unchanged, but a typing error is likely.",
        "S6", "Check it against the source.",
        "10.5555/x/182",
    ),
    Entry(
        "control-character", _E, "Invisible control character",
        "The name contains an invisible control character ({characters}). No DOI may contain one, so the link "
        "fails. Use the name without it.",
        "S2", "Delete the invisible character.",
        "10.1000/1\u000282",
    ),
    Entry(
        "non-graphic", _E, "Invisible character",
        "The name contains a character that can't be seen or printed ({characters}). No DOI may contain one, so "
        "the link fails. Use the name without it.",
        "S2", "Delete the invisible character.",
        "10.1000/\u200b182",
    ),
    Entry(
        "unescaped-hash", _E, "# not written as %23",
        "An unencoded # cuts the link short, so it may open the wrong DOI. If the # belongs to the DOI, write %23.",
        "E1", "Write %23 instead of #.",
        "https://doi.org/10.1000/456#789",
    ),
    Entry(
        "unescaped-question-mark", _E, "? not written as %3F",
        "An unencoded ? starts the query of a URL, so the link may open the wrong DOI. If the ? belongs to the "
        "DOI, write %3F.",
        "E1", "Write %3F instead of ?.",
        "https://doi.org/10.1000/456?789",
    ),
    Entry(
        "unescaped-percent", _E, "% not written as %25",
        "A % without two hex digits after it can't be decoded, so programs read the name differently. For a "
        "percent sign, write %25.",
        "E12", "Write %25 instead of %.",
        "https://doi.org/10.5555/100%",
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
    ),
    Entry(
        "inner-space", _W, "Space in the DOI",
        "There is probably a space inside the DOI, and only the part before it is read. Remove the space, or "
        "write %20 if it belongs to the DOI.",
        "E18", "Remove the space, or write %20.",
        "10.1037/0003-066X. 59.1.29",
    ),
    Entry(
        "unescaped-recommended", _W, "Special characters not encoded",
        "{characters} should be encoded in a URL. Some programs change it or end the link there. Write {escaped}.",
        "E2", "Use the URL shown here.",
        "https://doi.org/10.1175/1520-0493(2002)130<1913:EDAWPO>2.0.CO;2",
    ),
    Entry(
        "unescaped-non-ascii", _W, "Letters beyond A–Z not encoded",
        "{characters} is not an ASCII character. In a URL, write it as {escaped}, or some programs may open the "
        "wrong DOI.",
        "E4", "Use the URL shown here.",
        "https://doi.org/10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03",
    ),
    Entry(
        "unescaped-slash", _I, "/ not written as %2F",
        "In a doi: URI or urn:doi:, write a slash inside the suffix as %2F. We read the DOI anyway, but other "
        "programs may not.",
        "U2", "Write %2F instead of the slash.",
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
        "E5", "Use the URL shown here.",
        "https://doi.org/10.5555/ab/../c",
    ),
    Entry(
        "double-encoded", _E, "Encoded twice",
        "The name was probably percent-encoded twice. Decoded once, it still contains {characters}, so the link "
        "opens the wrong name. Encode it only once.",
        "E10", "Try the other possible DOI that is decoded once more.",
        "https://doi.org/10.1000/456%2523789",
    ),
    Entry(
        "broken-utf8", _E, "Unreadable encoding",
        "The percent-encoded bytes {characters} are not UTF-8, so the name can't be read and the link fails. "
        "Encode each character as UTF-8.",
        "E15", "Copy the DOI again from its source.",
        "https://doi.org/10.5555/caf%E9",
    ),
    Entry(
        "percent-in-name", _I, "Entered in encoded form",
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
    ),
    Entry(
        "tracking-parameter", _I, "Tracking parameter added",
        "{characters} was added to track visits and isn't part of the DOI. We left it out.",
        "E8", "Leave it out when you store the DOI.",
        "https://doi.org/10.1000/182?utm_source=newsletter",
    ),
    Entry(
        "html-entity", _W, "HTML code in place of a character",
        "{characters} is HTML code for a character, and we read it as that character. In a link it fails. Write "
        "the character itself.",
        "E14", "Store the DOI without HTML entities.",
        "10.1175/1520-0493(2002)130&lt;1913:EDAWPO&gt;2.0.CO;2",
    ),
    Entry(
        "look-alike", _W, "Look-alike character",
        "{characters} looks like {plain} but is a different character, so the link opens a different name. The "
        "DOI probably has {plain}.",
        "S11", "Retype the character.",
        "10.1037/0003–066X.59.1.29",
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
    ),
    Entry(
        "trailing-punctuation", _W, "Punctuation at the end",
        "The name ends in “{characters}”. A DOI may end like this, but usually it belongs to the sentence "
        "around it, and then the link fails. The DOI is probably the name without it.",
        "S15", "Remove the punctuation at the end.",
        "10.1000/182.",
    ),
    Entry(
        "leftover", _W, "Something left over from copying",
        "“{characters}” was probably left over from copying or from a program and isn't part of the DOI. The "
        "link probably fails. Try the DOI without it.",
        "S11", "Check the end of the DOI against the source.",
        "10.1000/182</a>",
    ),
)  # fmt: skip
