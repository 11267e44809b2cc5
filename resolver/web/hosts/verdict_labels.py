"""The labels of the verdicts on hosts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext_lazy

from resolver.domain.redirect.host_verdict import HostCode
from resolver.web.wording.tones import Toned

# Lazy texts are used like texts here.
_ = cast("Callable[[str], str]", gettext_lazy)


@dataclass(frozen=True, slots=True)
class HostLabel(Toned):
    """`word` for tables, `advice` for what it means. `tone` is a colour, never shown without the word."""

    word: str
    advice: str
    tone: str


HOST_LABELS: Mapping[str, HostLabel] = {
    HostCode.NO_SUCH_HOST: HostLabel(
        _("Host doesn’t exist"),
        _("DNS, the directory of names, doesn’t have it. Ask the publisher or the agency for a new address."),
        "bad",
    ),
    HostCode.NO_ANSWER: HostLabel(
        _("No answer"),
        _("We couldn’t connect. The server may be down for a short time, so check it again on another day."),
        "bad",
    ),
    HostCode.CERTIFICATE_ENDED: HostLabel(
        _("Certificate expired"), _("Browsers warn readers, and many can’t go on. Tell the publisher."), "bad"
    ),
    HostCode.CERTIFICATE_OTHER_NAME: HostLabel(
        _("Certificate for another name"),
        _("The server may belong to another person now. Browsers warn readers. Tell the publisher."),
        "bad",
    ),
    HostCode.CERTIFICATE_UNTRUSTED: HostLabel(
        _("Certificate not trusted"),
        _("We couldn’t verify the certificate. Some browsers may accept it. Open a row to try."),
        "warn",
    ),
    HostCode.NO_SECURE_CONNECTION: HostLabel(
        _("No secure connection"),
        _("The server answers, but not with a secure connection (TLS) that browsers accept today."),
        "bad",
    ),
    HostCode.ANSWERS: HostLabel(
        _("Answers"), _("The server can be reached. With https, its certificate is valid."), "good"
    ),
    HostCode.NOT_CONTACTED: HostLabel(
        _("Not contacted"), _("We only contact web servers on the public internet."), "unknown"
    ),
    HostCode.UNCHECKED: HostLabel(
        _("Couldn’t check"), _("This says nothing about the host. Check again later."), "unknown"
    ),
    "": HostLabel(_("Not checked yet"), "", "waits"),
}
