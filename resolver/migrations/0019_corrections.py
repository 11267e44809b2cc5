from django.db import migrations, models

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
    """Give the rows of earlier lists their correction. Whole statements: a list may have a million rows."""
    rows = apps.get_model("resolver", "Row").objects.using(schema_editor.connection.alias)
    rows = rows.filter(correction="").order_by()
    with_problem = models.Q()
    for code in REVIEWED:
        with_problem |= models.Q(problems__contains=f" {code} ")
    rows.filter(outcome__in=COULD_NOT_ASK).update(correction="unchecked")
    rows.filter(with_problem, outcome__in=EXISTS).update(correction="review")
    rows.filter(outcome__in=EXISTS, alias_of="").update(correction="unchanged")
    rows.filter(outcome__in=("resolved", "no-values"), alias_of__startswith="10.").update(correction="main-doi")
    rows.filter(outcome__in=EXISTS).update(correction="review")
    without = rows.exclude(outcome="")
    several = models.Q()
    for code in ("several-dois", "glued-dois", "link-differs"):
        several |= models.Q(problems__contains=f" {code} ")
    without.filter(several).exclude(suggestion="").update(correction="review")
    without.exclude(suggestion="").update(correction="suggested")
    without.filter(outcome="not-found").update(correction="not-registered")
    without.update(correction="no-doi")


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
