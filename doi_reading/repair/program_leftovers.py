"""Leftovers of programs in a name: markup, entities, escapes of LaTeX and JSON, session numbers, exports."""

import re

from doi_reading.late_pattern import compile_late
from doi_reading.message import Message
from doi_reading.repair.rule import RepairRule, build_substitution

_CUTTING = compile_late(
    r"[<\[{]/?(?:a|br|p|div|span|td|tr|li|doi|url|uri|http|article-id|pub-id|ext-link|object-id)\b[^<>:]*[>\]}]?.*\Z"
    r"|<?/(?:a|p|td|span|doi|div|li|i|em|b|font|url|ref|li|strong|u)>.*\Z|</[a-z][a-z0-9:_.-]*>.*\Z|-->.*\Z",
    re.IGNORECASE | re.DOTALL,
)
_FOOTNOTE = (
    r"(?<=[0-9A-Za-z)])(?:<sup(?: [^<>:]*)?>[^<>]{0,20}(?:</?sup ?/?>)?"
    r"|\.?(?:\[\^?[0-9]{1,3}(?:[,-][0-9]{1,3}){0,4}\]){1,3}|\^(?:[0-9]{1,3}\^?|\{[0-9]{1,3}\})"
    r"|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207d](?:[,\u207b\u2013-]?[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207e]){0,8})[.,;:]?\Z"
)
_SUBFIELD = r"(?<=[0-9A-Za-z).#-])(?:(?<!\$)\${1,2}[0-9A-Za-z]|\{\$[0-9A-Za-z]\}|[\u2021\u01c2\u0192]|\|2 ?doi\b|=[A-Za-z]\Z).*\Z"
"""A subfield of MARC 21 or PICA, in the writing of Alma, OCLC, MarcEdit or WinIBW. No name in use holds a dollar sign."""
_SICI_YEAR = compile_late(r"\([0-9]{4}")
_SICI_END = compile_late(r"(?<=[0-9]\.[0-9]\.)([Cc][Oo])(?:[-:,.]?2)?(-[^-])?\Z")
_STYLING = compile_late(r"</?(?:i|b|u|em|strong|sub|sup|font|small|scp|jats:[a-z]+|wbr|nobr)(?: [^<>:]*)?/?>", re.I)
_TAG = compile_late("<[/A-Za-z][^<>:]*>")
_RAISED_NUMBER = compile_late(
    r"(?<=[0-9)])(?:<[^<>]*>){0,3}</?su[bp]\b[^<>]*>(?:<[^<>]*>){0,3}(?=[0-9])", re.IGNORECASE
)
"""A raised number right after another is no part of it, but a footnote mark."""
_TAG_BETWEEN_DIGITS = compile_late("[0-9)](?:<[/A-Za-z][^<>:]*>){1,9}[0-9]")
_ANCHOR = compile_late(r"<a [^<>]*?https?://([0-9]+:[A-Za-z]+)/?[^<>]*>|</?a\b[^<>]*>", re.IGNORECASE)
_AUTOLINK = compile_late(r"(?<=<)(?:https?://|mailto:|http:)|(?<=[0-9A-Za-z])/(?=>[0-9])", re.IGNORECASE)
_MARKDOWN = compile_late(r"\[([^\]\[()]+)\]\(https?://[^)]*\)", re.IGNORECASE)
_HOST = compile_late(
    r"\[?https?:?//(?=(?:[0-9]\.[0-9]\.)?co\b)|(?<=//co)/(?=;2)|(?<=[0-9]\.[0-9]\.co)/(?=;2)", re.IGNORECASE
)
_ENTITY = compile_late(
    r"(?:(?:&|\[amp\];?|\(amp\);?)(?:amp;){0,4}){1,4}(lt|gt|amp|quot|#0*60|#0*62);?|(?<![A-Za-z])(lt|gt);|(gt);(?=[0-9]\.[0-9]\.co\b)|\[(lt|gt)\];?",
    re.I,
)
_NUMBER = compile_late(r"[\[(]?[&#]*6([02]);[\])]?|[\[(]#6([02])[\])]")
_MEANING = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "60": "<", "62": ">"}


