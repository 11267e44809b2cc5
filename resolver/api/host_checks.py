"""The hosts to which the DOIs of a job lead: their check is started, and its verdicts are read."""

from http import HTTPStatus
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from resolver import tasks
from resolver.api.jobs import get_own_job
from resolver.api.openapi.operations import operation
from resolver.api.openapi.parameters import BY_PLACE, FLAG, PK, query
from resolver.api.problem_types import HostChecksForbidden, JobNotFinished, NoHostsToCheck
from resolver.api.protocol.empty_body import PARSERS_WITHOUT_FIELDS
from resolver.api.protocol.pagination import HostOrderPagination
from resolver.api.protocol.query_parameters import parse_flag
from resolver.api.serializers.host_checks import CheckedHostPageSerializer, CheckedHostSerializer, HostCheckSerializer
from resolver.api.serializers.kept_serializers import represent
from resolver.models import CheckedHost
from resolver.services.hosts.check import HostChecksOff, NoHosts, start_host_check
from resolver.services.hosts.results import find_host_check, find_hosts
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.storage.clock import read_clock


class HostChecks(APIView):
    """The check of a job's hosts."""

    parser_classes = PARSERS_WITHOUT_FIELDS

    @operation(
        "listHosts",
        "Hosts",
        "List the hosts of a job",
        description="Return the hosts of a job with the results of their check, those with the most rows first. "
        "Without a check there are none.",
        parameters=[PK, query("faults", "1: only hosts with a fault.", "1", FLAG), *BY_PLACE],
        answer=CheckedHostPageSerializer,
        says="A page of hosts, and how far the check is.",
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return a page of hosts, and how far the check is."""
        faulty = parse_flag(request, "faults")
        check = find_host_check(get_own_job(request, pk))
        found = find_hosts(check, faulty=faulty) if check else CheckedHost.objects.none()
        page = HostOrderPagination().build_page(found, request, CheckedHostSerializer)
        results = page.pop("results")
        return Response({**page, "check": represent(HostCheckSerializer, check) if check else None, "results": results})

    @operation(
        "checkHosts",
        "Hosts",
        "Check the hosts of a job",
        description="Contact each host once: its name in DNS, a connection, its certificate. No page is requested. "
        "A host that was checked in the last hour keeps its result. While a check runs, this changes nothing.",
        parameters=[PK],
        changes=True,
        status=HTTPStatus.ACCEPTED,
        answer=HostCheckSerializer,
        says="The check, which waits for a worker or runs.",
        errors=[JobNotFinished, NoHostsToCheck, HostChecksForbidden],
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Return 202; a worker contacts the hosts. 409 while the job runs, or if there is nothing to check."""
        job = get_own_job(request, pk)
        try:
            check = start_host_check(job, now=read_clock())
        except JobStillRunning as error:
            raise JobNotFinished("The job is still running. Check its hosts when it has ended.") from error
        except NoHosts as error:
            raise NoHostsToCheck from error
        except HostChecksOff as error:
            raise HostChecksForbidden from error
        tasks.start_host_checks()
        address = reverse("api:job-host-checks", args=[job.pk], request=request)
        return Response(represent(HostCheckSerializer, check), status=202, headers={"Location": address})
