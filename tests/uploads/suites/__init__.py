"""Test files of other formats (see README.md)."""

import tarfile
from collections.abc import Iterator
from pathlib import Path

_PACKED = Path(__file__).with_name("suites.tar.xz")


def files() -> Iterator[tuple[str, bytes]]:
    """Each file with its path."""
    with tarfile.open(_PACKED) as packed:
        for member in packed:
            if content := packed.extractfile(member):
                yield member.name, content.read()
