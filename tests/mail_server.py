"""A real SMTP server on a port of its own, which keeps the mails that it gets."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

from tests.services_plugin import free_port


@dataclass
class MailServer:
    """Where it listens, what it got, and how it answers: an answer other than "" refuses."""

    host: str
    port: int
    messages: list[EmailMessage] = field(default_factory=list)
    refuses_with: str = ""
    refuses_sender_with: str = ""

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if self.refuses_sender_with:
            return self.refuses_sender_with
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refuses_with:
            return self.refuses_with
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 OK"


@contextmanager
def receiving_mail(starttls: ssl.SSLContext | None = None, tls: ssl.SSLContext | None = None) -> Iterator[MailServer]:
    """A server that runs in a thread; with one of these, it takes nothing without TLS."""
    server = MailServer("127.0.0.1", free_port())
    options = {"tls_context": starttls, "require_starttls": True} if starttls else {}
    controller = Controller(server, hostname=server.host, port=server.port, ssl_context=tls, **options)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
