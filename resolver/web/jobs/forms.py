"""The forms for how a list is read, checked and described."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from resolver.models import Draft
from resolver.services.jobs.drafts import DraftPreview
from resolver.services.jobs.lifecycle import NAME_LENGTH, NOTE_LENGTH
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.input.expected_column import (
    can_have_expected_column,
    list_likely_columns,
    propose_expected_column,
)
from resolver.sheets.input.layout import Layout, name_unnamed_column
from resolver.sheets.input.layout_choices import LAST_HEADER_ROW, LayoutChoices
from resolver.sheets.input.text.text_encoding import ENCODINGS, label_encoding
from resolver.sheets.input.work_columns import WORK_FIELDS, WorkChoice, can_compare_works, propose_work_columns
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.web.site.form_fields import BoundedTextField
from resolver.web.wording.text_filters import plain_text

MOST_COLUMN_CHOICES = 200  # a page with more would be heavy
MOST_WORK_COLUMNS = 40  # in each of four selects

_WORK_COLUMNS = [f"{field}_column" for field in WORK_FIELDS]
_SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "none": ""}
_SEPARATORS = [
    ("comma", gettext_lazy("comma")),
    ("semicolon", gettext_lazy("semicolon")),
    ("tab", gettext_lazy("tab")),
    ("bar", gettext_lazy("vertical bar")),
    ("none", gettext_lazy("none (one entry per line)")),
]


class DescriptionForm(forms.Form):
    """The name of a list, and a note about it."""

    name = BoundedTextField(
        longest=NAME_LENGTH,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("The name of this list. If you leave it empty, we use the file name."),
    )
    note = BoundedTextField(
        longest=NOTE_LENGTH,
        label=pgettext_lazy("of a list", "Note"),
        help_text=gettext_lazy("Only you can see this note, even if you share the list."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


def name_columns(layout: Layout | None) -> str:
    """Return a short name for the columns of a file, which others don't have."""
    return sha256("\0".join(layout.header).encode("utf-8", "surrogatepass")).hexdigest()[:16] if layout else ""


def _build_column_field(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=1, max_value=MAX_CELLS)


