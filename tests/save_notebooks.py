"""Run lessons and store them in one clean form: `python run.py notebooks [FILES]`.

`tidy` holds every rule of that form, so a test can ask whether a stored lesson still has it.
It does not judge what a lesson says: tests/test_notebooks.py does.
"""

import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbval.plugin import get_sanitize_patterns

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NAVIGATION = re.compile(r"<!-- nav -->.*?<!-- /nav -->\s*", re.DOTALL)
CONTENTS = "[Contents](../README.md#the-lessons)"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
SANITIZE = get_sanitize_patterns((Path(__file__).parent / "nbval_sanitize.cfg").read_text(encoding="utf-8"))


def lesson_paths(folder=FOLDER):
    """The numbered lessons in a folder, in order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def read(path):
    """The notebook stored at a path, as version 4 of the format."""
    return nbformat.read(path, as_version=4)


def title(path):
    """The text of the first heading of the notebook at a path.

    Raises ValueError where there is none.
    """
    for cell in read(path).cells:
        heading = cell.cell_type == "markdown" and re.search(r"^# +(.+?) *$", cell.source, re.MULTILINE)
        if heading:
            return heading[1]
    raise ValueError(f"{path.name} has no title: let its first cell begin with '# '")


def navigation(path):
    """The line that links a lesson to the one before, the contents and the one after."""
    paths = lesson_paths(path.parent)
    place = paths.index(path)
    links = [CONTENTS]
    if place > 0:
        links.insert(0, f"[← {title(paths[place - 1])}]({paths[place - 1].name})")
    if place + 1 < len(paths):
        links.append(f"[{title(paths[place + 1])} →]({paths[place + 1].name})")
    return f"<!-- nav -->\n{' | '.join(links)}\n<!-- /nav -->"


def tidy_output(output):
    """Take out of an output what differs from one run to the next and is not the lesson's result."""
    data = output.get("data", {})
    data.pop(WIDGET_VIEW, None)  # the widget's text form stays: nbval compares it
    for holder, key in [(data, "text/plain"), (data, "text/html"), (output, "text")]:
        for pattern, replacement in SANITIZE if key in holder else ():
            holder[key] = re.sub(pattern, replacement, holder[key])
    if output.output_type == "error":
        output.traceback = [f"{output.ename}: {output.evalue}"]
    return output


def tidy(notebook, path):
    """Bring a notebook into the stored form and return it; a notebook in that form comes back unchanged.

    notebook: as read from `path`, a numbered lesson whose neighbours stand in the same folder.
    """
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = NAVIGATION.sub("", cell.source).strip()
        if cell.source.strip():
            cells.append(cell)
    line = navigation(path)
    cells = [nbformat.v4.new_markdown_cell(line), *cells, nbformat.v4.new_markdown_cell(line)]
    for number, cell in enumerate(cells):
        cell.id = f"{path.name[:2]}-{number:03}"
        cell.metadata = {"tags": cell.metadata.tags} if "tags" in cell.metadata else {}
    for count, cell in enumerate((cell for cell in cells if cell.cell_type == "code"), start=1):
        cell.outputs = [tidy_output(output) for output in cell.outputs]
        if cell.execution_count is not None:
            cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    return nbformat.from_dict({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})


def text(notebook):
    """A notebook as it stands in its file: JSON with one newline at the end."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def save(path):
    """Run the lesson at a path in its own folder and store it; on an error the file stays as it was.

    Raises CellExecutionError or CellTimeoutError.
    """
    notebook = read(path)
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=120,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    path.write_text(text(tidy(notebook, path)), encoding="utf-8", newline="\n")


def main(arguments):
    """Save the lessons named, or all of them; return an exit code."""
    paths = [Path(argument).resolve() for argument in arguments] or lesson_paths()
    if not paths:
        print(f"no lessons in {FOLDER}", file=sys.stderr)
        return 1
    strangers = [path for path in paths if path not in lesson_paths()]
    if strangers:
        print(f"{strangers[0]} is no lesson: lessons are files like notebooks/05_pack.ipynb", file=sys.stderr)
        return 2
    for path in paths:
        started = time.perf_counter()
        try:
            save(path)
        except (CellExecutionError, CellTimeoutError) as error:
            print(f"{path.name} failed and was not stored:\n{error}", file=sys.stderr)
            return 1
        print(f"{path.name}: stored after {time.perf_counter() - started:.1f} s", flush=True)
    # A lesson's title may have changed, and its neighbours carry it.
    for path in lesson_paths():
        path.write_text(text(tidy(read(path), path)), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
