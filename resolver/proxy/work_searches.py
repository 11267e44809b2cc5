"""Search a service for works by the words of a row, without any I/O.

Crossref: https://www.crossref.org/documentation/retrieve-metadata/rest-api/ (`query.bibliographic`).
DataCite: https://support.datacite.org/docs/api-queries (a `query_string` of Elasticsearch, whose words must all fit).
OpenAlex: https://developers.openalex.org/guides/searching (all words must fit; needs a key).
biblio-glutton: https://github.com/kermitt2/biblio-glutton/blob/master/doc/API.md (the one work that fits best, or 404).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from types import MappingProxyType
from urllib.parse import quote

from doi_reading import Message
from resolver.domain.handle.answers import Failure, ProxyError
from resolver.domain.handle.proxy_json import WireError
from resolver.domain.redirect.web_host import find_host
from resolver.domain.work.metadata import WorkMetadata
from resolver.domain.work.openalex_answers import OPENALEX_MEMBERS, decode_openalex_works
from resolver.domain.work.search_query import SearchQuery
from resolver.domain.work.search_words import clean_text, split_search_words
from resolver.domain.work.service_answers import (
    decode_crossref_record,
    decode_crossref_works,
    decode_datacite_works,
    says_no_record,
)
from resolver.proxy.metadata_requests import describe_failure, is_final
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.proxy_reply import FailedAttempt, ProxyReply, build_failed_attempt
from resolver.proxy.request_logic import Conversation, SendStep, attempt
from resolver.proxy.work_lists import CROSSREF_MEMBERS

MOST_HITS = 5  # of one answer
LONGEST_TEXT_BYTES = 1500  # of each text, as it is written in the address
MOST_WORDS, LONGEST_WORD = 40, 100  # of a text in which each word counts
Hits = tuple[WorkMetadata, ...]
_Verdict = Hits | ProxyError | FailedAttempt
_PASSWORD = re.compile(r"(?<=://)[^/]*@")


@dataclass(frozen=True, slots=True)
class SearchService:
    """A service that finds works by words. `root`: its usual address; `write`: the path and query of the address, ""
    if the query has no word for it; `key_name`: the parameter of the operator's key; `says_none`: whether the body of
    an answer with HTTP 404 says that nothing fits."""

    root: str
    write: Callable[[SearchQuery], str]
    decode: Callable[[bytes, str], dict[str, WorkMetadata]]
    key_name: str = ""
    says_none: Callable[[bytes], bool] | None = None

    def takes(self, query: SearchQuery) -> bool:
        """Return whether the query has words to send to this service."""
        return bool(self.write(query))


def _write_for_crossref(query: SearchQuery) -> str:
    if not split_search_words(query.bibliographic):
        return ""
    return f"/works?rows={MOST_HITS}&select={CROSSREF_MEMBERS}&query.bibliographic={_write(query.bibliographic)}"


def _write_for_datacite(query: SearchQuery) -> str:
    """Ask for works with all words of the title, those by the author first. Of a reference nobody knows which words are
    its title: works with most of its longer words come first."""
    title, author, text = _split(query.title), _split(query.author), _split(query.text)
    if title:
        asked = f"titles.title:({' '.join(title)})"
        if author:
            asked = f"{asked} OR ({asked} AND creators.name:({' '.join(author)}))"
    elif text:
        asked = f"titles.title:({' OR '.join([word for word in text if len(word) > 3] or text)})"
    else:
        return ""
    return f"/dois?page%5Bsize%5D={MOST_HITS}&page%5Bnumber%5D=1&sort=relevance&query={_encode(asked)}"


def _write_for_openalex(query: SearchQuery) -> str:
    words = " ".join(_split(query.title))
    return f"/works?per-page={MOST_HITS}&select={OPENALEX_MEMBERS}&search={_encode(words)}" if words else ""


def _write_for_glutton(query: SearchQuery) -> str:
    if not split_search_words(query.bibliographic):
        return ""
    texts = {
        "atitle": query.title,
        "firstAuthor": query.author,
        "jtitle": query.container,
        "year": query.year,
        "biblio": query.text,
    }
    return "?" + "&".join(f"{name}={_write(text)}" for name, text in texts.items() if text)


SEARCH_SERVICES: Mapping[str, SearchService] = MappingProxyType(
    {
        "Crossref": SearchService("https://api.crossref.org", _write_for_crossref, decode_crossref_works),
        "DataCite": SearchService("https://api.datacite.org", _write_for_datacite, decode_datacite_works),
        "OpenAlex": SearchService(
            "https://api.openalex.org",
            _write_for_openalex,
            decode_openalex_works,
            key_name="api_key",
        ),
    }
)
"""The public services, by the name that a found work shows."""
_GLUTTON = SearchService("", _write_for_glutton, decode_crossref_record, says_none=says_no_record)
_CROSSREF_LIKE = SearchService("", _write_for_crossref, decode_crossref_works)


def choose_own_service(url: str) -> SearchService:
    """Return how the operator's own service at this address is searched: as a biblio-glutton if the address ends in
    `/lookup`, else as a server with the path `/works` of Crossref's."""
    return _GLUTTON if url.endswith("/lookup") else _CROSSREF_LIKE


def ask_search(
    query: SearchQuery, service: SearchService, config: ProxyConfig, *, key: str = ""
) -> Conversation[Hits | Failure]:
    """Search a service for works, the best hits first. Its address is that of the configuration. `key`: the operator's,
    where the service needs one."""
    host = find_host(config.root)
    url = f"{config.root}{service.write(query)}"
    if key and service.key_name:
        url = f"{url}&{service.key_name}={_encode(key)}"
    address = _PASSWORD.sub("", url.partition("?")[0])
    decide: Callable[[ProxyReply], _Verdict] = partial(_decide, service=service, host=host, address=address)
    outcome: _Verdict = yield from attempt(SendStep(url, service=host), config, decide, is_final)
    return describe_failure(outcome.failure, host) if isinstance(outcome, FailedAttempt) else outcome


def _decide(reply: ProxyReply, service: SearchService, host: str, address: str) -> _Verdict:
    if reply.status == 404:
        if service.says_none and service.says_none(reply.body):
            return ()
        # The operator has to mend an address that is wrong, so the reason has all of it.
        return ProxyError(Message("{host} answered with HTTP {status}", host=address, status=reply.status))
    if reply.status != 200:
        return build_failed_attempt(
            reply, Message("{host} answered with HTTP {status}", host=host, status=reply.status)
        )
    try:
        return tuple(service.decode(reply.body, host).values())[:MOST_HITS]
    except WireError as error:
        return FailedAttempt(ProxyError(error.reason))


def _split(text: str) -> list[str]:
    """Return the words of a text, as many as the address may hold. One that is too long is left out: without its end no
    title would have it."""
    words = [word for word in split_search_words(text) if len(word) <= LONGEST_WORD][:MOST_WORDS]
    size = accumulate(len(_encode(word)) + 1 for word in words)
    return [word for word, end in zip(words, size, strict=True) if end <= LONGEST_TEXT_BYTES]


def _write(text: str) -> str:
    """Return the text as the address has it, cut where it gets too long."""
    letters = [_encode(letter) for letter in clean_text(text)]
    size = accumulate(map(len, letters))
    return "".join(letter for letter, end in zip(letters, size, strict=True) if end <= LONGEST_TEXT_BYTES)


def _encode(text: str) -> str:
    return quote(text, safe="")
