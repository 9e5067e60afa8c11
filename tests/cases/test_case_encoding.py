"""The case of text files: none is opened in the encoding of the system, in package, scripts, tests or lessons."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from ids import case
from save_notebooks import read
from test_no_network import in_ascii_folder

ROOT = Path(__file__).resolve().parents[2]
LESSON = ROOT / "notebooks" / "00_start_here.ipynb"


def code_of(path):
    """The Python of a file: its own, or that of a notebook's code cells without IPython's commands."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "code"]
    return "\n".join(re.sub(r"^[%!].*", "", source, flags=re.MULTILINE) for source in cells)


def opens_without_encoding(code):
    """The lines that open a text file and leave the encoding to the system."""
    for call in (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        name = call.func.id if isinstance(call.func, ast.Name) else method
        named = {keyword.arg for keyword in call.keywords}
        is_binary = any(
            isinstance(a, ast.Constant) and isinstance(a.value, str) and "b" in a.value for a in call.args[1:]
        )
        if name in ("read_text", "write_text") or (name == "open" and not method and not is_binary):
            if "encoding" not in named:
                yield call.lineno
        if name in ("run", "Popen", "check_output") and named & {"text", "universal_newlines"}:
            yield call.lineno


def test_the_search_for_a_missing_encoding_finds_one():
    code = "open(p)\np.read_text()\nopen(p, 'rb')\nopen(p, encoding='utf-8')\nsubprocess.run(c, text=True)"
    assert list(opens_without_encoding(code)) == [1, 2, 5]


WINDOWS = {
    "PYTHONUTF8": "0",
    "LC_ALL": "C",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONWARNDEFAULTENCODING": "1",
    "PYTHONIOENCODING": "utf-8",
}
# The warning is an error only where our own code is to blame: libraries may open files as they like.
STRICT = """
import sys, warnings
sys.path[:0] = [".", "tests"]
warnings.filterwarnings("error", category=EncodingWarning, module=r"(__main__|run|save_notebooks|rag_lessons(\\..*)?)$")
"""
BUILD = """
from save_notebooks import lesson_paths, read, text, tidy
assert all(path.read_bytes().decode("utf-8") == text(tidy(read(path), path)) for path in lesson_paths())
"""
ASK = """
from rag_lessons import *
from rag_lessons.widgets import budget_board
from rag_lessons.board import TraceSource
index = prepare_index(load_documents(data_folder("handbook"))[0])
budget_board(TraceSource(index, ["Who repairs it?"])).save(sys.argv[1])
"""


@case("NB-07")
@in_ascii_folder
def test_no_text_is_opened_in_the_encoding_of_the_system(tmp_path):
    scripts = [ROOT / "run.py", *(ROOT / "rag_lessons").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    found = {
        path.name: list(opens_without_encoding(code_of(path)))
        for path in [*scripts, *(ROOT / "notebooks").glob("*.ipynb")]
    }
    assert {name: lines for name, lines in found.items() if lines} == {}
    cells = f"import os\nos.chdir({str(ROOT / 'notebooks')!r})\n{code_of(LESSON)}"
    for code in (BUILD, ASK, cells):
        command = [sys.executable, "-c", STRICT + code, tmp_path / "board.html"]
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | WINDOWS, capture_output=True, encoding="utf-8", timeout=120
        )
        assert done.returncode == 0, done.stderr[-3000:]
