"""Measure speed, memory and evidence, side by side with other libraries.

Usage: python run.py bench [--full]

    --full     also build an index over 100 MB of text and search 100,000 chunks, some minutes more

Writes RESULTS.md and results.png beside this file; README.md there says what they mean.
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

from figure import draw
from report import write

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VENV = ROOT / ".bench-venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "rag-lessons-setup"
REQUIREMENTS = [HERE / "peers.txt", ROOT / "requirements.lock"]
PICTURE = "results.png"
NO_PEERS = (
    "The libraries to compare with could not be installed: pip ended with exit code {}, and says above why. "
    "They are fetched over the network once; connect to it and run this again."
)


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


def measure_all(full: bool) -> dict:
    """Run everything, one part after the other. Raises CalledProcessError where one of them fails."""
    print("Chunking and building, turn by turn with the peers ...", flush=True)
    results = {"contest": measure(PYTHON, "contest.py"), "querying": [], "growth": []}
    for chunks in (1_000, 10_000, 100_000) if full else (1_000, 10_000):
        print(f"Asking and searching over {chunks:,} chunks ...", flush=True)
        results["querying"].append(measure(PYTHON, "querying.py", str(chunks)))
    for megabytes in (1, 10, 100) if full else (1, 10):
        print(f"Building an index over {megabytes} MB ...", flush=True)
        results["growth"].append(measure(sys.executable, "growth.py", str(megabytes)))
    sizes = ("1000", "10000", "100000") if full else ("1000", "10000")
    print(f"Cutting documents of up to {int(sizes[-1]):,} sentences ...", flush=True)
    results["truncating"] = measure(sys.executable, "truncating.py", *sizes)
    print("Mapping over parts and analysing documents of up to 10 MB ...", flush=True)
    results["long"] = measure(sys.executable, "long.py", "1", "10")
    print("Looking for the evidence of the handbook's questions ...", flush=True)
    return results | {"recall": measure(sys.executable, "recall.py")}


def main(options: list[str]) -> int:
    """Measure, print, write RESULTS.md and results.png; return an exit code."""
    unknown = [option for option in options if option != "--full"]
    if unknown:
        print(f"bench takes no option but --full; got {' '.join(unknown)}", file=sys.stderr)
        return 2
    try:
        set_up_peers()
    except subprocess.CalledProcessError as error:
        print(NO_PEERS.format(error.returncode), file=sys.stderr)
        return 1
    try:
        results = measure_all(full="--full" in options)
    except subprocess.CalledProcessError as error:
        script = Path(error.cmd[1]).name
        print(f"{script} ended with exit code {error.returncode}; its message stands above.", file=sys.stderr)
        return 1
    figure = draw(results, HERE / PICTURE)
    command = " ".join(["python3 run.py bench", *dict.fromkeys(options)])
    made_by = (
        f"Made by `{command}` with Python {platform.python_version()}, {datetime.datetime.now(datetime.UTC):%Y-%m-%d}."
    )
    text = write(results, made_by, PICTURE, figure.get_label())
    (HERE / "RESULTS.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
