"""Whether the static files that are served are those of this version."""

import filecmp
from collections.abc import Iterator
from pathlib import Path

from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage


def count_outdated_static_files() -> int | None:
    """Return how many files differ from those of this version; None if they aren't collected, or only in part: the
    names of the served files are written last."""
    try:
        staticfiles_storage.url("resolver/site.css")
    except ValueError:
        return None
    equal = (to.is_file() and filecmp.cmp(source, to, shallow=False) for source, to in _pair_files())
    return sum(not one for one in equal)


def _pair_files() -> Iterator[tuple[Path, Path]]:
    """Yield each file of this version with the one that was collected from it. The first of one name counts."""
    seen: set[str] = set()
    for finder in get_finders():
        for name, storage in finder.list([]):
            if name not in seen:
                seen.add(name)
                yield Path(storage.path(name)), Path(staticfiles_storage.path(name))
