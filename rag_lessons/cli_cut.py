"""The part of the command line that cuts one file to a budget and prints what is kept."""

import argparse
import json
import sys
from pathlib import Path

from rag_lessons.documents import decode
from rag_lessons.tokens import estimate_tokens
from rag_lessons.truncation import Truncation, best_window, head, middle, sliding_window, tail, windows

BLIND = {"head": head, "tail": tail, "middle": middle}
SEEING = {"sliding": sliding_window, "best": best_window, "windows": windows}


def add_cut_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what can be asked of a cut."""
    what = "cut one file to the budget and print what is kept; sliding, best and windows need --question"
    parser.add_argument("--cut", choices=[*BLIND, *SEEING], help=what)
    parser.add_argument("--file", metavar="PATH", help="the file that --cut reads")


def check_cut_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Leave with status 2 where a cut lacks something, or has something that no cut looks at."""
    if options.cut and not options.file:
        parser.error("--cut needs --file: the file to cut")
    if options.file is not None and not options.cut:
        parser.error("--file needs --cut: how to cut it")
    if options.cut and (options.folder is not None or options.policy):
        parser.error("--cut reads one file: leave --folder and --policy out")
    if options.cut in SEEING and not (options.question or "").strip():
        parser.error(f"--cut {options.cut} needs --question: what the window is for")


def print_cut(options: argparse.Namespace) -> None:
    """Cut the file and print the text, or all there is to know as JSON; raises OSError or ValueError.

    >>> print_cut(argparse.Namespace(file=__file__, cut="head", budget=3, question=None, json=False))
    \"\"\"The part
    """
    try:
        text, notes = decode(Path(options.file).read_bytes())
    except ValueError as error:
        raise ValueError(f"cannot read {options.file}: {error}") from error
    for note in notes:
        print(f"{options.file}: {note}", file=sys.stderr)
    kept = cut_text(text, options.cut, options.budget, options.question)
    if options.json:
        print(json.dumps(kept._asdict(), ensure_ascii=True, allow_nan=False))
        return
    print(kept.text)
    if kept.truncated:
        print(f"{kept.tokens} of {estimate_tokens(text)} tokens are kept", file=sys.stderr)
    if kept.note:
        print(f"Note: {kept.note}", file=sys.stderr)


def cut_text(text: str, name: str, budget: int, question: str | None) -> Truncation:
    """Cut a text the way that is named.

    >>> cut_text("Gates rust. Terns nest.", "tail", 3, None).text
    'Terns nest.'
    """
    return BLIND[name](text, budget) if name in BLIND else SEEING[name](text, question or "", budget)
