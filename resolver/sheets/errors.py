"""Refusals of files: a reason, and the line if there is one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from doi_reading import Message
from doi_reading.message import decode_message, encode_message


class UnreadableFile(Exception):
    """A file can't be read as a table. `reason` is plain text for people, `line` the line at fault."""

    def __init__(self, reason: Message, line: int | None = None) -> None:
        located = Message("Line {line}: {reason}", line=str(line), reason=reason)
        super().__init__(reason if line is None else located)
        self.reason = reason
        self.line = line

    def name_row(self) -> None:
        """Call the line at fault a row, as sheets have no lines."""
        if self.line is not None:
            self.args = (Message("Row {line}: {reason}", line=str(self.line), reason=self.reason),)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, for `build_refusal` in another process."""
        about = getattr(self, "about", None)
        texts = {"text": encode_message(self.args[0]), "reason": encode_message(self.reason)}
        return {**texts, "line": self.line, "about": about}


class NeedsChoice(UnreadableFile):
    """A file may be readable with another choice. `about` is the name of one of LayoutChoices."""

    def __init__(self, about: str, reason: Message, line: int | None = None) -> None:
        super().__init__(reason, line)
        self.about = about


def build_refusal(values: dict[str, Any]) -> UnreadableFile:
    """Return the refusal from the values of `to_json`."""
    reason, line, about = decode_message(values["reason"]), values["line"], values["about"]
    refusal = UnreadableFile(reason, line) if about is None else NeedsChoice(about, reason, line)
    refusal.args = (decode_message(values["text"]),)
    return refusal


@contextmanager
def name_rows(has_sheets: bool) -> Iterator[None]:
    """Let a refusal of a file with sheets name the row at fault instead of a line."""
    try:
        yield
    except UnreadableFile as refusal:
        if has_sheets:
            refusal.name_row()
        raise


def build_no_such_sheet_error() -> NeedsChoice:
    """Return the refusal of a chosen sheet that isn't there."""
    return NeedsChoice("sheet", Message("The workbook doesn't have this sheet. Choose one from the list."))


class ScanLimitReached(Exception):
    """The reading ends: so much of a file (bytes of XML, empty lines) had no row with text."""
