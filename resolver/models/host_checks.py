"""Checks of the hosts to which a list leads: the check of a list, and its hosts with their verdicts."""

from django.db import models

from resolver.domain.redirect.web_host import HostCode
from resolver.models.fields import JsonTextField, MessageField
from resolver.models.jobs import Job

CODES = [(str(code), str(code)) for code in HostCode]


class HostCheck(models.Model):
    """The check of a list's hosts. First its rows are counted by host, up to `collected_up_to`, then each host is
    contacted once.

    A second check of an unchanged list keeps the hosts. Each host keeps its verdict until there is a new one.
    """

    id = models.BigAutoField(primary_key=True)
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="host_check")
    job_ended = models.DateTimeField()  # the end of the list whose rows were counted
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    collected_up_to = models.PositiveIntegerField(null=True, blank=True)  # a line
    collected = models.BooleanField(default=False)
    done = models.BooleanField(default=False)
    hosts = models.PositiveIntegerField(default=0)
    rows = models.PositiveIntegerField(default=0)  # that lead to a host
    left_out = models.PositiveIntegerField(default=0)  # rows of these whose hosts are beyond the most that are checked
    claim = models.CharField(max_length=36, blank=True, default="")  # the token of the worker that continues it
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (models.Index(fields=("done",), condition=models.Q(done=False), name="host_check_undone"),)

    def __str__(self) -> str:
        return f"{self.job_id}: {self.hosts} hosts"


class CheckedHost(models.Model):
    """One host of a list. `port` and `tls` are those of most of its rows."""

    id = models.BigAutoField(primary_key=True)
    host_check = models.ForeignKey(HostCheck, on_delete=models.CASCADE, related_name="found", db_index=False)
    name = models.CharField(max_length=255)  # as DNS has it
    port = models.PositiveIntegerField()
    tls = models.BooleanField()
    addresses = JsonTextField(default=dict)  # rows by scheme and port
    rows = models.PositiveIntegerField()
    place = models.PositiveIntegerField(default=0)  # by the number of rows; 0 while they are being counted
    verdict = models.CharField(max_length=24, choices=CODES, blank=True, default="")  # "" before the first
    detail = MessageField(blank=True, default="")
    checked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("host_check", "place")
        constraints = (models.UniqueConstraint(fields=("host_check", "name"), name="checked_host_once"),)
        indexes = (
            models.Index(fields=("host_check", "place"), name="checked_host_place"),
            models.Index(fields=("name", "-checked_at"), name="checked_host_latest"),  # of any list
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict or 'not checked'}"

    @property
    def address(self) -> str:
        """The address of the server that is checked, without a port that goes without saying."""
        name = f"[{self.name}]" if ":" in self.name else self.name
        port = "" if self.port == (443 if self.tls else 80) else f":{self.port}"
        return f"{'https' if self.tls else 'http'}://{name}{port}"
