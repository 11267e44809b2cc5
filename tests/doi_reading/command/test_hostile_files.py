"""Files made to be slow: each is read or refused, in a time that grows with its length."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
BOUND = 200  # seconds: some twenty would do; what takes the square of its length needs hours
PROGRAM = r"""
from doi_reading.command.file_text import FileText, RefusedFile
from doi_reading.command.findings import find_in_file
N = 300_000
HOSTILE = {
    ".bib": ["doi = {", "doi={{", 'doi = "', "{\\_}", "doi= "],
    ".ris": ["DO  - ", "DO  - \n"],
    ".csv": ['"', '"a,', ',\"\"\"', ",", "\n", '"x""y'],
    ".json": ["[", '{"a":', '"'],
    ".cff": ["doi: ", "- doi: '\n", " ", " #", "'"],
    ".md": ["[](", "\\_", "`", "<"],
    ".tex": ["\\", "{\\", "doi:{"],
    ".html": ["<a ", '<a "', "<a '\"", "<!--", "<script>", "<", "&lt;", "&amp;", " ="],
    ".txt": ["10.1000/", "https://doi.org/1", "\r", "doi:11.1"],
}
count = 0
for suffix, units in HOSTILE.items():
    for unit in units:
        try:
            find_in_file(FileText(unit * (N // len(unit))), f"hostile{suffix}")
        except RefusedFile:
            assert suffix == ".json"
        count += 1
strings = '["' + "\\\\" * (N // 2) + '"]', "[" + ",".join(['"\\u0031"'] * (N // 8)) + "]"
for text in strings:
    find_in_file(FileText(text), "hostile.json")
print(count + len(strings))
"""


def test_files_made_to_be_slow_are_read_or_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=BOUND, check=True
    )
    assert int(done.stdout) == 43