class StartForm(DescriptionForm):
    """How a list is checked."""

    has_likely_column = False
    can_compare = can_search = False
    field_order = ("compare", "search", *_WORK_COLUMNS, "quick", "split", "expected", "name", "note")
    compare = forms.BooleanField(
        label=gettext_lazy("Compare with the registered title and author"),
        required=False,
        help_text=gettext_lazy(
            "Shows whether each DOI stands for the right work. We send DOIs to api.crossref.org, api.datacite.org and "
            "the services of other agencies, never your titles."
        ),
    )
    search = forms.BooleanField(
        label=gettext_lazy("Search for missing DOIs"),
        required=False,
        help_text=gettext_lazy("For rows without a DOI, with one that isn’t registered, or with that of another work."),
    )
    title_column = _build_column_field(gettext_lazy("Title"))
    author_column = _build_column_field(gettext_lazy("Author"))
    year_column = _build_column_field(gettext_lazy("Year"))
    container_column = _build_column_field(gettext_lazy("Journal or book"))
    quick = forms.BooleanField(
        label=gettext_lazy("Quick check"),
        required=False,
        help_text=gettext_lazy(
            "Checks only whether each DOI is registered, and with which agency. Much faster, but no web addresses."
        ),
    )
    split = forms.BooleanField(
        label=gettext_lazy("One DOI per row"),
        required=False,
        help_text=gettext_lazy("If a cell has several DOIs, each gets a row of its own in the results."),
    )
    expected = forms.IntegerField(
        label=gettext_lazy("Column with expected web addresses"),
        required=False,
        min_value=1,
        max_value=MAX_CELLS,
        help_text=gettext_lazy(
            "Choose a column if your file says where each DOI should lead. We report those that lead elsewhere. A "
            "quick check can’t compare them."
        ),
    )

    @property
    def sent_pairs(self) -> list[tuple[str, str]]:
        """What was sent for these fields, for a page that doesn't show them."""
        return [(name, self.data[name]) for name in self.fields if self.data.get(name)]

    @property
    def ticks(self) -> list[forms.BoundField]:
        """The boxes to tick that the file has."""
        return [self[name] for name in ("quick", "split") if name in self.fields]

    @property
    def chosen_options(self) -> list[str]:
        """What is chosen among the options that are folded, in words."""
        chosen = [str(field.label) for field in self.ticks if field.value()]
        return [*chosen, *filter(None, [str(self["name"].value() or "")])]

    def clean_expected(self) -> int | None:
        """The index of the column."""
        number: int | None = self.cleaned_data["expected"]
        return None if number is None else number - 1

    @property
    def work_columns(self) -> list[forms.BoundField]:
        """The columns with what is compared, that the file may have."""
        return [self[name] for name in _WORK_COLUMNS if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Put together what is done with works, and their columns, as `works` and `work_columns`."""
        cleaned = super().clean() or self.cleaned_data
        columns = {field: cleaned.pop(name, None) for field, name in zip(WORK_FIELDS, _WORK_COLUMNS, strict=True)}
        chosen = {field: number - 1 for field, number in columns.items() if number is not None}
        compares, searches = (cleaned.pop(name, False) for name in ("compare", "search"))
        works = WorkChoice(
            compare=bool(compares and settings.METADATA),
            search=bool(searches and settings.SEARCH and not cleaned.get("quick")),
        )
        return {**cleaned, "works": works, "work_columns": chosen}

    def has_chosen_column(self) -> bool:
        """Return whether a column was chosen among columns that the page has shown."""
        return bool(any(map(self.data.get, ("expected", *_WORK_COLUMNS))) and self.data.get("columns"))

    def is_for(self, layout: Layout | None) -> bool:
        """Return whether the page has shown the columns of this layout: with other settings, a number means another."""
        return bool(self.data.get("columns") == name_columns(layout))

    @property
    def is_split(self) -> bool:
        """Whether each DOI of a cell gets a row of its own, as the page shows it."""
        return "split" in self.fields and bool(self["split"].value())

    def offer(self, layout: Layout | None, rows: Sequence[Sequence[str]]) -> None:
        """Make the column of expected addresses a select: likely columns come first, and one is chosen only if its name
        says plainly what it has. A file without other columns has no such field. What was chosen among other columns
        counts no more. The same for the proposal to read the values of a cell one by one."""
        proposes_split = layout is not None and layout.split
        self.fields["split"].initial = proposes_split
        if "preview" in self.data and proposes_split != bool(self.data.get("proposed_split")):
            self.data = dict(self.data.items()) | {"split": "on" if proposes_split else ""}
        if layout is not None and layout.is_bibliographic:
            del self.fields["split"]
        self._offer_works(layout, rows)
        if layout is None or not can_have_expected_column(layout):
            del self.fields["expected"]
            return
        likely = list_likely_columns(layout)
        self.has_likely_column = bool(likely)
        others = (place for place in range(min(layout.width, MOST_COLUMN_CHOICES)) if place not in likely)
        columns = [place for place in (*likely, *others) if place not in (layout.column, layout.instead)]
        options = [(place + 1, _label_column(place, layout.header[place])) for place in columns]
        self.fields["expected"].widget = forms.Select(choices=[("", pgettext("column", "none")), *options])
        proposed = propose_expected_column(layout)
        self.fields["expected"].initial = None if proposed is None else proposed + 1
        if "preview" in self.data and not self.is_for(layout):
            self.data = dict(self.data.items()) | {"expected": "" if proposed is None else proposed + 1}

    def _offer_works(self, layout: Layout | None, rows: Sequence[Sequence[str]]) -> None:
        """Offer what is done with works, with the columns whose names tell what they have. It isn't there if the portal
        may not ask for works, and for rows that say nothing of theirs."""
        has_works = layout is not None and can_compare_works(layout, rows)
        self.can_compare, self.can_search = settings.METADATA and has_works, settings.SEARCH and has_works
        for name, allowed in (("compare", self.can_compare), ("search", self.can_search)):
            if not allowed:
                del self.fields[name]
        if layout is None or not (self.can_compare or self.can_search):
            for name in _WORK_COLUMNS:
                del self.fields[name]
            return
        if layout.is_bibliographic or layout.width == 1:
            for name in _WORK_COLUMNS:
                del self.fields[name]
            return
        proposed = propose_work_columns(layout)
        first = dict.fromkeys((*proposed.values(), *range(min(layout.width, MOST_WORK_COLUMNS))))
        places = (place for place in first if place not in layout.read_columns)
        options = [(place + 1, _label_column(place, layout.header[place])) for place in places]
        for field, name in zip(WORK_FIELDS, _WORK_COLUMNS, strict=True):
            found = "" if field not in proposed else proposed[field] + 1
            self.fields[name].widget = forms.Select(choices=[("", pgettext("column", "none")), *options])
            self.fields[name].initial = found
            if "preview" in self.data and not self.is_for(layout):
                self.data = dict(self.data.items()) | {name: found}


class LayoutChoicesForm(forms.Form):
    """How a list is read where it was not detected correctly. Fields that don't apply to the file are left out. They
    are sent with the form that starts the check, so that what is visible counts."""

    sheet = forms.IntegerField(label=gettext_lazy("Sheet"), required=False, min_value=1, max_value=MAX_CELLS)
    separator = forms.ChoiceField(label=gettext_lazy("Column separator"), required=False, choices=_SEPARATORS)
    encoding = forms.ChoiceField(label=gettext_lazy("Encoding"), required=False, choices=list(ENCODINGS.items()))
    header_row = forms.IntegerField(
        label=gettext_lazy("Header row"),
        required=False,
        min_value=0,
        max_value=LAST_HEADER_ROW,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text=gettext_lazy("The row with the column names, numbered as in a spreadsheet. 0 if there is none."),
    )
    column = forms.IntegerField(label=gettext_lazy("DOI column"), required=False, min_value=1, max_value=MAX_CELLS)
    fields_read = forms.MultipleChoiceField(
        label=gettext_lazy("Fields that we read"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("If you choose none, we read all of them."),
    )

    def __init__(self, *args: Any, draft: Draft, **options: Any) -> None:
        super().__init__(*args, **options)
        self._sheets: list[str] = draft.sheets
        form = FORMATS.get((draft.layout or {}).get("kind", ""))
        if form is not None:
            field = cast("forms.MultipleChoiceField", self.fields["fields_read"])
            field.choices = [(each, each) for each in form.fields]
            self.fields = {"fields_read": field}
        else:
            left_out = {"fields_read", *(("separator", "encoding") if draft.sheets else ("sheet",))}
            if len(draft.sheets) == 1:
                left_out.add("sheet")
            if draft.pasted:
                left_out.add("encoding")
            for name in left_out:
                del self.fields[name]
        self.full_clean()

    @property
    def chosen(self) -> dict[str, Any]:
        """The choices made."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "", [])}

    def build_choices(self) -> LayoutChoices:
        """The choices for the reader of files."""
        chosen = self.chosen
        return LayoutChoices(
            delimiter=_SIGNS[chosen["separator"]] if "separator" in chosen else None,
            encoding=chosen.get("encoding"),
            header_row=chosen.get("header_row"),
            column=chosen["column"] - 1 if "column" in chosen else None,
            sheet=chosen["sheet"] - 1 if "sheet" in chosen else None,
            fields=tuple(chosen["fields_read"]) if "fields_read" in chosen else None,
        )

    def refuse(self, about: str, why: Exception) -> None:
        """Show why the file can't be read with these choices; `about` is a field of LayoutChoices."""
        name = {"has_header": "header_row", "delimiter": "separator"}.get(about, about)
        self.add_error(name if name in self.fields else None, str(why))

    def offer(self, preview: DraftPreview) -> None:
        """Make each field a select, whose first option is what was detected. The header row is a number."""
        detected = _describe_detected(preview)
        options: dict[str, list[Any]] = {
            "sheet": [(number, plain_text(name, 60)) for number, name in enumerate(self._sheets, 1)],
            "separator": _SEPARATORS,
            "encoding": list(ENCODINGS.items()),
            "column": self._list_columns(preview),
        }
        for name, field in self.fields.items():
            if name == "fields_read":
                if name not in self.chosen and preview.layout:
                    self.data = MultiValueDict({name: list(preview.layout.fields)})
                continue
            what = "" if name in self.chosen else detected.get(name, "")
            if name == "header_row":
                field.widget.attrs["placeholder"] = what and _("detected: %(what)s") % {"what": what}
                continue
            first = _("detected: %(what)s") % {"what": what} if what else _("automatic")
            field.widget = forms.Select(choices=[("", first), *options[name]])

    def _list_columns(self, preview: DraftPreview) -> list[tuple[int, str]]:
        chosen = self.chosen.get("column")
        header = preview.layout.header if preview.layout else ()
        columns = [(place + 1, _label_column(place, name)) for place, name in enumerate(header[:MOST_COLUMN_CHOICES])]
        if chosen and chosen > len(columns):
            columns.append((chosen, _label_column(chosen - 1, name_unnamed_column(chosen - 1))))
        return columns


def _describe_detected(preview: DraftPreview) -> dict[str, str]:
    """What was detected, in words, by the names of the fields."""
    layout = preview.layout
    if layout is None:
        return {}
    sign = next((code for code, sign in _SIGNS.items() if sign == layout.delimiter), "")
    return {
        "sheet": plain_text(layout.sheet, 60),
        "separator": str(dict(_SEPARATORS).get(sign, "")),
        "encoding": label_encoding(layout.encoding),
        "header_row": str(layout.first_row if layout.has_header else 0),
        "column": (pgettext("column", "none") if preview.refusal else _label_column(layout.column, layout.column_name)),
    }


def _label_column(place: int, name: str) -> str:
    """The number and the name of a column, or the number alone."""
    if name == name_unnamed_column(place):
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
    return _("more than %(number)s rows") % number
