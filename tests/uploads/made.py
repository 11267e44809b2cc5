"""Files of other formats that no suite gives us to keep, with the features that their suites have."""

import base64
import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from email.message import EmailMessage

_DOI = "10.1000/182"

RIS = f"""TY  - JOUR
AU  - Doe, Jane
T1  - A title, one
DO  - {_DOI}
ER  -

"""
BIBTEX = f"""@article{{doe2001,
  author = {{Doe, Jane and {{\\"O}}zil, M.}},
  title = "A {{T}}itle # with signs",
  doi = {{{_DOI}}},
}}
"""
NBIB = f"PMID- 123\nOWN - NLM\nLID - {_DOI} [doi]\nTI  - A title,\n      in two lines\n"
ENDNOTE = f"%0 Journal Article\n%A Doe, Jane\n%R {_DOI}\n"
MRK = f"=LDR  00150nam a2200061 a 4500\n=024  7\\$a{_DOI}$2doi\n"
MARCXML = (
    '<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00150nam a2200061 a 4500</leader>'
    f'<datafield tag="024" ind1="7" ind2=" "><subfield code="a">{_DOI}</subfield></datafield></record></collection>'
)


def iso2709(leader: str = "", text: str = _DOI, *, terminators: bool = True) -> bytes:
    """A record with fields 001 and 024; `leader` is put in place of the beginning of its own."""
    fields = [("001", "1"), ("024", f"7 \x1fa{text}\x1f2doi")]
    end, last = ("\x1e", "\x1d") if terminators else ("", "")
    directory, data = "", ""
    for tag, value in fields:
        directory += f"{tag}{len(value) + len(end):04}{len(data):05}"
        data += value + end
    base = 24 + len(directory) + 1
    whole = f"{base + len(data) + 1:05}nam a22{base:05} a 4500{directory}\x1e{data}{last}"
    return (leader + whole[len(leader) :]).encode()


def files() -> Iterator[tuple[str, bytes]]:
    """Each with its name."""
    yield from _bibliographic()
    yield from _letters()
    yield from _pictures()
    yield from _archives()
    yield from _tables()


