"""Odd text files that must be read."""

import codecs
import gzip

from tests.sheets.odd_files.odd_file import read

_CJK = "标题,doi\n" + "一二三四五六七八九十上下左右,10.1000/1\n"
_RAGGED = "Loans 2024;;\n\nid;doi;title\n1;10.1000/1;A\n2;10.1000/2;B\n3;10.1000/3;C\n"
_BANNER = "Export of 3 March\n\nid;doi;title\n1;10.1000/1;A, b\n2;10.1000/2;C, d\n"

TEXTS = [
    # --- encodings
    read("excel-unicode-text.txt", "t\tdoi\r\nMüller\t10.1000/1\r\n".encode("utf-16"), "10.1000/1"),
    read("utf-16-le-without-mark.csv", "t,doi\nMüller,10.1000/1\n".encode("utf-16-le"), "10.1000/1"),
    read("utf-16-be-without-mark.txt", "10.1000/1\n10.1000/2\n".encode("utf-16-be"), "10.1000/1", "10.1000/2"),
    read("utf-16-le-chinese-without-mark.csv", _CJK.encode("utf-16-le"), "10.1000/1", header=("标题", "doi")),
    read("utf-16-be-chinese-without-mark.csv", _CJK.encode("utf-16-be"), "10.1000/1", header=("标题", "doi")),
    read("windows-1252.csv", "Titel;DOI\nGrüße – „so“;10.1000/1\n".encode("cp1252"), "10.1000/1"),
    read("utf-8-mark-before-quoted-name.csv", '\ufeff"doi","t"\n"10.1000/1","A"\n', "10.1000/1", header=("doi", "t")),
    read("two-marks.csv", "\ufeff\ufeffdoi,t\n10.1000/1,A\n", "10.1000/1", header=("\ufeffdoi", "t")),
    read(
        "two-files-joined-by-copy.csv",
        "\ufeffdoi\n10.1000/1\n\ufeffdoi\n10.1000/2\n",
        "10.1000/1",
        "\ufeffdoi",
        "10.1000/2",
    ),
    read("utf-32.csv", "doi\n10.1000/é\n".encode("utf-32"), "10.1000/é"),
    # --- ends of lines and files
    read("written-by-python-on-windows.csv", "doi,t\r\r\n10.1000/1,A\r\r\n10.1000/2,B\r\r\n", "10.1000/1", "10.1000/2"),
    read(
        "mixed-line-ends.csv", "doi,t\r\n10.1000/1,A\n10.1000/2,B\r10.1000/3,C", "10.1000/1", "10.1000/2", "10.1000/3"
    ),
    read("dos-end-of-file.csv", b"doi\r\n10.1000/1\r\n\x1a", "10.1000/1"),
    read(
        "other-line-separators-in-titles.csv",
        "doi,t\n10.1000/1,a\u2028b\n10.1000/2,c\x85d\x0be\x0cf\n",
        "10.1000/1",
        "10.1000/2",
        header=("doi", "t"),
    ),
    read("line-separator-in-a-list.txt", "10.1000/1\u2028x\n10.1000/2\n", "10.1000/1\u2028x", "10.1000/2"),
    read("no-line-end-at-all.txt", "10.1000/1", "10.1000/1"),
    read("empty-lines-first.csv", "\n" * 300 + "id,doi\n1,10.1000/1\n", "10.1000/1"),
    read("rows-of-commas-at-the-end.csv", "id,doi,\n1,10.1000/1,\n" + ",,\n" * 500, "10.1000/1"),
    read("row-of-commas-first.csv", ",,\nid,doi,t\n1,10.1000/1,A\n", "10.1000/1", header=("id", "doi", "t")),
    read("many-empty-lines-at-the-end.csv", "id,doi\n1,10.1000/1\n" + "\n" * 20_000, "10.1000/1"),
    # --- separators
    read("sep-line.csv", "sep=;\r\ndoi;t\r\n10.1000/1;A, b\r\n", "10.1000/1", header=("doi", "t")),
    read("sep-line-in-quotes.csv", '"sep=,"\r\ndoi,t\r\n10.1000/1,A\r\n', "10.1000/1", header=("doi", "t")),
    read("unit-separator-in-a-list.txt", "10.1000/a\x1fb\n10.1000/c\n", "10.1000/a\x1fb", "10.1000/c"),
    read("list-with-commas-at-the-ends.txt", "10.1000/1,\n10.1000/2,\n", "10.1000/1", "10.1000/2"),
    read("banner-over-the-table.csv", _BANNER, "10.1000/1", "10.1000/2", header=("id", "doi", "title")),
    read(
        "padded-banner-over-the-table.csv",
        _RAGGED,
        "10.1000/1",
        "10.1000/2",
        "10.1000/3",
        header=("id", "doi", "title"),
    ),
    read("one-row-with-tab.txt", "10.1000/1\tOne, two; three", "10.1000/1"),
    read("bars-in-quotes.txt", 'doi|t\n10.1000/1|"a|b"\n', "10.1000/1", header=("doi", "t")),
    read("tabs-and-lone-quotes.tsv", 'doi\tt\n10.1000/1\t5" disk\n10.1000/2\t"open\n', "10.1000/1", "10.1000/2"),
    read("spaces-after-commas.csv", "id, doi, t\n1, 10.1000/1, A\n2, 10.1000/2, B\n", " 10.1000/1", " 10.1000/2"),
    # --- names of columns
    read("name-with-line-break.csv", '"DOI\n(article)",t\n10.1000/1,A\n', "10.1000/1", header=("DOI\n(article)", "t")),
    read("name-with-spaces.csv", "id , DOI \n1,10.1000/1\n", "10.1000/1", header=("id ", " DOI ")),
    read(
        "no-name-over-the-dois.csv",
        ",title\n10.1000/1,A\n10.1000/2,B\n",
        "10.1000/1",
        "10.1000/2",
        header=("", "title"),
    ),
    read("doi-named-twice.csv", "doi,doi\n10.1000/1,10.1000/2\n", "10.1000/1", header=("doi", "doi")),
    read("web-of-science-tabs.txt", "\ufeffPT\tAU\tTI\tDI\tPY\nJ\tA; B\tT, u\t10.1000/1\t2001\n", "10.1000/1"),
    read("excel-keeps-text.csv", 'id,doi\n1,"=""10.1000/1"""\n', '="10.1000/1"'),
    read("mysql-nulls.csv", "id,doi\n1,\\N\n2,10.1000/2\n", "\\N", "10.1000/2"),
    # --- gzip
    read("list.txt.gz", gzip.compress(b"10.1000/1\n10.1000/2\n"), "10.1000/1", "10.1000/2"),
    read("windows-1252.csv.gz", gzip.compress("t;doi\nMüller;10.1000/1\n".encode("cp1252")), "10.1000/1"),
    read("utf-16.tsv.gz", gzip.compress("t\tdoi\nÉ\t10.1000/1\n".encode("utf-16")), "10.1000/1"),
    read(
        "two-members.csv.gz",
        gzip.compress(b"doi\n10.10") + gzip.compress(b"00/1\n10.1000/2\n"),
        "10.1000/1",
        "10.1000/2",
    ),
    read("padded-with-zeros.csv.gz", gzip.compress(b"doi\n10.1000/1\n") + bytes(512), "10.1000/1"),
    read(
        "mark-and-nothing-else-before-data.csv",
        codecs.BOM_UTF8 + b"10.1000/1,A\n10.1000/2,B\n",
        "10.1000/1",
        "10.1000/2",
    ),
]
