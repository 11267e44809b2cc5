"""Templates without their indentation, which people who edit them need and browsers do not: it is a third of a page
with a table."""

import re

from django.template import Engine, Origin
from django.template.loaders import cached, filesystem

APPS = "django.template.loaders.app_directories.Loader"
_INDENTATION = re.compile(r"\n\s+")


class UnindentedLoader(filesystem.Loader):
    """Django's loader of files; each line of a template begins with its first character, and empty lines are left out.
    An element in which every space counts stands on one line."""

    def get_contents(self, origin: Origin) -> str:
        return _INDENTATION.sub("\n", super().get_contents(origin))


class TemplateLoader(cached.Loader):
    """Django's own order: the portal's templates, then those of its apps; each is read once."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, [f"{__name__}.{UnindentedLoader.__name__}", APPS])
