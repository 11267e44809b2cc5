"""What checkdois and inspectdois are told alike, and what they say at the end."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping


def add_file_arguments(parser: ArgumentParser) -> None:
    """FILE, --column and --output."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="CSV, tab- or semicolon-separated text, a plain list, or XLSX; - reads standard input",
    )
    parser.add_argument(
        "--column", metavar="NAME", help="the column with the DOIs (default: found by header or content)"
    )
    parser.add_argument(
        "--output",
        metavar="OUT",
        help="where the results go; .csv, .tsv, .jsonl or .xlsx says the format (default: CSV to standard output)",
    )


def summary(total: int, counts: Mapping[str, int]) -> str:
    """One line: how many rows, and how many of each outcome, the most frequent first."""
    parts = [f"{count:,} {name}" for name, count in Counter(counts).most_common() if count]
    return f"{total:,} {'row' if total == 1 else 'rows'}: {', '.join(parts) or 'nothing asked'}."
