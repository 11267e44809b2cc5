"""What the sample proxy knows about a name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from doi_reading import Doi, NotADoi, fold
from doi_reading.message import join_messages
from resolver.domain.handle.answers import Answer, MissingHandle, NoValues, ProxyError, WhichRaAnswer
from resolver.domain.handle.proxy_json import SUCCESS, build_answer
from resolver.standin import generated_names
from resolver.standin.records import SampleRecords
from resolver.standin.sample_works import DATA_AGENCY, find_sample_number

_PREFIX = re.compile(r"10(?:\.[0-9]+)+\Z")
_AUTHORITIES = "0.na/"
SLOW_ANSWER_SECONDS = 2.0
_ERROR = join_messages("", "Internal Error")  # the words of another program, which no page translates


@dataclass(slots=True)
class SampleAnswers:
    """The answers from a collection of records. `shown` are the names whose "once" fault has been sent."""

    collection: SampleRecords
    shown: set[str] = field(default_factory=set)

    def find(self, name: str) -> tuple[Answer, str]:
        """Return the answer of a name's own record, and the fault that its HTTP answer shall have ("": none). Names are
        compared with A-Z folded (S8)."""
        key = fold(name)
        entry = self.collection.entries.get(key)
        if entry is not None:
            return entry.record if entry.record.values else NoValues(), ""
        if self._is_made_up(key):
            return self._make_up(name, key)
        prefix = key.removeprefix(_AUTHORITIES)
        if prefix in self.collection.prefixes:
            return _record(name, _build_prefix_values(prefix, self.collection.prefixes[prefix])), ""
        return MissingHandle(), ""

    def _is_made_up(self, key: str) -> bool:
        prefix, _, suffix = key.partition("/")
        if key in self.collection.absent:
            return False
        return (prefix == generated_names.PREFIX and suffix != "") or find_sample_number(key) is not None

    def _make_up(self, name: str, key: str) -> tuple[Answer, str]:
        found = generated_names.split_suffix(name)
        word = generated_names.find_behaviour_word(found)
        if word == "missing":
            return MissingHandle(), ""
        if word == "novalues":
            return NoValues(), ""
        if word not in generated_names.FAULTS:
            return _record(name, generated_names.build_generated_values(name, word)), ""
        ordinary = _record(name, generated_names.build_generated_values(name, ""))
        if "once" in found:
            if key in self.shown:
                return ordinary, ""
            self.shown.add(key)
        return ProxyError(_ERROR) if word == "error" else ordinary, word

    def agency(self, name: str) -> WhichRaAnswer:
        """Return what Which RA says about a DOI name or a prefix (R1, R3). It knows no short DOIs (R4)."""
        prefixes = self.collection.prefixes
        if _PREFIX.match(name):
            return _build_answer(name, prefixes.get(name), name in prefixes)
        try:
            Doi.parse(name)
        except NotADoi:
            return WhichRaAnswer(name, status="Invalid DOI")
        key = fold(name)
        entry = self.collection.entries.get(key)
        if entry is not None:
            return _build_answer(name, entry.ra, True)
        behaviour = generated_names.find_behaviour_word(generated_names.split_suffix(name))
        agency = generated_names.AGENCY if key.startswith(f"{generated_names.PREFIX}/") else DATA_AGENCY
        return _build_answer(name, agency, self._is_made_up(key) and behaviour != "missing")


def _build_answer(name: str, ra: str | None, exists: bool) -> WhichRaAnswer:
    if not exists:
        return WhichRaAnswer(name, status="DOI does not exist")
    return WhichRaAnswer(name, ra=ra) if ra else WhichRaAnswer(name, status="Unknown")


def _record(name: str, values: Sequence[Mapping[str, Any]]) -> Answer:
    return build_answer({"responseCode": SUCCESS, "handle": name, "values": values})


def _build_prefix_values(prefix: str, ra: str) -> list[Mapping[str, Any]]:
    admin = {"handle": "0.NA/10", "index": 200, "permissions": "111111110010"}
    service = "10.SERV/" + ("DEFAULT" if ra == "Public" else ra.upper())
    return [
        generated_names.build_handle_value(1, "HS_SERV", service),
        generated_names.build_handle_value(100, "HS_ADMIN", admin, "admin"),
    ]
