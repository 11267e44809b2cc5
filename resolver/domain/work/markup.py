"""Titles as agencies write them: HTML, JATS (`<jats:italic>`), MathML (`<mml:mi>`), and entities, also doubled.

Only known tags are removed, so that `p < 0.05` and `<Homo sapiens>` stay.
"""

import html
import re

_TAG_NAMES = (
    "(?:jats|mml|m|ns[0-9]):[a-z][a-z-]{0,30}|"
    "a|abbr|b|bold|br|cite|code|div|em|emph|font|h[1-6]|i|inf|inline-formula|italic|monospace|p|q|roman|s|sc|scp|"
    "small|small-caps|span|strike|strong|styled-content|sub|sup|title|tt|u|underline|"
    "math|mfenced|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom|mprescripts|mroot|mrow|mspace|msqrt|mstyle|msub|"
    "msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|none|semantics"
)
# An attribute has a `=`: "a<b and c>d" holds no tag.
_TAG = re.compile(rf"</?(?:{_TAG_NAMES})(?:\s[^<>=]{{0,60}}=[^<>]{{0,1000}}|\s{{0,10}}/)?>", re.IGNORECASE)
# TeX beside the same formula in MathML.
_ANNOTATION = re.compile(r"<(?:mml:)?annotation(?:\s[^<>]{0,1000})?>[^<]{0,5000}</(?:mml:)?annotation>", re.IGNORECASE)
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def strip_markup(text: str) -> str:
    """Return the text on one line, without tags and with entities decoded; only its first 20,000 characters are read: a
    title with MathML may be some thousand characters long. Half surrogates become question marks. The result is text,
    not HTML: it has to be escaped."""
    text = text[:20_000].encode("utf-8", "replace").decode()
    text = _ANNOTATION.sub("", text)
    for _ in range(2):  # &lt;i&gt; and &amp;lt;i&amp;gt; occur
        text = html.unescape(_TAG.sub("", text))
    return _SPACES.sub(" ", _TAG.sub("", text)).strip()
