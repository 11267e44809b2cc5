import uuid

import django.db.models.deletion
from django.conf import settings
from django.core.management import CommandError
from django.db import migrations, models

import resolver.models.fields
import resolver.models.jobs


def refuse_older_tables(apps, schema_editor):
    """Raise CommandError if there are tables already: they are of a version before 0.2.0, or half upgraded to it."""
    if "resolver_job" in schema_editor.connection.introspection.table_names():
        raise CommandError(
            "The database is of a version before 0.2.0. Upgrade it to 0.2.0 first: run `prepare` of commit ac7fdf1f, "
            "then `prepare` of this version."
        )


class Migration(migrations.Migration):
    """The tables of 0.2.0, made at once. A database of 0.2.0 has the last of the migrations that this one replaces."""

    initial = True

    replaces = [("resolver", "0038_part_of_watch_change")]

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.RunPython(refuse_older_tables, migrations.RunPython.noop),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("owner", models.CharField(max_length=80)),
                ("idempotency_key", models.CharField(blank=True, default="", max_length=64)),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                ("reader", models.CharField(blank=True, default="", max_length=36)),
                ("filename", resolver.models.fields.ExactTextField()),
                ("upload", models.TextField()),
                ("requested_column", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("column", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("header", resolver.models.fields.JsonTextField(default=None)),
                ("layout", resolver.models.fields.JsonTextField(default=dict)),
                ("quick", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("reading", "reading"),
                            ("checking", "checking"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("total", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("counts", resolver.models.fields.JsonTextField(default=resolver.models.jobs.no_counts)),
                ("error", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("proxy", models.TextField()),
                ("sample", models.BooleanField(default=False)),
                ("duplicates", models.PositiveIntegerField(default=0)),
                ("name", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("note", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("served_at", models.DateTimeField(blank=True, null=True)),
                ("digest", models.CharField(blank=True, default="", max_length=64)),
                ("incomplete", models.PositiveIntegerField(default=0)),
                ("fresh_since", models.DateTimeField(blank=True, null=True)),
                ("share_token", models.CharField(blank=True, default="", max_length=64)),
                ("read_until", models.DateTimeField(blank=True, null=True)),
                ("needs_review", models.PositiveIntegerField(default=0)),
                ("prechecking", models.BooleanField(default=False)),
                ("precheck", resolver.models.fields.JsonTextField(default=None)),
                (
                    "rerun_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="runs",
                        to="resolver.job",
                    ),
                ),
                ("tidier", models.PositiveIntegerField(default=0)),
                ("shown_columns", resolver.models.fields.JsonTextField(default=None)),
                ("only_webhook", models.UUIDField(blank=True, null=True)),
                ("review_version", models.PositiveIntegerField(default=0)),
                ("request_id", models.CharField(blank=True, default="", max_length=64)),
                ("counted_rows", models.PositiveIntegerField(default=0)),
                ("background", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "indexes": [
                    models.Index(fields=["owner", "-created_at", "-id"], name="job_history"),
                    models.Index(fields=["state"], name="job_state"),
                    models.Index(fields=["digest"], name="job_digest"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("idempotency_key", ""), _negated=True),
                        fields=("owner", "idempotency_key"),
                        name="job_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("share_token", ""), _negated=True),
                        fields=("share_token",),
                        name="job_shared_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("first_line", models.PositiveIntegerField()),
                ("last_line", models.PositiveIntegerField()),
                ("done", models.BooleanField(default=False)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chunks", to="resolver.job"
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("tried_line", models.PositiveIntegerField(blank=True, null=True)),
                ("prechecked", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ("job", "number"),
                "indexes": [models.Index(condition=models.Q(("done", False)), fields=["job"], name="chunk_undone")],
                "constraints": [models.UniqueConstraint(fields=("job", "number"), name="chunk_once")],
            },
        ),
        migrations.CreateModel(
            name="Row",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("line", models.PositiveIntegerField()),
                ("cells", resolver.models.fields.JsonTextField(default=list)),
                ("input", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("doi", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("key", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("url", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("outcome", models.CharField(blank=True, default="", max_length=20)),
                ("ra", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("ra_status", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("prefix_ra", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("urls", resolver.models.fields.JsonTextField(default=list)),
                ("problems", models.TextField(blank=True, default="")),
                ("messages", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("suggestion", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("alias_of", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                ("proxy", models.TextField(blank=True, default="")),
                (
                    "job",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="resolver.job",
                    ),
                ),
                ("others", resolver.models.fields.JsonTextField(default=list)),
                ("prefix_status", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("fingerprint", models.BigIntegerField(blank=True, null=True)),
                ("same_as", models.PositiveIntegerField(blank=True, null=True)),
                ("incomplete", models.BooleanField(default=False)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("cached", models.BooleanField(default=False)),
                ("needs_review", models.BooleanField(default=False)),
                ("also_registered", resolver.models.fields.JsonTextField(default=list)),
                ("correction", models.CharField(blank=True, default="", max_length=14)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decided_by", models.CharField(blank=True, default="", max_length=150)),
                ("decided_doi", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("decision", models.CharField(blank=True, default="", max_length=8)),
                ("doubtful", models.BooleanField(default=False)),
                ("part", models.PositiveSmallIntegerField(default=0)),
                ("row", models.PositiveIntegerField(blank=True, null=True)),
                ("tidier", models.BooleanField(default=False)),
                ("decided_proposal", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("address", models.CharField(blank=True, default="", max_length=10)),
                ("host", models.CharField(blank=True, default="", max_length=255)),
            ],
            options={
                "ordering": ("job", "line"),
                "constraints": [models.UniqueConstraint(fields=("job", "line"), name="row_once")],
                "indexes": [
                    models.Index(
                        condition=models.Q(("fingerprint__isnull", False), ("same_as", None)),
                        fields=["job", "fingerprint"],
                        name="row_first_of_name",
                    ),
                    models.Index(
                        condition=models.Q(("same_as__isnull", False)), fields=["job", "line"], name="row_duplicate"
                    ),
                    models.Index(
                        fields=["job", "outcome", "line", "ra", "problems", "needs_review", "tidier"],
                        name="row_outcome",
                    ),
                    models.Index(
                        fields=["job", "ra", "line", "outcome", "problems", "needs_review", "tidier"], name="row_agency"
                    ),
                    models.Index(
                        condition=models.Q(("problems__gt", "")),
                        fields=["job", "line", "problems", "outcome", "ra", "needs_review", "tidier"],
                        name="row_problems",
                    ),
                    models.Index(
                        condition=models.Q(("needs_review", True)),
                        fields=["job", "line", "outcome", "ra", "problems", "needs_review"],
                        name="row_needs_review",
                    ),
                    models.Index(
                        condition=models.Q(("tidier", True)),
                        fields=["job", "line", "outcome", "ra", "problems", "tidier"],
                        name="row_tidier",
                    ),
                    models.Index(
                        fields=["job", "problems", "line", "outcome", "ra", "needs_review", "tidier"],
                        name="row_by_problem",
                    ),
                    models.Index(
                        condition=models.Q(("correction__gt", ""), ("correction__lt", "unchanged")),
                        fields=["job", "correction", "line", "problems", "outcome", "ra", "needs_review"],
                        name="row_correction",
                    ),
                    models.Index(
                        condition=models.Q(("address__gt", "")),
                        fields=["job", "address", "line", "host", "outcome", "problems", "ra", "needs_review"],
                        name="row_address",
                    ),
                    models.Index(
                        condition=models.Q(("host__gt", "")),
                        fields=["job", "host", "line", "address", "outcome", "problems", "ra", "needs_review"],
                        name="row_host",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DecisionAction",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("decision", models.CharField(blank=True, default="", max_length=8)),
                ("rows", models.PositiveIntegerField()),
                ("line", models.PositiveIntegerField(blank=True, null=True)),
                ("made_by", models.CharField(blank=True, default="", max_length=150)),
                ("made_at", models.DateTimeField()),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="decision_actions", to="resolver.job"
                    ),
                ),
            ],
            options={
                "ordering": ("job", "id"),
            },
        ),
        migrations.CreateModel(
            name="EarlierDecision",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("line", models.PositiveIntegerField()),
                ("correction", models.CharField(blank=True, default="", max_length=14)),
                ("decision", models.CharField(blank=True, default="", max_length=8)),
                ("decided_doi", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("decided_proposal", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("decided_by", models.CharField(blank=True, default="", max_length=150)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "action",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="earlier",
                        to="resolver.decisionaction",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("action", "line"), name="earlier_decision_once")],
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("owner", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField()),
                ("filename", resolver.models.fields.ExactTextField()),
                ("upload", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("layout", resolver.models.fields.JsonTextField(default=None)),
                ("sheets", resolver.models.fields.JsonTextField(default=list)),
                ("pasted", models.BooleanField(default=False)),
                ("text", resolver.models.fields.ExactTextField(blank=True, default="")),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "indexes": [models.Index(fields=["created_at"], name="draft_age")],
            },
        ),
        migrations.CreateModel(
            name="Lookup",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("owner", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField()),
                ("input", resolver.models.fields.ExactTextField()),
                ("form", models.CharField(max_length=20)),
                ("doi", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("search", resolver.models.fields.ExactTextField(default="")),
                ("outcome", models.CharField(max_length=20)),
                ("ra", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("ra_status", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("prefix_ra", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("urls", resolver.models.fields.JsonTextField(default=list)),
                ("record", resolver.models.fields.JsonTextField(default=None)),
                ("alias_of", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("suggestion", resolver.models.fields.JsonTextField(default=None)),
                ("problems", resolver.models.fields.JsonTextField(default=list)),
                ("problem_codes", models.TextField(blank=True, default="")),
                ("candidates", resolver.models.fields.JsonTextField(default=list)),
                ("proxy", models.TextField()),
                ("cached", models.BooleanField(default=False)),
                ("sample", models.BooleanField(default=False)),
                ("others", resolver.models.fields.JsonTextField(default=list)),
                ("prefix_status", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "indexes": [
                    models.Index(fields=["owner", "-created_at", "-id"], name="lookup_history"),
                    models.Index(fields=["owner", "outcome", "ra", "problem_codes"], name="lookup_kinds"),
                    models.Index(fields=["created_at"], name="lookup_age"),
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredAnswer",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("proxy", models.CharField(max_length=500)),
                ("digest", models.CharField(max_length=64)),
                ("name", resolver.models.fields.ExactTextField()),
                ("ra", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("ra_status", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("agency_at", models.DateTimeField(blank=True, null=True)),
                ("record", resolver.models.fields.JsonTextField(default=None)),
                ("record_at", models.DateTimeField(blank=True, null=True)),
                ("metadata", resolver.models.fields.JsonTextField(default=None)),
                ("metadata_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("proxy", "digest"), name="answer_once")],
            },
        ),
        migrations.CreateModel(
            name="InFlightRequest",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("token", models.CharField(blank=True, default="", max_length=36)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("asked_at", models.DateTimeField()),
                ("failure", resolver.models.fields.JsonTextField(default=None)),
                ("awaited", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="Wakeup",
            fields=[
                ("owner", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("token", models.CharField(max_length=36)),
                ("sent_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="WorkerHeartbeat",
            fields=[
                ("name", models.CharField(max_length=255, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Comparison",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("before_ended", models.DateTimeField()),
                ("after_ended", models.DateTimeField()),
                ("by_line", models.BooleanField()),
                ("created_at", models.DateTimeField()),
                ("done", models.BooleanField(default=False)),
                ("counts", resolver.models.fields.JsonTextField(default=dict)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "after",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="resolver.job"),
                ),
                (
                    "before",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="resolver.job"
                    ),
                ),
                ("compared_up_to", models.BigIntegerField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("before", "after", "before_ended", "after_ended"), name="comparison_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Difference",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("newly-broken", "newly-broken"),
                            ("newly-working", "newly-working"),
                            ("address-changed", "address-changed"),
                            ("agency-changed", "agency-changed"),
                            ("otherwise-changed", "otherwise-changed"),
                            ("not-answered", "not-answered"),
                            ("only-before", "only-before"),
                            ("only-after", "only-after"),
                            ("unchanged", "unchanged"),
                        ],
                        max_length=20,
                    ),
                ),
                ("place", models.BigIntegerField()),
                ("line", models.PositiveIntegerField(blank=True, null=True)),
                ("other_line", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "comparison",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="differences",
                        to="resolver.comparison",
                    ),
                ),
            ],
            options={
                "ordering": ("comparison", "place"),
                "indexes": [models.Index(fields=["comparison", "kind", "place"], name="difference_kind")],
                "constraints": [models.UniqueConstraint(fields=("comparison", "place"), name="difference_once")],
            },
        ),
        migrations.CreateModel(
            name="HostCheck",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("job_ended", models.DateTimeField()),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("collected_up_to", models.PositiveIntegerField(blank=True, null=True)),
                ("collected", models.BooleanField(default=False)),
                ("done", models.BooleanField(default=False)),
                ("hosts", models.PositiveIntegerField(default=0)),
                ("rows", models.PositiveIntegerField(default=0)),
                ("left_out", models.PositiveIntegerField(default=0)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="host_check", to="resolver.job"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("done", False)), fields=["done"], name="host_check_undone")
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckedHost",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=255)),
                ("port", models.PositiveIntegerField()),
                ("tls", models.BooleanField()),
                ("addresses", resolver.models.fields.JsonTextField(default=dict)),
                ("rows", models.PositiveIntegerField()),
                ("place", models.PositiveIntegerField(default=0)),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("answers", "answers"),
                            ("no-such-host", "no-such-host"),
                            ("no-answer", "no-answer"),
                            ("certificate-ended", "certificate-ended"),
                            ("certificate-other-name", "certificate-other-name"),
                            ("certificate-untrusted", "certificate-untrusted"),
                            ("no-secure-connection", "no-secure-connection"),
                            ("not-contacted", "not-contacted"),
                            ("could-not-check", "could-not-check"),
                        ],
                        default="",
                        max_length=24,
                    ),
                ),
                ("detail", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "host_check",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="found",
                        to="resolver.hostcheck",
                    ),
                ),
            ],
            options={
                "ordering": ("host_check", "place"),
                "indexes": [
                    models.Index(fields=["host_check", "place"], name="checked_host_place"),
                    models.Index(fields=["name", "-checked_at"], name="checked_host_latest"),
                ],
                "constraints": [models.UniqueConstraint(fields=("host_check", "name"), name="checked_host_once")],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100)),
                (
                    "scope",
                    models.CharField(choices=[("read", "Read"), ("write", "Write")], default="read", max_length=5),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("account", "-created_at"),
                "constraints": [models.UniqueConstraint(fields=("account", "name"), name="api_token_name_once")],
            },
        ),
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=64)),
                ("fingerprint", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("token", models.CharField(blank=True, default="", max_length=36)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("location", models.TextField(blank=True, default="")),
                ("body", models.BinaryField(default=b"")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("owner", "key"), name="kept_answer_key_once")],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("url", models.TextField()),
                ("events", resolver.models.fields.JsonTextField(default=list)),
                ("secret", models.CharField(max_length=100)),
                ("portal", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("disabled_at", models.DateTimeField(blank=True, null=True)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("account", "-created_at"),
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("job.finished", "Finished"),
                            ("job.failed", "Failed"),
                            ("job.cancelled", "Cancelled"),
                            ("watch.changed", "Changed"),
                            ("webhook.test", "Test"),
                        ],
                        max_length=20,
                    ),
                ),
                ("body", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(blank=True, null=True)),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("error", resolver.models.fields.ExactTextField(blank=True, default="")),
                (
                    "webhook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="resolver.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ("webhook", "-created_at", "-id"),
                "indexes": [
                    models.Index(fields=["webhook", "-created_at", "-id"], name="delivery_history"),
                    models.Index(
                        condition=models.Q(("next_at__isnull", False)), fields=["next_at"], name="delivery_due"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AccountQuota",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "lists",
                    models.PositiveIntegerField(
                        blank=True, help_text="Empty: as the settings of the portal say. 0: no limit.", null=True
                    ),
                ),
                (
                    "rows",
                    models.PositiveIntegerField(
                        blank=True, help_text="Empty: as the settings of the portal say. 0: no limit.", null=True
                    ),
                ),
                (
                    "requests",
                    models.PositiveIntegerField(
                        blank=True, help_text="Empty: as the settings of the portal say. 0: no limit.", null=True
                    ),
                ),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="quota", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "daily quota",
            },
        ),
        migrations.CreateModel(
            name="DailyUse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.CharField(max_length=80)),
                ("day", models.DateField(db_index=True)),
                ("lists", models.PositiveIntegerField(default=0)),
                ("rows", models.PositiveBigIntegerField(default=0)),
                ("requests", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("owner", "day"), name="daily_use_once")],
            },
        ),
        migrations.CreateModel(
            name="MailAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.EmailField(blank=True, default="", max_length=254)),
                ("pending_address", models.EmailField(blank=True, default="", max_length=254)),
                ("language", models.CharField(max_length=10)),
                ("portal", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("asked_at", models.DateTimeField(blank=True, null=True)),
                ("links", models.PositiveSmallIntegerField(default=0)),
                ("links_since", models.DateTimeField(blank=True, null=True)),
                ("confirm_digest", models.CharField(blank=True, default="", max_length=64)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("stop_token", models.CharField(max_length=64, unique=True)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("last_mail_at", models.DateTimeField(blank=True, null=True)),
                ("retry_at", models.DateTimeField(blank=True, null=True)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_address",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Watch",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("owner", models.CharField(max_length=80)),
                ("name", resolver.models.fields.ExactTextField(blank=True, default="")),
                (
                    "every",
                    models.CharField(
                        choices=[
                            ("day", "every day"),
                            ("week", "every week"),
                            ("month", "every month"),
                            ("quarter", "every three months"),
                        ],
                        max_length=7,
                    ),
                ),
                ("depth", models.CharField(choices=[("existence", "existence"), ("full", "full check")], max_length=9)),
                ("mail", models.BooleanField(default=False)),
                ("portal", models.TextField()),
                ("language", models.CharField(max_length=10)),
                ("created_at", models.DateTimeField()),
                ("first_at", models.DateTimeField()),
                ("next_at", models.DateTimeField()),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("baseline", models.BooleanField(default=True)),
                ("feed_token", models.CharField(max_length=64, unique=True)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="watches", to="resolver.job"
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="watches",
                        to="resolver.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "indexes": [
                    models.Index(fields=["owner", "-created_at", "-id"], name="watch_history"),
                    models.Index(condition=models.Q(("paused_at", None)), fields=["next_at"], name="watch_due"),
                ],
            },
        ),
        migrations.CreateModel(
            name="WatchedRow",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("line", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("broken", "Broken"),
                            ("suspected", "Suspected"),
                            ("accepted", "Accepted"),
                            ("unknown", "Unknown"),
                        ],
                        max_length=9,
                    ),
                ),
                ("outcome", models.CharField(blank=True, default="", max_length=20)),
                ("since", models.DateTimeField()),
                ("note", resolver.models.fields.ExactTextField(blank=True, default="")),
                (
                    "watch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="resolver.watch",
                    ),
                ),
            ],
            options={
                "ordering": ("watch", "line"),
                "indexes": [models.Index(fields=["watch", "state", "line"], name="watched_row_state")],
                "constraints": [models.UniqueConstraint(fields=("watch", "line"), name="watched_row_once")],
            },
        ),
        migrations.CreateModel(
            name="WatchRun",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("starting", "starting"),
                            ("checking", "checking"),
                            ("waiting", "waiting to confirm"),
                            ("confirming", "confirming"),
                            ("settled", "done"),
                            ("incomplete", "too many rows couldn’t be checked"),
                            ("failed", "failed"),
                        ],
                        default="starting",
                        max_length=10,
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("total", models.PositiveIntegerField(default=0)),
                ("unchecked", models.PositiveIntegerField(default=0)),
                ("broken", models.PositiveIntegerField(default=0)),
                ("newly_broken", models.PositiveIntegerField(default=0)),
                ("newly_working", models.PositiveIntegerField(default=0)),
                ("error", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("mail_due", models.BooleanField(default=False)),
                ("mail_batch", models.CharField(blank=True, default="", max_length=36)),
                ("mailed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="watch_runs",
                        to="resolver.job",
                    ),
                ),
                (
                    "watch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="resolver.watch",
                    ),
                ),
            ],
            options={
                "ordering": ("watch", "-started_at", "-id"),
                "indexes": [
                    models.Index(fields=["watch", "-started_at", "-id"], name="watch_run_history"),
                    models.Index(condition=models.Q(("mail_due", True)), fields=["watch"], name="watch_run_mail"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("settled", "incomplete", "failed")), _negated=True),
                        fields=("watch",),
                        name="watch_run_one_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WatchChange",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("line", models.PositiveIntegerField()),
                ("row", models.PositiveIntegerField(blank=True, null=True)),
                ("works", models.BooleanField()),
                ("input", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("doi", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("outcome", models.CharField(max_length=20)),
                ("ra", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("suggestion", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("at", models.DateTimeField()),
                (
                    "watch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="resolver.watch",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="resolver.watchrun",
                    ),
                ),
                ("part", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "ordering": ("watch", "-id"),
                "indexes": [
                    models.Index(fields=["watch", "-id"], name="watch_change_history"),
                    models.Index(fields=["run", "works", "line"], name="watch_change_of_run"),
                ],
            },
        ),
    ]
