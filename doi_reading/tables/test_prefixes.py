"""Prefixes and addresses for examples and tests. A name with such a prefix is registered only if somebody wanted an
example that works."""

import re

from doi_reading.tables.unopenable_addresses import TEST_SYSTEMS

TEST_PREFIXES = frozenset(
    {
        "10.5555",  # Crossref's documentation; ACM's digital library shows it for works without a DOI
        "10.5072",  # DataCite's documentation
    }
)
_HOSTS = "|".join(re.escape(host.removeprefix(".")) for host in TEST_SYSTEMS)
TEST_ADDRESS = re.compile(
    rf"\s{{0,9}}(?:https?://)?((?:[a-z0-9-]{{1,63}}\.){{0,4}}(?:{_HOSTS}))(?=[/:?#]|\Z)", re.IGNORECASE
)
"""The host of a system for tests at the beginning of a text."""
