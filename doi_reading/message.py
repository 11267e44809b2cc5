"""Messages for people: an English text that carries its template and the details that fill it.

Programs and files get the English text. A page translates the template and fills in the details in its own language,
so no page has to recognise a finished sentence.
"""

from collections.abc import Mapping
from typing import Any, Union

Detail = Union["Message", str, int]


class Message(str):
    """The finished English text; `template` has a `{name}` for each of the `details`.

    A number among the details gets separators of thousands, in the style of the language that is read. A number that
    must not have them (a line, an HTTP status) is given as text. A detail that is a message is translated too.
    `plural` is the template for a detail `count` other than 1; "" where the sentence depends on no number.
    """

    __slots__ = ("details", "plural", "template")
    template: str
    plural: str
    details: Mapping[str, Detail]

    def __new__(cls, template: str, plural: str = "", /, **details: Detail) -> "Message":
        chosen = plural if plural and details["count"] != 1 else template
        text = super().__new__(cls, chosen.format_map(_format_details(details)) if details else template)
        text.template, text.plural, text.details = template, plural, details
        return text

    @classmethod
    def of_count(cls, one: str, many: str, count: int, **details: Detail) -> "Message":
        """Return `one` filled in for a count of 1, else `many`; both may name `{count}`."""
        return cls(one, many, count=count, **details)

    def __str__(self) -> "Message":
        """Return itself: the text of an exception or of a form's error is still a message."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Detail]]:
        """Return the arguments for copies and for pickle."""
        return (self.template, self.plural), dict(self.details)


def join_messages(separator: str, *parts: str) -> Message:
    """Join the parts with the separator to one message; each part stays translatable."""
    details = {f"part{number}": part for number, part in enumerate(parts)}
    return Message(separator.join(f"{{{name}}}" for name in details), **details)


NOTHING = join_messages("")


def encode_message(text: Detail) -> Any:
    """Return a message as an object of `template` and `details`, anything else unchanged."""
    if not isinstance(text, Message):
        return text
    plural = {"plural": text.plural} if text.plural else {}
    return {
        "template": text.template,
        **plural,
        "details": {name: encode_message(one) for name, one in text.details.items()},
    }


def decode_message(value: Any) -> Any:
    """Return the value that `encode_message` received."""
    if not isinstance(value, dict):
        return value
    template, details = value["template"], {name: decode_message(one) for name, one in value["details"].items()}
    return Message(template, value.get("plural", ""), **details)


def _format_details(details: Mapping[str, Detail]) -> dict[str, str]:
    return {name: f"{one:,}" if isinstance(one, int) else one for name, one in details.items()}


class UnusableInput(ValueError):
    """Input from outside is not as it should be. `reason` is a phrase for people."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason
