"""Who pays for the requests about a name: each text that holds it, out of an allowance of its own."""

from collections.abc import Iterable

from doi_reading import Reading, fold
from resolver.proxy.limits.requests_per_text import REQUESTS_FOR_MAIN_NAME, NameAllowance, RequestAllowance
from resolver.services.proxy_answers.names_to_ask import list_names_to_ask


class Allowances:
    """One for each distinct text with its hyperlink, for any number of rows."""

    def __init__(self) -> None:
        self.shares: dict[str, list[NameAllowance]] = {}
        self._by_text: dict[tuple[str, str, tuple[str, ...]], RequestAllowance] = {}

    def pay_for(self, reading: Reading) -> None:
        """Let a new text pay for its names, with precedence for the name that it is read as."""
        key = _build_key(reading)
        if key not in self._by_text:
            allowance = self._by_text[key] = RequestAllowance()
            names, in_full = list_names_to_ask(reading)
            for place, name in enumerate(dict.fromkeys([*in_full, *names]) if reading.others else in_full):
                self._share(name, NameAllowance(allowance, REQUESTS_FOR_MAIN_NAME if place else 0))

    def pay_for_more(self, reading: Reading, names: Iterable[str]) -> None:
        """Let the text pay for these names too."""
        share = NameAllowance(self._by_text.setdefault(_build_key(reading), RequestAllowance()))
        for name in names:
            self._share(name, share)

    def _share(self, name: str, share: NameAllowance) -> None:
        self.shares.setdefault(fold(name), []).append(share)


def _build_key(reading: Reading) -> tuple[str, str, tuple[str, ...]]:
    return reading.input, str(reading.doi), reading.others
