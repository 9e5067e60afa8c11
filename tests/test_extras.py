"""What is said where an extra is missing."""

import pytest

from rag_lessons import extras
from rag_lessons.extras import MissingExtra, missing_models, need_models


def test_a_missing_package_is_named_in_one_sentence(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "openai" else object())
    assert missing_models() == ["openai"]
    with pytest.raises(MissingExtra) as raised:
        need_models()
    said = "the extra models is missing; in the lessons' folder run: python run.py setup --models (not there: openai)"
    assert str(raised.value) == said and raised.value._render_traceback_() == [said]


def test_nothing_is_said_where_all_is_there(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: object())
    assert need_models() is None
