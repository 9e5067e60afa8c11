"""Each of the cases has a test, or waits for a stage that is not written yet."""

import json
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from ids import CASES, LEFT, WAITING

ROOT = Path(__file__).resolve().parents[2]
# Collected in a process of its own, because this run may be of a few tests only.
COLLECT = """
import json, sys
import pytest

class Marks:
    def pytest_collection_finish(self, session):
        found = {(item.location[0], item.originalname): [id for mark in item.iter_markers("case") for id in mark.args]
                 for item in session.items if hasattr(item, "originalname")}
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            json.dump([ids for ids in found.values() if ids], file)

sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests/cases"], plugins=[Marks()]))
"""


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """The ids on the tests of this folder, one list a test function."""
    path = tmp_path_factory.mktemp("marks") / "marks.json"
    done = subprocess.run(
        [sys.executable, "-c", COLLECT, path], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(path.read_text(encoding="utf-8"))


def test_there_are_117_cases():
    assert len(CASES) == len(set(CASES)) == 117


def test_each_case_has_a_test_or_waits(marked):
    found = {id for ids in marked for id in ids}
    assert found - set(CASES) == set() and set(WAITING) - set(CASES) == set()
    assert set(CASES) - found - set(WAITING) == set()
    assert found & set(WAITING) == set()
    assert set(LEFT) <= found


def test_no_case_has_two_tests(marked):
    count = Counter(id for ids in marked for id in ids)
    assert {id for id, tests in count.items() if tests > 1} == set()


def test_a_case_waits_for_a_stage_that_is_not_there():
    stages = {*WAITING.values(), *(note.split(":")[0] for note in LEFT.values())}
    assert {stage for stage in stages if find_spec(f"rag_lessons.{stage}")} == set()
