"""A ZIP archive that is sent while it is written."""

import zipfile
from collections.abc import Iterable, Iterator


class ArchiveBuffer:
    """The file that an archive is written to. It can't seek, and the caller takes the written bytes from it."""

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
        """Return all bytes written since the last call."""
        whole = b"".join(self._pieces)
        self._pieces.clear()
        return whole


def generate_zip(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Return an archive of the files, each a name and its blocks, in blocks. No file is held in memory. An error of a
    file ends the archive without its directory, so that every program calls it damaged."""
    out = ArchiveBuffer()
    archive = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
    for name, blocks in files:
        # The length isn't known before, so the form for more than 2 GiB is needed.
        with archive.open(name, "w", force_zip64=True) as member:
            for block in blocks:
                member.write(block)
                if compressed := out.take():
                    yield compressed
    archive.close()
    yield out.take()
