"""The encoding of each character of a name in each form, with the clause that requires it (E1-E6, U2, N1-N4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from doi_reading.name.encoding import (
    COMMA,
    IN_URI,
    IN_URL,
    IN_URN,
    MANDATORY,
    RECOMMENDED,
    apply_table,
    find_slashes_to_encode,
)


@dataclass(frozen=True, slots=True)
class EncodedCharacter:
    """One character, or a run of characters that no form encodes. `clauses` are the reasons for an encoding, each once,
    in the order URL, doi: URI, URN, Which RA.

    Joined over a name, `url` follows the resolver's address, `uri` follows `doi:`, `urn` follows `urn:doi:`, and
    `which_ra` is one item of a Which RA request.
    """

    text: str
    url: str
    uri: str
    urn: str
    which_ra: str
    clauses: tuple[str, ...] = ()

    @property
    def stays(self) -> bool:
        """Return whether no form encodes it."""
        return not self.clauses


def explain_encoding(name: str) -> Iterator[EncodedCharacter]:
    """Yield the characters of the name in order. Neighbours that no form encodes are one run (E17)."""
    for stays, characters in groupby(_explain_each(name), lambda one: one.stays):
        if stays:
            run = "".join(one.text for one in characters)
            yield EncodedCharacter(run, run, run, run, run)
        else:
            yield from characters


def _explain_each(name: str) -> Iterator[EncodedCharacter]:
    folded = iter(find_slashes_to_encode(name))
    before_suffix = True
    for character in name:
        if character == "/":
            yield _explain_slash(separates=before_suffix, folds=next(folded))
            before_suffix = False
            continue
        url, uri, urn = (apply_table(character, table) for table in (IN_URL, IN_URI, IN_URN))
        which_ra = COMMA if character == "," else url
        in_url = () if url == character else (_find_clause(character),)
        in_uri = () if uri == character else ("U2",)
        in_urn = () if urn == character else ("N4",)
        in_list = ("E6",) if character == "," else ()
        yield EncodedCharacter(character, url, uri, urn, which_ra, in_url + in_uri + in_urn + in_list)


def _find_clause(character: str) -> str:
    return "E1" if character in MANDATORY else "E2" if character in RECOMMENDED else "E4"


def _explain_slash(*, separates: bool, folds: bool) -> EncodedCharacter:
    url = "%2F" if folds else "/"
    in_url = ("E5",) if folds else ()
    if separates:
        return EncodedCharacter("/", url, "/", ":", url, (*in_url, "N1"))
    return EncodedCharacter("/", url, apply_table("/", IN_URI), apply_table("/", IN_URN), url, (*in_url, "U2", "N2"))
