"""Odd files that must be refused, each with words that help, and with the line where there is one."""

import gzip
import io
import tarfile
import zipfile

from tests.sheets.odd_files.odd_file import refused


def archive(**members: str | bytes) -> bytes:
    """A ZIP archive of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


def _tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as file:
        file.addfile(tarfile.TarInfo("list.csv"), io.BytesIO())
    return buffer.getvalue()


def _ole(part: str) -> bytes:
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(22) + (9).to_bytes(2, "little") + bytes(16)
    head += (2).to_bytes(4, "little")
    return head.ljust(3 * 512, b"\0") + "Root Entry".encode("utf-16-le").ljust(128, b"\0") + part.encode("utf-16-le")


_DAMAGED_GZIP = bytearray(gzip.compress(b"doi\n10.1000/1\n" * 100))
_DAMAGED_GZIP[-6] ^= 1
_ODT, _ODS = ("application/vnd.oasis.opendocument." + kind for kind in ("text", "spreadsheet"))

REFUSALS = [
    # --- what librarians have at hand
    refused("aleph.seq", "000000001 LDR   L 00714cam a22002055a 4500\n", "Aleph"),
    refused(
        "marcxml.xml",
        '<?xml version="1.0"?>\n<marc:collection xmlns:marc="http://www.loc.gov/MARC21/slim">',
        "not well-formed",
        2,
    ),
    refused("cut-off-marcxml.xml", '<collection xmlns="http://www.loc.gov/MARC21/slim">', "not well-formed", 1),
    refused("mods.xml", '<?xml version="1.0"?><!-- made --><mods:modsCollection xmlns:mods="m">', "MODS"),
    refused("utf-16.ris", "TY  - JOUR\r\nDO  - 10.1000/1\r\n".encode("utf-16"), "RIS"),
    refused("endnote-utf-16.enw", "%A Müller, A.\n%T A title\n%R 10.1000/1\n".encode("utf-16"), "EndNote"),
    refused("own-entities.xml", '<!DOCTYPE mods [<!ENTITY a "b">]><mods><title>&a;</title></mods>', "MODS"),
    refused("bracket-in-entity.xml", '<!DOCTYPE mods [<!ENTITY a "x]">]><mods><title>&a;</title></mods>', "XML"),
    refused("unknown-with-entities.xml", '<!DOCTYPE list [<!ENTITY a "b">]>\n<list>10.1000/1</list>', "XML"),
    refused("endnote.xml", '<?xml version="1.0"?><xml><records><record><database name="x.enl">', "not well-formed", 1),
    refused("savedrecs.txt", "\ufeffFN Clarivate Analytics Web of Science\nVR 1.0\n", "Web of Science"),
    refused("refworks.txt", "RT Journal Article\nSR Electronic\nDO 10.1000/1\n", "RefWorks"),
    refused("scopus.txt", "Scopus\nEXPORT DATE: 3 March 2024\n\nSmith J.\n", "Scopus"),
    refused("texts.json", '["10.1000/1", "10.1000/2"]', "JSON"),
    refused("without.json", '{"results":[{"title":"A"},{"title":"B"}]}', "No DOI in 2 records"),
    refused("without.ris", "TY  - JOUR\nT1  - A\nER  - \n", "1 record, without a DOI"),
    refused("central.txt", "Record #1 of 2\nID: CN-1\nAU: Smith\nDOI: 10.1000/1\n", "Cochrane"),
    refused("dump.txt", "01142cam  2200301 a 4500\n001 rec1\n024 7  $a 10.60055/m.1 $2 doi\n", "yaz-client"),
    refused("dump-head.txt", "Record type: USmarc\n01142cam  2200301 a 4500\r\n001 rec1\r\n", "yaz-client"),
    refused("dump-name.txt", "[VOY]Record type: USmarc\n01142cam a2200301 i 4500\n001 rec1\n", "yaz-client"),
    refused("pica-plain.txt", "003@ $0123456789\n004V $010.60055/p.1\n", "PICA"),
    refused("pica-set.txt", "SET: S1 [1] TTL: 1\n\n001A $01234:01-01-20\n004V $010.60055/p.1\n", "PICA"),
    refused("pica-occurrence.txt", "\n045R/01 $a1\n", "PICA"),
    refused("pica-winibw.txt", "001A ƒ01234:01-01-20\n004V ƒ010.60055/p.1\n", "PICA"),
    refused("pica.pp", b"001A \x1f01234\x1e004V \x1f010.60055/p.1\x1e\x0a", "PICA"),
    refused("pica-plus.bin", b"\x1d\x0a\x1e001@ \x1f0a\x0a\x1e003@ \x1f0123\x0a", "PICA"),
    refused("deposit.xml", '<?xml version="1.0"?>\n<doi_batch version="5.3.1"><head/>', "Crossref deposit"),
    refused("deposit-ns.xml", '<c:doi_batch xmlns:c="http://www.crossref.org/schema/5.3.1">', "Crossref deposit"),
    refused("jats.xml", '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "j.dtd"><article xml:lang="en">', "JATS"),
    refused("alma.xml", '<?xml version="1.0"?><bibs total_record_count="2"><bib><mms_id>1</mms_id>', "Alma"),
    refused("alma-one.xml", "<bib><mms_id>1</mms_id><record/></bib>", "Alma"),
    refused("article.tex", "\\documentclass{article}\n", "LaTeX"),
    # --- documents, pictures, archives
    refused("article.pdf", b"%PDF-1.7\n", "PDF"),
    refused("list.docx", archive(**{"[Content_Types].xml": "", "word/document.xml": "<x/>"}), "Word"),
    refused("list.doc", _ole("WordDocument"), "old Word"),
    refused("cut-off-behind-its-list-of-parts.xls", _ole("Workbook"), "damaged"),
    refused("cut-off.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ".xls"),
    refused("with-password.xlsx", _ole("EncryptedPackage"), "password"),
    refused("slides.pptx", archive(**{"[Content_Types].xml": "", "ppt/presentation.xml": "<x/>"}), "PowerPoint"),
    refused("list.odt", archive(mimetype=_ODT), "OpenDocument"),
    refused(
        "with-password.ods", archive(mimetype=_ODS, **{"META-INF/manifest.xml": "<m:encryption-data>"}), "password"
    ),
    refused("flat.fods", '<?xml version="1.0"?><office:document xmlns:office="o">', "flat"),
    refused(
        "sheet-2003.xml", '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook>', "Excel 2003"
    ),
    refused("empty.xlsb", archive(**{"xl/workbook.bin": ""}), "damaged"),
    refused("list.numbers", archive(**{"Index/Document.iwa": ""}), "Numbers"),
    refused("report.xls", '<html xmlns:x="x">\n<table><tr><td>doi</td></tr></table>', "HTML"),
    refused("table-alone.xls", "\ufeff<table border=1><tr><td>10.1000/1</td></tr></table>", "HTML"),
    refused("page.mht", "MIME-Version: 1.0\nContent-Type: multipart/related\n", "MHT"),
    refused("photo.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
    refused("photo.heic", b"\0\0\0\x18ftypheic", "HEIC"),
    refused("scan.tif", b"II*\x00\x08\0\0\0", "TIFF"),
    refused("drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg">', "SVG"),
    refused("lists.zip", archive(**{"list.csv": "doi\n10.1000/1\n"}), "ZIP"),
    refused("lists.tar", _tar(), "tar"),
    refused("list.csv.bz2", b"BZh91AY&SY", "bzip2"),
    refused("catalogue.accdb", b"\0\1\0\0Standard ACE DB\0", "Access"),
    # --- gzip
    refused("cut-off.csv.gz", gzip.compress(b"doi\n10.1000/1\n" * 100)[:-20], "cut off"),
    refused("wrong-checksum.csv.gz", bytes(_DAMAGED_GZIP), "damaged"),
    refused("empty.csv.gz", gzip.compress(b""), "empty"),
    refused("twice.csv.gz.gz", gzip.compress(gzip.compress(b"10.1000/1")), "more than once"),
    refused("workbook.xls.gz", gzip.compress(_ole("Workbook")), "contains a workbook"),
    refused("workbook.xlsx.gz", gzip.compress(archive(**{"xl/workbook.xml": "<x/>"})), "contains a workbook"),
    refused("article.pdf.gz", gzip.compress(b"%PDF-1.7\n"), "PDF"),
    refused("lists.tar.gz", gzip.compress(_tar()), "tar"),
    refused("unclosed-quote.csv.gz", gzip.compress(b'id,doi\n1,"10.1000/1\n'), "quotation mark", 2),
    # --- tables that are none
    refused("half-utf-8.csv", "t,doi\nÄÖÜ,10.1000/1\n".encode() + b"\xfc,10.1000/2\n", "UTF-8", 3),
    refused("mark-and-windows-text.csv", b"\xef\xbb\xbft,doi\nM\xfcller,10.1000/1\n", "UTF-8", 2),
    refused("backslash-quotes.csv", 'id,doi,t\n1,10.1000/1,"a \\"b\\" c"\n', "Double each", 2),
    refused("two-thousand-and-one-columns.csv", "doi" + ",x" * 2_000 + "\n10.1000/1" + ",y" * 2_000, "2,000 cells", 1),
    refused("columns-without-dois.csv", "id,title\n" + "1,A\n" * 300 + "2,10.1000/1\n", "“id”, “title”"),
    refused("mark-alone.csv", b"\xef\xbb\xbf", "only white space"),
    refused("nul-far-down.csv", "doi\n" + "10.1000/1\n" * 10_000 + "10.1000/\0\n", "NUL", 10_002),
]
