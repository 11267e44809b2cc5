"""Every page in every state that the tour visits: a new page joins by one line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import RequestFactory

from doi_reading import Message
from resolver.models import (
    ApiToken,
    Delivery,
    Draft,
    Job,
    MailAddress,
    RetractionLoad,
    State,
    TokenScope,
    Webhook,
    WebhookEvent,
    WorkerHeartbeat,
)
from resolver.services.accounts.quotas import DailyQuota
from resolver.services.health.storage_sizes import FilesUse
from resolver.services.jobs.drafts import DraftPreview
from resolver.services.jobs.row_readings import inspect_cell
from resolver.services.maintenance.operation import Operation, ProxyStatus
from resolver.services.proxy_answers.waiting_places import ProxyBusy
from resolver.services.uploads.reading_places import NoReadingPlace
from resolver.services.uploads.stored_uploads import UploadTooLarge
from resolver.services.webhooks.registration import EVENTS
from resolver.sheets.input.layout import Layout
from resolver.web.account.forms import (
    EVENT_LABELS,
    SCOPES,
    AccountDeletionForm,
    MailAddressForm,
    TokenForm,
    WebhookForm,
)
from resolver.web.jobs.forms import LayoutChoicesForm, StartForm, describe_row_count
from resolver.web.site.login import NewPasswordForm
from resolver.web.watches.forms import WatchForm

NOBODYS = "00000000-0000-0000-0000-000000000000"


class Stage(IntEnum):
    """Nothing is stored yet; everything is; a list runs besides, which takes the proxy's whole attention."""

    EMPTY = 0
    FULL = 1
    RUNNING = 2


@dataclass(frozen=True)
class PageState:
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


def _template(name: str, /, **context: Any) -> Callable[[], str]:
    return lambda: render_to_string(name, context)


def _not_now() -> Callable[[], str]:
    why = ProxyBusy().describe("09:30:00")
    return _template("lookups/proxy_unavailable.html", why=why, text="10.1000/182", sample_data=True)


def _too_large() -> Callable[[], str]:
    return _template("413.html", told=str(UploadTooLarge(200 * 2**20)))


def _closed() -> str:
    since = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
    context = {"form": AuthenticationForm(), "barred_since": since, "sample_data": True}
    return render_to_string("registration/login.html", context)


def _with_providers() -> str:
    names = {"oidc_name": "Ludwig-Maximilians-Universität München", "saml_name": "Bayerische Staatsbibliothek"}
    return render_to_string("registration/login.html", {"form": AuthenticationForm(), "next": "/", **names})


def _sign_on_failed(why: str) -> Callable[[], str]:
    return _template("registration/sign_on_failed.html", why=why, name="Example University")


def _shared() -> str:
    return render_to_string("jobs/share_link.html", {"job": Job(filename="theirs.csv"), "token": "b" * 32})


def _password(**sent: str) -> Callable[[], str]:
    """As somebody sees it who is logged in, with a long name."""

    def made() -> str:
        user = User(username="librarian-at-the-university-library@example.org")
        form = NewPasswordForm(user, sent or None, request=RequestFactory().get("/"))
        return render_to_string("registration/change_password.html", {"form": form, "user": user})

    return made


_MADE_AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
_WEBHOOK = Webhook(
    name="Nightly", url="https://library.example/events", secret="whsec_" + "k" * 44, created_at=_MADE_AT
)
_SWITCHED_OFF = Webhook(url="https://example.org/" + "x" * 300, created_at=_MADE_AT, disabled_at=_MADE_AT)


_LOADED = RetractionLoad(
    source="Retraction Watch", origin="https://example.org/" + "x" * 300, at=_MADE_AT, listed_on=_MADE_AT.date(),
    rows=70_123, events=69_456, sha256="f" * 64,
)  # fmt: skip
_REFUSED_LOAD = RetractionLoad(
    source="Retraction Watch", at=_MADE_AT, listed_on=_MADE_AT.date(), trouble=Message("The file is empty.")
)
_QUOTAS = [DailyQuota("lists", 50, 1), DailyQuota("rows", 100_000, 2_345), DailyQuota("requests", 1_000, 0)]


