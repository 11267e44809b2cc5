"""The broker in Redis: kombu's, so that a worker outlives its Redis whatever message it holds at that moment.

When the connection is lost, kombu takes it down, and then has the channel hand its messages back over it. Without an
address to connect to, that ended in an AttributeError, which nobody expects: the worker stopped for good.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as ConnectionLost


class Channel(redis.Channel):
    """Messages that cannot be handed back are Redis's to give to another, or the sweep's to send again."""

    def _get_pool(self, asynchronous: bool = False) -> Any:
        """Raises ConnectionLost, which all callers are ready for, where the connection was taken down."""
        if self.connection.client is None:
            raise ConnectionLost("the connection to the broker is closed")
        return super()._get_pool(asynchronous)


class Transport(redis.Transport):
    """Known to Celery as redis and rediss."""

    Channel = Channel


TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), f"{__name__}:Transport"))
