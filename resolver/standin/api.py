"""The two JSON services: REST records (section A) and Which RA (section R)."""

from dataclasses import replace

from resolver.domain.handle.parameters import Parameters
from resolver.domain.handle.responses import agencies_reply, error_reply, record_reply
from resolver.domain.name.url_path import decode_path, names_in_list
from resolver.standin import http_replies
from resolver.standin.http_replies import HttpReply
from resolver.standin.lookup import SLOW, SampleAnswers

TOO_LONG = 8192


def record(answers: SampleAnswers, target: str, query: str) -> HttpReply:
    """GET /api/handles/<name>: A1 to A3, A6, A7."""
    name = decode_path(target)
    if not name:
        return http_replies.data(error_reply(name or "", "The handle is empty or not UTF-8"))
    found = answers.find(name)
    if found.fault in http_replies.FAULTY:
        return http_replies.FAULTY[found.fault]
    shown_name = name + ".other" if found.fault == "wrongname" else name
    reply = http_replies.data(record_reply(shown_name, found.answer, Parameters.of(query)))
    return replace(reply, delay=SLOW) if found.fault == "slow" else reply


def agencies(answers: SampleAnswers, target: str) -> HttpReply:
    """GET /doiRA/<names> (R1 to R4, E6)."""
    return http_replies.data(agencies_reply([answers.agency(name) for name in names_in_list(target)]))
