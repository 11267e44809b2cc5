"""What somebody wants looked up or checked: one text, a list in lines, or a file; and how a list is to be read."""

from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from resolver import conf
from resolver.domain.parsing.pasted_text import is_one_thing, strip_empty_lines
from resolver.models import Draft
from resolver.services.jobs.drafts import DraftPreview
from resolver.sheets.input.encoding import ENCODINGS, shown_encoding
from resolver.sheets.input.layout import name_column
from resolver.sheets.input.read import Choices
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.web.site.form_fields import NOTHING_GIVEN, TOO_LONG, DescribedForm, GivenText, NamedForm
from resolver.web.site.template_filters import plain

# What a browser offers first when a file is chosen; any other can be chosen too, and is refused by its name.
FILE_KINDS = ".csv,.tsv,.tab,.txt,.xlsx,.xlsb,.xls,.ods,.gz,text/csv,text/plain,text/tab-separated-values"
MOST_COLUMNS = 200  # that can be chosen: a page with more options would be heavy

_SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "none": ""}
_SEPARATORS = [
    ("comma", gettext_lazy("comma")),
    ("semicolon", gettext_lazy("semicolon")),
    ("tab", gettext_lazy("tab")),
    ("bar", gettext_lazy("vertical bar")),
    ("none", gettext_lazy("none (one entry per line)")),
]
_HEADER = [("yes", gettext_lazy("column names")), ("no", gettext_lazy("first entry"))]


