from django.db import migrations, models, transaction
from django.db.models import Case, Count, F, Q, Value, When

from resolver.models.column_operations import AddFieldIfMissing, CheckField
from resolver.models.index_operations import AddIndexWithoutLock, RemoveIndexWithoutLock

BATCH = 10_000  # lines of a list that are changed in one transaction

WORKS = ("resolved", "registered")
EXISTS = (*WORKS, "no-url", "no-values")
COULD_NOT_ASK = ("proxy-error", "unreachable")
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


def any_of(codes):
    found = Q()
    for code in codes:
        found |= Q(problems__contains=f" {code} ")
    return found


def choose(*cases, default):
    return Case(*(When(case, then=Value(value)) for case, value in cases), default=default)


CORRECTION = choose(
    (Q(outcome=""), ""),
    (Q(outcome__in=COULD_NOT_ASK), "unchecked"),
    (Q(outcome__in=EXISTS) & any_of(DOUBTS), "review"),
    (Q(outcome__in=EXISTS, alias_of=""), "unchanged"),
    (Q(outcome__in=("resolved", "no-values"), alias_of__startswith="10."), "main-doi"),
    (Q(outcome__in=EXISTS), "review"),
    (~Q(suggestion="") & any_of(("several-dois", "glued-dois", "link-differs")), "review"),
    (~Q(suggestion=""), "suggested"),
    (Q(outcome="not-found"), "not-registered"),
    default=Value("no-doi"),
)
# Rows that were checked between 0019 and this migration may have a correction already. It stays.
CORRECTABLE = Q(correction__in=("", "unchanged"))

# Whether the full name of a text that was cut is registered was not asked then, so these rows count as incomplete: a
# retry asks.
FLAGGED = Q(outcome__in=EXISTS, problems__gt="")
FLAGS = {
    "needs_review": choose(
        (Q(outcome__in=WORKS) & any_of(DOUBTS), True), (Q(outcome__in=WORKS), False), default=F("needs_review")
    ),
    "tidier": choose((Q(outcome__in=WORKS) & ~any_of(DOUBTS) & any_of(UNTIDY), True), default=Value(False)),
    "incomplete": choose((any_of(CUTS), True), default=F("incomplete")),
}


def fill_rows(apps, schema_editor):
    """Give the rows of earlier lists their correction and their group, each row once, and only rows that have others.

    A list may have a million rows. So each batch is a transaction of its own, which locks the job first, as all writers
    do. What was filled in before an interruption is left as it is.
    """
    alias = schema_editor.connection.alias
    jobs = apps.get_model("resolver", "Job").objects.using(alias).order_by("pk")
    rows = apps.get_model("resolver", "Row").objects.using(alias).order_by("line")
    for job in list(jobs.values_list("pk", flat=True)):
        after = 0
        while after is not None:
            with transaction.atomic(alias):
                jobs.select_for_update(no_key=True).filter(pk=job).values_list("pk").first()
                batch = rows.filter(job=job, line__gt=after)
                after = batch.values_list("line", flat=True)[BATCH - 1 : BATCH].first()
                fill_batch(batch if after is None else batch.filter(line__lte=after))


def fill_batch(rows):
    old = Q(CORRECTABLE & ~Q(correction=CORRECTION)) | FLAGGED & ~Q(**FLAGS)
    rows.filter(old).order_by().update(
        correction=Case(When(CORRECTABLE, then=CORRECTION), default=F("correction")),
        **{name: Case(When(FLAGGED, then=value), default=F(name)) for name, value in FLAGS.items()},
    )


def count_rows(apps, schema_editor):
    """Count the rows of each list anew. A writer to that list waits meanwhile, so that none is counted twice."""
    alias = schema_editor.connection.alias
    jobs = apps.get_model("resolver", "Job").objects.using(alias).order_by("pk")
    rows = apps.get_model("resolver", "Row").objects.using(alias).order_by()
    counts = {name: Count("pk", filter=Q(**{name: True})) for name in FLAGS}
    for job in list(jobs.values_list("pk", flat=True)):
        with transaction.atomic(alias):
            jobs.select_for_update(no_key=True).filter(pk=job).values_list("pk").first()
            for found in (
                rows.filter(job=job).values("job").annotate(**{f"rows_{name}": counts[name] for name in counts})
            ):
                jobs.filter(pk=job).update(**{name: found[f"rows_{name}"] for name in counts})


REPLACED = (
    ("row_outcome", ["job", "outcome", "line", "ra", "problems", "needs_review", "tidier"], None),
    ("row_agency", ["job", "ra", "line", "outcome", "problems", "needs_review", "tidier"], None),
    ("row_problems", ["job", "line", "problems", "outcome", "ra", "needs_review", "tidier"], Q(problems__gt="")),
)
NEW = (
    ("row_needs_review", ["job", "line", "outcome", "ra", "problems", "needs_review"], Q(needs_review=True)),
    ("row_tidier", ["job", "line", "outcome", "ra", "problems", "tidier"], Q(tidier=True)),
)


class Migration(migrations.Migration):
    """Fills in the columns of 0019 and its own, and builds their indexes, while others read and write.

    Each operation can be repeated: after an interruption the next start goes through all of them again. Databases that
    an earlier state of 0018 migrated have the index `row_needs_review` already.
    """

    atomic = False
    dependencies = [("resolver", "0019_corrections")]

    operations = [
        *(RemoveIndexWithoutLock("row", name) for name, _, _ in REPLACED),
        AddFieldIfMissing("job", "tidier", models.PositiveIntegerField(default=0)),
        AddFieldIfMissing("row", "tidier", models.BooleanField(default=False)),
        CheckField("row", "part"),
        CheckField("row", "row"),
        migrations.RunPython(fill_rows, migrations.RunPython.noop),
        *(
            AddIndexWithoutLock("row", models.Index(fields=fields, name=name, condition=condition))
            for name, fields, condition in (*REPLACED, *NEW)
        ),
        migrations.RunPython(count_rows, migrations.RunPython.noop),
    ]
