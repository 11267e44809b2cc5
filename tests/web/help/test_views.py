"""The help: made from the catalogue, so nothing can be missing; its examples do what it says of them."""

import re
from typing import Any

import pytest
from django.test import Client

from doi_reading import CATALOGUE
from doi_reading.name import explain_encoding
from doi_reading.problems import OF_CELLS, OF_OTHERS, OF_RECORDS
from resolver.domain.report.outcome import Outcome
from resolver.web.help.clauses import RULES
from resolver.web.help.views import OUTCOMES
from resolver.web.wording.labels import label_problem
from resolver.web.wording.translate_message import translate_text
from tests.web.conftest import Look, html_of, newest, text_of


def test_the_index_names_every_outcome_and_every_problem_and_leads_to_its_page(visitor: Client):
    page = visitor.get("/help")
    for kind, codes in (("outcomes", Outcome), ("problems", CATALOGUE)):
        for code in codes:
            assert f'id="{code}"' in html_of(page)  # what results and other pages link to
            assert f'href="/help/{kind}/{code}"' in html_of(page)
    assert "{" not in text_of(page)
    ids = re.findall(r' id="([^"]*)"', html_of(page))
    assert len(ids) == len(set(ids))


def test_the_index_shows_how_characters_are_written_as_the_presentations_write_them(visitor: Client):
    said = text_of(visitor.get("/help"))
    assert "# %23 %23 %23 %23" in said
    assert "first / / / : /" in said
    assert ", , , , %2C" in said
    assert "other / / %2F %2F /" in said


def test_the_former_address_leads_to_the_help_for_good(visitor: Client):
    answer = visitor.get("/about-verdicts")
    assert (answer.status_code, answer["Location"]) == (301, "/help")


@pytest.mark.parametrize("address", ["/help/outcomes/nothing", "/help/problems/nothing", "/help/problems/resolved"])
def test_of_an_unknown_code_there_is_no_page(visitor: Client, address: str):
    assert visitor.get(address).status_code == 404


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_each_problem_has_a_page_with_its_example_marked_and_its_rule(visitor: Client, code: str):
    page, entry = visitor.get(f"/help/problems/{code}"), CATALOGUE[code]
    said = text_of(page)
    assert page.status_code == 200
    assert f"{label_problem(code)} {code}" in said  # the name first, the code beside it
    assert translate_text(entry.advice) in said
    assert f"Clause {entry.clause}, from:" in said
    assert "\x02" not in html_of(page)
    if code not in OF_RECORDS | OF_CELLS | OF_OTHERS and entry.example:
        look = "around" if code == "surrounding-text" else entry.severity  # what stands around a name is no fault
        assert re.search(f'<mark class="{look}"', html_of(page))
        assert "Read as the DOI name" in said


def test_a_problem_says_what_attention_its_rows_need(visitor: Client):
    said = {code: text_of(visitor.get(f"/help/problems/{code}")) for code in ("inner-space", "wrapped", "look-alike")}
    assert "Rows with this problem need attention" in said["inner-space"]
    assert "rows with this problem work, but need cleaning up" in said["wrapped"]
    assert not any(words in said["look-alike"] for words in ("need attention", "be tidier"))
    said["all"] = text_of(visitor.get("/help"))
    assert "Groups of rows Three groups say how much attention a row needs:" in said["all"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("not-read", "There is no example"),
        ("too-long", "Any text of more than"),
        ("unreadable-record", "There is no example"),
    ],
)
def test_a_problem_that_no_text_can_show_says_why(visitor: Client, code: str, said: str):
    assert f"Example {said}" in text_of(visitor.get(f"/help/problems/{code}"))


@pytest.mark.clause("E7")
def test_a_problem_s_page_says_what_the_example_is_read_as_and_what_was_perhaps_meant(visitor: Client):
    said = text_of(visitor.get("/help/problems/unescaped-hash"))
    assert "Read as the DOI name 10.1000/456 " in said
    assert "Possible DOIs 10.1000/456#789" in said


@pytest.mark.parametrize("code", sorted(code for code in OF_RECORDS | OF_OTHERS if CATALOGUE[code].example))
def test_the_example_of_a_record_s_problem_has_it_when_it_is_looked_up(look: Look, code: str):
    look(CATALOGUE[code].example)
    assert code in {problem["code"] for problem in newest().problems}


