"""The recipes: whole programs, on a page made of the Markdown file that the tests run."""

from dataclasses import dataclass, replace
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

FILE = settings.FILES_DIR / "templates/help/recipes.md"
LANGUAGES = {"sh": "Shell (curl)", "python": "Python", "r": "R", "powershell": "PowerShell"}
_EXAMPLE = "https://portal.example.org/api/v1"
_GUIDE = "../../docs/api.md"


@dataclass(frozen=True, slots=True)
class RecipePart:
    """A piece of the page: prose as HTML, or a program in a language, with a name of its own on the page."""

    html: str = ""
    language: str = ""
    program: str = ""
    name: str = ""


@require_safe
def show_recipes(request: HttpRequest) -> HttpResponse:
    """The recipes, with the address of this portal."""
    api = escape(request.build_absolute_uri(reverse("api:docs")).removesuffix("/docs"))
    parts = [replace(part, html=SafeString(part.html.replace(_EXAMPLE, api))) for part in read_recipes()]
    return render(request, "help/recipes.html", {"parts": parts})


@cache
def read_recipes() -> tuple[RecipePart, ...]:
    """Return the parts of the file, without its title."""
    markdown, parts, prose = MarkdownIt(), list[RecipePart](), list[Token]()

    def end_prose() -> None:
        if prose:
            parts.append(RecipePart(SafeString(markdown.renderer.render(prose, markdown.options, {}))))
            prose.clear()

    tokens = markdown.parse(FILE.read_text(encoding="utf-8"))
    for token, following in zip(tokens[3:], [*tokens[4:], None], strict=True):
        if token.type == "fence" and token.info in LANGUAGES:
            end_prose()
            parts.append(
                RecipePart(language=LANGUAGES[token.info], program=token.content, name=f"program-{len(parts)}")
            )
            continue
        if token.type == "heading_open" and following is not None:
            token.attrSet("id", slugify(following.content))
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", _find_page(str(child.attrGet("href"))))
        prose.append(token)
    end_prose()
    return tuple(parts)


def _find_page(link: str) -> str:
    """Return the page of the portal for a link to the guide of programmers; others stay."""
    address, _, part = link.partition("#")
    if address != _GUIDE:
        return link
    return reverse("account" if part == "authentication" else "api:docs")