def _watch_form() -> str:
    context = {
        "form": WatchForm(account=None, can_compare=True),
        "job": Job(pk=NOBODYS, filename="spring.csv"),
        "sends_mail": True,
    }
    return render_to_string("watches/form.html", context)


def _account(*, full: bool = False, mail: dict[str, Any] | None = None, **sent: str) -> Callable[[], str]:
    """As somebody sees it who is logged in: without tokens, or with a new one and one that has ended. `mail`: columns
    of an email address; empty for none."""

    def made() -> str:
        now = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
        tokens = [
            (ApiToken(pk=2, name="nightly check", created_at=now, last_used_at=now), SCOPES[TokenScope.WRITE], False),
            (ApiToken(pk=1, name="x" * 100, created_at=now, ends_at=now), SCOPES[TokenScope.READ], True),
        ]
        form = TokenForm(sent or None)
        context = {"form": form, "tokens": tokens if full else [], "key": "doiportal_" + "k" * 43 if full else ""}
        context |= {"api": "https://portal.example/api/v1", "manage": "doiportal manage"}
        user = User(username="librarian-at-the-university-library@example.org")
        context["quotas"] = _QUOTAS if full else []
        if mail is not None:
            context["mail_form"] = MailAddressForm(sent or {"address": "ada@library.example"})
            column = "address" if mail.get("confirmed_at") else "pending_address"
            address = {column: "long" * 15 + "@library.example"}
            context["mail_address"] = MailAddress(**{**address, **mail}) if mail else None
            context["form"] = TokenForm()
        return render_to_string("account/page.html", {**context, "user": user})

    return made


def _beyond_quotas(*quotas: DailyQuota) -> Callable[[], str]:
    """A preview of 2,500 rows, of somebody whose daily quotas are too low for it."""

    def made() -> str:
        layout = Layout("csv", "utf-8", ",", False, True, ("doi", "title"), 0, 2_500)
        preview = DraftPreview(layout, [(["10.1000/182", "Handbook"], inspect_cell("10.1000/182"))], numbers=[2])
        draft = Draft(pk=NOBODYS, filename="spring.csv", sheets=[])
        form = LayoutChoicesForm({}, draft=draft)
        form.offer(preview)
        context = {"draft": draft, "form": form, "start": StartForm(), "preview": preview, "layout": layout}
        told = {"rows_words": describe_row_count(preview), "doi_column": (1, "doi"), "without_doi": 0}
        context |= {"quotas": quotas, "too_short": quotas, "draft_days": 2}
        return render_to_string("jobs/draft.html", context | told, RequestFactory().get("/"))

    return made


def _busy_draft() -> str:
    draft = Draft(pk=NOBODYS, filename="spring.csv", sheets=[])
    context = {"draft": draft, "why": str(NoReadingPlace()), "method": "POST", "pairs": [("encoding", "utf-8")]}
    return render_to_string("jobs/draft/busy.html", context, RequestFactory().get("/"))


def _account_end(*, has_password: bool = True, **sent: str) -> Callable[[], str]:
    request = RequestFactory().get("/")
    request.user = User(username="ada", password="hashed" if has_password else "!")
    return _template("account/confirm_delete.html", form=AccountDeletionForm(sent or None, request=request))


def _revoked() -> str:
    return render_to_string("account/confirm_revoke.html", {"token": ApiToken(pk=1, name="nightly check")})


def _webhooks(*, full: bool = False, **sent: str) -> Callable[[], str]:
    def made() -> str:
        events = [str(EVENT_LABELS[event]) for event in EVENTS]
        found = [(_WEBHOOK, events), (_SWITCHED_OFF, events[:1])] if full else []
        context = {"form": WebhookForm(sent or None), "webhooks": found, "made": _WEBHOOK if full else None}
        return render_to_string("account/webhooks.html", context)

    return made