@pytest.mark.parametrize("outcome", [one for one in Outcome if one is not Outcome.REGISTERED])
def test_the_example_of_an_outcome_ends_so(look: Look, settings: Any, outcome: Outcome):
    settings.DOI_PROXY_BACKOFF = 0.0
    look(OUTCOMES[outcome][0])
    assert newest().outcome == outcome


def test_each_outcome_has_a_page_and_leads_to_the_others(visitor: Client):
    for outcome in Outcome:
        page = visitor.get(f"/help/outcomes/{outcome}")
        assert OUTCOMES[outcome][0] in text_of(page)
        assert html_of(page).count('href="/help/outcomes/') == len(Outcome) - 1


@pytest.mark.parametrize(("sample", "tried"), [(True, True), (False, False)])
def test_what_only_the_sample_proxy_knows_is_tried_only_there(
    visitor: Client, settings: Any, sample: bool, tried: bool
):
    settings.DOIPORTAL_SAMPLE_DATA = sample
    for address in ("/help/outcomes/no-url", "/help/problems/alias-loop"):
        page = visitor.get(address)
        assert ("Try it" in text_of(page)) is tried
        assert "This name is an invented example." in text_of(page)
    for address in ("/help/outcomes/not-found", "/help/problems/alias", "/help/problems/unescaped-hash"):
        assert "Try it" in text_of(visitor.get(address))


def test_an_example_with_a_character_that_no_form_can_hold_is_tried_by_a_link(visitor: Client):
    page = html_of(visitor.get("/help/problems/control-character"))
    assert 'href="/?text=10.1000%2F1%0282"' in page


# As OpenRefine's own translation files have them, in English and German; None: the German file has no text.
OPENREFINE_LABELS = {
    "Reconcile": "Abgleichen",
    "Start reconciling…": "Starten Sie den Abgleich…",
    "Add standard service...": "Standard-Dienst hinzufügen...",
    "Add service": "Dienst hinzufügen",
    "Next »": "Nächste »",
    "Auto-match candidates with high confidence": "Kandidaten, die mit hoher Wahrscheinlichkeit übereinstimmen",
    "Start reconciling...": "Abgleich starten",
    "Match this item to this cell": "Dieses Element dieser Zelle zuordnen",
    "Add entity identifiers column…": "Spalte für Entitäts-Kennungen hinzufügen…",
    "Edit column": "Spalte bearbeiten",
    "Add columns from reconciled values…": "Spalten aus abgeglichenen Werten hinzufügen…",
    "Suggested properties": None,
}
# As Alma Refine has them; it knows no other language.
ALMA_REFINE_LABELS = (
    "Add Refine Service", "Service URL", "Prefix", "Correct term", "URI Subfield", "Add field", "Tag", "Subfield",
    "Save", "Begin Refining",
)  # fmt: skip


def test_the_page_about_openrefine_names_its_buttons_as_they_are_labelled(visitor: Client):
    english = html_of(visitor.get("/help/openrefine"))
    german = html_of(visitor.get("/help/openrefine", headers={"Accept-Language": "de"}))
    for label, translated in [*OPENREFINE_LABELS.items(), *dict.fromkeys(ALMA_REFINE_LABELS).items()]:
        assert f"<strong>{label}</strong>" in english
        shown = f"<strong>{translated}</strong>" if translated else f'<strong lang="en">{label}</strong>'
        assert shown in german


def test_every_clause_that_is_named_is_told_in_words():
    named = {entry.clause for entry in CATALOGUE.values()}
    named |= {clause for fate in explain_encoding('10.1/./"<é,/') for clause in fate.clauses}
    assert set(RULES) == named


def test_the_statement_says_whom_to_tell_and_needs_no_login(visitor: Client, settings: Any):
    settings.CONTACT_EMAIL = ""
    assert "Tell the people who run this portal" in text_of(visitor.get("/accessibility"))
    settings.CONTACT_EMAIL, settings.DOIPORTAL_OPEN = "library@example.org", False
    assert 'href="mailto:library@example.org"' in html_of(visitor.get("/accessibility"))