def _decode_number(match: re.Match[str]) -> str:
    """Return the character with this hexadecimal number; "" if it is invisible."""
    character = chr(int(match[1], 16))
    return character if character.isprintable() else ""


BREAK_COMMAND = r"\\(?:allowbreak|(?:url|no)?break|(?:line|page)break(?:\[[0-4]\])?|penalty-?[0-9]{1,5}|hspace\*?\{[^{}]{0,20}\}|hskip ?[0-9.]{1,5}[a-z]{2})(?:\{\})?(?![a-z])"
"""A command of TeX that lets a line end there and prints nothing. BibTeX's styles write some into a DOI."""
_TEX = frozenset("\\${")
_untex = build_substitution(
    (r"\{?\\textless(?:\{\})?\}?|\$\s*<\s*\$|\\ensuremath\{<\}|\$?\\langle(?:\{\}|\$)?|\\lt\b", "<"),
    (r"\{?\\textgreater(?:\{\})?\}?|\$\s*>\s*\$|\\ensuremath\{>\}|\$?\\rangle(?:\{\}|\$)?|\\gt\b", ">"),
    (r"\\string(?=[_&%#])", ""),
    (BREAK_COMMAND, ""),
    (r"\$?\\_(?:\{\}|\$)", "_"),
    (r"\{?\\textunderscore(?:\{\})?\}?", "_"),
    (r"\$_\{?([0-9A-Za-z]+)\}?\$", r"_\1"),
    (r"\{\\?-+\}|\{?\\textendash(?:\{\})?\}?|\\mbox\{-\}", "-"),
    (r"\{(\\*[_&%#<>()\[\];:~^]|[A-Za-z][0-9A-Za-z]{0,3}|(?<![0-9]\{)[0-9][0-9A-Za-z]{0,3})\}", r"\1"),
    (r"\\{1,4}(?:u00|x|%)?3[Cc]", "<"),
    (r"\\{1,4}(?:u00|x|%)?3[Ee]", ">"),
    (r"\\{1,4}(?:u201[0-5]|(?:u00|x)2[dD])", "-"),
    (r"\\{1,4}u(?:00[aA]0|200[bB])", ""),
    (r"\\{1,4}u(00[c-fC-F][0-9a-fA-F]|01[0-7][0-9a-fA-F])", _decode_number),
    (r"\\{1,4}(?=[^A-Za-z0-9\s\\])", ""),
)
_BACKSLASHES = compile_late(r"\\+")
_BETWEEN_NUMBERS = compile_late(r"[^\\]*[0-9]\\+[0-9][^\\]*")
"""The only backslashes that are no escapes stand between two numbers. These don't become one: the second may be a
footnote or a page, and the number of both names another work."""


def _remove_tags(name: str) -> str:
    if "<" not in name and "[" not in name and "{" not in name and "/" not in name[8:]:
        return name
    if raised := _RAISED_NUMBER.search(name):
        return name[: raised.start()]
    return _CUTTING.sub("", _STYLING.sub("", name), count=1)


def _unlink(name: str) -> str:
    """Remove the links from a SICI: `3.0.CO` looks like a host, `<0540:…>` like an address in angle brackets."""
    if "http" not in name and "mailto" not in name and "<" not in name:
        return name
    if ";2" in name:
        name = _ANCHOR.sub(lambda match: f"<{match.group(1)}>" if match.group(1) else "", name)
    return _AUTOLINK.sub("", _HOST.sub("", _MARKDOWN.sub(r"\1", name)))


def _unescape(name: str) -> str:
    if ";" not in name and "lt" not in name and "gt" not in name:
        return name
    return _ENTITY.sub(lambda match: _MEANING[match[match.lastindex or 0].lower().lstrip("#0")], name)


def _unescape_numbers(name: str) -> str:
    """Replace `60;` and `62;` in a SICI (it ends in CO;2): the rest of &#60; and &#62;."""
    if "co;2" not in name.lower():
        return name
    return _NUMBER.sub(lambda match: "<" if "0" in match.groups() else ">", name)


_write_sici = build_substitution(
    (r"(?<=[0-9]\.[0-9]\.[Cc])0(?=;2)", "O"),
    (r"\A10\.1002/\(?([Ss][Ii][Cc][Ii])\)?(?=[0-9]{4}-)", r"10.1002/(\1)"),
)