def _webhook(*, full: bool = False, template: str = "webhook") -> Callable[[], str]:
    def made() -> str:
        at, label = _WEBHOOK.created_at, str(EVENT_LABELS[WebhookEvent.FINISHED])
        late = Message("the receiver answered with HTTP {status}", status="503")
        found = [
            (Delivery(created_at=at, delivered_at=at, attempts=1), label),
            (Delivery(created_at=at, next_at=at, attempts=2, error=late), label),
            (Delivery(created_at=at, attempts=7, error=late), label),
        ]
        webhook = _WEBHOOK if full else _SWITCHED_OFF
        context = {"webhook": webhook, "events": [label], "deliveries": found if full else []}
        return render_to_string(f"account/{template}.html", context)

    return made


def _refused(template: str) -> Callable[[], str]:
    request = RequestFactory().get("/accounts/login/?next=/history")
    return _template(template, request=request, minutes=15, open_to_all=True)


_AT_WORK = Job(pk=NOBODYS, filename="x" * 300, state=State.CHECKING, done=12_345, total=1_000_000, created_at=_MADE_AT)


def _in_the_admin(template: str, **context: Any) -> Callable[[], str]:
    def made() -> str:
        request = RequestFactory().get("/admin/")
        request.user = User(username="librarian-at-the-university-library@example.org", is_superuser=True)
        whole = {**admin.site.each_context(request), "opts": Job._meta, "user": request.user, **context}
        return render_to_string(f"admin/resolver/job/{template}.html", whole, request)

    return made


def _operation(*, full: bool = False) -> Callable[[], str]:
    """Of a portal in which nothing has happened yet, or where much goes wrong."""
    at, lists = (_MADE_AT, [_AT_WORK] * 3) if full else (None, [])
    operation = Operation(
        states=dict.fromkeys((State.QUEUED, State.READING, State.CHECKING), len(lists)),
        oldest_waiting=at,
        stuck=lists,
        unended=lists,
        live_workers=len(lists),
        workers=[WorkerHeartbeat(name="celery@one", at=at)] if at else [],
        scheduler_at=at,
        messages=len(lists),
        pause=12.0 if full else 0.0,
        proxy=ProxyStatus(
            "https://doi.org",
            good_at=at,
            unusable_at=at,
            unusable_status=429 if full else 0,
            refused_since=at,
            pace=2.5 if full else 0.0,
        ),
        retractions=_LOADED if full else None,
        refused_retractions=_REFUSED_LOAD if full else None,
        database_size=5 * 2**30,
        uploads=FilesUse(20_000, 2**30, complete=not full),
        disk_free=2**33,
        disk_total=2**34,
        keep=timedelta(days=365) if full else None,
        versions={"doiportal": "1.0", "Python": "3.11.7"},
    )
    context = {
        "title": "Operation",
        "now": datetime.now(UTC),
        "operation": operation,
        "states": [(state.label, number) for state, number in operation.states.items()],
        "may_change": True,
        "may_delete": True,
    }
    return _in_the_admin("operation", **context)


