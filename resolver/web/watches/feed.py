"""The feed of a watch: Atom (RFC 4287), for everyone who has its secret address."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from uuid import uuid5

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.models import Watch, WatchRun
from resolver.services.watches.history import find_runs_with_changes
from resolver.services.watches.registration import find_watch_by_feed_token
from resolver.web.watches.reported_rows import name_changes, name_more, name_watch, read_reported_parts


class _WatchFeed(Atom1Feed):
    """An Atom feed with a time of its last change even without entries: it stays the same between two requests."""

    began_at: datetime

    def latest_post_date(self) -> datetime:
        """Return the time of the newest entry, else that of the watch."""
        return super().latest_post_date() if self.items else self.began_at


@login_not_required  # the address is the secret: a feed reader has no session
@require_safe
def show_feed(request: HttpRequest, token: str) -> HttpResponseBase:
    """The runs that changed something, newest first; 304 if nothing is new. 404 for a wrong address."""
    watch = find_watch_by_feed_token(token)
    if watch is None:
        raise Http404
    runs = list(find_runs_with_changes(watch)[:50])
    etag = _name_state(watch, runs, request.build_absolute_uri())
    changed_at = max((run.settled_at for run in runs if run.settled_at), default=watch.created_at)
    response = get_conditional_response(request, etag, int(changed_at.timestamp())) or _write(request, watch, runs)
    response.headers["ETag"] = etag
    response.headers["Last-Modified"] = http_date(changed_at.timestamp())
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _write(request: HttpRequest, watch: Watch, runs: Sequence[WatchRun]) -> HttpResponse:
    with translation.override(watch.language):
        page = request.build_absolute_uri(reverse("watch", args=[watch.pk]))
        feed = _WatchFeed(
            title=_("Watch: %(name)s") % {"name": name_watch(watch)},
            link=page,
            description=None,
            feed_url=request.build_absolute_uri(),
            feed_guid=watch.pk.urn,
            language=watch.language,
            author_name="doiportal",
            author_link=request.build_absolute_uri(reverse("home")),
        )
        feed.began_at = watch.created_at
        for run in runs:
            run.watch = watch
            parts, more = read_reported_parts([run])
            sections = [(_("Works again") if part.works else _("Broken"), part.rows) for part in parts]
            address = request.build_absolute_uri(reverse("watch-changes", args=[watch.pk]))
            reported_at = run.settled_at or run.started_at
            feed.add_item(
                title=name_changes([run]),
                link=address,
                description=render_to_string(
                    "watches/_entry.html", {"sections": sections, "more": name_more(more), "address": address}
                ),
                unique_id=uuid5(watch.pk, f"run {run.pk}").urn,
                pubdate=reported_at,
                updateddate=reported_at,
            )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


def _name_state(watch: Watch, runs: Sequence[WatchRun], address: str) -> str:
    """Return the ETag: the same for the same feed, without writing it."""
    state = (settings.VERSION, watch.title, watch.language, address, *(f"{run.pk} {run.settled_at}" for run in runs))
    return f'"{sha256(repr(state).encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'
