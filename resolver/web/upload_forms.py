"""The forms for a pasted text or a file: on the front page, and for a new list."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from resolver.domain.foreign_text import is_single_lookup, strip_empty_lines
from resolver.domain.work.words import LONGEST_TEXT_CHARACTERS
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.web.site.form_fields import NOTHING_GIVEN, TOO_LONG, VERBATIM, BoundedTextField, VerbatimTextField

# What a browser offers first when a file is chosen; any other can be chosen too, and is refused by its name.
_TABLES = (".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsb", ".xls", ".ods", ".gz")
_TABLE_TYPES = ("text/csv", "text/plain", "text/tab-separated-values")
_REFERENCES = tuple(f".{ending}" for form in FORMATS.values() for ending in form.endings)
FILE_KINDS = ",".join(dict.fromkeys((*_TABLES, *_REFERENCES, *_TABLE_TYPES)))


OF_WORK = {"title", "author"}
"""The fields about the work that is meant."""


class PastedTextField(VerbatimTextField):
    """Text exactly as pasted, with one character per line break; a browser sends two."""

    def __init__(self, **options: Any) -> None:
        message = gettext_lazy(
            "This text is longer than %(limit_value)d characters. Save it as a file and upload the file."
        )
        widget = forms.Textarea(attrs={**VERBATIM, "rows": 3})
        super().__init__(longest=lambda: settings.MAX_PASTED, message=message, widget=widget, required=False, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


def check_upload_size(file: Any) -> None:
    """Raise ValidationError if a file is larger than an upload may be."""
    most = settings.MAX_UPLOAD_BYTES
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
    """The form on the front page. Once valid, `one_thing` says whether its text is looked up as one. `wait`: seconds
    until the same upload fits, 0 unless it is refused for now. `refusal`: the status of a page with errors."""

    text = PastedTextField(
        label=gettext_lazy("DOI, link or text"),
        help_text=gettext_lazy("One DOI, link or citation, or a list with one per line."),
    )
    file = ListFileField(
        label=gettext_lazy("Or upload a file"),
        help_text=gettext_lazy(
            "Or drop it anywhere on this page: a table (XLSX, CSV, ODS), references (BibTeX, RIS, MARC) or one DOI "
            "per line. You see a preview first."
        ),
    )
    title: Any = BoundedTextField(
        LONGEST_TEXT_CHARACTERS,
        label=gettext_lazy("Title"),
        help_text=gettext_lazy("We compare it with the registered title. It stays on this server."),
    )
    author: Any = BoundedTextField(LONGEST_TEXT_CHARACTERS, label=gettext_lazy("Author"))
    one_thing = False
    wait = 0
    refusal = HTTPStatus.UNPROCESSABLE_ENTITY
    nothing_given = NOTHING_GIVEN

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if not settings.METADATA:
            for name in OF_WORK & self.fields.keys():
                del self.fields[name]

    @property
    def has_work(self) -> bool:
        """Whether something about the work was entered, so that its fields are open."""
        return any(self[name].value() or self[name].errors for name in OF_WORK & self.fields.keys())

    def refuse_for_now(
        self, field: str, message: str, seconds: int, status: HTTPStatus = HTTPStatus.TOO_MANY_REQUESTS
    ) -> None:
        """Add an error that goes away after so many seconds."""
        self.add_error(field, message)
        self.wait, self.refusal = seconds, status

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
        self.clean_work()
        return cleaned

    def clean_work(self) -> None:
        """Refuse a title without a DOI of its own, and an author without a title."""
        title, author = (self.cleaned_data.get(name, "") for name in ("title", "author"))
        if (title or author) and not self.one_thing and not self.errors:
            self.add_error("title", _("A title belongs to one DOI. Leave it out to check a list."))
        elif author and not title and not self.errors:
            self.add_error("title", _("Enter the title too. We can’t compare an author alone."))

    def clean_pasted(self, text: str) -> None:
        """Decide whether the text is one thing or a list."""
        most = settings.MAX_CELL
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
            "Tables: XLSX, XLSB, XLS, ODS, CSV, TSV, or text with semicolons or vertical bars between the columns. "
            "Or a plain list with one DOI per line. Or references: RIS, BibTeX, MARC, EndNote, PubMed or CSL JSON. "
            "Text files can be compressed with gzip. You can also drop the file anywhere on this page."
        ),
    )
    text = PastedTextField(
        label=gettext_lazy("Or paste a list"),
        help_text=gettext_lazy("One DOI per line, or cells copied from a spreadsheet."),
    )
    title: Any = None  # so Django leaves out a field of a base
    author: Any = None
    nothing_given = gettext_lazy("Choose a file or paste a list.")

    def clean_pasted(self, text: str) -> None:
        """Read the text as a list in any case."""
