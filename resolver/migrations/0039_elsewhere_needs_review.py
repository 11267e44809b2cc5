from django.db import migrations, transaction
from django.db.models import F

BATCH = 10_000  # lines of a list that are changed in one transaction
WORKS = ("resolved", "registered")
ELSEWHERE = ("other-host", "no-address")
OTHER_PAGE = "same-host"


def fill_rows(apps, schema_editor):
    """Give the rows of earlier lists that lead elsewhere than expected their group: those on another site need review,
    those on another page could be tidier. Only lists with expected addresses have such rows.

    A list may have a million rows. So each batch is a transaction of its own, which locks the job first, as all writers
    do, and counts what it changes. After an interruption the next start finds only what is left.
    """
    alias = schema_editor.connection.alias
    jobs = apps.get_model("resolver", "Job").objects.using(alias).order_by("pk")
    rows = apps.get_model("resolver", "Row").objects.using(alias).order_by("line")
    audited = [pk for pk, layout in jobs.values_list("pk", "layout").iterator() if layout.get("expected") is not None]
    for pk in audited:
        for address in (*ELSEWHERE, OTHER_PAGE):
            after = 0
            while after is not None:
                with transaction.atomic(alias):
                    job = jobs.select_for_update(no_key=True).filter(pk=pk)
                    if job.values_list("pk").first() is None:
                        break
                    batch = rows.filter(job=pk, address__gt="", address=address, line__gt=after)
                    after = batch.values_list("line", flat=True)[BATCH - 1 : BATCH].first()
                    fill_batch(job, (batch if after is None else batch.filter(line__lte=after)).order_by(), address)


def fill_batch(job, batch, address):
    of_group = batch.filter(outcome__in=WORKS, needs_review=False)
    if address == OTHER_PAGE:
        tidied = of_group.filter(tidier=False).update(tidier=True)
        job.update(tidier=F("tidier") + tidied)
        return
    untidied = of_group.filter(tidier=True).update(needs_review=True, tidier=False)
    reviewed = untidied + of_group.update(needs_review=True)
    job.update(needs_review=F("needs_review") + reviewed, tidier=F("tidier") - untidied)


class Migration(migrations.Migration):
    """Can be repeated: what was filled in stays, and is not counted again."""

    atomic = False
    dependencies = [("resolver", "0001_squashed_0038_part_of_watch_change")]
    operations = [migrations.RunPython(fill_rows, migrations.RunPython.noop)]
