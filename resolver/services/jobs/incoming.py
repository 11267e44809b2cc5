"""Files on their way in: written to disk by the web server before any view sees them."""

from contextlib import suppress
from typing import Any

from django.core.files.uploadhandler import TemporaryFileUploadHandler


class ToDiskOrNothing(TemporaryFileUploadHandler):
    """On a full disk, the whole request is read before the error is raised: a client that is still sending when the
    connection closes never sees the answer. And nothing is left: Django's own leaves its half file until somebody
    happens to collect the garbage."""

    _failed: OSError | None = None

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write a piece, as long as there is room."""
        if self._failed is None:
            try:
                super().receive_data_chunk(raw_data, start)
            except OSError as error:
                self._fail(error)

    def file_complete(self, file_size: int) -> Any:
        """The file, written to its end; raises OSError."""
        if self._failed is not None:
            raise self._failed
        try:
            return super().file_complete(file_size)
        except OSError as error:
            self._fail(error)
            raise

    def _fail(self, error: OSError) -> None:
        self._failed = error
        with suppress(OSError):  # what is buffered still finds no room
            self.file.close()
