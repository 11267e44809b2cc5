"""The causes for which a request gets no answer of the DOI system, with their HTTP status.

If a name was read but can't be answered, the status is 500 whatever the cause: it is the status of response code 2
(A2), and programs made for doi.org know only 200, 404 and 500. Requests that HTTP refuses before a name is read keep
their own status.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause. `heading`: of its page. `next`: what a person can do, if reloading later doesn't help.
    `nothing_learned`: the name may or may not exist."""

    status: int
    heading: str | Promise
    next: str | Promise = ""
    nothing_learned: bool = False


UNREADABLE = Cause(
    400,
    _("This address holds no readable name"),
    _(
        "A DOI name is written in a link as UTF-8, each byte percent-encoded, and holds no control characters. "
        "Copy the link anew from its source, or look the name up by hand."
    ),
)
NO_LOGIN = Cause(401, _("This portal asks for a login"), _("Log in, and follow the link again."))
WRONG_METHOD = Cause(
    405,
    _("This is not how to ask for a name"),
    _("Follow the link in a browser, or look the name up by hand."),
)
TOO_LONG = Cause(414, _("This address is too long"), _("Look the name up by hand: the front page takes longer ones."))
NOT_ASKED = Cause(500, _("The DOI proxy is not asked just now"), nothing_learned=True)
NO_USABLE_ANSWER = Cause(500, _("The DOI proxy gave no usable answer"), nothing_learned=True)
NO_ANSWER = Cause(500, _("The DOI proxy did not answer"), nothing_learned=True)
NO_END = Cause(
    500,
    _("This name cannot be resolved"),
    _("Only the Registration Agency can mend it. Look the name up, to see which agency that is."),
)
