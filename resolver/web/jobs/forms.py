"""The forms for a text, a file or a list, and for how a list is read and described."""

from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from resolver import conf
from resolver.domain.parsing.pasted_text import is_single_lookup, strip_empty_lines
from resolver.models import Draft
from resolver.services.jobs.drafts import DraftPreview
from resolver.services.jobs.lifecycle import LONGEST_NAME, LONGEST_NOTE
from resolver.sheets.input.layout import name_column
from resolver.sheets.input.layout_detection import LayoutChoices
from resolver.sheets.input.text_encoding import ENCODINGS, label_encoding
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.web.site.forms import NOTHING_GIVEN, TOO_LONG, VERBATIM, BoundedTextField, VerbatimTextField
from resolver.web.site.text_filters import plain_text

# What a browser offers first when a file is chosen; any other can be chosen too, and is refused by its name.
FILE_KINDS = ".csv,.tsv,.tab,.txt,.xlsx,.xlsb,.xls,.ods,.gz,text/csv,text/plain,text/tab-separated-values"
MOST_COLUMNS = 200  # choices: a page with more would be heavy

_SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "none": ""}
_SEPARATORS = [
    ("comma", gettext_lazy("comma")),
    ("semicolon", gettext_lazy("semicolon")),
    ("tab", gettext_lazy("tab")),
    ("bar", gettext_lazy("vertical bar")),
    ("none", gettext_lazy("none (one entry per line)")),
]
_HEADER = [("yes", gettext_lazy("column names")), ("no", gettext_lazy("first entry"))]


class PastedTextField(VerbatimTextField):
    """Text exactly as pasted, with one character per line break; a browser sends two."""

    def __init__(self, **options: Any) -> None:
        message = gettext_lazy(
            "This text is longer than %(limit_value)d characters. Save it as a file and upload the file."
        )
        widget = forms.Textarea(attrs={**VERBATIM, "rows": 3})
        super().__init__(longest=conf.max_pasted, message=message, widget=widget, required=False, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


def check_upload_size(file: Any) -> None:
    """Raise ValidationError if a file is larger than an upload may be."""
    most = conf.max_upload_bytes()
    if file.size > most:
        message = _("This file has %(size)s bytes. The limit is %(most)s. Split it and upload the parts.")
        raise forms.ValidationError(message % {"size": intcomma(file.size), "most": intcomma(most)})


class ListFileField(forms.FileField):
    """A file with a list. The reader of files says what is wrong with an empty one."""

    widget = forms.FileInput(attrs={"accept": FILE_KINDS})
    default_validators = [check_upload_size]

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_empty_file=True, required=False, **options)


class HomeForm(forms.Form):
    """The form on the front page. Once valid, `one_thing` says whether its text is looked up as one."""

    text = PastedTextField(
        label=gettext_lazy("DOI, link or text"),
        help_text=gettext_lazy("One DOI, or one per line. We don’t change your text."),
    )
    file = ListFileField(
        label=gettext_lazy("Or upload a file"),
        help_text=gettext_lazy(
            "Or drop it anywhere on this page. CSV, TSV, XLSX, XLS, ODS or one DOI per line. You see a "
            "preview before we check anything."
        ),
    )
    one_thing = False
    nothing_given = NOTHING_GIVEN

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        text, file = cleaned.get("text", ""), cleaned.get("file")
        if self.errors:
            return cleaned
        if text.strip() and file is not None:
            message = _(
                "You entered text and chose a file. Clear the text and choose the file again, or leave out the file."
            )
            self.add_error("file", message)
        elif file is None and self.data.get("go") == "file":  # the file's own button
            self.add_error("file", _("Choose a file first."))
        elif file is None and not text.strip():
            self.add_error(next(iter(self.fields)), self.nothing_given)
        elif file is None:
            self.clean_pasted(text)
        return cleaned

    def clean_pasted(self, text: str) -> None:
        """Decide whether the text is one thing or a list."""
        most = conf.max_cell()
        self.one_thing = is_single_lookup(text, longest=most)
        if self.one_thing:
            self.cleaned_data["text"] = text = strip_empty_lines(text)
            if len(text) > most:
                self.add_error("text", TOO_LONG % {"limit_value": most})


class UploadForm(HomeForm):
    """The form for a list: a file, or pasted text in which each line is a row."""

    field_order = ("file", "text")
    file = ListFileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "CSV, TSV, text with columns separated by semicolons or vertical bars, a plain list with one DOI "
            "per line, XLSX, XLSB, XLS or ODS. Text files can be compressed with gzip. You can also drop the "
            "file anywhere on this page."
        ),
    )
    text = PastedTextField(
        label=gettext_lazy("Or paste a list"),
        help_text=gettext_lazy("One DOI per line, or cells copied from a spreadsheet."),
    )
    nothing_given = gettext_lazy("Choose a file or paste a list.")

    def clean_pasted(self, text: str) -> None:
        """Take the text as a list in any case."""


