"""Everything works without a network, and gives the same bytes on every machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BLOCK = """
import socket, sys, warnings

warnings.filterwarnings("error", category=EncodingWarning, module=r"rag_lessons(\\..*)?$")

def refuse(*arguments, **named):
    raise OSError("no test may use the network")

class Blocked(socket.socket):
    __init__ = refuse

socket.socket = Blocked
socket.create_connection = socket.getaddrinfo = refuse
sys.dont_write_bytecode = True
"""
ASK = (
    BLOCK
    + """
import json
from dataclasses import replace
from rag_lessons import PRESETS, ask, data_folder, load_documents, prepare_index
from rag_lessons.budgeting import POLICIES

traces = []
for corpus in ("notes", "handbook"):
    documents, report = load_documents(data_folder(corpus))
    for name, make in PRESETS.items():
        settings = make()
        index = prepare_index(documents, settings)
        for policy in POLICIES:
            for question in ("Why can RAG fail when the budget is small?", "Who repairs it?", "\\u6d77\\u6c34?"):
                traces.append(ask(question, index, 300, replace(settings, policy=policy)).to_dict())
print(json.dumps(traces, allow_nan=False))
"""
)
CLI = (
    BLOCK
    + """
import runpy
sys.argv = ["rag_lessons", *sys.argv[1:]]
runpy.run_module("rag_lessons", run_name="__main__")
"""
)
PLACES = [
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
    {
        "PYTHONHASHSEED": "12345",
        "TZ": "America/Los_Angeles",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    },
]


# Python 3.11 reads the .pth file that names this folder in the locale's encoding, and ends where that fails.
in_ascii_folder = pytest.mark.skipif(not str(ROOT).isascii(), reason="under C no Python starts in this folder")


def run(code, *arguments, cwd=ROOT, **variables):
    """Run some code in a Python of its own; the package may open no file without an encoding."""
    kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT", "HOME", "TMPDIR", "TEMP") if key in os.environ}
    environment = kept | {"PYTHONPATH": str(ROOT), "PYTHONWARNDEFAULTENCODING": "1"} | variables
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout


def test_the_block_blocks():
    with pytest.raises(AssertionError, match="no test may use the network"):
        run(BLOCK + "import urllib.request\nurllib.request.urlopen('http://localhost:9')")


@in_ascii_folder
def test_traces_are_the_same_everywhere(tmp_path):
    found = [run(ASK, cwd=cwd, **place) for place, cwd in zip(PLACES, (ROOT, tmp_path, ROOT / "tests"), strict=True)]
    assert found[0] == found[1] == found[2]
    traces = json.loads(found[0])
    assert len(traces) == 48 and sum(bool(trace["included"]) for trace in traces) > 20


def test_importing_opens_no_file():
    code = (
        BLOCK
        + """
import builtins
import rag_lessons.documents, numpy, tqdm.auto, regex, snowballstemmer, sentencex, markdown_it
opened, real = [], builtins.open
builtins.open = lambda file, *rest, **named: (opened.append(str(file)), real(file, *rest, **named))[1]
import rag_lessons.pipeline, rag_lessons.evaluation
print(opened)
"""
    )
    assert run(code).decode("ascii").strip() == "[]"


@in_ascii_folder
@pytest.mark.parametrize("preset", ["default", "article"])
def test_the_command_line(preset, tmp_path):
    arguments = ["--question", "Why can RAG fail?", "--budget", "250", "--preset", preset, "--json"]
    found = {run(CLI, *arguments, cwd=tmp_path, **place) for place in PLACES}
    assert len(found) == 1
    trace = json.loads(found.pop())
    assert (trace["preset"], trace["budget"]) == (preset, 250) and trace["included"]


@in_ascii_folder
def test_the_help_of_the_command_line():
    assert b"--question" in run(CLI, "--help", LC_ALL="C")
