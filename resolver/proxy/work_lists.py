"""Request the metadata of many works at once from an agency's REST API, without any I/O.

Crossref gives up to 50 works for `filter=doi:…,doi:…`, DataCite for `ids=…,…`. In both a comma ends a name, so a name
with a comma is requested alone. The DOI proxy has no part in it, so the names must be known to be registered.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from urllib.parse import quote

from doi_reading import Message, fold
from resolver.domain.handle.answers import Failure, ProxyError
from resolver.domain.handle.proxy_json import WireError
from resolver.domain.redirect.web_host import find_host
from resolver.domain.work.metadata import MetadataAnswer, NoMetadata, NoMetadataReason, WorkMetadata
from resolver.domain.work.service_answers import decode_crossref_works, decode_datacite_works
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.proxy_reply import FailedAttempt, ProxyReply, build_failed_attempt
from resolver.proxy.request_logic import Conversation, SendStep, attempt, is_writable, split_by_length

MOST_NAMES = 50  # of one request
MOST_NAME_BYTES = 6000  # of the names of one request, as they are written in its address
WorkAnswers = dict[str, MetadataAnswer]
"""By folded names."""

# Without it, Crossref sends all references of all works: megabytes.
CROSSREF_MEMBERS = (
    "DOI,title,subtitle,short-title,original-title,author,editor,issued,published-print,published-online,created,posted,"
    "container-title,short-container-title,volume,page,publisher,type,relation,updated-by"
)


@dataclass(frozen=True, slots=True)
class WorkService:
    """The REST API of an agency. `list_path` is filled in with the names, `work_path` with one; `joint` stands
    before each name of a list."""

    root: str
    list_path: str
    work_path: str
    joint: str
    decode: Callable[[bytes, str], dict[str, WorkMetadata]]


WORK_SERVICES: Mapping[str, WorkService] = MappingProxyType(
    {
        "Crossref": WorkService(
            "https://api.crossref.org",
            f"/works?rows={MOST_NAMES}&select={CROSSREF_MEMBERS}&filter={{}}",
            "/works/{}",
            "doi:",
            decode_crossref_works,
        ),
        "DataCite": WorkService(
            "https://api.datacite.org",
            f"/dois?page%5Bsize%5D={MOST_NAMES}&ids={{}}",
            "/dois/{}",
            "",
            decode_datacite_works,
        ),
    }
)
"""By the agency, as Which RA names it."""


def split_work_lists(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the names in lists of which each is one request."""
    yield from ([name] for name in names if "," in name)
    yield from split_by_length([name for name in names if "," not in name], MOST_NAMES, MOST_NAME_BYTES, _encode)


def ask_works(names: Sequence[str], service: WorkService, config: ProxyConfig) -> Conversation[WorkAnswers | Failure]:
    """Ask for the works of one list (`split_work_lists`). The address of the service is that of the configuration. A
    name of which the service says nothing has no metadata; works of other names are left out."""
    writable = [name for name in names if is_writable(name)]
    if not writable:
        return {}
    if len(writable) == 1:
        place = service.work_path.format(_encode(writable[0]))
    else:
        place = service.list_path.format(",".join(f"{service.joint}{_encode(name)}" for name in writable))
    host = find_host(config.root)
    step = SendStep(f"{config.root}{place}", service=host)
    decide: Callable[[ProxyReply], WorkAnswers | FailedAttempt] = partial(
        _decide, names=writable, service=service, host=host
    )
    outcome: WorkAnswers | FailedAttempt = yield from attempt(step, config, decide)
    return outcome.failure if isinstance(outcome, FailedAttempt) else outcome


def _encode(name: str) -> str:
    return quote(name, safe="")


def _decide(reply: ProxyReply, names: Sequence[str], service: WorkService, host: str) -> WorkAnswers | FailedAttempt:
    missing = NoMetadata(NoMetadataReason.NOT_AVAILABLE, host)
    if reply.status == 404 and len(names) == 1:
        return {fold(names[0]): missing}
    if reply.status != 200:
        return build_failed_attempt(
            reply, Message("{host} answered with HTTP {status}", host=host, status=reply.status)
        )
    try:
        works = service.decode(reply.body, host)
    except WireError as error:
        return FailedAttempt(ProxyError(error.reason))
    return {fold(name): works.get(fold(name), missing) for name in names}