def _complete_sici(name: str) -> str:
    """Write the end of a SICI as `CO;2`. Only a name that has the year in brackets and a colon too is a SICI."""
    return _SICI_END.sub(r"\1;2\2", name) if ":" in name and _SICI_YEAR.search(name) else name


def _remove_escapes(name: str) -> str:
    if _TEX.isdisjoint(name):
        return name
    plain = _untex(name)
    return plain if _BETWEEN_NUMBERS.fullmatch(plain) else _BACKSLASHES.sub("", plain)


LEFTOVERS = (
    RepairRule(
        "autolink", Message("without the link that a website added to part of it"), _unlink,
        (
            ("10.1175/1520-0426(1997)014<http://0540:tcmamf/>2.0.CO;2", "10.1175/1520-0426(1997)014<0540:tcmamf>2.0.CO;2"),
            (
                "10.1002/(sici)1522-2594(199901)41:1<148::aid-mrm21>[3.0.co](http://3.0.co/);2-g",
                "10.1002/(sici)1522-2594(199901)41:1<148::aid-mrm21>3.0.co;2-g",
            ),
        ),
        "damage.md: autolink-damage",
    ),
    RepairRule(
        "footnote", Message("without the footnote mark after it"), build_substitution((_FOOTNOTE, ""), flags=re.IGNORECASE),
        (("10.2307/15633<sup>25</sup>", "10.2307/15633"), ("10.1371/journal.pone.0012345.[1]", "10.1371/journal.pone.0012345")),
        "written for this rule: a DOI copied from a page with numbered notes, such as one of Wikipedia",
    ),
    RepairRule(
        "markup", Message("without the HTML or XML around it"), _remove_tags,
        (
            ("10.1016/j.fuel.2010.05.034<br/>", "10.1016/j.fuel.2010.05.034"),
            ("10.1000/H<sub>2</sub>O</a>", "10.1000/H2O"),
        ),
        "OpenCitations, random citations per rule; OpenAlex: 4,148 names with tags",
    ),
    RepairRule(
        "entity", Message("with the characters of an incomplete HTML entity"), _unescape,
        (
            ("10.1175/1520-0469(1963)020[amp]lt;0130:DNF[amp]gt;2.0.CO;2", "10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2"),
            ("10.1175/1520-0469(1963)020&lt0130:DNF&gt2.0.CO;2", "10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2"),
            ("10.1175/1520-0469(1963)020lt;0130:DNFgt;2.0.CO;2", "10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2"),
        ),
        "damage.md: html-entity; OpenAlex: 61,189 names",
    ),
    RepairRule(
        "entity-number", Message("with the characters of a numeric HTML entity"), _unescape_numbers,
        (("10.1175/1520-0442(1993)00660;1754:saivor62;2.0.co;2", "10.1175/1520-0442(1993)006<1754:saivor>2.0.co;2"),),
        "OpenCitations, invalid DOIs",
    ),
    RepairRule(
        "sici", Message("with the usual characters of a SICI"),
        lambda name: _complete_sici(_write_sici(name)),
        (
            ("10.1130/0091-7613(1995)023<0885:FOVATT>2.3.CO", "10.1130/0091-7613(1995)023<0885:FOVATT>2.3.CO;2"),
            ("10.1002/(SICI)1096-9861(1996)372:2<264::AID-CNE8>3.0.C0;2-1", "10.1002/(SICI)1096-9861(1996)372:2<264::AID-CNE8>3.0.CO;2-1"),
            ("10.1130/0091-7613(1995)023<0885:FOVATT>2.3.CO-2", "10.1130/0091-7613(1995)023<0885:FOVATT>2.3.CO;2"),
            ("10.1002/1097-0355(200101/04)22:1<132::aid-imhj5>3.0.co2-9", "10.1002/1097-0355(200101/04)22:1<132::aid-imhj5>3.0.co;2-9"),
            ("10.1002/SICI1097-0266(199708)18:7<509::AID-SMJ882>3.0.CO;2-Z", "10.1002/(SICI)1097-0266(199708)18:7<509::AID-SMJ882>3.0.CO;2-Z"),
        ),
        "OpenCitations, invalid DOIs; ANSI/NISO Z39.56 (SICI); reference lists of public repositories",
    ),
    RepairRule(
        "export", Message("without a spreadsheet's code for a line break"),
        build_substitution(
            ("_x([0-9A-Fa-f]{4})_", _decode_number),
            (r"\\(?:\\{0,3}[rnt](?:\\{1,4}[rnt]){0,8}\Z|r\\n.*\Z|[rnt](?=10\.|https?:|doi).*\Z)", ""),
        ),
        (("10.1371/journal.pone.0236564_x000D_", "10.1371/journal.pone.0236564"),),
        "OpenAPC, commit b06ef70db",
    ),
    RepairRule(
        "escape", Message("without the backslashes and braces of LaTeX or JSON"),
        _remove_escapes,
        (
            ("10.1007/978-3-642-33715-4\\_54", "10.1007/978-3-642-33715-4_54"),
            ("10.1007/978-3-030-87240-3{\\_}75", "10.1007/978-3-030-87240-3_75"),
            ("10.1000\\/ab", "10.1000/ab"),
            ("10.1890/1051(2000)010{[}0689:BICEGC{]}2.0.CO;2", "10.1890/1051(2000)010[0689:BICEGC]2.0.CO;2"),
            ("10.1175/a(1963)020{\\textless}0130:DNF{\\textgreater}2", "10.1175/a(1963)020<0130:DNF>2"),
        ),
        "OpenCitations, random citations per rule; koppor/jabref#236",
    ),
    RepairRule(
        "subfield", Message("without the subfields of a catalogue record behind it"),
        build_substitution((rf"\A([^$/]*+/[^$]+?){_SUBFIELD}", r"\1"), flags=re.DOTALL),
        (
            ("10.1186/s12891-021-04571-4$3Volltext", "10.1186/s12891-021-04571-4"),
            ("10.1000/182$2doi", "10.1000/182"),
            ("10.1000/182\u20212doi", "10.1000/182"),
            ("10.1000/182|2doi", "10.1000/182"),
        ),
        "OpenAPC; MARC 21, field 024; PICA 4950",
    ),
    RepairRule(
        "session", Message("without the session ID"),
        build_substitution(
            (r"[;?&,]?(?:jsessionid|phpsessid|sessionid|sid)[=_].*\Z|;jsess.*\Z", ""), flags=re.IGNORECASE | re.DOTALL
        ),
        (("10.1111/j.1467-9280.2008.02152.x;jsessionid=0A1.f02t01", "10.1111/j.1467-9280.2008.02152.x"),),
        "OpenAlex: 486 names",
    ),
)  # fmt: skip

