"""The client of the reconciliation service, and the count of DOIs that it may still check."""

from dataclasses import dataclass
from http import HTTPStatus

from resolver.reconcile.errors import ReconcileError
from resolver.services.doi_limits.allowance import Allowance
from resolver.services.doi_limits.doi_limit import MoreThanAMinute, TooManyDois, count_dois


@dataclass
class ReconcileClient:
    """`token`: that of the address, or ""; `caller`: the name under which DOIs are counted; `allowance`: what is left
    after the request."""

    token: str
    caller: str
    allowance: Allowance | None = None

    def count(self, number: int) -> None:
        """Count the DOIs of the request, before anything is requested. Raises ReconcileError (413, 429)."""
        try:
            self.allowance = count_dois(self.caller, number)
        except TooManyDois as error:
            self.allowance = error.allowance
            raise ReconcileError(HTTPStatus.TOO_MANY_REQUESTS, str(error), wait=error.allowance.wait) from error
        except MoreThanAMinute as error:
            raise ReconcileError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(error)) from error
