"""The sentences that the layers below say in English, as templates: {details} stand where theirs were filled in.

The domain knows no language, and what is stored is stored in English. So a page translates what it shows
(`site/translate.py` finds the template that a sentence was made of). A test holds that
every sentence of the code below is here.
"""

from resolver.domain.display.admin_rights import RIGHTS
from resolver.domain.problems.problem import CATALOGUE, NEUTRAL
from resolver.domain.repair import RULES
from resolver.domain.report.report import Outcome
from resolver.web.sentences.of_files import FILES
from resolver.web.sentences.of_names import NAMES
from resolver.web.sentences.of_records import RECORDS
from resolver.web.sentences.of_the_proxy import PROXY

NESTED = frozenset(
    {"failure", "moment", "outcome", "reason", "refused", "rights", "size", "span", "step", "things", "where", "why"}
)
"""Details that are sentences or phrases of ours themselves."""
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_NUMBER = "[0-9][0-9,]*"
FORMS = {
    **dict.fromkeys(("before", "column", "count", "first", "index", "last", "left", "line", "number"), _NUMBER),
    "status": "[0-9]+",
    "day": "[0-9]{1,2}",
    "month": _MONTHS,
    "year": "[0-9]{4,}",
    "time": "[0-9:]{5,8}",
    "step": ".+",  # to the end, with its commas
}
"""The details that look in one way only, as regular expressions; any other may be any text."""
NUMBERS = frozenset({"length", "most", *FORMS}) - NESTED
"""The details whose numbers may have commas between thousands; the first two may be neutral words instead."""


def every_sentence() -> tuple[str, ...]:
    """Each template once: whole sentences, with a full stop at the end, and phrases."""
    of_problems = (text for entry in CATALOGUE.values() for text in (entry.title, entry.sentence, entry.advice))
    return tuple(
        dict.fromkeys(
            (
                *of_problems,
                *NEUTRAL.values(),
                *(rule.reason for rule in RULES),
                *(outcome.word for outcome in Outcome),
                *RIGHTS,
                *NAMES,
                *RECORDS,
                *PROXY,
                *FILES,
            )
        )
    )
