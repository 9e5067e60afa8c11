"""The two views as widgets: each hands data to its script and hears where its controls stand.

Import this module only where a notebook is: it needs anywidget. `widgets.py` makes its data.
"""

import os
from pathlib import Path

import anywidget
import traitlets

from rag_lessons.page import asset, save_page, script, values


class OneOf(traitlets.TraitType):
    """One of a control's values; anything else is an error that says what there is."""

    def __init__(self, control: dict) -> None:
        super().__init__(control["value"])
        self.choices = control["values"]

    def validate(self, owner: object, value: object) -> object:
        """Return the value, or raise TraitError."""
        if any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in self.choices):
            return value
        shown = [repr(choice) for choice in self.choices]
        shown = shown if len(shown) <= 6 else [*shown[:3], "…", shown[-1]]
        raise traitlets.TraitError(f"{self.name} must be one of {', '.join(shown)}; got {value!r}")


class View(anywidget.AnyWidget):
    """A view with one trait for each control, so that Python can read and set where it stands."""

    kind = ""
    _css = asset("widgets.css")
    data = traitlets.Dict().tag(sync=True)

    def __init__(self, data: dict, fallback: str) -> None:
        taken = [control["name"] for control in data["controls"] if hasattr(self, control["name"])]
        if taken:
            raise ValueError(f"a control cannot be named {taken[0]!r}: every widget has something of that name")
        super().__init__(data=data)
        self.add_traits(**{c["name"]: OneOf(c).tag(sync=True) for c in data["controls"]})
        self._fallback = fallback

    def __repr__(self) -> str:
        # No address and no id: stored outputs stay the same from run to run. Of a long value only the
        # beginning, since some releases of ipywidgets cut the whole text at 110 characters.
        opened = ", ".join(f"{name} {value!r:.20}" for name, value in values(self.data).items())
        return f"<{type(self).__name__}: {opened}"[:100] + ">"

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/html": self._fallback}, metadata

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the view as one page that works without a kernel; return its path."""
        return save_page(path, self.kind, self.data)


class BudgetBoard(View):
    """What fits into a budget, on a slider."""

    kind = "board"
    _esm = script("board")


class Explorer(View):
    """A few controls, and a piece of HTML for each combination of their values."""

    kind = "explorer"
    _esm = script("explorer")
