"""The problems around a name, of where it was taken from, and of its record."""

from resolver.domain.problems.entry import Entry, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

OF_SOURCES = (
    Entry(
        "surrounding-text", _I, "Other text around it",
        "There is other text around the DOI; it has been left out, and a link should hold the DOI alone.",
        "B2", "Store the DOI alone.",
        "The DOI Handbook, 10.1000/182",
    ),
    Entry(
        "several-dois", _W, "More than one DOI",
        "There is more than one DOI here; the first one is taken, and a link can lead to one only: "
        "put each into a row of its own.",
        "B1", "Put each DOI into a row of its own.",
        "10.1000/182; 10.17487/RFC3651",
    ),
    Entry(
        "glued-dois", _W, "Two DOIs run together",
        "Two different DOIs seem to be run together here; as it stands all of it is one name, which probably does not "
        "exist, so the link fails; put each into a row of its own.",
        "B1", "Put each DOI into a row of its own.",
        "10.1000/18210.17487/RFC3651",
    ),
    Entry(
        "repeated-prefix", _W, "Beginning is there more than once",
        "The resolver, the label or the prefix is there more than once, and such a link often fails; "
        "it belongs there once.",
        "U7", "Remove the repetition.",
        "https://doi.org/https://doi.org/10.1000/182",
    ),
    Entry(
        "old-resolver", _I, "Old address of the resolver",
        "{characters} still leads to the document, but the preferred form is https://doi.org/.",
        "P14", "Write https://doi.org/.",
        "http://dx.doi.org/10.1000/182",
    ),
    Entry(
        "link-differs", _E, "Hyperlink leads to another DOI",
        "The cell shows this DOI, but its hyperlink leads to another one ({linked}), so a click opens something else.",
        "B2", "Find out which of the two is right, and correct the other one.",
        "10.1000/182 → https://doi.org/10.17487/RFC3651",
    ),
    Entry(
        "from-link", _I, "Read from the hyperlink",
        "The text of the cell holds no DOI, so this one was read from the cell's hyperlink.",
        "B2", "Store the DOI itself, not only a link.",
        "Full text → https://doi.org/10.1000/182",
    ),
    Entry(
        "wrapped", _I, "Taken out of a library proxy’s link",
        "The DOI was taken out of the address of a library proxy or link service, which does not work for everybody "
        "or not for long; the right form begins with https://doi.org/.",
        "B2", "Store the DOI or its https://doi.org/ form.",
        "https://login.proxy.example.edu/login?url=https://doi.org/10.1000/182",
    ),
    Entry(
        "publisher-url", _W, "Taken out of another web address",
        "The DOI was taken out of a web address that is not the DOI resolver's and may stop working; "
        "compare it with the page, and use the https://doi.org/ form.",
        "B2", "Compare the DOI with the page.",
        "https://link.springer.com/article/10.1023/a:1006878621126",
    ),
    Entry(
        "short-doi", _W, "shortDOI, not the whole DOI",
        "This is a shortDOI ({characters}), which stands for a DOI but is no DOI name itself; "
        "the right form is the DOI behind it.",
        "S12", "Use the DOI behind it.",
        "10/g8r7pm",
    ),
    Entry(
        "deleted", _W, "Deleted DOI",
        "The record leads to an agency's page for deleted DOIs, so the reader does not get the document.",
        "A8", "Look for the DOI that replaced it.",
        "10.5555/deleted-1",
    ),
    Entry(
        "alias", _I, "Alias of another DOI",
        "This name is an alias: the proxy answers with the record of the DOI behind it ({alias_of}), "
        "which is the better one to store.",
        "P7", "Store the DOI behind it.",
        "10.5479/si.0081024x.43",
    ),
    Entry(
        "alias-loop", _E, "Aliases run in a circle",
        "The record is an alias that leads round in a circle, so the link ends in an error; "
        "only the registration agency can mend it.",
        "P7", "Tell the registration agency.",
        "10.5555/loop-1",
    ),
    Entry(
        "unsafe-url", _W, "Address is no web address",
        "A URL of the record is not a web address (http, https or ftp), so it is shown as text and not as a link: "
        "{url}.",
        "A9", "Do not open it unless you know it.",
        "10.5555/unsafe-1",
    ),
)  # fmt: skip
