"""The permit to send one request."""

from dataclasses import dataclass

from resolver.proxy.limits.proxy_health import ProxySignal, ProxySignalKind


@dataclass(slots=True, eq=False)
class Permit:
    """A permit to send one request. Its holder stores in `signal` how the proxy treated the request.

    `name`: by which the budget knows it. Times are monotonic seconds: `asked_at`, when the request began to wait for
    it; `kept_until`, until when this process may pass it on; `sent_at`."""

    name: str = ""
    asked_at: float = 0.0
    kept_until: float = 0.0
    sent_at: float = 0.0
    signal: ProxySignal | None = None
    cut_short: bool = False

    @property
    def abandoned(self) -> bool:
        """Whether the proxy may still work on the request: we stopped before its answer was over."""
        return self.cut_short or (self.signal is not None and self.signal.kind is ProxySignalKind.SILENT)
