"""Templates without their indentation, which is a third of a page with a table, and with constant parts rendered once
for each language."""

import re
import threading

from django.conf import settings
from django.template import Engine, Origin, Template
from django.template.loaders import cached, filesystem
from django.urls import get_script_prefix
from django.utils.translation import get_language

from resolver.web.site.constant_nodes import fold

APPS = "django.template.loaders.app_directories.Loader"
_INDENTATION = re.compile(r"\n\s+")


class UnindentedLoader(filesystem.Loader):
    """Django's file loader, without indentation and empty lines. Write an element in which spaces count on one line."""

    def get_contents(self, origin: Origin) -> str:
        return _INDENTATION.sub("\n", super().get_contents(origin))


class TemplateLoader(cached.Loader):
    """The portal's templates, then those of its apps, each read once for a language and a path of the portal. Of the
    portal's own the constant parts are rendered then."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, [f"{__name__}.{UnindentedLoader.__name__}", APPS])
        self._folded: dict[str, Template] = {}
        self._folding = threading.Lock()

    def cache_key(self, template_name: str, skip: list[Origin] | None = None) -> str:
        key = super().cache_key(template_name, skip)
        return f"{get_language()} {get_script_prefix()} {settings.DEBUG} {key}"

    def get_template(self, template_name: str, skip: list[Origin] | None = None) -> Template:
        """Return the template in the language that is active now."""
        key = self.cache_key(template_name, skip)
        if (kept := self._folded.get(key)) is not None:
            return kept
        template: Template = super().get_template(template_name, skip)
        with self._folding:
            if key not in self._folded:
                if isinstance(template.origin.loader, UnindentedLoader):
                    fold(template, self._read_anew)
                self._folded[key] = template
        return template

    def reset(self) -> None:
        """Read all templates anew."""
        super().reset()
        self._folded.clear()

    def _read_anew(self, template_name: str) -> Template:
        """Return a template of its own, to be put into another."""
        return super(cached.Loader, self).get_template(template_name)
