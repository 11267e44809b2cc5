"""The problems around a name, of where it was taken from, and of its record."""

from resolver.domain.problems.entry import Entry, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

OF_SOURCES = (
    Entry(
        "surrounding-text", _I, "Other text around it",
        "There is other text around the DOI. We left it out, because a link should contain only the DOI.",
        "B2", "Store only the DOI.",
        "The DOI Handbook, 10.1000/182",
    ),
    Entry(
        "several-dois", _W, "More than one DOI",
        "There is more than one DOI here. We use the first, because a link can open only one. Put each DOI in "
        "its own row.",
        "B1", "Put each DOI in its own row.",
        "10.1000/182; 10.17487/RFC3651",
    ),
    Entry(
        "glued-dois", _W, "Two DOIs run together",
        "Two different DOIs seem to run together here. They are read as one name, which probably doesn't exist, "
        "so the link fails. Put each DOI in its own row.",
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
        "link-differs", _E, "Hyperlink opens another DOI",
        "The cell shows this DOI, but its hyperlink opens another one ({linked}).",
        "B2", "Find out which DOI is right, and correct the other one.",
        "10.1000/182 → https://doi.org/10.17487/RFC3651",
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
        "publisher-url", _W, "Taken from another web address",
        "We took the DOI from a web address that isn't the DOI resolver's and may stop working. Check it "
        "against the page, and use the https://doi.org/ form.",
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
        "The record is part of a loop of aliases, so the link ends in an error. Only the registration agency "
        "can fix it.",
        "P7", "Contact the registration agency.",
        "10.5555/loop-1",
    ),
    Entry(
        "unsafe-url", _W, "Address isn't a web address",
        "A URL in the record isn't a web address (http, https or ftp), so we show it as text, not as a link: {url}.",
        "A9", "Don't open it unless you trust it.",
        "10.5555/unsafe-1",
    ),
)  # fmt: skip
