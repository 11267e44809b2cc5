"""The fields of MARC 21 and UNIMARC that describe the work."""

import re
from collections.abc import Iterator, Mapping, Sequence

from resolver.domain.work.row_work import RowWork
from resolver.sheets.bibliographic.described_work import build_work, find_year
from resolver.sheets.bibliographic.marc.data_field import DataField
from resolver.sheets.bibliographic.record import MAX_SHOWN_CHARACTERS

_Fields = Mapping[str, Sequence[DataField]]

_MARC_21, _UNIMARC = False, True
_TITLE = {_MARC_21: ("245", "a", "b"), _UNIMARC: ("200", "a", "e")}
# Groups: the first with a name counts. Organizations in added entries are often funders or publishers.
_PEOPLE = {_MARC_21: (("100", "110", "700"), ("710",)), _UNIMARC: (("700", "710", "701", "711"), ("702", "712"))}
_MAIN = {_MARC_21: frozenset({"100", "110"}), _UNIMARC: frozenset({"700", "710"})}
_HOSTS = {_MARC_21: ("773",), _UNIMARC: ("463", "461")}
_DATES = {_MARC_21: (("264", "c"), ("260", "c")), _UNIMARC: (("214", "d"), ("210", "d"))}
WORK_TAGS = frozenset(
    (
        "008",
        *(tag for tag, _, _ in _TITLE.values()),
        *(tag for groups in _PEOPLE.values() for group in groups for tag in group),
        *(tag for hosts in _HOSTS.values() for tag in hosts),
        *(tag for dates in _DATES.values() for tag, _ in dates),
    )
)
"""The tags of the fields that describe the work."""
_PUNCTUATION = " /:;,.="
# Relators of MARC 21 and UNIMARC: authors, creators, contributors, dissertants, compilers, editors.
_AUTHORS = frozenset("aut cre ctb dis com edt edc 070 220 340 305 205 080 651".split())
_OTHER_ROLES = re.compile(
    r"transl|illus|übers|trad|supervis|advis|betreu|gutacht|print|druck|publish|verlag|fund|spons|host|degree|grad|"
    r"dedicat|widmung|narrat|photo|owner|akadem|honou?ree",
    re.IGNORECASE,
)
_VOLUME = re.compile(
    r"(?<!\w)(?:volume|vol|v|band|bd|tome|t|jahrgang|jg)(?:[.:]|\s)[\s:]{0,9}(\w{1,20})", re.IGNORECASE
)
_BARE_VOLUME = re.compile(r"\s{0,9}(\d{1,3})(?=\s{0,9}(?:[(:,/;]|\Z))")
_PAGES = re.compile(r"(?<!\w)(?:pages?|pp?|seiten?|s)(?:[.:]|\s)[\s:]{0,9}(\w[^\s,;]{0,20})", re.IGNORECASE)
_ENUMERATION = re.compile(r"\s{0,9}(\w{1,20})[^<]{0,50}(?:<(\w{1,20}))?")  # 96:4<303


def describe_fields(by_tag: _Fields, *, unimarc: bool) -> RowWork:
    """Return the work of a record with these data fields."""
    tag, main, other = _TITLE[unimarc]
    title = _find_first(by_tag, tag, main).rstrip()
    # After "=" comes the title in another language.
    subtitle = "" if title.endswith("=") else _find_first(by_tag, tag, other).partition(" = ")[0]
    dates = [_find_first(by_tag, *place) for place in _DATES[unimarc]]
    if not unimarc:
        dates.append(_find_first(by_tag, "008", "")[7:11])
    host = next((one for tag in _HOSTS[unimarc] for one in by_tag.get(tag, ()) if one.find_first("t")), None)
    volume, pages = _find_part(host) if host else ("", "")
    return build_work(
        title=title.rstrip(_PUNCTUATION),
        subtitle=subtitle.rstrip(_PUNCTUATION),
        authors=next(filter(None, (list(_list_names(by_tag, tags, unimarc)) for tags in _PEOPLE[unimarc])), ()),
        year=next(filter(None, map(find_year, dates)), ""),
        container=host.find_first("t").rstrip(_PUNCTUATION) if host else "",
        volume=volume,
        pages=pages,
    )


def _find_first(by_tag: _Fields, tag: str, code: str) -> str:
    return by_tag[tag][0].find_first(code) if tag in by_tag else ""


def _list_names(by_tag: _Fields, tags: Sequence[str], unimarc: bool) -> Iterator[str]:
    """Yield the names in these fields, but for people who didn't write the work: translators, funders and so on, and
    those of another work that is in this one ($t)."""
    for tag in tags:
        for field in by_tag.get(tag, ()):
            if tag not in _MAIN[unimarc] and (field.find_first("t") or not _is_author(field)):
                continue
            parts = [field.find_first(code).strip(" ,;:/") for code in ("ab" if unimarc and tag[1:2] == "0" else "a")]
            if parts[0]:
                yield ", ".join(filter(None, parts))


def _is_author(field: DataField) -> bool:
    codes, words = field.list_texts("4"), field.list_texts("e")
    if codes:
        return any(code.rpartition("/")[2] in _AUTHORS for code in codes)
    return not words or not all(map(_OTHER_ROLES.search, words))


def _find_part(host: DataField) -> tuple[str, str]:
    """Return the volume and the pages within the host, where they are written plainly."""
    said = " ".join(host.list_texts("g"))[:MAX_SHOWN_CHARACTERS]
    volume, pages = _VOLUME.search(said) or _BARE_VOLUME.match(said), _PAGES.search(said)
    numbers = _ENUMERATION.match(host.find_first("q"))
    return (
        volume[1] if volume else numbers[1] if numbers else host.find_first("v"),
        pages[1] if pages else (numbers[2] if numbers else "") or "",
    )
