"""Constant parts of templates, rendered once."""

import re
from typing import Any

import pytest
from django.template import Context, Template, engines
from django.test import Client
from django.utils import translation

from resolver.web.site.constant_nodes import fold

TEMPLATES = {
    "link": '<a href="{% url page %}"{% if section == page %} class="here"{% endif %}>{{ label }}</a>',
    "again": '{% with label=other %}{{ label }}{% endwith %}{{ label }}{% translate "Help" as label %}{{ label }}',
    "loop": "{% for label in names %}{{ label }}{% endfor %}",
    "shown": "{{ label }}{% if label %}!{% endif %}",
    "outer": '{% include "shown" %}{% include "shown" with label="inner" %}{{ label }}',
    "counted": "{% blocktranslate %}Copy: {{ label }}{% endblocktranslate %}",
    "links": '{% for page in "ab" %}{{ page }}{% endfor %}{% url "help" %}',
    "block": "{% block main %}{{ label }}{% endblock %}",
}
TEXTS = (
    '{% translate "Help" %} {% translate "Help" as word %}{{ word }} {% url "help" %}',
    "{% blocktranslate %}Help{% endblocktranslate %} {% now 'Y' %} {% url 'help' as here %}{{ here }}",
    '{% blocktranslate with n=other %}Copy: {{ n }}{% endblocktranslate %}{% url "help-problem" section %}',
    "{% blocktranslate with label=other|upper %}Copy: {{ label }}{% endblocktranslate %}{{ label }}{{ nothing }}",
    "{% blocktranslate %}100 % of {{ other }} and {{ nothing }}{% endblocktranslate %}",
    "{% blocktranslate count n=names|length %}one{% plural %}{{ n }} of {{ other }}{% endblocktranslate %}",
    "{% blocktranslate asvar label %}Copy: {{ other }}{% endblocktranslate %}{{ label }}",
    '{% include "shown" only %}{% include "shown" with label=other only %}{% include "links" only %}',
    '{% include "link" with page="help" label=_("Help") %}{% include "link" with page="home" label=_("Look up") %}',
    '{% include "link" with page=section label=other %}',
    '{% include "again" with label="first" %}{{ label }}',
    '{% include "loop" with label="first" %}{{ label }}',
    '{% include "shown" with label="<b>" %}{% include "shown" with label=other %}{% include "shown" %}',
    '{% include "outer" with label="outer" %}{% include "outer" %}',
    '{% include "counted" with label="a name" %}{% include "counted" with label=other %}',
    '{% include "block" with label="x" %}{% include wanted with label="y" %}',
    '{% for other in names %}{% include "shown" with label=other %}{% include "shown" with label="z" %}{% endfor %}',
    '{% if other == "x" %}1{% elif names %}{% translate "Record" %}{% else %}2{% endif %}',
    '{% autoescape off %}{% include "shown" with label=other %}{% translate "Help" %}{% endautoescape %}',
)
VALUES = {"section": "help", "other": "a<b>&c", "names": ["one", "<two>"], "wanted": "shown", "label": "around"}


def make(text: str) -> Template:
    return Template(text, engine=engines["django"].engine)  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _templates(settings: Any) -> None:
    """The templates above, beside those of the portal."""
    loaders = [("django.template.loaders.locmem.Loader", TEMPLATES)]
    options = {**settings.TEMPLATES[0]["OPTIONS"], "loaders": [*loaders, *settings.TEMPLATES[0]["OPTIONS"]["loaders"]]}
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "OPTIONS": options}]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_template_with_constant_texts_renders_as_before(text: str, language: str) -> None:
    with translation.override(language):
        folded = make(text)
        fold(folded, lambda name: make(TEMPLATES[name]))
        assert folded.render(Context(VALUES)) == make(text).render(Context(VALUES))


def test_what_is_constant_is_one_text() -> None:
    template = make('<p>{% translate "Help" %}</p>{% include "link" with page="help" label=_("Help") %}')
    with translation.override("de"):
        fold(template, lambda name: make(TEMPLATES[name]))
    assert [getattr(node, "s", "") for node in template.nodelist] == ['<p>Hilfe</p><a href="/help"', "", ">Hilfe</a>"]


def test_a_translation_is_texts_and_its_variables() -> None:
    template = make(
        '{% translate "Help" %}: {% blocktranslate with label=other %}Copy: {{ label }}{% endblocktranslate %}'
    )
    with translation.override("de"):
        fold(template, lambda name: make(TEMPLATES[name]))
    text, variable, _ = template.nodelist
    assert (getattr(text, "s", ""), variable.render(Context(VALUES))) == ("Hilfe: Kopieren: ", "a&lt;b&gt;&amp;c")


def test_what_is_included_without_variables_is_text() -> None:
    template = make('<p>{% include "links" only %}</p>')
    fold(template, lambda name: make(TEMPLATES[name]))
    assert [getattr(node, "s", "") for node in template.nodelist] == ["<p>ab/help</p>"]


def test_pages_are_those_that_django_would_render(client: Client, settings: Any) -> None:
    def show_pages() -> list[str]:
        pages = [
            client.get(path, headers={"accept-language": language}).content.decode()
            for path in (
                "/",
                "/jobs",
                "/history",
                "/records",
                "/encode",
                "/help",
                "/agencies",
                "/accessibility",
                "/privacy",
            )
            for language in ("en", "de")
        ]
        return [re.sub('value="[A-Za-z0-9]{64}"', "", page) for page in pages]

    ours = show_pages()
    options = settings.TEMPLATES[0]["OPTIONS"]
    plain = [
        "resolver.web.site.template_loader.UnindentedLoader",
        "django.template.loaders.app_directories.Loader",
    ]
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "OPTIONS": {**options, "loaders": plain}}]
    settings.FORM_RENDERER = "django.forms.renderers.DjangoTemplates"
    assert ours == show_pages()
