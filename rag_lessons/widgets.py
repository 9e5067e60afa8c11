"""Views that move: the budget board, and an explorer for any lesson.

Everything is computed before the view opens, by pure functions that raise; the page only looks it
up. So both go on working in an exported page without a kernel. Nothing here needs anywidget until
a view is shown, and without it there is a table and a word on how to get the slider.
"""

import html
import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rag_lessons.board import BUDGETS, TraceSource, board_states
from rag_lessons.budgeting import POLICIES
from rag_lessons.page import save_page
from rag_lessons.tokens import check_count, counter_name

NO_WIDGETS = (
    "This is a still view: the slider needs anywidget. "
    "Install it with `pip install anywidget`, then restart the kernel."
)


@dataclass(frozen=True, slots=True)
class StillView:
    """What is shown where anywidget is not installed."""

    kind: str
    data: dict
    fallback: str

    def __repr__(self) -> str:
        return NO_WIDGETS

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(NO_WIDGETS)}</p>{self.fallback}"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the view as one page that works without a kernel; return its path."""
        return save_page(path, self.kind, self.data)


def board_data(source: TraceSource, budget: int = 250) -> dict:
    """Everything the budget board shows: its controls, and a state for each setting of them.

    budget: where the slider opens, in tokens: 0 to 1,500 in steps of 10. Raises ValueError for
    another, TypeError for a source that is none.

    >>> from rag_lessons import Document, prepare_index
    >>> source = TraceSource(prepare_index([Document("a.txt", "Gates rust.")]), ["What do gates do?"])
    >>> board_data(source)["controls"][0]["value"]
    250
    """
    if not isinstance(source, TraceSource):
        raise TypeError(f"source must be a TraceSource(index, questions, settings); got {type(source).__name__}")
    budget = check_count("budget", budget)
    if budget not in BUDGETS:
        raise ValueError(f"budget must be one of 0, 10, 20 and so on to {BUDGETS[-1]}; got {budget!r}")
    settings = source.settings
    joiners = "with what joins the pieces" if settings.joiners else "without what joins the pieces"
    return board_states(source) | {
        "title": "Budget board",
        "controls": [
            _control("budget", "range", list(BUDGETS), budget, [f"{n} tokens" for n in BUDGETS], "Token budget"),
            _control("policy", "select", list(POLICIES), settings.policy),
            _control("neighbours", "check", [True, False], bool(settings.route.neighbours)),
            _control(
                "question",
                "select",
                list(range(len(source.questions))),
                0,
                [q.text for q in source.questions],
            ),
        ],
        "most": BUDGETS[-1],
        "ticks": list(range(0, BUDGETS[-1] + 1, 250)),
        "foot": f"Settings: {settings.name}. Tokens are counted by {counter_name(settings.counter)}, {joiners}.",
    }


def budget_board(source: TraceSource, budget: int = 250):
    """The budget board: move a slider and see which evidence reaches the model.

    source: an index and questions of any documents. budget: where the slider opens, in tokens.

    Returns a widget with the traits `budget`, `policy`, `neighbours` and `question` (its place,
    from 0) and a method `save(path)`; a still view where anywidget is missing.
    """
    data = board_data(source, budget)
    trace = source.trace(0, budget, neighbours=bool(source.settings.route.neighbours))
    return _view("board", data, trace._repr_html_())


def explorer_data(
    controls: Mapping[str, Sequence],
    states: Mapping[tuple, tuple[str, str]],
    start: Mapping[str, object] | None = None,
) -> dict:
    """Everything an explorer shows, checked: a state for each combination of the controls' values.

    controls: name -> values; two numbers or more make a slider, anything else a menu.
    states: one value of each control, in order, as a tuple -> (HTML, caption). The HTML goes into
    the page as it is, so text from documents must be escaped in it; the caption is plain text.
    start: where controls open, the first value if not named.

    Raises ValueError for a state or value that is missing or given twice, TypeError for a state of
    another form.

    >>> explorer_data({"size": [1, 2]}, {(1,): ("<b>one</b>", "One."), (2,): ("two", "Two.")})["states"]
    [[0, 1], [2, 3]]
    """
    start = {name: _plain(value) for name, value in (start or {}).items()}
    controls = {name: [_plain(value) for value in values] for name, values in controls.items()}
    if not controls or not all(controls.values()):
        raise ValueError(f"controls must each have a name and one value or more; got {controls!r}")
    for name, values in controls.items():
        if len(set(values)) < len(values):
            raise ValueError(f"control {name!r} has a value twice: {values!r}")
    for name, value in start.items():
        if value not in controls.get(name, ()):
            raise ValueError(f"start holds {name}={value!r}, which is no value of a control")
    strings: dict[str, int] = {}
    found = []
    for combination in itertools.product(*controls.values()):
        if combination not in states:
            named = ", ".join(f"{name}={value!r}" for name, value in zip(controls, combination, strict=True))
            raise ValueError(f"no state for {named}; add states[{combination!r}] = (html, caption)")
        state = states[combination]
        if not (isinstance(state, tuple) and len(state) == 2 and all(isinstance(part, str) for part in state)):
            raise TypeError(f"states[{combination!r}] must be (html, caption), two strings; got {state!r:.60}")
        content, caption = state
        found.append([strings.setdefault(content, len(strings)), strings.setdefault(caption, len(strings))])
    return {
        "title": "Explorer: " + ", ".join(controls),
        "controls": [
            _control(name, _kind(values), list(values), start.get(name, values[0])) for name, values in controls.items()
        ],
        "states": found,
        "strings": list(strings),
    }


def explorer(
    controls: Mapping[str, Sequence],
    states: Mapping[tuple, tuple[str, str]],
    start: Mapping[str, object] | None = None,
):
    """A few controls, and a ready piece of HTML for each combination of their values.

    Arguments and errors are those of `explorer_data`. Returns a widget with one trait for each
    control and a method `save(path)`; a still view where anywidget is missing.
    """
    data = explorer_data(controls, states, start)
    content, caption = states[tuple(control["value"] for control in data["controls"])]
    return _view("explorer", data, f"{content}<p>{html.escape(caption)}</p>")


def _plain(value: object) -> object:
    """A numpy number as Python's own, so that it can be written as JSON; anything else unchanged."""
    return value.item() if isinstance(value, np.generic) else value


def _kind(values: Sequence) -> str:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return "range" if numbers and len(values) > 1 else "select"


def _control(
    name: str, kind: str, values: list, value: object, texts: list[str] | None = None, label: str = ""
) -> dict:
    label = label or name[:1].upper() + name[1:].replace("_", " ")
    texts = texts or [str(choice) for choice in values]
    return {"name": name, "kind": kind, "label": label, "values": values, "texts": texts, "value": value}


def _view(kind: str, data: dict, fallback: str):
    try:
        from rag_lessons.views import BudgetBoard, Explorer
    except ImportError:
        return StillView(kind, data, fallback)
    return (BudgetBoard if kind == "board" else Explorer)(data, fallback)
