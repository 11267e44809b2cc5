"""The problems of a name and of how it is written."""

from resolver.domain.problems.entry import Entry, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

OF_NAMES = (
    Entry(
        "no-doi", _E, "No DOI found",
        "Nothing here reads as a DOI, so there is nothing to look up; a DOI begins with 10., a number and a slash.",
        "S1", "Look for the DOI on the landing page or in the reference.",
        "Annual report of the library, 2019",
    ),
    Entry(
        "too-long", _E, "Text too long",
        "This text has {length} characters, and no more than {most} are read, so nothing was looked up; "
        "the right form is the DOI alone.",
        "S7", "Give the DOI alone, without the text around it.",
        "",
    ),
    Entry(
        "not-read", _E, "Text we couldn't read",
        "We couldn't read this text because of an error in this portal, so nothing was looked up. "
        "The other texts are not affected.",
        "B1", "Enter the DOI alone, or tell whoever runs this portal.",
        "",
    ),
    Entry(
        "directory-code", _E, "Does not begin with 10.",
        "The name does not begin with 10, the only directory indicator in use, so it is no DOI and does not resolve; "
        "a DOI begins like 10.1000/.",
        "S3", "Check the first characters: a DOI begins with 10.",
        "11.1000/182",
    ),
    Entry(
        "registrant-code", _E, "Number after 10. is wrong",
        "Between “10.” and the first slash there must be digits joined by full stops, as in 10.1000/; "
        "as it stands the name cannot resolve.",
        "S4", "Correct the number before the first slash.",
        "10.1000a/182",
    ),
    Entry(
        "missing-suffix", _E, "Nothing after the slash",
        "This is a prefix alone: it names the registrant and not a document, so a link made of it leads nowhere; "
        "the part after the slash is needed.",
        "S5", "Add the part after the slash.",
        "10.1000/",
    ),
    Entry(
        "reserved-suffix", _W, "Single character before a second slash",
        "The suffix begins with one character and a slash, which the standard reserves; such names do exist, "
        "so it is looked up as it is, but a slip is likely.",
        "S6", "Compare it with the source.",
        "10.5555/x/182",
    ),
    Entry(
        "control-character", _E, "Invisible control character",
        "The name holds an invisible control character ({characters}), which no DOI may hold, so the link fails; "
        "the right form is the name without it.",
        "S2", "Delete the invisible character.",
        "10.1000/1\u000282",
    ),
    Entry(
        "non-graphic", _E, "Invisible character",
        "The name holds a character that cannot be seen or printed ({characters}), which no DOI may hold, "
        "so the link fails; the right form is the name without it.",
        "S2", "Delete the invisible character.",
        "10.1000/\u200b182",
    ),
    Entry(
        "unescaped-hash", _E, "# not written as %23",
        "A bare # ends a URL, so what follows it never reaches the DOI proxy and the reader gets another name or none; "
        "if it belongs to the DOI, write %23.",
        "E1", "Write %23 for #.",
        "https://doi.org/10.1000/456#789",
    ),
    Entry(
        "unescaped-question-mark", _E, "? not written as %3F",
        "A bare ? starts the query of a URL, so what follows it is not taken as part of the DOI and the reader "
        "gets another name or none; if it belongs to the DOI, write %3F.",
        "E1", "Write %3F for ?.",
        "https://doi.org/10.1000/456?789",
    ),
    Entry(
        "unescaped-percent", _E, "% not written as %25",
        "A % that no two hex digits follow cannot be decoded, so each program reads the name in its own way; "
        "for a percent sign write %25.",
        "E12", "Write %25 for %.",
        "https://doi.org/10.5555/100%",
    ),
    Entry(
        "unescaped-quote", _E, '" not written as %22',
        'A bare " is not allowed in a URL and many programs end the link there; write %22.',
        "E1", "Write %22 for a double quote.",
        'https://doi.org/10.5555/a"b',
    ),
    Entry(
        "unescaped-space", _E, "Space in the link",
        "White space ends a URL, so the reader gets only what stands before it; remove the space, "
        "or write %20 if it belongs to the DOI.",
        "E1", "Remove the space, or write %20.",
        "https://doi.org/10.1037/0003-066X. 59.1.29",
    ),
    Entry(
        "inner-space", _W, "Space in the DOI",
        "White space stands inside what is probably one name, and only what stands before it is read; "
        "remove the space, or write %20 if it belongs to the DOI.",
        "E18", "Remove the space, or write %20.",
        "10.1037/0003-066X. 59.1.29",
    ),
    Entry(
        "unescaped-recommended", _W, "Special characters not encoded",
        "{characters} should be encoded in a URL: some programs change it or end the link there; write {escaped}.",
        "E2", "Use the URL form that is shown here.",
        "https://doi.org/10.1175/1520-0493(2002)130<1913:EDAWPO>2.0.CO;2",
    ),
    Entry(
        "unescaped-non-ascii", _W, "Letters beyond A–Z not encoded",
        "{characters} is no ASCII character: in a URL it should be written as {escaped}, "
        "or some programs send the reader to another name.",
        "E4", "Use the URL form that is shown here.",
        "https://doi.org/10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03",
    ),
    Entry(
        "unescaped-slash", _I, "/ not written as %2F",
        "In a doi: URI or urn:doi: a slash inside the suffix is written %2F; the DOI is read all the same, "
        "but other programs may not understand it.",
        "U2", "Write %2F for the slash.",
        "doi:10.6338/JDA.202212/SP_17(4).0000",
    ),
    Entry(
        "unescaped-comma", _W, "Comma not written as %2C",
        "In a Which RA request a comma separates DOIs, so the name is cut there; "
        "if the comma belongs to the DOI, write %2C.",
        "E6", "Write %2C for the comma.",
        "https://doi.org/doiRA/10.5555/a,b",
    ),
    Entry(
        "dot-segment", _W, "/./ or /../ in the link",
        "Browsers fold /./ and /../ away and so ask for another name; "
        "write /.%2F and /..%2F, as the URL form shown here does.",
        "E5", "Use the URL form that is shown here.",
        "https://doi.org/10.5555/ab/../c",
    ),
    Entry(
        "double-encoded", _E, "Encoded twice",
        "The name has probably been percent-encoded twice: decoded once it still holds {characters}, "
        "so the link asks for a name that is not meant; encode only once.",
        "E10", "Try the candidate that is decoded once more.",
        "https://doi.org/10.1000/456%2523789",
    ),
    Entry(
        "broken-utf8", _E, "Encoding that cannot be read",
        "The percent-encoded bytes {characters} are not UTF-8, so no name can be read from them and the link fails; "
        "encode each character as UTF-8.",
        "E15", "Copy the DOI again from its source.",
        "https://doi.org/10.5555/caf%E9",
    ),
    Entry(
        "percent-in-name", _I, "Given in encoded form",
        "The name was given percent-encoded and has been decoded once ({characters}); "
        "a percent sign that belongs to the DOI is written %25.",
        "E11", "Compare the decoded name with the source.",
        "10.1175/1520-0493(2002)130%3C1913:EDAWPO%3E2.0.CO;2",
    ),
    Entry(
        "proxy-parameter", _I, "Instruction to the DOI proxy",
        "{characters} is an instruction to the DOI proxy and no part of the DOI; it has been set aside.",
        "E8", "Leave it away when you store the DOI.",
        "https://doi.org/10.1000/182?noredirect",
    ),
    Entry(
        "tracking-parameter", _I, "Tracking parameter added",
        "{characters} was added to measure visits and is no part of the DOI; it has been set aside.",
        "E8", "Leave it away when you store the DOI.",
        "https://doi.org/10.1000/182?utm_source=newsletter",
    ),
    Entry(
        "html-entity", _W, "HTML code in place of a character",
        "{characters} stands for a character in HTML and has been read as that character; "
        "as it is written here the link fails, and the right form has the character itself.",
        "E14", "Store the DOI without HTML entities.",
        "10.1175/1520-0493(2002)130&lt;1913:EDAWPO&gt;2.0.CO;2",
    ),
    Entry(
        "look-alike", _W, "Look-alike character",
        "{characters} looks like {plain} but is another character, so the link asks for a different name; "
        "the DOI probably has {plain}.",
        "S11", "Type the character anew.",
        "10.1037/0003–066X.59.1.29",
    ),
    Entry(
        "not-normalized", _I, "Accent written in an unusual way",
        "The name holds a letter composed in an unusual way, which looks the same as its usual form but is another "
        "name to the DOI system; it is kept as it is.",
        "S8", "Use the form in which the DOI was registered.",
        "10.5555/cafe\u0301",
    ),
    Entry(
        "trailing-slash", _W, "Slash at the end",
        "The name ends in a slash; with it and without it are two names, and the one with the slash seldom exists, "
        "so the link probably fails.",
        "S10", "Remove the slash at the end.",
        "10.1000/182/",
    ),
    Entry(
        "trailing-punctuation", _W, "Punctuation at the end",
        "The name ends in “{characters}”; a DOI may, but mostly such a character belongs to the sentence around it, "
        "and then the link fails; the right form is probably the name without it.",
        "S15", "Remove the punctuation at the end.",
        "10.1000/182.",
    ),
    Entry(
        "leftover", _W, "Something left over from copying",
        "“{characters}” looks like something that a program or a copy left here, and no part of the DOI, so the link "
        "probably fails; the right form is probably the DOI without it.",
        "S11", "Compare the end of the DOI with the source.",
        "10.1000/182</a>",
    ),
)  # fmt: skip
