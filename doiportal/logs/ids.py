"""The id of a request in each line of the log that belongs to it. A message to a worker carries the id of the request
that sent it. Of a list the scheduler knows both ids: that of the list, and that of the request that uploaded it."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from celery import Task, current_task
from celery.signals import before_task_publish, task_postrun, task_prerun
from django.http import HttpRequest, HttpResponseBase
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

HEADER = "X-Request-ID"
REQUEST_ID = "request_id"
_GIVEN = re.compile("[A-Za-z0-9._-]{8,64}")


def is_request_id(text: str) -> bool:
    """Return whether it has the shape of an id: 8 to 64 letters, digits, dots, hyphens or underscores."""
    return _GIVEN.fullmatch(text) is not None


class RequestIdMiddleware:
    """Give each request an id, for the log and for the header X-Request-ID of its answer. The id that the web server
    found or made is kept (`doiportal/server/environ.py`)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        request_id = given if is_request_id(given) else uuid4().hex
        clear_contextvars()
        bind_contextvars(**{REQUEST_ID: request_id})  # until the next request: a long answer is made after this
        response = self.get_response(request)
        response.headers[HEADER] = request_id
        return response


@before_task_publish.connect
def put_into_message(headers: dict[str, Any], **_: Any) -> None:
    """Put the id of the request into the message. A worker's own messages are about other lists too, and have none."""
    if current_task is None and (request_id := get_contextvars().get(REQUEST_ID)):
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
