"""The stored data: lookups, drafts, jobs with their chunks and rows, comparisons, checks of hosts, decisions, API
tokens, webhooks, watches with their runs and changes, mail addresses, cached answers, of the DOI proxy, of searches and
to repeated requests, lists of retractions, the daily quotas of accounts and what they used, attempts at passwords, and
the workers' heartbeats."""

from resolver.models.accounts import AccountQuota, ApiToken, DailyUse, MailAddress, PasswordWindow, TokenScope
from resolver.models.comparisons import Comparison, Difference
from resolver.models.decisions import DecisionAction, EarlierDecision
from resolver.models.host_checks import CheckedHost, HostCheck
from resolver.models.jobs import ENDED, HAS_RARE_CORRECTION, LAST_LINE, Chunk, Draft, Job, Row, State, no_precheck
from resolver.models.lookups import Lookup
from resolver.models.retractions import RetractionEvent, RetractionLoad
from resolver.models.stored_answers import InFlightRequest, KeptAnswer, StoredAnswer, StoredSearch
from resolver.models.watches import Depth, Every, RunState, Watch, WatchChange, WatchedRow, WatchedState, WatchRun
from resolver.models.webhooks import Delivery, Webhook, WebhookEvent
from resolver.models.workers import Process, WaitingMessage, WorkerHeartbeat
