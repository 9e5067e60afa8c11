"""The command line, asked once: which folder, budget and question give which status and output."""

import json

import pytest
from test_documents import write
from test_reference_article import QUESTION, TABLE

from rag_lessons.cli import VARIABLE, main


@pytest.fixture(autouse=True)
def no_budget_from_outside(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def run(capsys):
    """Run the command line; returns its status, stdout and stderr."""

    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as error:  # argparse leaves by itself
            status = error.code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out, err

    return run


@pytest.mark.parametrize(("budget", "fitting"), [(250, 2), (1200, 7)])
def test_the_table_of_the_article(run, budget, fitting):
    status, out, err = run("--question", QUESTION, "--budget", budget, "--preset", "article", "--json")
    trace = json.loads(out)
    assert (status, err, trace["budget"], trace["preset"]) == (0, "", budget, "article")
    assert [(part["id"], part["tokens"]) for part in trace["included"]] == TABLE[:fitting]
    assert [(part["id"], part["tokens"]) for part in trace["skipped"]] == TABLE[fitting:]


def test_the_whole_trace_is_printed(run):
    status, out, err = run("--question", QUESTION, "--preset", "article")
    assert (status, err) == (0, "")
    for heading in ("Question: Why can RAG fail", "Document summary hits: 2", "Raw chunks included: 2", "Answer: "):
        assert f"\n{heading}" in f"\n{out}"
    assert f"  {TABLE[0][1]:5d}  {TABLE[0][0]}\n" in out


def test_a_policy_may_be_named(run):
    trace = json.loads(run("--question", QUESTION, "--policy", "best value", "--json")[1])
    assert trace["settings"]["policy"] == "best value"


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("", "the question has no content words"),
        ("what is it of the?", "the question has no content words"),
        ("zebra migration", "no term of the question was found"),
    ],
)
def test_a_question_that_finds_nothing_is_no_failure(run, question, note):
    status, out, err = run("--question", question)
    assert (status, err) == (0, "") and f"\nNote: {note}\n" in out and "\nRaw chunks included: 0, 0 of 250" in out


@pytest.mark.parametrize("preset", ["default", "article"])
@pytest.mark.parametrize("budget", ["0", "3"])
def test_a_budget_smaller_than_every_chunk(run, budget, preset):
    status, out, err = run("--question", QUESTION, "--budget", budget, "--preset", preset)
    assert (status, err) == (0, "")
    assert "Note: the budget is smaller than anything that was found" in out and "Raw chunks included: 0" in out


BAD_BUDGETS = ["-5", "lots", "1e3", "nan", "inf", "2.5", "", " 250", "1_000", "\u0665", "9" * 5_000]


@pytest.mark.parametrize("budget", BAD_BUDGETS, ids=lambda budget: ascii(budget[:10]))
def test_a_budget_that_is_no_whole_number_is_bad_usage(run, budget, monkeypatch):
    message = "budget must be a whole number of tokens, 0 or more, of at most 18 digits; got"
    status, out, err = run("--question", QUESTION, f"--budget={budget}")
    assert (status, out) == (2, "") and f"argument --budget: {message} {budget!r:.60}" in err and len(err) < 800
    monkeypatch.setenv(VARIABLE, budget)
    status, out, err = run("--question", QUESTION)
    assert (status, out) == (2, "") and f"environment variable {VARIABLE}: {message} {budget!r:.60}" in err
    assert run("--question", QUESTION, "--budget", "60")[0] == 0  # what is given goes before the variable


def test_the_largest_budget_takes_everything(run):
    for policy in ("first-fit", "best value", "sentences"):
        trace = json.loads(run("--question", QUESTION, "--budget", "9" * 18, "--policy", policy, "--json")[1])
        assert trace["budget"] == 10**18 - 1 and trace["included"] and not trace["skipped"]


def test_the_budget_may_come_from_the_environment(run, monkeypatch):
    assert json.loads(run("--question", QUESTION, "--json")[1])["budget"] == 250
    monkeypatch.setenv(VARIABLE, "77")
    assert json.loads(run("--question", QUESTION, "--json")[1])["budget"] == 77
    assert json.loads(run("--question", QUESTION, "--json", "--budget", "78")[1])["budget"] == 78


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--folder", ""], "argument --folder: folder must be a path, or 'pydoc'; got ''"),
        (["--question", "caf\udce9"], "argument --question: question must be text"),
        (["--policy", "greedy"], "invalid choice: 'greedy'"),
        (["--preset", "none"], "invalid choice: 'none'"),
        (["--question"], "expected one argument"),
        (["why"], "unrecognized arguments: why"),
    ],
)
def test_bad_usage(run, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "") and message in err and err.startswith("usage: python -m rag_lessons")


