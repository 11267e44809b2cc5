"""The DOI name: its syntax, and its forms as URL, URI and URN."""

from doi_reading.name.check_digits import find_wrong_check_digit
from doi_reading.name.decoding import decode_once
from doi_reading.name.doi import is_beginning_of, is_doi, is_short_doi
from doi_reading.name.encoding import (
    RESOLVER,
    UNSENDABLE,
    EncodedCharacter,
    Form,
    explain_encoding,
    percent_encode,
)

__all__ = [
    "RESOLVER",
    "UNSENDABLE",
    "EncodedCharacter",
    "Form",
    "decode_once",
    "explain_encoding",
    "find_wrong_check_digit",
    "is_beginning_of",
    "is_doi",
    "is_short_doi",
    "percent_encode",
]
