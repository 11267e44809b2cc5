from django.db import migrations, models
from django.db.models import Case, Count, F, Q, Value, When

WORKS = ("resolved", "registered")
EXISTS = (*WORKS, "no-url", "no-values")
DOUBTS = (
    "no-doi", "too-long", "not-read", "directory-code", "registrant-code", "missing-suffix", "control-character",
    "non-graphic", "unescaped-hash", "unescaped-question-mark", "unescaped-percent", "unescaped-quote",
    "unescaped-space", "unescaped-comma", "broken-utf8", "link-differs", "alias-loop", "inner-space", "leftover", "glued-dois", "deleted",
    "unsafe-url", "several-dois",
)  # fmt: skip
UNTIDY = (
    "old-resolver", "wrapped", "publisher-url", "from-link", "alias", "surrounding-text", "proxy-parameter",
    "tracking-parameter", "repeated-prefix", "double-encoded", "percent-in-name", "html-entity",
    "unescaped-recommended", "unescaped-non-ascii", "dot-segment", "trailing-slash",
)  # fmt: skip
CUTS = ("unescaped-hash", "unescaped-question-mark", "unescaped-space", "inner-space", "unescaped-comma")


def fill_groups(apps, schema_editor):
    """Give the rows of earlier lists their group. One statement, which writes each row once: a list may have a million
    rows, and PostgreSQL makes no index in a transaction that wrote a row twice.

    Whether the full name of a text that was cut is registered was not asked then, so these rows count as incomplete: a
    retry asks.
    """
    alias = schema_editor.connection.alias
    rows = apps.get_model("resolver", "Row").objects.using(alias).order_by().filter(problems__gt="")
    works, doubts = Q(outcome__in=WORKS), any_of(DOUBTS)
    rows.filter(outcome__in=EXISTS).update(
        needs_review=Case(
            When(works & doubts, then=Value(True)), When(works, then=Value(False)), default=F("needs_review")
        ),
        tidier=Case(When(works & ~doubts & any_of(UNTIDY), then=Value(True)), default=Value(False)),
        incomplete=Case(When(any_of(CUTS), then=Value(True)), default=F("incomplete")),
    )
    jobs = apps.get_model("resolver", "Job").objects.using(alias)
    counted = apps.get_model("resolver", "Row").objects.using(alias).order_by().values("job")
    names = ("needs_review", "tidier", "incomplete")
    for found in counted.annotate(**{f"rows_{name}": Count("pk", filter=Q(**{name: True})) for name in names}):
        jobs.filter(pk=found["job"]).update(**{name: found[f"rows_{name}"] for name in names})


def any_of(codes):
    found = Q()
    for code in codes:
        found |= Q(problems__contains=f" {code} ")
    return found


INDEXES = (
    ("row_outcome", ["job", "outcome", "line", "ra", "problems", "needs_review", "tidier"], None),
    ("row_agency", ["job", "ra", "line", "outcome", "problems", "needs_review", "tidier"], None),
    ("row_problems", ["job", "line", "problems", "outcome", "ra", "needs_review", "tidier"], Q(problems__gt="")),
    ("row_tidier", ["job", "line", "outcome", "ra", "problems", "tidier"], Q(tidier=True)),
)


class Migration(migrations.Migration):
    dependencies = [("resolver", "0019_corrections")]

    operations = [
        *(migrations.RemoveIndex("row", name) for name, _, _ in INDEXES[:3]),
        migrations.AddField("job", "tidier", models.PositiveIntegerField(default=0)),
        migrations.AddField("row", "tidier", models.BooleanField(default=False)),
        migrations.RunPython(fill_groups, migrations.RunPython.noop),
        *(
            migrations.AddIndex("row", models.Index(fields=fields, name=name, condition=condition))
            for name, fields, condition in INDEXES
        ),
    ]
