"""Cases of notebooks: the stored files hold nothing of one machine or one run, and pass from anywhere.

The rule behind them, that each file is as `python run.py notebooks` leaves it, is tested in
tests/test_notebooks.py: `test_the_stored_form_is_clean`. A property over made notebooks stands below.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from save_notebooks import lesson_paths, read, text, tidy

import run

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
LESSON = ROOT / "notebooks" / "00_start_here.ipynb"
SANITIZE = "--nbval-sanitize-with="
STEP = run.TESTS["notebooks"]
# As `run.py test` calls it, but on one core, and from any folder.
NBVAL = [part.replace(SANITIZE, f"{SANITIZE}{ROOT}/") for part in STEP[: STEP.index("-n")]]
FIGURES = [r"Text\(", r"0x[0-9a-f]{6,}", "<Axes", "AxesImage", "Line2D", r"<Figure", r"Figure\(", r"\bat 0x"]
MACHINES = [
    r"(?<![\w.])/(?:home|root|tmp|work)/",
    "/Users/",
    r"\b[A-Z]:\\",
    r"\d+(?:\.\d+)? ?(?:ms|s)\b",
    r"\b20\d\d-\d\d-\d\d[ T]\d\d:",
]
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)


def shown(path):
    """Everything readable in the outputs of a notebook that are compared, one text an output."""
    for cell in read(path).cells:
        if "nbval-ignore-output" in cell.metadata.get("tags", []):
            continue
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            texts = [data[kind] for kind in data if kind.startswith("text/")]
            yield "\n".join([output.get("text", ""), output.get("evalue", ""), *output.get("traceback", []), *texts])


@case("NB-01")
@each_notebook
def test_the_kernel_is_python3_and_ci_takes_the_one_at_hand(path):
    assert read(path).metadata.kernelspec.name == "python3"
    assert "--nbval-current-env" in run.TESTS["notebooks"]


@case("NB-03")
@each_notebook
def test_no_figure_is_stored_as_text(path):
    for output in shown(path):
        assert not re.search("|".join(FIGURES), output), output[:200]


@case("NB-04")
@each_notebook
def test_nothing_is_stored_of_stderr_and_one_stream_a_cell(path):
    for cell in read(path).cells:
        streams = [output.name for output in cell.get("outputs", []) if output.output_type == "stream"]
        assert streams in ([], ["stdout"]), cell.source


@case("NB-09")
@each_notebook
def test_no_path_of_a_machine_and_no_timing_is_stored(path):
    for output in shown(path):
        assert not (found := re.search("|".join(MACHINES), output)), found


def python(*arguments, cwd=ROOT, timeout=120, **variables):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd, env=os.environ | variables, capture_output=True, encoding="utf-8", errors="replace", timeout=timeout,
    )  # fmt: skip


@case("NB-05")
def test_a_lesson_passes_started_from_its_own_folder():
    """From the root all lessons run in `python run.py test`; in JupyterLab, in tests/test_browser.py."""
    done = python("-m", *NBVAL, LESSON, "-p", "no:cacheprovider", cwd=ROOT / "notebooks")
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"\d+ passed", done.stdout)


def test_it_passes_with_nbconvert(tmp_path):
    done = python("-m", "nbconvert", "--execute", "--to", "notebook", "--output-dir", tmp_path, LESSON, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    assert (tmp_path / LESSON.name).exists()


@case("NB-10")
def test_a_kernel_that_hangs_fails_and_no_filter_reaches_it(tmp_path):
    timeout = next(part for part in NBVAL if part.startswith("--nbval-cell-timeout="))
    assert 0 < int(timeout.split("=")[1]) <= 600
    assert re.search(
        r"NotebookClient\([^)]*\btimeout=\d+", (ROOT / "tests" / "save_notebooks.py").read_text(encoding="utf-8")
    )
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.search(r"^    timeout-minutes: \d+$", workflow, re.MULTILINE)
    assert "PYTHONWARNINGS" not in workflow + (ROOT / "run.py").read_text(encoding="utf-8")
    filters = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert any(found.startswith("ignore:Proactor event loop") for found in filters["filterwarnings"])
    cell = nbformat.v4.new_code_cell("import time\ntime.sleep(600)")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "hang.ipynb")
    short = [part if part != timeout else "--nbval-cell-timeout=2" for part in NBVAL]
    done = python("-m", *short, tmp_path / "hang.ipynb", "-p", "no:cacheprovider", timeout=90)
    assert done.returncode == 1 and "1 failed" in done.stdout, done.stdout[-2000:]


outputs = st.lists(
    st.builds(
        lambda kind, count: nbformat.v4.new_output(
            "execute_result",
            {
                "text/plain": f"100% {kind} 3/9 [00:0{count}<00:11, {count}.1it/s]",
                "application/vnd.jupyter.widget-view+json": {"model_id": f"{count}"},
            },
            execution_count=count,
        ),
        st.sampled_from(["", "docs"]),
        st.integers(0, 9),
    ),
    max_size=2,
)


@given(st.lists(st.tuples(st.sampled_from(["x = 1", "", "x"]), outputs, st.integers(1, 99)), max_size=5))
def test_what_differs_by_run_is_not_stored(cells):
    def notebook(shift):
        found = [nbformat.v4.new_markdown_cell("# Title")]
        for source, some, count in cells:
            cell = nbformat.v4.new_code_cell(source, execution_count=count + shift, metadata={"scrolled": bool(shift)})
            cell.outputs = [nbformat.from_dict(dict(output)) for output in some]
            found.append(cell)
        metadata = {"kernelspec": {"name": f"conda-env-{shift}", "display_name": "x"}}
        return nbformat.v4.new_notebook(cells=found, metadata=metadata)

    path = lesson_paths()[0]
    stored = text(tidy(notebook(0), path))
    assert stored == text(tidy(notebook(7), path))
    assert "conda" not in stored and "model_id" not in stored and "it/s" not in stored
    assert text(tidy(nbformat.reads(stored, 4), path)) == stored
