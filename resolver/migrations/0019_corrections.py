from django.db import migrations, models
from django.db.models import Case, Q, Value, When

import resolver.models.fields

EXISTS = ("resolved", "no-url", "no-values", "registered")
COULD_NOT_ASK = ("proxy-error", "unreachable")
REVIEWED = (
    "no-doi", "too-long", "not-read", "directory-code", "registrant-code", "missing-suffix", "control-character",
    "non-graphic", "unescaped-hash", "unescaped-question-mark", "unescaped-percent", "unescaped-quote",
    "unescaped-space", "unescaped-comma", "broken-utf8", "link-differs", "alias-loop", "inner-space", "leftover", "glued-dois", "deleted",
    "unsafe-url", "several-dois",
)  # fmt: skip


def fill_corrections(apps, schema_editor):
    """Give the rows of earlier lists their correction. One statement, which writes each row once: a list may have a
    million rows, and PostgreSQL alters no table in a transaction that wrote a row of it twice."""
    cases = (
        (Q(outcome__in=COULD_NOT_ASK), "unchecked"),
        (Q(outcome__in=EXISTS) & any_of(REVIEWED), "review"),
        (Q(outcome__in=EXISTS, alias_of=""), "unchanged"),
        (Q(outcome__in=("resolved", "no-values"), alias_of__startswith="10."), "main-doi"),
        (Q(outcome__in=EXISTS), "review"),
        (~Q(suggestion="") & any_of(("several-dois", "glued-dois", "link-differs")), "review"),
        (~Q(suggestion=""), "suggested"),
        (Q(outcome="not-found"), "not-registered"),
    )
    rows = apps.get_model("resolver", "Row").objects.using(schema_editor.connection.alias).order_by()
    rows.filter(correction="").exclude(outcome="").update(
        correction=Case(*(When(case, then=Value(correction)) for case, correction in cases), default=Value("no-doi"))
    )


def any_of(codes):
    found = Q()
    for code in codes:
        found |= Q(problems__contains=f" {code} ")
    return found


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0018_plain_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="row",
            name="correction",
            field=models.CharField(blank=True, default="", max_length=14),
        ),
        migrations.AddField(
            model_name="row",
            name="decided_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="row",
            name="decided_by",
            field=models.CharField(blank=True, default="", max_length=150),
        ),
        migrations.AddField(
            model_name="row",
            name="decided_doi",
            field=resolver.models.fields.ExactTextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="row",
            name="decision",
            field=models.CharField(blank=True, default="", max_length=8),
        ),
        migrations.AddField(
            model_name="row",
            name="doubtful",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="row",
            name="part",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="row",
            name="row",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(fill_corrections, migrations.RunPython.noop),
    ]
