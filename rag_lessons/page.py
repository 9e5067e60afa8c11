"""Put a view's script, style and data together: for a notebook, or as one page that needs no kernel."""

import json
import os
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path

SCRIPTS = {"board": ("controls.js", "bars.js", "board.js"), "explorer": ("controls.js", "explorer.js")}


@cache
def asset(*names: str) -> str:
    """The text of some files in `static/`, one after the other.

    >>> asset("widgets.css").startswith("/* The look")
    True
    """
    folder = files("rag_lessons") / "static"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def script(kind: str) -> str:
    """The JavaScript module of a view: "board" or "explorer"."""
    return asset(*SCRIPTS[kind])


def values(data: dict) -> dict:
    """What each control of a view stands at when it opens.

    >>> values({"controls": [{"name": "budget", "value": 250}]})
    {'budget': 250}
    """
    return {control["name"]: control["value"] for control in data["controls"]}


def page(kind: str, data: dict) -> str:
    """One HTML page that holds all of a view: no network, no kernel.

    data: the view's own, plain lists, numbers and strings. No text in it can end its element or
    open a comment.

    Raises ValueError for a number that JSON does not have.
    """
    state = json.dumps({"data": data, **values(data)}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    state = state.replace("<", "\\u003c")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(data["title"])}</title>
<style>
{asset("page.css", "widgets.css")}</style>
</head>
<body>
<main id="rl-view"></main>
<noscript>This page needs its script. In JupyterLab, click <b>Trust HTML</b> above.</noscript>
<script type="application/json" id="rl-values">{state}</script>
<script type="module">
{script(kind)}
{asset("page.js")}</script>
</body>
</html>
"""


def save_page(path: str | os.PathLike[str], kind: str, data: dict) -> Path:
    """Write the page to a file and return its path."""
    path = Path(path)
    path.write_text(page(kind, data), encoding="utf-8", newline="\n")
    return path
