"""Texts as players of all ages send them through a whole evening: each is read as it is meant, exactly."""

from service.text.understand import understand
from tests.text.test_understand import CORPUS, agrees, said
from tests.text.test_understand_forms import forms


def test_whole_evenings_of_texts():
    wrong = [
        f"{place}: {text!r} means {meaning!r}, was read as {said(reading)!r}"
        for place, context, text, meaning in forms(CORPUS / "evenings.tsv")
        if not agrees(meaning, reading := understand(text, context))
    ]
    assert not wrong, "\n" + "\n".join(wrong)
