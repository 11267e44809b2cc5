"""Why a file is refused: a reason, and the line where there is one."""

from resolver.domain.message import Message


class UnreadableFile(Exception):
    """A file that cannot be read as a table; `reason` is plain text for a person, `line` the line at fault."""

    def __init__(self, reason: Message, line: int | None = None) -> None:
        located = Message("Line {line}: {reason}", line=str(line), reason=reason)
        super().__init__(reason if line is None else located)
        self.reason = reason
        self.line = line


class NeedsChoice(UnreadableFile):
    """The file is a table, and may well be read once a person says how; `about` is the name of one of Choices."""

    def __init__(self, about: str, reason: Message, line: int | None = None) -> None:
        super().__init__(reason, line)
        self.about = about


def no_such_sheet() -> NeedsChoice:
    """The refusal of a sheet that was chosen and is not there."""
    return NeedsChoice("sheet", Message("The workbook has no such sheet. Choose one from the list."))


class ScanLimitReached(Exception):
    """So much of a file was read (bytes of XML, empty lines) and no row with text came of it: no error, but enough."""
