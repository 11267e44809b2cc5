"""A ZIP archive that is sent while it is written."""

import zipfile
from collections.abc import Iterable, Iterator

LEVEL = 6  # of compression


class ArchiveBuffer:
    """What an archive is written to: a file that can't seek, from which the caller takes what was written."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        """Keep a piece."""
        self._pieces.append(piece)
        return len(piece)

    def flush(self) -> None:
        """Do nothing, as nothing is held back."""

    def close(self) -> None:
        """Do nothing, as nothing is open."""

    def take(self) -> bytes:
        """Return all that was written since the last time."""
        whole = b"".join(self._pieces)
        self._pieces.clear()
        return whole


def generate_zip(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Return an archive of the files, each a name and its blocks, in blocks. No file is held in memory. An error of a
    file ends the archive without its directory, so that every program calls it damaged."""
    out = ArchiveBuffer()
    archive = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)
    for name, blocks in files:
        # How long a file becomes is not known before: the form for more than 2 GiB.
        with archive.open(name, "w", force_zip64=True) as member:
            for block in blocks:
                member.write(block)
                if compressed := out.take():
                    yield compressed
    archive.close()
    yield out.take()
