"""The broker in Redis: kombu's, so that a worker outlives its Redis whatever message it holds at that moment.

What kombu 5.7.0 has wrong (tests/setup/test_kombu_faults.py fails when it is mended, and this can go): when the
connection is lost, kombu takes it down, and then has the channel hand its messages back over it. Without an address to
connect to, that ends in an AttributeError, which nobody expects: the worker stops for good.
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
