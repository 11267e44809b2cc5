"""Services that rewrite the links in mails and badges, and how to undo it, as data."""

import re
from dataclasses import dataclass

URLDEFENSE_END = "__;"
"""https://urldefense.com/v3/__https://doi.org/10.1000/182__;!!x"""
_ONE_SLASH = re.compile(r"(?<=\Ahttp:)/\*?(?!/)|(?<=\Ahttps:)/\*?(?!/)")


@dataclass(frozen=True, slots=True)
class Redirector:
    """One service. `inner` finds the address or name after the host. `signs` reverse the rewriting, in order."""

    host: str
    inner: re.Pattern[str]
    signs: tuple[tuple[re.Pattern[str], str], ...]
    example: tuple[str, str]
    source: str


REDIRECTORS = {
    one.host: one
    for one in (
        Redirector(
            "urldefense.proofpoint.com",
            re.compile(r"/v2/url\?(?:[^#]*&)?u=([^&#]*)"),
            ((re.compile("_"), "/"), (re.compile("-(?=[0-9A-F]{2})"), "%")),
            (
                "https://urldefense.proofpoint.com/v2/url?u=https-3A__doi.org_10.1016_j.ecolind.2021.107419&d=DwMGaQ",
                "10.1016/j.ecolind.2021.107419",
            ),
            "public mails that passed Proofpoint's URL Defense, version 2",
        ),
        *(
            Redirector(
                host,
                re.compile(r"/v3/__(https?:/(?!/)\S*?)(?:__;|\Z)", re.IGNORECASE),
                ((_ONE_SLASH, "//"),),
                (f"https://{host}/v3/__https:/doi.org/10.1000/182__;!!x", "10.1000/182"),
                "public mails: a program made one slash of two. Other such addresses are read as they are",
            )
            for host in ("urldefense.com", "urldefense.us")
        ),
        Redirector(
            "img.shields.io",
            re.compile(r"/badge/[^-/]*-((?:[^-?#]|--)+)-[A-Za-z0-9]+(?:\.svg|\.png)?(?=[?#]|\Z)"),
            ((re.compile("--"), "-"), (re.compile("__"), "_")),
            ("https://img.shields.io/badge/DOI-10.1007%2F978--3--030--91032--7-purple", "10.1007/978-3-030-91032-7"),
            "badges in public README files",
        ),
    )
}