def test_a_folder_that_is_none_is_a_failure(run, tmp_path):
    folder = write(tmp_path, a_md=b"Gates rust.")
    for json_too in ([], ["--json"]):
        status, out, err = run("--question", "gates", "--folder", f"{folder}/nowhere", *json_too)
        assert (status, out) == (1, "") and err.startswith("rag_lessons: no folder ") and "check the path" in err
        status, out, err = run("--question", "gates", "--folder", f"{folder}/a.md", *json_too)
        assert (status, out) == (1, "") and "is a file; give the folder that holds it" in err


def test_an_empty_folder_gives_an_empty_trace_and_a_warning(run, tmp_path):
    status, out, err = run("--question", "gates", "--folder", tmp_path, "--json")
    trace = json.loads(out)
    assert (status, trace["notes"], trace["included"]) == (0, ["the index holds no text"], [])
    assert err == f"0 loaded, 0 skipped from {tmp_path.name}\n"


def test_files_that_are_no_text_are_reported_beside_the_json(run, tmp_path):
    folder = write(tmp_path, latin_txt=b"caf\xe9", photo_txt=b"\x89PNG\r\n\0\0", gates_txt=b"Gates rust.")
    status, out, err = run("--question", "Do gates rust?", "--folder", folder, "--json")
    trace = json.loads(out)
    assert (status, trace["answer"], out.count("\n")) == (0, "Gates rust. [" + tmp_path.name + "/gates.txt]", 1)
    assert err.startswith("1 loaded, 2 skipped") and "latin.txt: not UTF-8" in err and "photo.txt: not UTF-8" in err
    write(tmp_path, photo_txt=b"BM\0\0")
    assert "photo.txt: a binary file: it holds a NUL at offset 2" in run("--question", "", "--folder", folder)[2]


def test_marks_line_ends_and_missing_blank_lines_make_no_difference(run, tmp_path):
    text = "Gates rust in salt air.\nTerns nest early.\nGulls sleep late.\n" * 30
    traces = []
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.replace("\n", "\r\n").encode()):
        status, out, err = run("--question", "When do terns nest?", "--folder", write(tmp_path, a_md=data), "--json")
        assert (status, err) == (0, "")
        traces.append(json.loads(out))
    assert traces[0] == traces[1] == traces[2]
    assert len(traces[0]["candidates"]) > 2 and traces[0]["answer"].startswith("Terns nest early.")


@pytest.mark.parametrize("preset", ["default", "article"])
def test_two_files_of_one_name_in_different_folders(run, tmp_path, preset):
    folder = write(tmp_path, north__log_md=b"RAG may fail: gates rust.", south__log_md=b"RAG may fail: terns nest.")
    trace = json.loads(run("--question", "Why does RAG fail?", "--folder", folder, "--preset", preset, "--json")[1])
    assert len({part["id"] for part in trace["included"]}) == 2
    assert "/north/log.md" in trace["prompt"] and "/south/log.md" in trace["prompt"]


def test_the_article_says_which_files_it_leaves_out(run, tmp_path):
    folder = write(tmp_path, a_txt=b"RAG may fail.", b_txt=b"Gates rust.", c_md=b"RAG may fail.")
    status, out, err = run("--question", "Why does RAG fail?", "--folder", folder, "--preset", "article", "--json")
    assert (status, err) == (0, "The article preset reads .md files only; documents left out: 2.\n")
    assert [part["doc_id"] for part in json.loads(out)["included"]] == ["doc-001-c"]
    write(tmp_path, empty_md=b"")  # an empty file counts as read
    assert "left out" not in run("--question", "Why does RAG fail?", "--folder", folder)[2]


def test_the_topics_of_python_answer(run):
    question = "In which order does the with statement run __enter__ and __exit__?"
    status, out, err = run("--question", question, "--folder", "pydoc", "--json")
    assert (status, err) == (0, "")
    assert "with.txt" in {doc_id for doc_id, *_ in json.loads(out)["quotes"]}
