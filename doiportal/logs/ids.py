"""The id of a request in the lines of the log. A message to a worker carries the id of the request that sent it. The
worker adds the id of the list that it checks (`list_id`)."""

import re
import uuid
from collections.abc import Callable
from typing import Any

from celery import Task
from celery.signals import before_task_publish, task_postrun, task_prerun
from django.http import HttpRequest, HttpResponseBase
from structlog.contextvars import bind_contextvars, bound_contextvars, clear_contextvars, get_contextvars

HEADER = "X-Request-ID"
REQUEST_ID = "request_id"
_GIVEN = re.compile("[A-Za-z0-9._-]{8,64}")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class RequestIdMiddleware:
    """Give each request an id, which stands in its lines of the log and in the header X-Request-ID of its answer. The
    id of a trusted server before us (TRUSTED_PROXIES) is kept."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        request_id = given if _GIVEN.fullmatch(given) else uuid.uuid4().hex
        clear_contextvars()
        with bound_contextvars(**{REQUEST_ID: request_id}):
            response = self.get_response(request)
        response.headers[HEADER] = request_id
        return response


@before_task_publish.connect
def put_into_message(headers: dict[str, Any], **_: Any) -> None:
    """Put the id of the request into the message."""
    if request_id := get_contextvars().get(REQUEST_ID):
        headers[REQUEST_ID] = request_id


@task_prerun.connect
def take_from_message(task: Task, **_: Any) -> None:
    """Log with the id of the request that sent the message."""
    clear_contextvars()
    if request_id := getattr(task.request, REQUEST_ID, None):
        bind_contextvars(**{REQUEST_ID: request_id})


@task_postrun.connect
def forget(**_: Any) -> None:
    """Log without ids until the next message."""
    clear_contextvars()
