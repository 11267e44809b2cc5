"""What a check of a host says: whether its server can be reached. It says nothing about a page."""

from dataclasses import dataclass
from enum import StrEnum

from doi_reading import Message
from doi_reading.message import NOTHING


class HostCode(StrEnum):
    """The codes of a verdict. NOT_CONTACTED and UNCHECKED say nothing about the host."""

    ANSWERS = "answers"
    NO_SUCH_HOST = "no-such-host"
    NO_ANSWER = "no-answer"
    CERTIFICATE_ENDED = "certificate-ended"
    CERTIFICATE_OTHER_NAME = "certificate-other-name"
    CERTIFICATE_UNTRUSTED = "certificate-untrusted"
    NO_SECURE_CONNECTION = "no-secure-connection"
    NOT_CONTACTED = "not-contacted"
    UNCHECKED = "could-not-check"


FAULTS = (
    HostCode.NO_SUCH_HOST,
    HostCode.NO_ANSWER,
    HostCode.CERTIFICATE_ENDED,
    HostCode.CERTIFICATE_OTHER_NAME,
    HostCode.CERTIFICATE_UNTRUSTED,
    HostCode.NO_SECURE_CONNECTION,
)
"""The codes that say that something is wrong with the host."""


@dataclass(frozen=True, slots=True)
class HostVerdict:
    """The code, and a sentence with more details, or NOTHING."""

    code: HostCode
    detail: Message = NOTHING
