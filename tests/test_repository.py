"""The repository as a whole: its files, its dependencies and what the README promises."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from links import broken_links

import run

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 2_000_000  # bytes
BINARY = {".png", ".jpg", ".ico", ".woff2"}
MACHINE = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def files():
    """The files of the repository, without what tools leave behind."""
    for folder, names, found in os.walk(ROOT):
        keep = [name for name in names if not name.startswith((".", "__")) and name not in ("build", "dist")]
        names[:] = sorted(keep + [name for name in names if name in (".ci", ".github")])
        yield from (Path(folder) / name for name in sorted(found) if name != "uv.lock")


def read(name):
    """The text of a file named from the top of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_files_are_small():
    large = [path for path in files() if path.stat().st_size > LARGEST]
    assert large == []


def test_text_files_have_plain_line_ends_and_no_byte_order_mark():
    for path in files():
        content = path.read_bytes()
        if path.suffix not in BINARY:
            content.decode("utf-8")
            assert b"\r" not in content, path
            assert not content.startswith(b"\xef\xbb\xbf"), path


def test_no_file_names_a_place_on_one_machine():
    for path in files():
        if path.suffix not in BINARY:
            assert not MACHINE.search(path.read_text(encoding="utf-8")), path


def test_the_lock_names_versions_and_no_hosts():
    lock = read("requirements.lock")
    assert "://" not in lock
    pinned = {line.split("==")[0] for line in lock.splitlines()}
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    assert {re.match(r"[\w.-]+", requirement)[0] for requirement in wanted} <= pinned


def test_every_dependency_says_why_it_is_there():
    lines = re.findall(r'^    ".+>=.+$', read("pyproject.toml"), re.MULTILINE)
    extras = PROJECT["optional-dependencies"].values()
    assert len(lines) == len(PROJECT["dependencies"]) + sum(map(len, extras))
    for line in lines:
        assert re.search(r"#.{10,}", line), line


def test_environment_yml_takes_everything_from_the_project():
    wanted = read("environment.yml").split("dependencies:\n")[1].split()
    assert " ".join(wanted) == (
        f"- python {PROJECT['requires-python']},<3.15 - pip - pip: - -c requirements.lock - -e .[dev]"
    )


def test_the_readme_names_commands_that_exist_and_links_that_lead_somewhere():
    named = set(re.findall(r"run\.py (\w+)", read("README.md")))
    assert {"lab", "test"} <= named <= set(run.COMMANDS)
    assert broken_links(ROOT / "README.md") == []


def test_the_package_imports_without_warnings_and_never_relies_on_the_locale():
    command = [sys.executable, "-X", "warn_default_encoding", "-W", "always", "-c", "import rag_lessons"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, check=True)
    assert [line for line in done.stderr.splitlines() if "rag_lessons" in line] == []


@pytest.mark.parametrize("arguments", [["no-such-command"], ["setup", "extra"], ["test", "-x"]])
def test_bad_usage_of_run_is_refused(arguments, capsys):
    assert run.main(arguments) == 2
    assert arguments[-1] in capsys.readouterr().err


def test_run_alone_says_what_it_can_do(capsys):
    assert run.main([]) == 0
    shown = capsys.readouterr().out
    assert [name for name in run.COMMANDS if f"    {name} " not in shown] == []
