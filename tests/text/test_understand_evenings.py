"""Texts as players of all ages send them through a whole evening: each is read as it is meant, exactly."""

import pytest

from service.text.understand import understand
from tests.text.test_understand import CORPUS, agrees, said
from tests.text.test_understand_forms import forms


@pytest.mark.parametrize("file", ["evenings", "rummy-players"])
def test_whole_evenings_of_texts(file):
    wrong = [
        f"{place}: {text!r} means {meaning!r}, was read as {said(reading)!r}"
        for place, context, text, meaning in forms(CORPUS / f"{file}.tsv")
        if not agrees(meaning, reading := understand(text, context))
    ]
    assert not wrong, "\n" + "\n".join(wrong)