class DescriptionForm(forms.Form):
    """The name of a list, and a note about it."""

    name = BoundedTextField(
        longest=LONGEST_NAME,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("The name of this list. If you leave it empty, we use the file name."),
    )
    note = BoundedTextField(
        longest=LONGEST_NOTE,
        label=pgettext_lazy("of a list", "Note"),
        help_text=gettext_lazy("Only you can see this note, even if you share the list."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class StartForm(DescriptionForm):
    """How a list is checked."""

    field_order = ("quick", "name", "note")
    quick = forms.BooleanField(
        label=gettext_lazy("Quick check"),
        required=False,
        help_text=gettext_lazy(
            "Checks only whether each DOI is registered, and with which agency. Much faster, but no web addresses."
        ),
    )


class LayoutChoicesForm(forms.Form):
    """How a list is read where it was not detected correctly. Fields that don't apply to the file are left out."""

    sheet = forms.IntegerField(label=gettext_lazy("Sheet"), required=False, min_value=1, max_value=MAX_CELLS)
    separator = forms.ChoiceField(label=gettext_lazy("Column separator"), required=False, choices=_SEPARATORS)
    encoding = forms.ChoiceField(label=gettext_lazy("Encoding"), required=False, choices=list(ENCODINGS.items()))
    header = forms.ChoiceField(label=gettext_lazy("First row"), required=False, choices=_HEADER)
    column = forms.IntegerField(label=gettext_lazy("DOI column"), required=False, min_value=1, max_value=MAX_CELLS)

    def __init__(self, *args: Any, draft: Draft, **options: Any) -> None:
        super().__init__(*args, **options)
        self._sheets: list[str] = draft.sheets
        left_out = {"separator", "encoding"} if draft.sheets else {"sheet"}
        if len(draft.sheets) == 1:
            left_out.add("sheet")
        if draft.pasted:
            left_out.add("encoding")
        for name in left_out:
            del self.fields[name]
        self.full_clean()

    @property
    def chosen(self) -> dict[str, Any]:
        """The choices made, for the next form and for an address."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}

    def choices(self) -> LayoutChoices:
        """The choices for the reader of files."""
        chosen = self.chosen
        return LayoutChoices(
            delimiter=_SIGNS[chosen["separator"]] if "separator" in chosen else None,
            encoding=chosen.get("encoding"),
            has_header=chosen["header"] == "yes" if "header" in chosen else None,
            column=chosen["column"] - 1 if "column" in chosen else None,
            sheet=chosen["sheet"] - 1 if "sheet" in chosen else None,
        )

    def refuse(self, about: str, why: Exception) -> None:
        """Show why the file can't be read with these choices; `about` is a field of Choices."""
        name = {"has_header": "header", "delimiter": "separator"}.get(about, about)
        self.add_error(name if name in self.fields else None, str(why))

    def offer(self, preview: DraftPreview) -> None:
        """Make each field a select. Its first option is what was detected."""
        detected = _detected(preview)
        options: dict[str, list[Any]] = {
            "sheet": [(number, plain_text(name, 60)) for number, name in enumerate(self._sheets, 1)],
            "separator": _SEPARATORS,
            "encoding": list(ENCODINGS.items()),
            "header": _HEADER,
            "column": self._columns(preview),
        }
        for name, field in self.fields.items():
            what = "" if name in self.chosen else detected.get(name, "")
            first = _("detected: %(what)s") % {"what": what} if what else _("automatic")
            field.widget = forms.Select(choices=[("", first), *options[name]])

    def _columns(self, preview: DraftPreview) -> list[tuple[int, str]]:
        chosen = self.chosen.get("column")
        header = preview.layout.header if preview.layout else ()
        columns = [(place + 1, _column_option(place, name)) for place, name in enumerate(header[:MOST_COLUMNS])]
        if chosen and chosen > len(columns):
            columns.append((chosen, _column_option(chosen - 1, name_column(chosen - 1))))
        return columns


def _detected(preview: DraftPreview) -> dict[str, str]:
    """What was detected, in words, by the names of the fields."""
    layout = preview.layout
    if layout is None:
        return {}
    sign = next((code for code, sign in _SIGNS.items() if sign == layout.delimiter), "")
    return {
        "sheet": plain_text(layout.sheet, 60),
        "separator": str(dict(_SEPARATORS).get(sign, "")),
        "encoding": label_encoding(layout.encoding),
        "header": str(dict(_HEADER)["yes" if layout.has_header else "no"]),
        "column": (
            pgettext("column", "none") if preview.refusal else _column_option(layout.column, layout.column_name)
        ),
    }


def _column_option(place: int, name: str) -> str:
    """The number and the name of a column, or the number alone."""
    if name == name_column(place):
        return _("column %(number)d") % {"number": place + 1}
    return f"{place + 1}: {plain_text(name, 60)}"


def describe_row_count(preview: DraftPreview) -> str:
    """The number of rows in words, as far as it is known."""
    layout = preview.layout
    if layout is None:
        return ""
    number = {"number": intcomma(layout.total)}
    if layout.complete:
        return ngettext("%(number)s row", "%(number)s rows", layout.total) % number
    return _("at least %(number)s rows") % number
