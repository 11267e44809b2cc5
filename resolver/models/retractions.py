"""Lists of retractions that were loaded, and the events that they name."""

from django.db import connection, models

from resolver.models.fields import ExactTextField, JsonTextField, MessageField


class RetractionLoad(models.Model):
    """One attempt to load a list. `origin`: its file or its address. `listed_on`: the day of the list. `trouble`: why
    it was refused, and the list before it kept; "" if it was loaded. `events`: its rows with a DOI and a known kind."""

    id = models.BigAutoField(primary_key=True)
    source = models.CharField(max_length=40)
    origin = ExactTextField(default="")
    at = models.DateTimeField(db_index=True)
    listed_on = models.DateField()
    rows = models.PositiveIntegerField(default=0)
    events = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, default="")
    trouble = MessageField(default="")

    def __str__(self) -> str:
        return f"{self.source} of {self.listed_on}: {self.trouble or self.events}"


class RetractionEvent(models.Model):
    """One event of a work, in the list that counts now. Found by a digest of the folded name, as stored answers are."""

    id = models.BigAutoField(primary_key=True)
    source = models.CharField(max_length=40)
    listed_on = models.DateField()
    digest = models.CharField(max_length=64)
    name = ExactTextField()
    kind = models.CharField(max_length=20)
    date = models.CharField(max_length=10, default="")  # ISO 8601; "": not known
    notice = ExactTextField(default="")
    reasons = JsonTextField(default=list)

    class Meta:
        indexes = (models.Index(fields=("source", "digest"), name="retraction_by_name"),)

    def __str__(self) -> str:
        return f"{self.kind} of {self.name}"


def lock_loads() -> None:
    """Let the transaction wait for others that exchange the list. SQLite has one writer in any case."""
    if connection.vendor == "postgresql":
        table = connection.ops.quote_name(RetractionLoad._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
