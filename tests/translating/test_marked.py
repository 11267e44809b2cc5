"""No page holds words that cannot be translated."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

from translating.extracting import KEYWORDS, PYTHON, ROOT, catalog

TEMPLATES = ROOT / "templates"
# Names that are the same in every language, and what programs are told.
ALLOWED = {
    "doiportal", "DOI", "CSV", "XLSX", "JSON", "UTC", "https", "doi", "org", "urn", "URL", "URI", "URN", "UTF", "ISO",
    "HTTP", "curl", "Python", "checkdois", "OpenRefine",
}  # fmt: skip
READ_ALOUD = {"alt", "title", "aria-label", "aria-description", "placeholder", "data-label", "content", "label"}
NOT_PROSE = {"script", "style", "code", "samp", "kbd", "pre"}
MACHINE_READ = {"viewport", "color-scheme", "theme-color", "robots", "referrer", "refresh", "htmx-config"}
WORD = re.compile(r"[^\W\d_]{2,}")


class Words(HTMLParser):
    """The words that a reader sees or hears."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NOT_PROSE:
            self._inside.append(tag)
        named = dict(attrs).get("name") or dict(attrs).get("http-equiv")
        for name, value in attrs:
            if name in READ_ALOUD and value and not (tag == "meta" and named in MACHINE_READ):
                self.handle_data(value)

    def handle_endtag(self, tag: str) -> None:
        if tag in NOT_PROSE and tag in self._inside:
            self._inside.remove(tag)

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.found += [word for word in WORD.findall(data) if word not in ALLOWED]


def unmarked(source: str) -> list[str]:
    """The words of a template outside of its tags for translation."""
    plain, within = "", ""
    for token in Lexer(source).tokenize():
        name = token.contents.split()[0] if token.contents.split() else ""
        if token.token_type == TokenType.BLOCK and name in ("blocktranslate", "blocktrans", "comment"):
            within = name
        elif token.token_type == TokenType.BLOCK and name == f"end{within}":
            within = ""
        elif token.token_type == TokenType.TEXT and not within:
            plain += token.contents
        elif token.token_type == TokenType.BLOCK and name in (
            "block",
            "endblock",
            "if",
            "elif",
            "else",
            "endif",
            "for",
        ):
            plain += "\N{ZERO WIDTH SPACE}"
    words = Words()
    words.feed(plain if "<" in plain or "=" not in plain else f"<i{plain}>")  # a part may be attributes alone
    words.close()
    return words.found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Two words</p>", ["Two", "words"]),
        ('<p>{% translate "Two words" %}</p>', []),
        ("{% blocktranslate %}<b>Two</b> words{% plural %}More{% endblocktranslate %}", []),
        ('<input placeholder="Two words"{% if x %} disabled{% endif %}>', ["Two", "words"]),
        ("<script>let two = words</script><code>two words</code>{# two words #}", []),
        (' data-taken="taken" title="Two words"', ["Two", "words"]),
        ("<p>{% if x %}Two{% else %}words{% endif %} {{ word }} 10.1000</p>", ["Two", "words"]),
    ],
)
def test_words_are_seen_where_a_reader_sees_them(source: str, found: list[str]):
    assert unmarked(source) == found


def test_every_word_of_a_template_is_marked():
    sources = {path: path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")}
    assert len(sources) > 50
    assert not {path.name: words for path, source in sources.items() if (words := unmarked(source))}


def python_files() -> Iterator[Path]:
    return (path for folder in PYTHON for path in (ROOT / folder).rglob("*.py"))


def test_python_marks_its_texts_in_a_way_that_is_gathered():
    """No other name for gettext, and none within an f-string: nobody would look there."""
    for path in python_files():
        source = path.read_text(encoding="utf-8")
        assert set(re.findall(r"\bn?p?gettext(?:_lazy)? as (\w+)", source)) <= set(KEYWORDS), path
        assert not re.search(r"\{_\(", source), path


# The catalogue; what only the command says, in English; the names of months.
FILLED_FROM_TABLES = {"message.py", "problem.py", "outcomes.py", "times_and_durations.py"}
TEMPLATES_OF = {"Message": 1, "of_count": 2}


def templates_in(source: str) -> Iterator[ast.expr]:
    """The arguments with which messages are made that are templates."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            yield from node.args[: TEMPLATES_OF.get(name, 0)]


def test_the_template_of_every_message_is_gathered():
    gathered = {form for one in catalog() for form in ([one.id] if isinstance(one.id, str) else one.id)}
    for path in python_files():
        if path.name not in FILLED_FROM_TABLES:
            for template in templates_in(path.read_text(encoding="utf-8")):
                assert isinstance(template, ast.Constant), f"{path}: {ast.unparse(template)}"
                assert template.value in gathered, path
