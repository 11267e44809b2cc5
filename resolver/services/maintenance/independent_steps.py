"""Steps of a task that don't need each other: if one fails, the others run."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from resolver.services.storage.storage_errors import FilesUnreachable, is_store_away

logger = logging.getLogger(__name__)


def run_each(steps: Iterable[tuple[str, Callable[[], Any]]]) -> None:
    """Run every step, and log the name of one that fails. A database or Redis that is away ends all: the error is
    raised, and the next run of the task begins anew. Few steps need the storage of files."""
    for name, step in steps:
        try:
            step()
        except Exception as error:
            if is_store_away(error) and not isinstance(error, FilesUnreachable):
                raise
            logger.exception("Failed: %s. The other steps go on.", name)
