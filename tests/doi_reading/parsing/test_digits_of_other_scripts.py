"""Names with the digits or the full stops of another script."""

import pytest

from doi_reading import read


def first(text: str) -> str:
    reading = read(text)
    return next((one.doi for one in reading.candidates), "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\u06f1\u06f0.\u06f1\u06f0\u06f2\u06f1/acschemneuro.\u06f0c00714", "10.1021/acschemneuro.0c00714"),
        ("https://doi.org/\u0661\u0660.\u0661\u0661\u0662\u0666/sciadv.adk5440", "10.1126/sciadv.adk5440"),
        ("\u0661\u0660\u066b\u0661\u0661\u0662\u0666/sciadv.adk5440", "10.1126/sciadv.adk5440"),
        ("\u0634: doi: \u06f1\u06f0.\u06f1\u06f0\u06f3\u06f9/d2cp00020b \u0627", "10.1039/d2cp00020b"),
        ("doi: \u0967\u0966.\u0967\u0966\u096d\u096a/jbc.M111.247973", "10.1074/jbc.M111.247973"),
        ("10.22059/jwim.2021.\u06f3\u06f1\u06f2\u06f3\u06f4\u06f5", "10.22059/jwim.2021.312345"),
        ("doi\uff1a10\uff0e1029/ 2011JD015921.", "10.1029/2011JD015921"),
        ("\uff11\uff10\uff0e\uff11\uff10\uff11\uff16\uff0f \uff4a.jad.2024.03.150", "10.1016/j.jad.2024.03.150"),
        ("10\u00b71364/oe\u00b725\u00b7008011", "10.1364/oe.25.008011"),
        ("10.1136/gutjnl\u25002015\u2500310752", "10.1136/gutjnl-2015-310752"),
    ],
)  # fmt: skip
def test_they_are_read_as_ordinary_ones(text: str, name: str) -> None:
    assert first(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "\u0642\u06cc\u0645\u062a \u06f1\u06f0.\u06f5\u06f0/\u06f1\u06f2",
        "\u0661\u0660/\u0661\u0662",
        "\uff11\uff10\uff0e\uff15\uff0f\uff11\uff12",
    ],
)
def test_a_price_or_a_date_in_such_digits_is_no_name(text: str) -> None:
    assert read(text).doi is None
    assert first(text) == ""


def test_a_name_that_is_registered_with_such_digits_stays_as_it_is() -> None:
    assert str(read("10.1000/\u06f3\u06f1").doi) == "10.1000/\u06f3\u06f1"
