"""Compare the default pipeline with the article's and flat BM25 on public corpora; print a table.

Usage: python -m tests.benchmarks.public FOLDER

FOLDER holds `evidence_eval.py` and its data (see README.md). Those texts are other people's, so they
are not in this repository. Recall counts as the yardstick counts; intervals are bootstrap ones.
"""

import importlib
import sys
from pathlib import Path

from rag_lessons import article_settings
from rag_lessons.intervals import paired_difference
from tests.benchmarks.evidence import pack, packer

HEAD = [
    "| corpus | budget | article | flat BM25 | default | above flat BM25, with its 95 % interval | over budget |",
    "|---|---|---|---|---|---|---|",
]


def recalls(yardstick, pack, documents: dict, questions: list, budget: int) -> tuple[list[float], int]:
    """The share of each question's evidence inside the budget, and how many packs were over it."""
    shares, over = [], 0
    for question, gold, _ in questions:
        spans, left = pack(question, documents, budget), 4 * budget + 3
        over += sum(end - start for _, start, end in spans) > left
        kept: dict[str, list] = {}
        for doc_id, start, end in spans:
            kept.setdefault(doc_id, []).append((start, min(end, start + left)))
            left -= min(end - start, left)
        inside = sum(yardstick.overlap(yardstick.merge(kept[d]), g) for d, g in gold.items() if d in kept)
        shares.append(inside / sum(end - start for g in gold.values() for start, end in g))
    return shares, over


def main(folder: str) -> None:
    """Print the table."""
    sys.path.insert(0, folder)
    yardstick = importlib.import_module("evidence_eval")
    corpora = {f"Chroma, {mode}": (yardstick.load(mode), yardstick.toks) for mode in ("split", "published")}
    for name in ("en", "zh"):
        squad = yardstick.load_squad(Path(folder) / "xquad" / f"xquad.{name}.json")
        corpora[f"XQuAD {name}"] = (squad, yardstick.toks_cjk)
    article = packer(article_settings(), suffix=".md")
    print(*HEAD, sep="\n")
    for corpus, ((documents, questions), words) in corpora.items():
        flat = yardstick.flat(lambda texts, words=words: yardstick.BM25(texts, toks=words), yardstick.para_chunks)
        for budget in yardstick.BUDGETS:
            theirs, _ = recalls(yardstick, flat, documents, questions, budget)
            published, _ = recalls(yardstick, article, documents, questions, budget)
            ours, over = recalls(yardstick, pack, documents, questions, budget)
            mean, low, high = (100 * value for value in paired_difference(ours, theirs))
            means = (100 * sum(values) / len(values) for values in (published, theirs, ours))
            print(f"| {corpus} | {budget} |", *(f"{value:.1f} % |" for value in means), end=" ")
            print(f"{mean:+.1f} ({low:+.1f} to {high:+.1f}) | {over} of {len(ours)} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.benchmarks.public FOLDER, the folder that holds evidence_eval.py")
    main(sys.argv[1])
