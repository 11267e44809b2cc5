"""Templates without their indentation, which is a third of a page with a table."""

import re

from django.template import Engine, Origin
from django.template.loaders import cached, filesystem

APPS = "django.template.loaders.app_directories.Loader"
_INDENTATION = re.compile(r"\n\s+")


class UnindentedLoader(filesystem.Loader):
    """Django's file loader, without indentation and empty lines. Write an element in which spaces count on one line."""

    def get_contents(self, origin: Origin) -> str:
        return _INDENTATION.sub("\n", super().get_contents(origin))


class TemplateLoader(cached.Loader):
    """The portal's templates, then those of its apps, each read once."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, [f"{__name__}.{UnindentedLoader.__name__}", APPS])
