"""Every page in every state that the tour visits: a new page joins by one line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from http import HTTPStatus
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import RequestFactory

from resolver.models import Job
from resolver.web.site.login import NewPasswordForm

NOBODYS = "00000000-0000-0000-0000-000000000000"


class Stage(IntEnum):
    """Nothing is stored yet; everything is; a list runs besides, which takes the proxy's whole attention."""

    EMPTY = 0
    FULL = 1
    RUNNING = 2


@dataclass(frozen=True)
class State:
    """`address` may name a place of the scene: "{finished}/rows". `sent` are the fields of a form: it is a POST then.

    `file` goes with it, by its name. `made` is the page itself, for what a portal in good health does not show; `stage`
    is when the tour comes by; `language` is what the browser asks for.
    """

    name: str
    address: str
    status: int = HTTPStatus.OK
    sent: Mapping[str, str] | None = None
    file: tuple[str, bytes] | None = None
    made: Callable[[], str] | None = None
    stage: Stage = Stage.FULL
    language: str = "en"


def _template(name: str, **context: Any) -> Callable[[], str]:
    return lambda: render_to_string(name, context)


def _not_now() -> Callable[[], str]:
    why = "The DOI proxy is slow to answer, and many are waiting for it, so nothing more is asked until 09:30:00 UTC."
    return _template("resolver/not_now.html", why=why, text="10.1000/182", sample_data=True, here="home")


def _too_large() -> Callable[[], str]:
    return _template("413.html", told="The file is larger than the 200 MB that this portal takes. Split it.")


def _closed() -> str:
    since = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
    context = {"form": AuthenticationForm(), "barred_since": since, "sample_data": True, "here": "login"}
    return render_to_string("registration/login.html", context)


def _shared() -> str:
    return render_to_string(
        "resolver/shared.html", {"job": Job(filename="theirs.csv"), "token": "b" * 32, "here": "jobs"}
    )


def _password(**sent: str) -> Callable[[], str]:
    """As somebody sees it who is logged in, with a long name."""

    def made() -> str:
        user = User(username="librarian-at-the-university-library@example.org")
        form = NewPasswordForm(user, sent or None, request=RequestFactory().get("/"))
        return render_to_string("registration/change_password.html", {"form": form, "user": user, "here": "password"})

    return made


def _refused(template: str) -> Callable[[], str]:
    request = RequestFactory().get("/accounts/login/?next=/history")
    return _template(template, request=request, minutes=15, open_to_all=True)


