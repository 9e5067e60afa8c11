"""Measure speed and memory, side by side with other libraries; write RESULTS.md beside this file.

Usage: python run.py bench [--full]

    --full     also build an index over 100 MB of text, which takes some minutes

The peers get an environment of their own, .bench-venv, made on the first call.
"""

import datetime
import hashlib
import importlib.util
import json
import os
import platform
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VENV = ROOT / ".bench-venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "rag-lessons-setup"
REQUIREMENTS = [HERE / "peers.txt", ROOT / "requirements.lock"]
HEAD = ["| what | peer | times as fast (median) | min-max | goal | met |", "|---|---|---|---|---|---|"]
GROWTH_HEAD = [
    "| text | chunks | processor time a MB, smallest = 1 | peak memory / text | above the start / text |",
    "|---|---|---|---|---|",
]


def set_up_peers() -> None:
    """Make .bench-venv, unless that was done from the same files. Raises CalledProcessError."""
    stamp = hashlib.sha256(b"\0".join([str(ROOT).encode(), *(p.read_bytes() for p in REQUIREMENTS)])).hexdigest()
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == stamp:
        return
    print("Setting up .bench-venv (a minute or two, once) ...", flush=True)
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    venv.create(VENV, with_pip=has_ensurepip, clear=True)
    pip = [PYTHON, "-m", "pip"] if has_ensurepip else [sys.executable, "-m", "pip", "--python", PYTHON]
    peers, lock = REQUIREMENTS
    options = ["--quiet", "--disable-pip-version-check", "-r", peers, "-c", lock]
    subprocess.run([*pip, "install", *options], check=True)
    STAMP.write_text(stamp, encoding="utf-8")


def measure(python: str | Path, script: str, *arguments: str) -> dict:
    """Run a script of this folder and read the JSON on the last line it prints."""
    command = [str(python), str(HERE / script), *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return json.loads(done.stdout.splitlines()[-1])


def contest_rows(result: dict) -> list[str]:
    """Table rows of what `contest.py` measured."""
    return [
        f"| {r['what']} | {r['peer']} | {r['ratio']:.1f} | {r['low']:.1f}-{r['high']:.1f} | {r['goal']:g} "
        f"| {'yes' if r['ratio'] >= r['goal'] else 'no'} |"
        for r in result["rows"]
    ]


def growth_rows(results: list[dict]) -> list[str]:
    """Table rows of what `growth.py` measured, times in proportion to the smallest size."""
    paces = [result["seconds"] / result["characters"] for result in results]
    rows = []
    for result, pace in zip(results, paces, strict=True):
        text, memory = result["characters"], "not told by this system | not told by this system"
        if result["peak"] is not None:
            memory = f"{result['peak'] / text:.1f} | {(result['peak'] - result['before']) / text:.1f}"
        rows.append(f"| {text / 1e6:.0f} MB | {result['chunks']:,} | {pace / paces[0]:.2f} | {memory} |")
    return rows


def main(options: list[str]) -> int:
    """Measure, print, and write RESULTS.md; return an exit code."""
    if set(options) - {"--full"}:
        print(f"bench takes only --full; got {' '.join(options)}", file=sys.stderr)
        return 2
    set_up_peers()
    print("Chunking and building, turn by turn with the peers ...", flush=True)
    contest = measure(PYTHON, "contest.py")
    growth = []
    for megabytes in ("1", "10", "100") if options else ("1", "10"):
        print(f"Building an index over {megabytes} MB ...", flush=True)
        growth.append(measure(sys.executable, "growth.py", megabytes))
    command = " ".join(["python3 run.py bench", *options])
    table = "\n".join([*HEAD, *contest_rows(contest), "", *GROWTH_HEAD, *growth_rows(growth)])
    versions = f"Python {platform.python_version()}, {datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    notes = f"""# Speed and memory

Made by `{command}` with {versions}. A ratio above 1 means that this package is faster. The
contestants take turns in one process; the ratio of their processor times is taken round by round.

{table}

Chunks are at most 420 characters, over {contest["megabytes"]:.2f} MB in the topics of `pydoc_data`. Ours are
checked in the same run: none over the cap, and every visible character in one of them. Spans are
pairs of offsets; the peers also copy each chunk's text into an object, so the rows with copied
texts stand beside them. The peer's index writes no summaries of its own: its language model is a mock.
Memory goal: the peak below 10 times the text from 10 MB on; below that the interpreter weighs more.
Time goal: no more a MB for more text. The smallest text pays most for stems, found once a word.
"""
    (HERE / "RESULTS.md").write_text(notes, encoding="utf-8")
    print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
