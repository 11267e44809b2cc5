"""The broker in Redis, when Redis goes away while a worker holds a message and listens for the next."""

import logging
from pathlib import Path

import pytest
from kombu import Connection, Consumer, Message, Queue
from kombu.common import ignore_errors

from doiportal import kombu_transports
from tests.faults.servers import Redis


def test_a_worker_that_holds_a_message_outlives_its_redis(tmp_path: Path) -> None:
    held: list[Message] = []
    with Redis(tmp_path) as server:
        connection = Connection(server.url)
        assert isinstance(connection.transport, kombu_transports.RedisTransport)
        with connection.channel() as sending:
            connection.Producer(sending).publish("work", routing_key="celery", declare=[Queue("celery")])
        # A worker listens on two: for work, and for those who ask how it is.
        for channel, name in ((connection.default_channel, "celery"), (connection.channel(), "control")):
            Consumer(channel, [Queue(name)], on_message=held.append).consume()
        connection.drain_events(timeout=5)
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=0.1)
        server.kill()

        # What Celery does when it notices (consumer.on_connection_error_after_connected), and when the work is done.
        connection.collect()
        ignore_errors(connection, connection.close)
        held[0].ack_log_error(logging.getLogger(), connection.connection_errors)
        assert not held[0].acknowledged