STATES = (
    PageState("front page, empty", "/", stage=Stage.EMPTY),
    PageState("front page, full", "/"),
    PageState("front page, text given", "/?text=10.1000/182"),
    PageState("front page, error", "/lookups", 422, sent={"text": ""}),
    PageState(
        "front page, error of the file",
        "/lookups",
        422,
        sent={"text": ""},
        file=("refs.pdf", b"%PDF-1.7"),
    ),
    PageState("front page, not now", "/lookups", 503, made=_not_now()),
    PageState("front page, in German", "/", language="de"),
    PageState("lists, empty", "/jobs", stage=Stage.EMPTY),
    PageState("lists, full", "/jobs"),
    PageState("lists, none fits", "/jobs?q=nowhere"),
    PageState("history, empty", "/history", stage=Stage.EMPTY),
    PageState("history, full", "/history"),
    PageState("history, filtered", "/history?outcome=not-found"),
    PageState("history, second page", "/history?page=2"),
    PageState("history, none fits", "/history?q=nowhere"),
    PageState("history, to be deleted", "/history/delete"),
    PageState("lookup, resolved", "{resolved}"),
    PageState("lookup, cut by its hash", "{hash}"),
    PageState("lookup, with a suggestion", "{suggested}"),
    PageState("lookup, long", "{long}"),
    PageState("lookup, could not ask", "{could_not_ask}"),
    PageState("lookup, nothing in it", "{nothing}"),
    PageState("lookup, several names", "{several}"),
    PageState("lookup, no URL", "{no_url}"),
    PageState("lookup, alias", "{alias}"),
    PageState("lookup, every kind of value", "{formats}"),
    PageState("lookup, not registered", "{missing}"),
    PageState("lookup, reference without a DOI", "{cited}"),
    PageState("lookup, reference without a DOI, in German", "{cited}", language="de"),
    PageState("lookup, search, found", "{cited}/search", sent={}),
    PageState("lookup, search, found, in German", "{cited}/search", sent={}, language="de"),
    PageState("lookup, search, nothing found", "{unlisted}/search", sent={}),
    PageState("lookup, search, could not ask", "{unsearched}/search", 503, sent={}),
    PageState("lookup, with a suggestion, in German", "{suggested}", language="de"),
    PageState("upload", "/jobs/new"),
    PageState("upload, error", "/jobs/new", 422, sent={"name": "x" * 300}),
    PageState("preview", "{draft}"),
    PageState("preview, choice refused", "{draft}?column=99", 422),
    PageState("preview, name too long", "{draft}", 422, sent={"name": "x" * 300}),
    PageState("preview, workbook", "{workbook}"),
    PageState("preview, workbook, no DOI name", "{workbook}?sheet=2"),
    PageState("preview, pasted", "{pasted}"),
    PageState("preview, bibliographic file", "{bibtex_draft}"),
    PageState("preview, bibliographic file, one field", "{bibtex_draft}?fields_read=url"),
    PageState("preview, bibliographic file, no DOI", "{bibtex_draft}?fields_read=note"),
    PageState("preview, works to compare", "{works_draft}", 422, sent={"compare": "on", "name": "x" * 300}),
    PageState("preview, missing DOIs", "{searched_draft}"),
    PageState("preview, missing DOIs, in German", "{searched_draft}", language="de"),
    PageState("preview, in German", "{draft}", language="de"),
    PageState("preview, quotas used up", "{draft}", made=_beyond_quotas(DailyQuota("lists", 50, 0), _QUOTAS[1])),
    PageState("preview, longer than a quota", "{draft}", made=_beyond_quotas(DailyQuota("rows", 2_000, 2_000))),
    PageState("preview, no place to read the file", f"/drafts/{NOBODYS}", 503, made=_busy_draft),
    PageState("list, running", "{running}", stage=Stage.RUNNING),
    PageState("list, finished", "{plain}"),
    PageState("list, finished, long texts", "{finished}"),
    PageState("list, files", "{plain}/files"),
    PageState("list, files, of a workbook, in German", "{linked}/files", language="de"),
    PageState("list, files of a running list", "{running}/files", stage=Stage.RUNNING),
    PageState("list, watch and compare", "{plain}/follow"),
    PageState("list, watched, watch and compare", "{watched}/follow"),
    PageState("list, bibliographic file", "{bibtex}"),
    PageState("rows, bibliographic file", "{bibtex}/rows"),
    PageState("row, damaged record", "{bibtex}/rows/4"),
    PageState("review, bibliographic file", "{bibtex}/review"),
    PageState("list, of an old workbook", "{binary}"),
    PageState("list, of an old workbook, no original", "{binary}/results.original", 409),
    PageState("list, finished, in German", "{finished}", language="de"),
    PageState("list, report", "{plain}/report"),
    PageState("list, report, long texts, in German", "{finished}/report", language="de"),
    PageState("list, report of a running list", "{running}/report", status=409, stage=Stage.RUNNING),
    PageState("hosts, not checked", "{plain}/hosts"),
    PageState("hosts, being checked", "{hosts_under_way}/hosts"),
    PageState("hosts, checked", "{hosts}/hosts"),
    PageState("hosts, with a fault, in German", "{hosts}/hosts?faults=1", language="de"),
    PageState("hosts of a quick list", "{quick}/hosts"),
    PageState("hosts of a running list", "{running}/hosts", stage=Stage.RUNNING),
    PageState("list, checked again", "{later}/follow"),
    PageState("list, nothing chosen to compare with", "{plain}/compare?with="),
    PageState("list, shared", "{shared}"),
    PageState("list, shared with a visitor", "/shared/{token}"),
    PageState("list, shared, to be opened", "/shared/{token}", made=_shared),
    PageState("list, to be shared", "{plain}/share"),
    PageState("list, shared by an address", "{shared}/share"),
    PageState("list, failed", "{failed}"),
    PageState("list, cancelled", "{cancelled}"),
    PageState("list, name and note", "{finished}/describe"),
    PageState("list, to be deleted", "{finished}/delete"),
    PageState("list, watched", "{watched}"),
    PageState("list, watched, to be deleted", "{watched}/delete"),
    PageState("watches, empty", "/watches", stage=Stage.EMPTY),
    PageState("watches, full", "/watches"),
    PageState("watches, in German", "/watches", language="de"),
    PageState("watch", "{watch}"),
    PageState("watch, in German", "{watch}", language="de"),
    PageState("watch, begun, long name", "{new_watch}"),
    PageState("watch, changes", "{watch}/changes"),
    PageState("watch, no changes", "{new_watch}/changes"),
    PageState("watch, broken rows", "{watch}/rows"),
    PageState("watch, no rows", "{new_watch}/rows"),
    PageState("watch, row to be accepted", "{watch}/rows/2/accept"),
    PageState("watch, row to be accepted, error", "{watch}/rows/2/accept", 422, sent={"note": "x" * 600}),
    PageState("watch, form", "{plain}/watch"),
    PageState("watch, form, in German", "{plain}/watch", language="de"),
    PageState("watch, form, errors", "{plain}/watch", 422, sent={"name": "x" * 300, "every": "x"}),
    PageState("watch, form, mails need an account", "{plain}/watch", made=_watch_form),
    PageState("watch, to be changed", "{watch}/edit"),
    PageState("watch, to be ended", "{watch}/end"),
    PageState("mail, to be confirmed", "/mail/confirm/1/x"),
    PageState("mail, not confirmed", "/mail/confirm/1/x", 422, sent={"confirm": "1"}),
    PageState("mail, confirmed", "/mail/confirm/1/x", made=_template("watches/mail_confirm.html", done=True)),
    PageState("mail, to be stopped", "/mail/stop/x"),
    PageState("mail, stopped", "/mail/stop/x", sent={"List-Unsubscribe": "One-Click"}),
    PageState("rows, running", "{running}/rows", stage=Stage.RUNNING),
    PageState("rows", "{finished}/rows"),
    PageState("rows, filtered", "{plain}/rows?outcome=not-found"),
    PageState("rows, that need attention", "{plain}/rows?group=needs-work"),
    PageState("rows, second page, downwards", "{finished}/rows?order=down&after=90"),
    PageState("rows, shared with a visitor", "{theirs}/rows"),
    PageState("hosts, shared with a visitor", "{theirs}/hosts"),
    PageState("list, shared with a visitor, watch and compare", "{theirs}/follow"),
    PageState("list, with expected addresses", "{audited}"),
    PageState("preview, with expected addresses", "{audited_draft}"),
    PageState("rows, with expected addresses", "{audited}/rows"),
    PageState("rows, that lead elsewhere", "{audited}/rows?address=elsewhere"),
    PageState("row, another page than expected", "{audited}/rows/3"),
    PageState("addresses to correct", "{audited}/addresses"),
    PageState("addresses to correct, none expected", "{plain}/addresses", 409),
    PageState("text for an agency", "{audited}/addresses/agency?ra=Crossref"),
    PageState("rows, none fits", "{finished}/rows?q=nowhere"),
    PageState("row", "{plain}/rows/2"),
    PageState("row, with a suggestion", "{plain}/rows/5"),
    PageState("row, long texts", "{finished}/rows/1"),
    PageState("row, several names", "{finished}/rows/3"),
    PageState("row, hyperlink to another DOI", "{linked}/rows/1"),
    PageState("row, same as another", "{finished}/rows/4"),
    PageState("row, could not ask", "{finished}/rows/5"),
    PageState("review", "{vendor}/review"),
    PageState("review, a kind", "{vendor}/review?correction=suggested"),
    PageState("review, without a proposal", "{plain}/review?correction=without-proposal"),
    PageState("review, with titles", "{vendor}/review?correction=review&titles=1"),
    PageState("review, decided", "{vendor}/review?correction=decided"),
    PageState("review, error", "{vendor}/review/2", 422, sent={"decision": "accepted", "doi": "no DOI"}),
    PageState("review, long texts", "{finished}/review"),
    PageState("review, nothing to review", "{latest}/review"),
    PageState("review, running", "{running}/review", stage=Stage.RUNNING),
    PageState("review, shared with a visitor", "{theirs}/review"),
    PageState("review, in German", "{vendor}/review", language="de"),
    PageState("works, list", "{works}"),
    PageState("works, list, in German", "{works}", language="de"),
    PageState("works, rows", "{works}/rows"),
    PageState("works, rows to retry, in German", "{works}/rows?work=could-not-ask", language="de"),
    PageState("works, review of other works", "{works}/review?correction=other-work"),
    PageState("works, review, decided", "{works}/review?correction=decided"),
    PageState("works, review, error", "{works}/review/2", 422, sent={"decision": "accepted", "doi": "no DOI"}),
    PageState("works, review to compare, in German", "{works}/review?correction=compare", language="de"),
    PageState("works, row of another work", "{works}/rows/2"),
    PageState("works, row of another work, in German", "{works}/rows/2", language="de"),
    PageState("works, row to compare", "{works}/rows/4"),
    PageState("works, row of the right work", "{works}/rows/1"),
    PageState("works, row without metadata", "{works}/rows/5"),
    PageState("works, row that could not be compared", "{works}/rows/7"),
    PageState("works, files", "{works}/files"),
    PageState("searched, list", "{searched}"),
    PageState("searched, list, in German", "{searched}", language="de"),
    PageState("searched, rows", "{searched}/rows?found_by=Crossref"),
    PageState("searched, rows, in German", "{searched}/rows?found_by=too-little", language="de"),
    PageState("searched, review", "{searched}/review?correction=review"),
    PageState("searched, review, in German", "{searched}/review?correction=review", language="de"),
    PageState("searched, review of other works", "{searched}/review?correction=other-work"),
    PageState("searched, row, found", "{searched}/rows/1"),
    PageState("searched, row, several found, in German", "{searched}/rows/2", language="de"),
    PageState("searched, row of another work", "{searched}/rows/3"),
    PageState("searched, row, nothing found", "{searched}/rows/4"),
    PageState("searched, row, another identifier", "{searched}/rows/6"),
    PageState("compare, every kind", "{earlier}/compare/{later_id}"),
    PageState("compare, one kind", "{earlier}/compare/{later_id}?kind=address-changed"),
    PageState("compare, no row of the kind", "{earlier}/compare/{later_id}?kind=only-after"),
    PageState("compare, nothing differs", "{later}/compare/{latest_id}"),
    PageState("compare, two files", "{plain}/compare/{finished_id}"),
    PageState("compare, being compared", "{earlier}/compare/{latest_id}"),
    PageState("compare, not ended", "{plain}/compare/{running_id}", 409, stage=Stage.RUNNING),
    PageState("record, empty", "/records"),
    PageState("record, errors", "/records?name=x&index=y&type=z", 422),
    PageState("record, locations", "/records?name=10.1525/bio.2009.59.5.9"),
    PageState("record, parameters", "/records?name={name}&locatt=id:0&urlappend=" + "x" * 300),
    PageState("record, alias", "/records?name=10.5555/alias-1"),
    PageState("record, loop", "/records?name=10.5555/loop-1"),
    PageState("record, missing", "/records?name=10.5555/missing-1/"),
    PageState("record, could not ask", "/records?name=10.5555/error-1"),
    PageState("metadata, empty", "/metadata"),
    PageState("metadata, error", "/metadata?name=x", 422),
    PageState("metadata, given", "/metadata?name=10.5555/given"),
    PageState("metadata, given, in German", "/metadata?name=10.5555/given-german", language="de"),
    PageState("metadata, odd", "/metadata?name=10.5555/oddwork-1"),
    PageState("metadata, long name", "/metadata?name={name}"),
    PageState("metadata, of an alias", "/metadata?name=10.5555/alias-1"),
    PageState("metadata, none", "/metadata?name=10.5555/unknownwork-1"),
    PageState("metadata, could not ask", "/metadata?name=10.5555/forbidden-1", 503),
    PageState("help", "/help"),
    PageState("help, OpenRefine", "/help/openrefine"),
    PageState("help, OpenRefine, in German", "/help/openrefine", language="de"),
    PageState("help, outcome", "/help/outcomes/not-found"),
    PageState("help, problem", "/help/problems/unescaped-hash"),
    PageState("help, problem, nothing to be seen", "/help/problems/control-character"),
    PageState("help, problem of a record", "/help/problems/alias-loop"),
    PageState("help, problem of a cell", "/help/problems/link-differs"),
    PageState("agencies", "/agencies"),
    PageState("reading in the browser", "/read"),
    PageState("reading in the browser, in German", "/read", language="de"),
    PageState("recipes", "/help/recipes"),
    PageState("recipes, in German", "/help/recipes", language="de"),
    PageState("API", "/api/v1/docs"),
    PageState("API in German", "/api/v1/docs", language="de"),
    PageState("API, objects", "/api/v1/docs/objects"),
    PageState("API, objects, in German", "/api/v1/docs/objects", language="de"),
    PageState("encode, empty", "/encode"),
    PageState("encode, full", '/encode?name=10.1000/%C3%A9 a%25b%23c<d>"/x,y/../%F0%9F%98%80{name}'),
    PageState("encode, error", "/encode?name=10.1000/a%E2%80%AEb", 422),
    PageState("accessibility", "/accessibility"),
    PageState("privacy", "/privacy"),
    PageState("privacy, in German", "/privacy", language="de"),
    PageState("login", "/accounts/login/"),
    PageState("login, error", "/accounts/login/", sent={"username": "nobody", "password": "wrong"}),
    PageState("login, closed portal, proxy refuses", "/accounts/login/", made=_closed),
    PageState("login, with two providers", "/accounts/login/", made=_with_providers),
    PageState(
        "login, leaving for the provider",
        "/accounts/oidc/login",
        made=_template("registration/to_provider.html", name="Example University", address="#"),
    ),
    *(
        PageState(f"login at a provider, {why}", "/accounts/oidc/callback", 403, made=_sign_on_failed(why))
        for why in ("denied", "used", "away", "username", "unusable")
    ),
    PageState(
        "login at a provider, taken name", "/accounts/oidc/callback", 403, made=_refused("registration/no_access.html")
    ),
    PageState(
        "login, too many wrong passwords", "/accounts/login/", 429, made=_refused("registration/too_many_attempts.html")
    ),
    PageState("login, busy", "/accounts/login/", 503, made=_refused("registration/busy.html")),
    PageState("change password", "/accounts/password/", made=_password()),
    PageState("change password, errors", "/accounts/password/", made=_password(new_password1="a", new_password2="b")),
    PageState("account, empty", "/account", made=_account()),
    PageState("account, full", "/account", made=_account(full=True)),
    PageState("account, errors", "/account", made=_account(scope="write")),
    PageState("account, no email address", "/account", made=_account(mail={})),
    PageState("account, email address with an error", "/account", made=_account(mail={}, address="ada")),
    PageState("account, email address sent", "/account", made=_account(mail={"created_at": _MADE_AT})),
    PageState("account, email address confirmed", "/account", made=_account(mail={"confirmed_at": _MADE_AT})),
    PageState(
        "account, email address changes",
        "/account",
        made=_account(mail={"confirmed_at": _MADE_AT, "pending_address": "new@library.example"}),
    ),
    PageState(
        "account, email address stopped",
        "/account",
        made=_account(mail={"confirmed_at": _MADE_AT, "stopped_at": _MADE_AT}),
    ),
    PageState("account, email address to be removed", "/account", made=_template("account/confirm_mail_removal.html")),
    PageState("account, to be deleted", "/account/delete", made=_account_end()),
    PageState("account, to be deleted, error", "/account/delete", made=_account_end(sent="")),
    PageState("account without a password, to be deleted", "/account/delete", made=_account_end(has_password=False)),
    PageState("account, token to be revoked", "/account", made=_revoked),
    PageState("webhooks, empty", "/webhooks", made=_webhooks()),
    PageState("webhooks, full", "/webhooks", made=_webhooks(full=True)),
    PageState("webhooks, errors", "/webhooks", made=_webhooks(url="")),
    PageState("webhook, full", "/webhooks/1", made=_webhook(full=True)),
    PageState("webhook, switched off, nothing sent", "/webhooks/1", made=_webhook()),
    PageState("webhook, to be deleted", "/webhooks/1/delete", made=_webhook(template="confirm_webhook_deletion")),
    PageState("operation, empty", "/admin/login/", made=_operation()),
    PageState("operation, full", "/admin/login/", made=_operation(full=True)),
    PageState(
        "operation, list to be put back",
        "/admin/login/",
        made=_in_the_admin("operation_confirm", title="Put back?", job=_AT_WORK, means="Why.", button="Put back"),
    ),
    PageState("gateway, values", "/{name}?noredirect"),
    PageState("gateway, locations", "/10.5555/loc-1?noredirect"),
    PageState("gateway, not found", "/10.5555/missing//{name}/", 404),
    PageState("gateway, unreadable", "/10.5555/a%E9", 400),
    PageState("gateway, could not ask", "/10.5555/error-1", 500),
    PageState("gateway, loop", "/10.5555/loop-1", 500),
    PageState("error 400", "/", 400, made=_template("400.html")),
    PageState("error 403", "/history/delete", 403, sent={"csrfmiddlewaretoken": "wrong"}),
    PageState("error 403, from another site", "/", 403, made=_template("403_foreign.html")),
    PageState("error 404", f"/lookups/{NOBODYS}", 404),
    PageState("error 405", "{plain}/cancel", 405),
    PageState("error 413", "/jobs/new", 413, made=_too_large()),
    PageState("error 500", "/", 500, made=_template("500.html")),
    PageState("error 503", "/", 503, made=_template("503.html")),
    PageState("error 507", "/", 507, made=_template("507.html")),
)
