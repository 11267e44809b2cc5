"""Steps of a task that do not need each other: the fault of one is logged, and the others are done."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from resolver.services.storage.storage_errors import FilesUnreachable, is_store_away

logger = logging.getLogger(__name__)


def run_each(steps: Iterable[tuple[str, Callable[[], Any]]]) -> None:
    """Do every step; its name goes into the log if it fails. A database or Redis that is away ends all: the error is
    raised, and the next run of the task begins anew. Few steps need the storage of files."""
    for name, step in steps:
        try:
            step()
        except Exception as error:
            if is_store_away(error) and not isinstance(error, FilesUnreachable):
                raise
            logger.exception("Failed: %s. The other steps go on.", name)
