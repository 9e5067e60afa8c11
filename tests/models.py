"""Skip tests of real models where the extra `models` is not installed."""

import pytest

from rag_lessons.extras import missing_models


def need_models():
    """Skip what calls this, a module or a test, unless all of the extra is there."""
    if missing_models():
        pytest.skip("the extra models is missing: python run.py setup --models", allow_module_level=True)