STATES = (
    State("front page, empty", "/", stage=Stage.EMPTY),
    State("front page, full", "/"),
    State("front page, text given", "/?text=10.1000/182"),
    State("front page, error", "/lookups", 422, sent={"text": ""}),
    State(
        "front page, error of the file",
        "/lookups",
        422,
        sent={"text": ""},
        file=("refs.bib", b"@article{a, doi = {10.1000/182}}"),
    ),
    State("front page, not now", "/lookups", 503, made=_not_now()),
    State("front page, in German", "/", language="de"),
    State("lists, empty", "/jobs", stage=Stage.EMPTY),
    State("lists, full", "/jobs"),
    State("lists, none fits", "/jobs?q=nowhere"),
    State("history, empty", "/history", stage=Stage.EMPTY),
    State("history, full", "/history"),
    State("history, filtered", "/history?outcome=not-found"),
    State("history, second page", "/history?page=2"),
    State("history, none fits", "/history?q=nowhere"),
    State("history, to be deleted", "/history/delete"),
    State("lookup, resolved", "{resolved}"),
    State("lookup, cut by its hash", "{hash}"),
    State("lookup, with a suggestion", "{suggested}"),
    State("lookup, long", "{long}"),
    State("lookup, could not ask", "{could_not_ask}"),
    State("lookup, nothing in it", "{nothing}"),
    State("lookup, several names", "{several}"),
    State("lookup, no URL", "{no_url}"),
    State("lookup, alias", "{alias}"),
    State("lookup, every kind of value", "{formats}"),
    State("lookup, not registered", "{missing}"),
    State("lookup, with a suggestion, in German", "{suggested}", language="de"),
    State("upload", "/jobs/new"),
    State("upload, error", "/jobs/new", 422, sent={"name": "x" * 300}),
    State("preview", "{draft}"),
    State("preview, choice refused", "{draft}?column=99", 422),
    State("preview, name too long", "{draft}", 422, sent={"name": "x" * 300}),
    State("preview, workbook", "{workbook}"),
    State("preview, workbook, no DOI name", "{workbook}?sheet=2"),
    State("preview, pasted", "{pasted}"),
    State("preview, in German", "{draft}", language="de"),
    State("list, running", "{running}", stage=Stage.RUNNING),
    State("list, finished", "{plain}"),
    State("list, finished, long texts", "{finished}"),
    State("list, finished, in German", "{finished}", language="de"),
    State("list, checked again", "{later}"),
    State("list, nothing chosen to compare with", "{plain}/compare?with="),
    State("list, shared", "{shared}"),
    State("list, shared with a visitor", "/shared/{token}"),
    State("list, shared, to be opened", "/shared/{token}", made=_shared),
    State("list, to be shared", "{plain}/share"),
    State("list, shared by an address", "{shared}/share"),
    State("list, failed", "{failed}"),
    State("list, cancelled", "{cancelled}"),
    State("list, name and note", "{finished}/describe"),
    State("list, to be deleted", "{finished}/delete"),
    State("rows, running", "{running}/rows", stage=Stage.RUNNING),
    State("rows", "{finished}/rows"),
    State("rows, filtered", "{plain}/rows?outcome=not-found"),
    State("rows, that need work", "{plain}/rows?group=needs-work"),
    State("rows, second page, downwards", "{finished}/rows?order=down&after=90"),
    State("rows, shared with a visitor", "{theirs}/rows"),
    State("rows, none fits", "{finished}/rows?q=nowhere"),
    State("row", "{plain}/rows/2"),
    State("row, with a suggestion", "{plain}/rows/5"),
    State("row, long texts", "{finished}/rows/1"),
    State("row, several names", "{finished}/rows/3"),
    State("row, hyperlink to another DOI", "{linked}/rows/1"),
    State("row, same as another", "{finished}/rows/4"),
    State("row, could not ask", "{finished}/rows/5"),
    State("compare, every kind", "{earlier}/compare/{later_id}"),
    State("compare, one kind", "{earlier}/compare/{later_id}?kind=address-changed"),
    State("compare, no row of the kind", "{earlier}/compare/{later_id}?kind=only-after"),
    State("compare, nothing differs", "{later}/compare/{latest_id}"),
    State("compare, two files", "{plain}/compare/{finished_id}"),
    State("compare, being compared", "{earlier}/compare/{latest_id}"),
    State("compare, not ended", "{plain}/compare/{running_id}", 409, stage=Stage.RUNNING),
    State("record, empty", "/records"),
    State("record, errors", "/records?name=x&index=y&type=z", 422),
    State("record, locations", "/records?name=10.1525/bio.2009.59.5.9"),
    State("record, parameters", "/records?name={name}&locatt=id:0&urlappend=" + "x" * 300),
    State("record, alias", "/records?name=10.5555/alias-1"),
    State("record, loop", "/records?name=10.5555/loop-1"),
    State("record, missing", "/records?name=10.5555/missing-1/"),
    State("record, could not ask", "/records?name=10.5555/error-1"),
    State("help", "/help"),
    State("help, outcome", "/help/outcomes/not-found"),
    State("help, problem", "/help/problems/unescaped-hash"),
    State("help, problem, nothing to be seen", "/help/problems/control-character"),
    State("help, problem of a record", "/help/problems/alias-loop"),
    State("help, problem of a cell", "/help/problems/link-differs"),
    State("agencies", "/agencies"),
    State("encode, empty", "/encode"),
    State("encode, full", '/encode?name=10.1000/%C3%A9 a%25b%23c<d>"/x,y/../%F0%9F%98%80{name}'),
    State("encode, error", "/encode?name=10.1000/a%E2%80%AEb", 422),
    State("accessibility", "/accessibility"),
    State("login", "/accounts/login/"),
    State("login, error", "/accounts/login/", sent={"username": "nobody", "password": "wrong"}),
    State("login, closed portal, proxy refuses", "/accounts/login/", made=_closed),
    State(
        "login, too many wrong passwords", "/accounts/login/", 429, made=_refused("registration/too_many_attempts.html")
    ),
    State("login, busy", "/accounts/login/", 503, made=_refused("registration/busy.html")),
    State("change password", "/accounts/password/", made=_password()),
    State("change password, errors", "/accounts/password/", made=_password(new_password1="a", new_password2="b")),
    State("gateway, values", "/{name}?noredirect"),
    State("gateway, locations", "/10.5555/loc-1?noredirect"),
    State("gateway, not found", "/10.5555/missing//{name}/", 404),
    State("gateway, unreadable", "/10.5555/a%E9", 400),
    State("gateway, could not ask", "/10.5555/error-1", 500),
    State("gateway, loop", "/10.5555/loop-1", 500),
    State("error 400", "/", 400, made=_template("400.html")),
    State("error 403", "/history/delete", 403, sent={"csrfmiddlewaretoken": "wrong"}),
    State("error 403, from another site", "/", 403, made=_template("403_foreign.html")),
    State("error 404", f"/lookups/{NOBODYS}", 404),
    State("error 405", "{plain}/cancel", 405),
    State("error 413", "/jobs/new", 413, made=_too_large()),
    State("error 500", "/", 500, made=_template("500.html")),
    State("error 503", "/", 503, made=_template("503.html")),
    State("error 507", "/", 507, made=_template("507.html")),
)
