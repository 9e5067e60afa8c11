"""Build an index over a folder of made-up text; print the processor seconds and the peak memory as JSON.

Usage: python growth.py MEGABYTES. `run.py` starts one process a size, so that peaks do not mix.
"""

import json
import random
import sys
import tempfile
import time
from pathlib import Path

from rag_lessons import load_documents, prepare_index

FILE_CHARACTERS = 100_000
SYLLABLES = "ba den fir gol hum jat kel lor mis nup pra quo ras stel tum ver wix yol zan chi".split()


def write_folder(folder: Path, size: int, seed: int = 1) -> None:
    """Fill a folder with files of different sentences, `size` bytes of them or a little more."""
    draw = random.Random(seed)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(20_000)]
    written = number = 0
    while written < size:
        paragraphs, length = [], 0
        while length < min(FILE_CHARACTERS, size):
            sentences = [" ".join(draw.choices(words, k=draw.randint(5, 20))) for _ in range(draw.randint(1, 6))]
            paragraphs.append(" ".join(f"{sentence.capitalize()}." for sentence in sentences))
            length += len(paragraphs[-1]) + 2
        (folder / f"{number:05d}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
        written, number = written + length, number + 1


def peak_bytes() -> int | None:
    """The most memory that this process has held, or None where the system does not tell."""
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
    result = {"characters": characters, "chunks": len(index.chunks), "seconds": seconds}
    print(json.dumps(result | {"before": before, "peak": peak_bytes()}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
