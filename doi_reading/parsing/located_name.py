"""A name as it is written in a text, and what stands around it."""

import re
from dataclasses import dataclass
from enum import StrEnum

from doi_reading.name.decoding import decode_once
from doi_reading.problems.problem import Problem
from doi_reading.text.source_text import SourceText


class Coding(StrEnum):
    """How the characters of a name are encoded."""

    PLAIN = "plain"
    URL = "url"
    URI = "uri"
    URN = "urn"


@dataclass(slots=True)
class LocatedName:
    """A name as written, its form, and the text that was set aside. Each layer around the name changes it in place."""

    raw: SourceText
    form: str = "name"
    coding: Coding = Coding.PLAIN
    problems: tuple[Problem, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    """The spans of the layers that say "a DOI follows"; more than one is a repetition."""
    resolver: bool = False
    handle: bool = False
    """Whether the layers say that any handle follows, such as hdl.handle.net: without `10.` it is no DOI."""
    which_ra: bool = False
    scheme: bool = False
    """Whether `doi:` stands directly before a name that is not legal in the URI."""
    rest: SourceText | None = None
    """The text from the white space that ended the name."""
    query: SourceText | None = None
    fragment: SourceText | None = None
    whole: SourceText | None = None
    """The name before a publisher's path ending was cut."""

    def with_slash(self, written: str) -> str:
        """Return the text with a slash in place of the first colon of a urn:doi: (N1, N3)."""
        return re.sub("[:/]", "/", written, count=1) if self.coding is Coding.URN else written

    @property
    def decoded(self) -> str:
        """The name, decoded once."""
        return decode_once(self.with_slash(self.raw.text)).text
