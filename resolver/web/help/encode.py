"""A page to try how a name is encoded: each of its characters in a URL, a doi: URI, a URN and a Which RA list."""

import unicodedata
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from resolver.domain.name.doi import is_doi
from resolver.domain.name.encoding import to_url, which_ra_item
from resolver.domain.name.encoding_table import EncodedCharacter, explain_encoding
from resolver.domain.parsing.parse import Reading
from resolver.domain.text.source_text import WHITE
from resolver.services.readings import inspect
from resolver.web.help.clauses import RULES
from resolver.web.lookups.result import asks_for, highlight_problems, name_forms
from resolver.web.site.form_fields import DescribedForm, GivenText
from resolver.web.site.highlight import Glyph, glyphs

LONGEST = 2000  # code points of what is typed
_LONGEST_LINK = 4000  # characters: the page has nine copies of it
_ROWS = 60  # of the table
EXAMPLES = (
    "10.1175/1520-0493(2002)130<1913:EDAWPO>2.0.CO;2",
    "10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03",
    "10.1000/456#789",
)


@dataclass(frozen=True, slots=True)
class EncodingRow:
    """One line of the table: what stands in the name, what it is called, what becomes of it, and why."""

    fate: EncodedCharacter
    glyphs: tuple[Glyph, ...]
    point: str
    name: str
    why: str


class EncodeForm(DescribedForm):
    """A DOI name as it is: nothing in it is decoded. Once valid, `typed` says whether it is a name as it stands."""

    name = GivenText(
        longest=LONGEST,
        label=gettext_lazy("DOI name"),
        help_text=gettext_lazy(
            "The plain name, as in the publication: 10.1000/456#789. We use it exactly as you type it, and "
            "don’t look it up."
        ),
        error_messages={"required": gettext_lazy("Enter a DOI name.")},
        widget=forms.TextInput(
            attrs={"class": "name", "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )
    reading: Reading | None = None
    typed = True

    def clean_name(self) -> str:
        """White space around it is dropped; of a text that is no name as it stands, the DOI name in it is taken."""
        text: str = self.cleaned_data["name"].strip(WHITE)
        if not text:
            raise forms.ValidationError(_("Enter a DOI name."), code="required")
        self.reading = inspect(text)
        self.typed = is_doi(text)
        if not self.typed and self.reading.doi is None:
            raise forms.ValidationError(_("This isn’t a DOI name. See below what is wrong."))
        name = text if self.typed else str(self.reading.doi)
        if len(to_url(name)) > _LONGEST_LINK:
            told = _("The link of this name has more than %(most)d characters. That is too long for this page.")
            raise forms.ValidationError(told % {"most": _LONGEST_LINK})
        return name


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """`?name=` a DOI name. Nothing is stored, and nobody is asked."""
    if "name" not in request.GET:
        return _page(request, EncodeForm(), {"examples": EXAMPLES})
    form = EncodeForm(request.GET)
    valid, reading = form.is_valid(), form.reading
    if valid and reading:
        return _page(request, form, _encoded(form.cleaned_data["name"], reading, typed=form.typed))
    return _page(request, form, _refused(reading) if reading and reading.doi is None else {}, status=422)


def _page(request: HttpRequest, form: EncodeForm, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "help/encode.html", {"form": form, "here": "encode", **context}, status=status)


def _refused(reading: Reading) -> dict[str, Any]:
    """What is wrong with the text, marked in it."""
    problems = [asdict(one) for one in reading.problems]
    return {**highlight_problems(reading.input, problems), "form_given": reading.form, "meant": _first(reading)}


def _encoded(name: str, reading: Reading, *, typed: bool) -> dict[str, Any]:
    read_as = str(reading.doi or "")
    shown = list(islice(explain_encoding(name), _ROWS))
    used = dict.fromkeys(clause for fate in shown for clause in fate.clauses)
    return {
        "name": name,
        "forms": [*name_forms(name)["forms"], _in_list(name)],
        "asks": asks_for(name),
        "rows": [_row(fate) for fate in shown],
        "left_out": len(name) - sum(len(fate.text) for fate in shown),
        "rules": [(clause, RULES[clause]) for clause in sorted(used)],
        "taken_from": "" if typed else reading.form,
        "otherwise": read_as if typed and read_as != name else "",
        "meant": "" if typed else _first(reading),
    }


def _in_list(name: str) -> tuple[str, ...]:
    """As `written` has the others."""
    words = (
        _("In a Which RA list"),
        _("Copy for a Which RA list"),
        _("Copied for a Which RA list"),
    )
    return (words[0], which_ra_item(name), "", *words[1:])


def _first(reading: Reading) -> str:
    """The likeliest other reading, '' where there is none."""
    return next((one.doi for one in reading.candidates), "")


def _row(fate: EncodedCharacter) -> EncodingRow:
    if fate.stays:
        return EncodingRow(fate, glyphs(fate.text), "", "", "")
    character = fate.text
    shown = glyphs(character, spaces=True)
    if unicodedata.category(character).startswith("M"):
        shown = (Glyph("◌" + character),)  # a mark is drawn upon something
    unknown = _("not known to this version of Unicode")
    name = _("slash") if character == "/" else unicodedata.name(character, unknown).lower()
    return EncodingRow(fate, shown, f"U+{ord(character):04X}", name, _why(fate))


def _why(fate: EncodedCharacter) -> str:
    match fate.clauses[0]:
        case "E1":
            return _("always encoded")
        case "E2":
            return _("encoded, because programs treat it differently")
        case "E4":
            return _("not ASCII: its UTF-8 bytes are encoded")
        case "E5":
            return _("browsers would remove it beside . or ..")
        case "E6":
            return _("separates names in a Which RA list")
        case "N1":
            return _("separates prefix and suffix; a colon in a URN")
        case _:
            return _("a slash in the suffix: only a URL keeps it")
