"""Every exercise: its solution passes its check, the stub and a wrong answer do not.

The solution is the code folded away in the lesson, the check is the call in the lesson's cell, so
the two cannot drift apart.
"""

import ast
import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from wrong_answers import WRONG

import rag_lessons.exercises
from rag_lessons.intervals import paired_difference

LESSONS = sorted((Path(__file__).parent.parent / "notebooks").glob("[0-9][0-9]_*.ipynb"))
SOLUTION = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)


def exercises() -> list[tuple[str, str, str, str]]:
    """(name of the check, call, code of the stub cells before it, solution) of each exercise."""
    found = []
    for path in LESSONS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        call = stub = None
        for cell in cells:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code":
                last = ast.parse(source).body[-1:]
                if last and isinstance(last[0], ast.Expr) and ast.unparse(last[0]).startswith("check_"):
                    call = ast.unparse(last[0])
                    output = "".join(str(o.get("data", {}).get("text/plain", "")) for o in cell["outputs"])
                    stub = output
            elif call and (solution := SOLUTION.search(source)):
                found.append((call.partition("(")[0], call, stub, solution[1]))
                call = None
        assert call is None, f"{path.name}: no solution follows {call}"
    return found


FOUND = exercises()


def run(code: str, call: str) -> rag_lessons.exercises.Feedback:
    """Run an answer's code, then the lesson's own call of the check."""
    names: dict = dict(vars(rag_lessons.exercises))
    exec(code, names)
    return eval(call, names)


def test_each_check_has_one_exercise_and_wrong_answers():
    names = [name for name, *_ in FOUND]
    checks = [name for name in rag_lessons.exercises.__all__ if name.startswith("check_")]
    assert sorted(names) == sorted(checks) == sorted(WRONG)


def test_each_lesson_has_two_exercises():
    assert len(FOUND) == 2 * len(LESSONS)


@pytest.mark.parametrize(("name", "call", "stub", "solution"), FOUND, ids=[name for name, *_ in FOUND])
def test_solution_passes_and_wrong_answers_do_not(name, call, stub, solution):
    assert "Not yet" in stub, "the stored stub must be told what is missing"
    feedback = run(solution, call)
    assert feedback.ok, feedback.text
    for code in WRONG[name]:
        feedback = run(code, call)
        assert not feedback.ok
        assert len(feedback.text) > 20


@pytest.mark.parametrize("make", [tuple, list, np.array, lambda ends: (np.float64(ends[0]), Fraction(ends[1]))])
def test_an_interval_may_be_any_pair_of_numbers(make):
    feedback = rag_lessons.exercises.check_paired(lambda ours, theirs: make(paired_difference(ours, theirs)[1:]))
    assert feedback.ok, feedback.text


@pytest.mark.parametrize("answer", [0.5, np.array([0.1, 0.2, 0.3]), ("low", "high"), [None, 1.0]])
def test_what_is_no_pair_of_numbers_is_shown(answer):
    feedback = rag_lessons.exercises.check_paired(lambda ours, theirs: answer)
    assert not feedback.ok and feedback.text == f"it returned {answer!r:.60}; return (low, high)"


def test_a_pipeline_that_returns_nothing_is_told_so():
    feedback = rag_lessons.exercises.check_pipeline(lambda question, budget: [])
    assert not feedback.ok and "an empty list for every question" in feedback.text