def _bibliographic() -> Iterator[tuple[str, bytes]]:
    texts = {"ris": RIS, "bib": BIBTEX, "nbib": NBIB, "enw": ENDNOTE, "mrk": MRK, "marcxml": MARCXML}
    for kind, text in texts.items():
        yield f"plain.{kind}", text.encode()
        yield f"bom.{kind}", b"\xef\xbb\xbf" + text.encode()
        yield f"utf16.{kind}", text.encode("utf-16")
        yield f"crlf.{kind}", text.replace("\n", "\r\n").encode()
        yield f"cr.{kind}", text.replace("\n", "\r").encode()
        yield f"behind-tabs.{kind}", "".join(f"\t{line}\n" for line in text.splitlines()).encode()
        yield f"behind-spaces.{kind}", ("  " + text.replace("\n", "\n  ")).encode()
        yield f"behind-a-comment.{kind}", f"Exported, 2001\n\n{text}".encode()
        yield f"many.{kind}", text.encode() * 500
        yield f"cut.{kind}", text.encode()[: len(text) // 2]
        yield f"latin1.{kind}", text.replace("Jane", "Jüne").encode("latin-1")
        yield f"without-end.{kind}", text.rstrip("} \n").encode() + b' {"' * 50
    for leader in ("", "X0150nam", "99999nam", "     nam", "-0001nam", "0150nam", "00000", "\x1d\x1e\x1f"):
        yield f"leader-{leader!r}.mrc", iso2709(leader)
        yield f"leader-{leader!r}-twice.mrc", iso2709(leader) * 2
    yield "without-terminators.mrc", iso2709(terminators=False)
    yield "lines-between.mrc", iso2709() + b"\r\n" + iso2709()


def _letters() -> Iterator[tuple[str, bytes]]:
    letter = EmailMessage()
    letter["From"], letter["To"] = "a@example.org", "b@example.org"
    letter["Subject"] = "Ünï " * 40
    letter.set_content(f"See {_DOI}, please.\n")
    yield "plain.eml", letter.as_bytes()
    letter.add_alternative("<p>See</p>", subtype="html")
    letter.add_attachment(RIS.encode(), maintype="application", subtype="x-research-info-systems", filename="a.ris")
    yield "mixed.eml", letter.as_bytes()
    inner = letter
    for _ in range(30):
        outer = EmailMessage()
        outer.add_attachment(inner)
        inner = outer
    yield "nested.eml", inner.as_bytes()
    yield "headers-alone.eml", b"From: a\nTo: b\nSubject: c\n"
    yield "folded-for-ever.eml", b"Subject: a\n" + b" b,\n" * 20_000
    yield "header-without-name.eml", b": a\n: b\n\nc,d\n"
    yield "boundary-never-comes.eml", b'Content-Type: multipart/mixed; boundary="x"\n\n--y\n\na,b\n'
    yield "boundaries-alone.eml", b'Content-Type: multipart/mixed; boundary="x"\n\n' + b"--x\n" * 5_000
    yield "mbox", b"From a@example.org Sat Jan  1 00:00:00 2000\n" + letter.as_bytes() + b"\nFrom b\n\nx\n"
    yield "base64.eml", b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(bytes(range(256)) * 20)
    yield "page.mht", b"MIME-Version: 1.0\nContent-Type: multipart/related\n\n"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pictures() -> Iterator[tuple[str, bytes]]:
    head = struct.pack(">IIBBBBB", 1 << 30, 1 << 30, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(bytes(100_000)))
    yield "bomb.png", png + _chunk(b"IEND", b"")
    yield "cut.png", png[:40]
    yield "text.png", png[:33] + _chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(1_000_000)))
    yield "endless-chunk.png", png[:33] + b"\x7f\xff\xff\xffIDATx"
    yield "plain.gif", b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes(6) + b"!\xf9\x04" + bytes(6) + b";"
    yield "no-end.gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00" + b"!\xfe\xff" * 1_000
    yield "plain.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + bytes(9) + b"\xff\xd9"
    yield "segments.jpg", b"\xff\xd8\xff" + b"\xe1\x00\x02\xff" * 5_000
    yield "circle.tif", b"II*\x00\x08\x00\x00\x00\x00\x00\x08\x00\x00\x00"
    yield "circle-big.tif", b"MM\x00*\x00\x00\x00\x08\x00\x00\x00\x00\x00\x08"
    yield "plain.bmp", b"BM" + struct.pack("<IHHI", 58, 0, 0, 54) + struct.pack("<IiiHH", 40, 1, 1, 1, 24) + bytes(28)
    yield "plain.webp", b"RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f" + bytes(12)
    yield "plain.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/><g id="a"><use href="#a"/></g></svg>'
    yield "plain.ppm", b"P6\n1 1\n255\nabc"
    yield "plain.ico", b"\x00\x00\x01\x00\x01\x00" + bytes(16)
    yield "plain.pdf", b"%PDF-1.7\n1 0 obj<</Length 2 0 R>>stream\n" + bytes(range(256)) + b"\nendstream\n%%EOF"
    yield "behind-other-bytes.pdf", b"\n\n%PDF-1.4\n" + b"0000000000 65535 f \n" * 100


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP archive of these."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return out.getvalue()