TAGS = (
    RepairRule(
        "angle", Message("with the angle brackets of a SICI"),
        build_substitution((r"[\[({]([0-9a-z]+:[a-z0-9]*)[\])}](?=[0-9]\.[0-9]\.co;2)", r"<\1>"), needs=";2", flags=re.IGNORECASE),
        (("10.1130/0091-7613(1995)023[0885:FOVATT]2.3.CO;2", "10.1130/0091-7613(1995)023<0885:FOVATT>2.3.CO;2"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    RepairRule(
        "square", Message("with the square brackets that some registrants put into a SICI"),
        build_substitution((r"[<({]([0-9a-z]+:[a-z0-9]*)[>)}](?=[0-9]\.[0-9]\.co;2)", r"[\1]"), needs=";2", flags=re.IGNORECASE),
        (("10.1890/1051-0761(2000)010<0689:BICEGC>2.0.CO;2", "10.1890/1051-0761(2000)010[0689:BICEGC]2.0.CO;2"),),
        "Crossref: BioOne's and ESA's names have [ ]", together=False,
    ),
    RepairRule(
        "tags", Message("without the HTML or XML within it"),
        lambda name: name if "<" not in name or _TAG_BETWEEN_DIGITS.search(name) else _TAG.sub("", name),
        (("10.1146/annurev-nucl<br/>-102115-044826", "10.1146/annurev-nucl-102115-044826"),),
        "damage.md: html-tag", together=False,
    ),
)  # fmt: skip
