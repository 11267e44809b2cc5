"""What people send by form, checked before anything is done with it."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from resolver import conf
from resolver.domain.problems.problem import CATALOGUE
from resolver.domain.report.report import Outcome
from resolver.services.jobs.lifecycle import LONGEST_NAME, LONGEST_NOTE
from resolver.services.lookups.history import Kinds
from resolver.services.results.row_queries import RowFilter
from resolver.web.site.labels import VERDICTS, problem_word
from resolver.web.site.template_filters import plain

Text = str | Promise  # translated when it is shown
_ANY: tuple[str, Text] = ("", _("any"))
MOST_AGENCIES = 100  # that are offered; there are some dozen
NOTHING_GIVEN = _("Enter a DOI, link or text.")
TOO_LONG = _("This text is longer than %(limit_value)d characters. Enter only the part with the DOI.")


class GivenText(forms.CharField):
    """Text exactly as given: control characters in it are for the report to name, not for the form to refuse.

    No `maxlength` goes into the page: a browser would cut a longer text without a word.
    """

    default_error_messages = {"required": NOTHING_GIVEN}

    def __init__(self, longest: int | Callable[[], int], message: Any = TOO_LONG, **options: Any) -> None:
        super().__init__(strip=False, **options)
        self.validators = [MaxLengthValidator(longest, message)]


class BoundedText(forms.CharField):
    """Optional text of so many characters; likewise without `maxlength`."""

    def __init__(self, longest: int, **options: Any) -> None:
        super().__init__(required=False, **options)
        message = _("This has %(show_value)d characters. The limit is %(limit_value)d. Make it shorter.")
        self.validators.append(MaxLengthValidator(longest, message))

    def to_python(self, value: Any) -> str:
        """A browser sends each line break as two characters; they count as one."""
        return str(super().to_python(value)).replace("\r\n", "\n")


class DescribedForm(forms.Form):
    """Each input names its hint and its error, so that a screen reader reads them with the label."""

    hints: dict[str, Any] = {}  # texts, translated when they are shown

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("label_suffix", "")
        super().__init__(*args, **options)
        for name, hint in self.hints.items():
            self.fields[name].help_text = hint
        self.describe()

    def describe(self) -> None:
        """To be called again when an error was added that only whoever uses the form can find."""
        for name, field in self.fields.items():
            told = [f"{name}-hint"] if field.help_text else []
            if self.is_bound and name in self.errors:
                told.append(f"{name}-error")
                field.widget.attrs["aria-invalid"] = "true"
            if told:
                field.widget.attrs["aria-describedby"] = " ".join(told)


class LookupForm(DescribedForm):
    """One text with a DOI in it."""

    hints = {"text": _("A DOI name, a link or a reference. We don’t change your text.")}
    text = GivenText(
        longest=conf.max_cell,
        label=_("DOI, link or text"),
        widget=forms.TextInput(
            attrs={"class": "name", "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise forms.ValidationError(NOTHING_GIVEN, code="required")
        return text


class NamedForm(DescribedForm):
    """What a list is called, and what is to be remembered about it."""

    hints = {
        "name": _("The name of this list. If you leave it empty, we use the file name."),
        "note": _("Only you can see this note, even if you share the list."),
    }
    name = BoundedText(longest=LONGEST_NAME, label=_("Name"))
    note = BoundedText(longest=LONGEST_NOTE, label=_("Note"), widget=forms.Textarea(attrs={"rows": 3}))


def _outcomes() -> list[tuple[str, Text]]:
    return [_ANY, *((str(outcome), VERDICTS[outcome].word) for outcome in Outcome)]


def _problems() -> list[tuple[str, Text]]:
    return [_ANY, *sorted(((code, problem_word(code)) for code in CATALOGUE), key=itemgetter(1))]


def delimiter_of(request: HttpRequest) -> str:
    """The delimiter of a CSV file: a semicolon for spreadsheets that want it (`?delimiter=;`), else a comma."""
    return ";" if request.GET.get("delimiter") == ";" else ","


class SearchForm(DescribedForm):
    """Finding a list by what it is called, and the form of all searches."""

    q = GivenText(
        label=_("Name or file"), longest=1000, required=False, widget=forms.TextInput(attrs={"type": "search"})
    )

    def wanted(self) -> dict[str, Any]:
        """The filters that are set; none when the form has an error, which the page then shows."""
        return {name: value for name, value in self.cleaned_data.items() if value} if self.is_valid() else {}


class FilterForm(SearchForm):
    """Narrowing a list; an unknown value finds nothing rather than failing."""

    q = GivenText(label=_("Search"), longest=1000, required=False, widget=forms.TextInput(attrs={"type": "search"}))
    outcome = forms.CharField(label=_("Outcome"), required=False)
    problem = forms.CharField(label=_("Problem"), required=False)
    ra = GivenText(label=_("Agency"), longest=200, required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, choices in (("outcome", _outcomes()), ("problem", _problems())):
            self.fields[name].widget = forms.Select(choices=choices)


class HistoryForm(FilterForm):
    """The same for the history: what is there is offered, each with how often it is; `kinds` are its counts."""

    def __init__(self, *args: Any, kinds: Kinds | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        if kinds is None:
            return
        offered = {
            "outcome": [(code, verdict.word, kinds.outcomes.get(code, 0)) for code, verdict in VERDICTS.items()],
            "problem": [(code, problem_word(code), count) for code, count in kinds.problems.items()],
            "ra": [
                (agency, agency, count)
                for agency, count in list(kinds.agencies.items())[:MOST_AGENCIES]
                if len(agency) <= 200
            ],
        }
        for name, choices in offered.items():
            counted = [(value, f"{word} ({intcomma(count)})") for value, word, count in choices if count]
            chosen = str(self.data.get(name, ""))
            if chosen and chosen not in dict(counted):
                counted.append((chosen, f"{plain(chosen, 80)} (0)"))  # what the page is filtered by stays chosen
            self.fields[name].widget = forms.Select(choices=[_ANY, *counted])


class RowFilterForm(SearchForm):
    """Which rows of a list are wanted, and from which end: from links, or from the box with the text. An unknown value
    finds nothing rather than failing."""

    q = GivenText(
        label=_("Search your text and DOI names"),
        longest=1000,
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    outcome = forms.CharField(required=False)
    problem = forms.CharField(required=False)
    ra = GivenText(longest=100_000, required=False)  # of a link, which is as long as the page that made it has it
    group = forms.CharField(required=False)
    duplicates = forms.BooleanField(required=False)
    order = forms.CharField(required=False)

    def rows(self) -> RowFilter:
        """The filters that are set; none when the form has an error."""
        return RowFilter(**{name: value for name, value in self.wanted().items() if name != "order"})

    def down(self) -> bool:
        """Whether the last row comes first."""
        return self.wanted().get("order") == "down"
