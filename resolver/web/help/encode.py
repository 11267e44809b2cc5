"""How a name is encoded: each of its characters in a URL, a doi: URI, a URN and a Which RA list."""

import unicodedata
from dataclasses import asdict
from itertools import islice
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from doi_reading import Reading, encode
from doi_reading.name import EncodedCharacter, explain_encoding, is_doi
from doi_reading.text import WHITE
from resolver.services.lookups.inspection import inspect_input
from resolver.web.help.clauses import RULES
from resolver.web.lookups.name_links import build_name_context, to_lookup_text
from resolver.web.lookups.result_context import highlight_problems
from resolver.web.site.form_fields import VERBATIM, VerbatimTextField
from resolver.web.wording.highlight import LONGEST_SHOWN_CHARACTERS, Glyph, to_glyphs

WHY = {
    "E1": gettext_lazy("always encoded"),
    "E2": gettext_lazy("encoded, because programs treat it differently"),
    "E4": gettext_lazy("not ASCII: its UTF-8 bytes are encoded"),
    "E5": gettext_lazy("browsers would remove it beside . or .."),
    "E6": gettext_lazy("separates names in a Which RA list"),
    "N1": gettext_lazy("separates prefix and suffix; a colon in a URN"),
}
"""Why a character is encoded, by the first clause that applies."""
EXAMPLES = (
    "10.1175/1520-0493(2002)130<1913:EDAWPO>2.0.CO;2",
    "10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03",
    "10.1000/456#789",
)


class EncodeForm(forms.Form):
    """A DOI name, which is not decoded. Once valid, `typed` says whether the text was a name itself."""

    name = VerbatimTextField(
        longest=2000,
        label=gettext_lazy("DOI name"),
        help_text=gettext_lazy(
            "The plain name, as in the publication: 10.1000/456#789. We use it exactly as you type it, and "
            "don’t look it up."
        ),
        error_messages={"required": gettext_lazy("Enter a DOI name.")},
        widget=forms.TextInput(attrs=VERBATIM),
    )
    reading: Reading | None = None
    typed = True

    def clean_name(self) -> str:
        """Return the text without white space around it if it is a name, else the DOI name in it."""
        text: str = self.cleaned_data["name"].strip(WHITE)
        if not text:
            raise forms.ValidationError(_("Enter a DOI name."), code="required")
        self.reading = inspect_input(text)
        self.typed = is_doi(text)
        if not self.typed and self.reading.doi is None:
            raise forms.ValidationError(_("This isn’t a DOI name. See below what is wrong."))
        name = text if self.typed else str(self.reading.doi)
        if len(encode(name)) > LONGEST_SHOWN_CHARACTERS:
            message = _("The link of this name has more than %(most)d characters. That is too long for this page.")
            raise forms.ValidationError(message % {"most": LONGEST_SHOWN_CHARACTERS})
        return name


@require_safe
def show_encoding(request: HttpRequest) -> HttpResponse:
    """The encoded forms of `?name=`, a DOI name. Nothing is stored or looked up."""
    if "name" not in request.GET:
        return _render_page(request, EncodeForm(), {"examples": EXAMPLES})
    form = EncodeForm(request.GET)
    valid, reading = form.is_valid(), form.reading
    if valid and reading:
        return _render_page(request, form, _describe_encoded(form.cleaned_data["name"], reading, typed=form.typed))
    return _render_page(
        request, form, _describe_refused(reading) if reading and reading.doi is None else {}, status=422
    )


def _render_page(request: HttpRequest, form: EncodeForm, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "help/encode.html", {"form": form, **context}, status=status)


def _describe_refused(reading: Reading) -> dict[str, Any]:
    problems = [asdict(one) for one in reading.problems]
    return {**highlight_problems(reading.input, problems), "input_form": reading.form, "meant": _find_first(reading)}


def _describe_encoded(name: str, reading: Reading, *, typed: bool) -> dict[str, Any]:
    read_as = str(reading.doi or "")
    shown = list(islice(explain_encoding(name), 60))
    used = dict.fromkeys(clause for fate in shown for clause in fate.clauses)
    return {
        "name": name,
        "forms": [*build_name_context(name)["forms"], (_("In a Which RA list"), encode(name, "which-ra"), "")],
        "asks": to_lookup_text(name),
        "rows": [_build_row(fate) for fate in shown],
        "left_out": len(name) - sum(len(fate.text) for fate in shown),
        "rules": [(clause, RULES[clause]) for clause in sorted(used)],
        "taken_from": "" if typed else reading.form,
        "otherwise": read_as if typed and read_as != name else "",
        "meant": "" if typed else _find_first(reading),
    }


def _find_first(reading: Reading) -> str:
    """The likeliest other reading, or ""."""
    return next((one.doi for one in reading.candidates), "")


def _build_row(fate: EncodedCharacter) -> dict[str, Any]:
    """One row of the table: unchanged characters, or one character with its name and why it is encoded."""
    if fate.stays:
        return {"fate": fate, "glyphs": to_glyphs(fate.text)}
    character = fate.text
    shown = to_glyphs(character, spaces=True)
    if unicodedata.category(character).startswith("M"):
        shown = (Glyph("◌" + character),)  # a combining mark needs a base
    name = unicodedata.name(character, _("not known to this version of Unicode")).lower()
    return {
        "fate": fate,
        "glyphs": shown,
        "point": f"U+{ord(character):04X}",
        "name": _("slash") if character == "/" else name,
        "why": WHY.get(fate.clauses[0], _("a slash in the suffix: only a URL keeps it")),
    }