class PastedText(GivenText):
    """Text exactly as it was pasted, but for the line breaks: a browser sends each as two characters."""

    def __init__(self, **options: Any) -> None:
        message = gettext_lazy(
            "This text is longer than %(limit_value)d characters. Save it as a file and choose the file."
        )
        look = {"class": "name", "rows": 3, "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        widget = forms.Textarea(attrs=look)
        super().__init__(longest=conf.max_pasted, message=message, widget=widget, required=False, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class ListFile(forms.FileField):
    """A file with a list; the reader of files says what is wrong with an empty one."""

    def __init__(self, **options: Any) -> None:
        widget = forms.FileInput(attrs={"accept": FILE_KINDS})
        super().__init__(widget=widget, allow_empty_file=True, required=False, **options)

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        most = conf.max_upload_bytes()
        if file is not None and file.size > most:
            told = _("This file has %(size)s bytes. The limit is %(most)s. Split it and upload the parts.")
            raise forms.ValidationError(told % {"size": intcomma(file.size), "most": intcomma(most)})
        return file


class BoxForm(DescribedForm):
    """The box on the front page; `one_thing` says whether its text is looked up as one."""

    hints = {
        "text": gettext_lazy("One DOI, or one per line. We don’t change your text."),
        "file": gettext_lazy(
            "Or drop it anywhere on this page. CSV, TSV, XLSX, XLS, ODS or one DOI per line. You see a "
            "preview before we check anything."
        ),
    }
    text = PastedText(label=gettext_lazy("DOI, link or text"))
    file = ListFile(label=gettext_lazy("Or upload a file"))
    one_thing = False
    nothing_given = NOTHING_GIVEN

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        text, file = given.get("text", ""), given.get("file")
        if self.errors:
            return given
        if text.strip() and file is not None:
            told = _(
                "You entered text and chose a file. Clear the text and choose the file again, or leave out the file."
            )
            self.add_error("file", told)
        elif file is None and self.data.get("go") == "file":  # the file's own button
            self.add_error("file", _("Choose a file first."))
        elif file is None and not text.strip():
            self.add_error(next(iter(self.fields)), self.nothing_given)
        elif file is None:
            self._tell_kind(text)
        return given

    def _tell_kind(self, text: str) -> None:
        most = conf.max_cell()
        self.one_thing = is_one_thing(text, longest=most)
        if self.one_thing:
            self.cleaned_data["text"] = text = strip_empty_lines(text)
            if len(text) > most:
                self.add_error("text", TOO_LONG % {"limit_value": most})

    def refuse(self, why: Exception) -> None:
        """What was given cannot be taken in."""
        self.add_error("file" if self.cleaned_data.get("file") is not None else "text", str(why))
        self.describe()


class ListForm(BoxForm):
    """The same where it is a list in any case."""

    hints = {
        "file": gettext_lazy(
            "CSV, TSV, text with columns separated by semicolons or vertical bars, a plain list with one DOI "
            "per line, XLSX, XLSB, XLS or ODS. Text files can be compressed with gzip. You can also drop the "
            "file anywhere on this page."
        ),
        "text": gettext_lazy("One DOI per line, or cells copied from a spreadsheet."),
    }
    field_order = ("file", "text")
    file = ListFile(label=gettext_lazy("File"))
    text = PastedText(label=gettext_lazy("Or paste a list"))
    nothing_given = gettext_lazy("Choose a file or paste a list.")

    def _tell_kind(self, text: str) -> None:
        pass


class ChoicesForm(DescribedForm):
    """How the list is to be read, where it is not as it was found. What does not apply to it is left out."""

    sheet = forms.IntegerField(label=gettext_lazy("Sheet"), required=False, min_value=1, max_value=MAX_CELLS)
    separator = forms.ChoiceField(label=gettext_lazy("Column separator"), required=False, choices=_SEPARATORS)
    encoding = forms.ChoiceField(label=gettext_lazy("Encoding"), required=False, choices=list(ENCODINGS.items()))
    header = forms.ChoiceField(label=gettext_lazy("First row"), required=False, choices=_HEADER)
    column = forms.IntegerField(
        label=gettext_lazy("Column with the DOIs"), required=False, min_value=1, max_value=MAX_CELLS
    )

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
        self.describe()

    @property
    def carried(self) -> dict[str, Any]:
        """What was chosen, for the next form and for an address."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}

    def choices(self) -> Choices:
        """For the reader of files."""
        chosen = self.carried
        return Choices(
            delimiter=_SIGNS[chosen["separator"]] if "separator" in chosen else None,
            encoding=chosen.get("encoding"),
            has_header=chosen["header"] == "yes" if "header" in chosen else None,
            column=chosen["column"] - 1 if "column" in chosen else None,
            sheet=chosen["sheet"] - 1 if "sheet" in chosen else None,
        )

    def refuse(self, about: str, why: Exception) -> None:
        """It cannot be read so; `about` is the name of one of Choices."""
        name = {"has_header": "header", "delimiter": "separator"}.get(about, about)
        self.add_error(name if name in self.fields else None, str(why))
        self.describe()

    def offer(self, seen: DraftPreview) -> None:
        """Fill the boxes with what can be chosen; the first of each is what is found without a choice."""
        found = _found(seen)
        sheets = [(number, plain(name, 60)) for number, name in enumerate(self._sheets, 1)]
        options: dict[str, list[Any]] = {
            "sheet": sheets,
            "separator": _SEPARATORS,
            "encoding": list(ENCODINGS.items()),
            "header": _HEADER,
            "column": self._columns(seen),
        }
        for name, field in self.fields.items():
            what = "" if name in self.carried else found.get(name, "")
            first = _("detected: %(what)s") % {"what": what} if what else _("automatic")
            field.widget = forms.Select(choices=[("", first), *options[name]], attrs=field.widget.attrs)

    def _columns(self, seen: DraftPreview) -> list[tuple[int, str]]:
        chosen = self.carried.get("column")
        header = seen.layout.header if seen.layout else ()
        columns = [(place + 1, _column(place, name)) for place, name in enumerate(header[:MOST_COLUMNS])]
        if chosen and chosen > len(columns):
            columns.append((chosen, _column(chosen - 1, name_column(chosen - 1))))
        return columns


def _found(seen: DraftPreview) -> dict[str, str]:
    """What was found, in words, by the names of the fields."""
    layout = seen.layout
    if layout is None:
        return {}
    sign = next((code for code, sign in _SIGNS.items() if sign == layout.delimiter), "")
    return {
        "sheet": plain(layout.sheet, 60),
        "separator": str(dict(_SEPARATORS).get(sign, "")),
        "encoding": shown_encoding(layout.encoding),
        "header": str(dict(_HEADER)["yes" if layout.has_header else "no"]),
        "column": pgettext("column", "none") if seen.refusal else _column(layout.column, layout.column_name),
    }


def _column(place: int, name: str) -> str:
    """Its number and its name, or its number alone."""
    if name == name_column(place):
        return _("column %(number)d") % {"number": place + 1}
    return f"{place + 1}: {plain(name, 60)}"


class BeginForm(NamedForm):
    """What is to be done with a list."""

    hints = {
        **NamedForm.hints,
        "quick": gettext_lazy(
            "Checks only whether each DOI is registered, and with which agency. Much faster, but no web addresses."
        ),
    }
    field_order = ("quick", "name", "note")
    quick = forms.BooleanField(label=gettext_lazy("Quick check"), required=False)


def rows_sentence(seen: DraftPreview) -> str:
    """How many rows there are, as far as that is known."""
    layout = seen.layout
    if layout is None:
        return ""
    number = {"number": intcomma(layout.total)}
    if layout.complete:
        return ngettext("%(number)s row", "%(number)s rows", layout.total) % number
    return _("at least %(number)s rows") % number
