"""The command line: ask once or in a loop, and print the whole trace; or cut one file, see `cli_cut.py`.

Exit status: 0 when all went well, 1 for a failure such as a folder that is not there, 2 for bad
usage. With --json nothing but JSON goes to stdout.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

from rag_lessons.answering import ChatModel
from rag_lessons.budgeting import POLICIES
from rag_lessons.cli_cut import add_cut_options, check_cut_options, print_cut
from rag_lessons.cli_model import (
    LOCAL,
    add_model_options,
    answer_dict,
    answer_lines,
    answer_with,
    check_model_options,
    open_model,
    with_model,
)
from rag_lessons.corpora import data_folder, load_pydoc_topics
from rag_lessons.documents import check_text, load_documents
from rag_lessons.endpoint import ModelError
from rag_lessons.index import HierarchicalIndex
from rag_lessons.pipeline import ask, prepare_index
from rag_lessons.presets import PRESETS, Settings

VARIABLE = "RAW_CONTEXT_TOKEN_BUDGET"
LEAVE = {"q", "quit", "exit"}
_SLOW = 2_000_000  # characters above which the build is worth a progress bar


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with some arguments, or those of the process; returns the exit status.

    >>> main(["--question", "", "--folder", "no/such/folder"])
    1
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller; what is printed there must not go to the other
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
    # A terminal that cannot show a character gets an escape, and a line of other bytes is one bad question.
    for stream, errors in (
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
        (sys.stdin, "surrogateescape"),
    ):
        if getattr(stream, "errors", errors) != errors and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)
    parser = _parser()
    options = parser.parse_args(arguments)
    check_cut_options(parser, options)
    check_model_options(parser, options)
    _default_budget(parser, options)
    try:
        if options.cut:
            print_cut(options)
            sys.stdout.flush()
            return 0
        with open_model(options) as model:
            index, settings = _prepare(options)
            if options.question is not None:
                _answer(options.question, index, settings, options, model)
            else:
                _loop(index, settings, options, model)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader left; give stdout somewhere to flush to, so that Python ends quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except (OSError, ValueError, ImportError, ModelError) as error:
        print(f"rag_lessons: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m rag_lessons",
        description="Ask a folder of text a question under a token budget, and see what reached the model.",
        epilog=f"The budget defaults to the environment variable {VARIABLE}, else 250. "
        "In the loop, q, quit, exit or the end of input leave.",
    )
    parser.add_argument("--question", metavar="TEXT", type=_text, help="ask this once; without it, ask in a loop")
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=_folder,
        help="folder to read, or 'pydoc' for Python's topics (default: data/notes)",
    )
    parser.add_argument("--budget", metavar="N", type=_tokens, help="tokens of context, 0 or more")
    parser.add_argument("--policy", choices=POLICIES, help="how candidates are packed (default: the preset's)")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="default", help="settings of every stage")
    parser.add_argument("--json", action="store_true", help="print the trace, or the cut, as JSON, and nothing else")
    add_cut_options(parser)
    add_model_options(parser)
    return parser


def _text(text: str) -> str:
    try:
        return check_text("question", text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("question must be text; it holds bytes of another encoding") from error


def _folder(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("folder must be a path, or 'pydoc'; got ''")
    return text


def _tokens(text: str) -> int:
    # isascii: int() would also take other scripts' digits, underscores and white space.
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(
            f"budget must be a whole number of tokens, 0 or more, of at most 18 digits; got {text!r:.60}"
        )
    return int(text)


def _default_budget(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.budget is None:
        value = os.environ.get(VARIABLE, "250")
        try:
            options.budget = _tokens(value)
        except argparse.ArgumentTypeError as error:
            parser.error(f"environment variable {VARIABLE}: {error}")


def _prepare(options: argparse.Namespace) -> tuple[HierarchicalIndex, Settings]:
    settings = PRESETS[options.preset]()
    if options.policy:
        settings = replace(settings, policy=options.policy)
    if options.model:
        settings = with_model(settings)
    if options.folder == "pydoc":
        documents = load_pydoc_topics()
    else:
        documents, report = load_documents(data_folder("notes") if options.folder is None else options.folder)
        if report.skipped or report.changed or not documents:
            print(report, file=sys.stderr)
    slow = sum(len(document.text) for document in documents) > _SLOW
    index = prepare_index(documents, settings, progress=slow)
    left = len(documents) - len(index.records)
    if left:
        print(f"The {settings.name} preset reads .md files only; documents left out: {left}.", file=sys.stderr)
    return index, settings


def _answer(
    question: str, index: HierarchicalIndex, settings: Settings, options: argparse.Namespace, model: ChatModel | None
) -> None:
    trace = ask(question, index, options.budget, settings)
    found, lines = trace.to_dict() if options.json else {}, [str(trace)]
    if model:
        answer = answer_with(model, trace, index, local=options.model == LOCAL)
        lines.append(answer_lines(answer, model.name))
        found |= {"model": answer_dict(answer, model.name)}
    print(json.dumps(found, ensure_ascii=True, allow_nan=False) if options.json else "\n".join(lines))
    if model and answer.failed:
        raise ModelError(answer.call.error)


def _loop(
    index: HierarchicalIndex, settings: Settings, options: argparse.Namespace, model: ChatModel | None
) -> None:
    while True:
        print("Question (q to leave): ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline() if sys.stdin else ""
        question = line.strip()
        if not line or question.lower() in LEAVE:
            print(file=sys.stderr)
            return
        if question:
            try:
                _answer(question, index, settings, options, model)
            except (ValueError, ModelError) as error:  # one bad question does not end the loop
                print(f"rag_lessons: {error}", file=sys.stderr)
            sys.stdout.flush()
