"""Why a file is refused: a reason, and the line if there is one."""

from resolver.domain.message import Message


class UnreadableFile(Exception):
    """A file can't be read as a table. `reason` is plain text for people, `line` the line at fault."""

    def __init__(self, reason: Message, line: int | None = None) -> None:
        located = Message("Line {line}: {reason}", line=str(line), reason=reason)
        super().__init__(reason if line is None else located)
        self.reason = reason
        self.line = line


class NeedsChoice(UnreadableFile):
    """A file may be readable with another choice. `about` is the name of one of Choices."""

    def __init__(self, about: str, reason: Message, line: int | None = None) -> None:
        super().__init__(reason, line)
        self.about = about


def no_such_sheet_error() -> NeedsChoice:
    """Return the refusal of a chosen sheet that isn't there."""
    return NeedsChoice("sheet", Message("The workbook doesn't have this sheet. Choose one from the list."))


class ScanLimitReached(Exception):
    """So much of a file was read (bytes of XML, empty lines) without a row with text that the reading ends."""
