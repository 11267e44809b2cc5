"""Put texts to one Python tool: `python -m benchmarks.other_tools.python_calls NAME`, in the tool's own environment.

Standard input is a JSON list of texts, standard output a list with the names that the tool gives for each. Whatever it
raises for a text is the answer that there is none. A connection that it tries to open is refused.
"""

import contextlib
import json
import sys
import tempfile
from collections.abc import Callable

from benchmarks.other_tools import published_patterns
from doi_reading import fold
from tests.doi_reading.corpus import cases

Ask = Callable[[str], list[str]]


class NoNetwork(OSError):
    """A tool tried to open a connection."""


def _refuse_connections(event: str, _arguments: object) -> None:
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise NoNetwork(event)


def idutils() -> Ask:
    """Return the documented call; it raises AttributeError for what is no DOI to it."""
    from idutils import normalize_doi

    return lambda text: [normalize_doi(text)]


def idutils_careful() -> Ask:
    """Return what a careful caller does: strip, detect, normalise. A handle that is no DOI counts for nothing."""
    from idutils import detect_identifier_schemes, normalize_pid

    def ask(text: str) -> list[str]:
        schemes = [scheme for scheme in detect_identifier_schemes(text.strip()) if scheme in ("doi", "handle")]
        names = [normalize_pid(text.strip(), scheme) for scheme in schemes]
        return [name for name in names if name.startswith("10.")]

    return ask


def oc_ds_converter(*, repair: bool = False) -> Ask:
    """Return the manager's answer. With `repair`, its question to doi.org is answered from the corpus."""
    from oc_ds_converter.oc_idmanager.doi import DOIManager
    from oc_ds_converter.oc_idmanager.oc_data_storage.in_memory_manager import InMemoryStorageManager

    names = {fold(case.expected) for case in cases() if case.expected}

    class WithAnOracle(DOIManager):
        def exists(self, id_string: str, get_extra_info: bool = False, allow_extra_api: str | None = None) -> bool:
            return fold(id_string.removeprefix("doi:")) in names

    storage = InMemoryStorageManager(f"{tempfile.mkdtemp()}/storage.json")
    manager = WithAnOracle(use_api_service=repair, storage_manager=storage)

    def ask(text: str) -> list[str]:
        name = manager.normalise(text)
        if name and repair and not manager.exists(name):
            name = manager.attempt_repair(name) or name
        return [name] if name and manager.syntax_ok(name) else []

    return ask


def doi2bib3(*, addresses: bool = False) -> Ask:
    """Return what it reads before it opens a connection."""
    from doi2bib3 import backend

    def ask(text: str) -> list[str]:
        try:
            return [backend._parse_doi_string(text)]
        except backend.DOIError:
            found = backend._doi_candidates_from_url_path(text) if addresses else []
            return [backend._parse_doi_string(backend._clean_doi_candidate(name)) for name in found]

    return ask


def commonmeta(*, addresses: bool = False) -> Ask:
    """Return its reading of a DOI, with `addresses` also of an address."""
    from commonmeta.doi_utils import doi_from_url, normalize_doi

    def ask(text: str) -> list[str]:
        name = normalize_doi(text) or (addresses and doi_from_url(text))
        return [name.removeprefix("https://doi.org/")] if name else []

    return ask


def python_doi(*, label: bool = False) -> Ask:
    """Return its search in a text. It finds nothing without the word doi, so `label` puts that in front."""
    from doi import find_doi_in_text

    def ask(text: str) -> list[str]:
        name = find_doi_in_text(text) or (label and find_doi_in_text(f"doi:{text}"))
        return [name] if name and (name.startswith("10.") or not label) else []

    return ask


def pdf2doi() -> Ask:
    """Return its search in a text, without its question to doi.org."""
    from pdf2doi import config, finders

    config.set("webvalidation", False)

    def ask(text: str) -> list[str]:
        name, kind, _ = finders.find_identifier_in_text(text, finders.validate)
        return [name] if kind == "DOI" else []

    return ask


def ref_verify() -> Ask:
    """Return what it does with each line of a reference list."""
    from ref_verify.doi_check import normalize_doi
    from ref_verify.reference_parse import DOI_PATTERN

    return lambda text: [normalize_doi(match.group()) for match in [DOI_PATTERN.search(text)] if match]


def url2bib() -> Ask:
    """Return its search in a page."""
    from url2bib.identifiers import dois_from_html

    return dois_from_html


CALLS: dict[str, Callable[[], Ask]] = {
    "idutils": idutils,
    "idutils, careful": idutils_careful,
    "oc-ds-converter": oc_ds_converter,
    "oc-ds-converter, repair": lambda: oc_ds_converter(repair=True),
    "doi2bib3": doi2bib3,
    "doi2bib3, addresses": lambda: doi2bib3(addresses=True),
    "commonmeta": commonmeta,
    "commonmeta, addresses": lambda: commonmeta(addresses=True),
    "python-doi": python_doi,
    "python-doi, label": lambda: python_doi(label=True),
    "pdf2doi": pdf2doi,
    "ref-verify": ref_verify,
    "url2bib": url2bib,
    **{name: lambda call=call: call for name, call in published_patterns.CALLS.items()},
}


def main() -> None:
    """Answer for the tool that the first argument names."""
    with contextlib.redirect_stdout(sys.stderr):
        ask = CALLS[sys.argv[1]]()
        sys.addaudithook(_refuse_connections)
        answers: list[list[str]] = []
        for text in json.load(sys.stdin):
            try:
                answers.append(ask(text))
            except Exception:  # noqa: BLE001 - strangers' code says in many ways that it can't read a text
                answers.append([])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
