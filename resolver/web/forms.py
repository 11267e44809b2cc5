"""What people send by form, checked before anything is done with it."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from resolver import conf
from resolver.domain.problems import CATALOGUE
from resolver.domain.report import Outcome
from resolver.services.jobs import LONGEST_NAME, LONGEST_NOTE
from resolver.services.rows import Wanted
from resolver.web.wording import VERDICTS

_ANY = ("", "any")
# What a browser offers first when a file is chosen; any other can be chosen too, and is refused by its name.
FILE_KINDS = ".csv,.tsv,.tab,.txt,.xlsx,.ods,.gz,text/csv,text/plain,text/tab-separated-values"


class GivenText(forms.CharField):
    """Text exactly as given: control characters in it are for the report to name, not for the form to refuse.

    No `maxlength` goes into the page: a browser would cut a longer text without a word.
    """

    default_error_messages = {"required": "Give a DOI, a link or a text to look up."}

    def __init__(self, longest: int | Callable[[], int], **options: Any) -> None:
        super().__init__(strip=False, **options)
        message = "This text is longer than %(limit_value)d characters. Give the part with the DOI in it."
        self.validators = [MaxLengthValidator(longest, message)]


class BoundedText(forms.CharField):
    """Optional text of so many characters; likewise without `maxlength`."""

    def __init__(self, longest: int, **options: Any) -> None:
        super().__init__(required=False, **options)
        message = "This has %(show_value)d characters; at most %(limit_value)d are kept. Make it shorter."
        self.validators.append(MaxLengthValidator(longest, message))

    def to_python(self, value: Any) -> str:
        """A browser sends each line break as two characters; they count as one."""
        return str(super().to_python(value)).replace("\r\n", "\n")


class DescribedForm(forms.Form):
    """Each input names its hint and its error, so that a screen reader reads them with the label."""

    hints: dict[str, str] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("label_suffix", "")
        super().__init__(*args, **options)
        for name, hint in self.hints.items():
            self.fields[name].help_text = hint
        for name, field in self.fields.items():
            told = [f"{name}-hint"] if field.help_text else []
            if self.is_bound and name in self.errors:
                told.append(f"{name}-error")
                field.widget.attrs["aria-invalid"] = "true"
            if told:
                field.widget.attrs["aria-describedby"] = " ".join(told)


class LookupForm(DescribedForm):
    """One text with a DOI in it."""

    hints = {"text": "A DOI name, a link, or a line of a reference. It is read exactly as it is; nothing is repaired."}
    text = GivenText(
        longest=conf.max_cell,
        label="DOI, link or text",
        widget=forms.TextInput(
            attrs={"class": "name", "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise forms.ValidationError("Give a DOI, a link or a text to look up.", code="required")
        return text


class NamedForm(DescribedForm):
    """What a list is called, and what is to be remembered about it."""

    hints = {
        "name": "What this list is called here. Empty: the name of its file.",
        "note": "Whatever you want to remember about it. Only you see it.",
    }
    name = BoundedText(longest=LONGEST_NAME, label="Name")
    note = BoundedText(longest=LONGEST_NOTE, label="Note", widget=forms.Textarea(attrs={"rows": 3}))


class UploadForm(NamedForm):
    """A list to check."""

    hints = {
        **NamedForm.hints,
        "file": "CSV, TSV, text with semicolons or bars between the columns, a plain list with one DOI a line, "
        "XLSX or ODS. Text may be compressed with gzip.",
        "column": "Leave it empty to have it found by its header and content.",
        "quick": "Only whether each DOI exists and which agency answers for it: much faster, but no addresses.",
    }
    field_order = ("file", "column", "quick", "name", "note")
    file = forms.FileField(
        label="File",
        widget=forms.FileInput(attrs={"accept": FILE_KINDS}),
        allow_empty_file=True,  # the reader of files says what is wrong with an empty one
        error_messages={"required": "Choose a file.", "missing": "Choose a file."},
    )
    column = GivenText(longest=1000, label="Column with the DOIs", required=False)
    quick = forms.BooleanField(label="Quick check", required=False)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        most = conf.max_upload_bytes()
        if file.size > most:
            raise forms.ValidationError(
                f"This file has {file.size:,} bytes; at most {most:,} are taken. Split it, and upload the parts."
            )
        return file


def _outcomes() -> list[tuple[str, str]]:
    return [_ANY, *((str(outcome), VERDICTS[outcome].word) for outcome in Outcome)]


def _problems() -> list[tuple[str, str]]:
    return [_ANY, *((code, code) for code in sorted(CATALOGUE))]


class SearchForm(DescribedForm):
    """Finding a list by what it is called, and the form of all searches."""

    q = GivenText(label="Name or file", longest=1000, required=False, widget=forms.TextInput(attrs={"type": "search"}))

    def wanted(self) -> dict[str, Any]:
        """The filters that are set; none when the form has an error, which the page then shows."""
        return {name: value for name, value in self.cleaned_data.items() if value} if self.is_valid() else {}


class FilterForm(SearchForm):
    """Narrowing a list; an unknown value finds nothing rather than failing."""

    q = GivenText(label="Search", longest=1000, required=False, widget=forms.TextInput(attrs={"type": "search"}))
    outcome = forms.CharField(label="Outcome", required=False)
    problem = forms.CharField(label="Problem", required=False)
    ra = GivenText(label="Agency", longest=200, required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, choices in (("outcome", _outcomes()), ("problem", _problems())):
            self.fields[name].widget = forms.Select(choices=choices)


class RowFilterForm(SearchForm):
    """Which rows of a list are wanted, and from which end: from links, or from the box with the text. An unknown value
    finds nothing rather than failing."""

    q = GivenText(
        label=_("Search in inputs and DOI names"),
        longest=1000,
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    outcome = forms.CharField(required=False)
    problem = forms.CharField(required=False)
    ra = GivenText(longest=200, required=False)
    group = forms.CharField(required=False)
    duplicates = forms.BooleanField(required=False)
    order = forms.CharField(required=False)

    def rows(self) -> Wanted:
        """The filters that are set; none when the form has an error."""
        return Wanted(**{name: value for name, value in self.wanted().items() if name != "order"})

    def down(self) -> bool:
        """Whether the last row comes first."""
        return self.wanted().get("order") == "down"
