"""The fuzz run itself: it passes what is right, finds what is wrong, makes it small, and ends."""

import random
import re

import fuzz
import fuzz_stages
import pytest
from fuzz import STAGES, check
from fuzz_asking import random_settings
from fuzz_inputs import ENCODINGS, Case, File, random_case, smaller
from fuzz_stages import Run, TooSlow

CASE = Case(1, (File("a.md", "One tide. " * 30 + "\n\nA gull!", "UTF-16"), File("b.txt", "Rust.", "UTF-8")), "tides?")


def test_an_input_follows_from_its_seed():
    assert random_case(7) == random_case(7) != random_case(8)
    cases = [random_case(seed) for seed in range(60)]
    assert {file.encoding for case in cases for file in case.files} == set(ENCODINGS)
    planes = {ord(sign) >> 16 for case in cases for file in case.files for sign in file.text}
    assert planes >= {0, 1, 2, 14, 16} and min(case.size for case in cases) < 50 < 20_000 < max(c.size for c in cases)


@pytest.mark.parametrize("seed", range(3))
def test_the_stages_pass(seed):
    assert fuzz.failure(random_case(seed)) is None


def lose_exclamation_marks(monkeypatch):
    whole = fuzz_stages.chunk_paragraphs
    monkeypatch.setattr(fuzz_stages, "chunk_paragraphs", lambda *a: [] if "!" in a[0] else whole(*a))


def test_a_fault_is_found_and_made_as_small_as_can_be(monkeypatch):
    assert fuzz.failure(CASE) is None
    lose_exclamation_marks(monkeypatch)
    found = fuzz.failure(CASE)
    assert found.stage == "chunks" and found.kind.startswith("AssertionError in assert_spans: ")
    small, last = fuzz.shrink(CASE, found)
    assert (small.files, small.question) == ((File("a.md", "!", "UTF-8"),), "") and last.kind == found.kind
    text = fuzz.report(CASE, found)
    assert "of 1 characters" in text and "a.md (UTF-8): '!'" in text
    assert text.endswith("Repeat it: python3 run.py fuzz --seed 1 --minutes 0")


def test_another_fault_is_not_taken_for_the_first(monkeypatch):
    lose_exclamation_marks(monkeypatch)
    found = fuzz.failure(CASE)
    monkeypatch.setattr(fuzz_stages, "chunk_paragraphs", lambda *a: 1 / 0)
    assert fuzz.shrink(CASE, found)[0] == CASE


def test_the_smaller_inputs_are_smaller():
    for other in smaller(CASE):
        plain = [file.encoding for file in other.files].count("UTF-8") > 1
        assert other.size < CASE.size or plain


def test_a_call_that_takes_too_long_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(fuzz_stages, "ALWAYS", 0.01)

    def slow():
        return sum(range(3_000_000))

    with pytest.raises(TooSlow, match=r"slow took .* s for 5 characters; 0.0 s is the limit"):
        Run(CASE, tmp_path).call(5, slow)


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_stands_alone(name):
    check(CASE, name)
    check(Case(2, (), ""), name)


def test_settings_vary():
    settings = [random_settings(random.Random(seed)) for seed in range(40)]
    assert {type(one.route).__name__ for one in settings} == {"HardRoute", "SoftRoute"}
    assert {one.joiners for one in settings} == {one.copies for one in settings} == {True, False}


def test_the_run_ends_with_0_where_nothing_fails(capsys):
    assert fuzz.main(["--minutes", "0", "--seed", "3", "--jobs", "2"]) == 0
    assert capsys.readouterr().out.startswith("No fault in 2 inputs, ")


def test_an_input_that_does_not_end_is_named(monkeypatch, capsys):
    monkeypatch.setattr(fuzz, "STUCK", -1)
    assert fuzz.main(["--minutes", "1", "--seed", "3"]) == 1
    shown = capsys.readouterr().out
    assert re.fullmatch(r"Seed (\d+) hangs.*--seed \1 --minutes 0\n", shown, re.DOTALL)


@pytest.mark.parametrize("options", [["--minutes", "-1"], ["--minutes", "nan"], ["--seed", "x"], ["--jobs", "0"]])
def test_bad_options(options, capsys):
    with pytest.raises(SystemExit) as left:
        fuzz.main(options)
    assert left.value.code == 2 and "usage: python3 run.py fuzz" in capsys.readouterr().err
