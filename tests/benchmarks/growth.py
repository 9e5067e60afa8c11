"""Build an index over a folder of made-up text; print the processor seconds and the peak memory as JSON.

Usage: python growth.py MEGABYTES. `run.py` starts one process a size, so that peaks do not mix.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from corpus import made_up_texts

from rag_lessons import load_documents, prepare_index

FILE_CHARACTERS = 100_000
GOAL, GOAL_FROM = 10, 10  # peak memory in sizes of the text, for this many MB or more
STATUS = Path("/proc/self/status")


def write_folder(folder: Path, size: int) -> None:
    """Fill a folder with files of made-up text, `size` characters of it or a little more."""
    for number, text in enumerate(made_up_texts(size, min(FILE_CHARACTERS, size))):
        (folder / f"{number:05d}.txt").write_text(text, encoding="utf-8")


def peak_bytes() -> int | None:
    """The most memory that this process has held, or None where the system does not tell."""
    if STATUS.exists():  # Linux, where ru_maxrss also counts what the process that started this one held
        return 1024 * int(STATUS.read_text(encoding="utf-8").split("VmHWM:")[1].split()[0])
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main(megabytes: int) -> None:
    """Measure one size. before: the peak once the text is written and nothing of it is held."""
    with tempfile.TemporaryDirectory() as name:
        write_folder(Path(name), megabytes * 1_000_000)
        before = peak_bytes()
        started = time.process_time()
        documents, _ = load_documents(name)
        index = prepare_index(documents)
        seconds = time.process_time() - started
    characters = sum(len(document.text) for document in documents)
    peak, goal = peak_bytes(), GOAL if megabytes >= GOAL_FROM else None
    print(
        json.dumps({
            "characters": characters,
            "chunks": len(index.chunks),
            "seconds": seconds,
            "before": before,
            "peak": peak,
            "goal": goal,
            "met": None if goal is None or peak is None else peak / characters < goal,
        })
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