def _archives() -> Iterator[tuple[str, bytes]]:
    bomb = zipped({"a": bytes(20_000_000)})
    for _ in range(3):
        bomb = zipped({f"{number}.zip": bomb for number in range(16)})
    plain = zipped({"list.csv": b"doi\n10.1000/182\n"})
    yield "nested-bomb.zip", bomb
    yield "plain.zip", plain
    yield "stored.zip", zipped({"a": RIS.encode()}, zipfile.ZIP_STORED)
    yield "names-that-climb.zip", zipped({"../../../etc/x": b"a", "/abs": b"b", "C:\\x": b"c"})
    yield "many.zip", zipped({f"f{number}": b"" for number in range(15_000)})
    yield "too-many.zip", zipped({f"f{number}": b"" for number in range(30_000)})
    yield "comment.zip", plain[:-2] + b"\xff\xff" + b"PK\x05\x06" * 16_000
    for place in range(0, len(plain), 7):
        yield f"cut-at-{place}.zip", plain[:place]
        yield f"damaged-at-{place}.zip", plain[:place] + b"\xff" + plain[place + 1 :]
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        link = tarfile.TarInfo("a")
        link.type, link.linkname = tarfile.SYMTYPE, "a"
        packed.addfile(link)
    yield "circle.tar", out.getvalue()
    yield "circle.tar.gz", gzip.compress(out.getvalue())
    yield "bomb.gz", gzip.compress(bytes(50_000_000))
    yield "in-itself.gz", gzip.compress(gzip.compress(gzip.compress(b"doi\n10.1000/182\n")))
    yield "zip.gz", gzip.compress(plain)
    yield "cut.gz", gzip.compress(b"doi\n10.1000/182\n" * 100)[:-20]
    yield "text.bz2", bz2.compress(b"doi\n10.1000/182\n")
    yield "text.xz", lzma.compress(b"doi\n10.1000/182\n")
    yield "head.7z", b"7z\xbc\xaf\x27\x1c" + bytes(26)
    yield "head.rar", b"Rar!\x1a\x07\x01\x00" + bytes(26)
    yield "head.zst", b"\x28\xb5\x2f\xfd" + bytes(26)


def _tables() -> Iterator[tuple[str, bytes]]:
    for name, text in {
        "no-column": "a,b\n1,2\n",
        "empty": "",
        "spaces": " \n\t\n",
        "one-quote": '"',
        "quotes": '"' * 10_001,
        "quote-open": 'doi,a\n10.1000/1,"\n' + "10.1000/2,x\n" * 100_000,
        "quotes-in-quotes": 'doi,a\n10.1000/1,"""""","",""""\n',
        "separators": ",;|\t" * 1_000,
        "ragged": "".join("x," * number + "\n" for number in range(300)),
        "cr-alone": "a,b\r1,2\r",
        "nul": "doi\n10.1000/\x001\n",
        "delete": "a\x7f\x80b,c\n",
        "formulas": "doi,=cmd\n10.1000/1,@SUM(A1)\n",
    }.items():
        yield f"{name}.csv", text.encode()
        yield f"{name}-utf16.csv", text.encode("utf-16")
        yield f"{name}.tsv", text.replace(",", "\t").encode()
    yield "utf16-odd.csv", "doi\n10.1000/1\n".encode("utf-16") + b"\0"
    yield "utf32.csv", "doi\n10.1000/1\n".encode("utf-32")
    yield "half-of-a-pair.csv", b"\xff\xfed\x00o\x00i\x00\n\x00\x00\xd8\n\x00"
    yield "broken-utf8.csv", "doi,tïtle\n".encode() * 3 + b"10.1000/1,\xff\xfe\n"
    yield "utf7.csv", b"doi\n+ADwAcw-10.1000/1\n"
    yield "ebcdic.csv", "doi,title\n10.1000/1,a\n".encode("cp500")
    yield "ole.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
    yield "ole-far-away.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 504
    yield "table.dbf", b"\x03\x65\x01\x01" + struct.pack("<IHH", 1, 65, 11) + bytes(20) + b"DOI" + bytes(60)
    yield "table.parquet", b"PAR1\x15" + bytes(100) + b"PAR1"
    yield "table.sqlite", b"SQLite format 3\x00" + bytes(84)
