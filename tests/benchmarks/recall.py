"""Measure how much of the handbook questions' evidence reaches the prompt, three pipelines alike; print JSON.

Runs under the environment of the lessons; `run.py` starts it.
"""

import json
from dataclasses import replace

from rag_lessons import PRESETS, Document, ask, data_folder, load_documents, prepare_index
from rag_lessons.evaluation import load_questions
from rag_lessons.intervals import bootstrap_interval, paired_difference
from rag_lessons.metrics import measure, trace_spans
from rag_lessons.presets import Settings

BUDGETS = (250, 500, 1000, 2000)  # tokens
FLAT = "flat BM25"


def flat_settings() -> Settings:
    """The default's chunks and layout, searched by their text alone and packed first-fit."""
    default = PRESETS["default"]()
    return replace(default, route=replace(default.route, summary=0, document=0, neighbours=0), policy="first-fit")


def recalls(settings: Settings, rename: bool = False) -> dict[int, list[float]]:
    """The recall of every question that has evidence, in order, for each budget.

    rename: call every document .md, since the article's pattern reads no others.
    """
    documents, _ = load_documents(data_folder("handbook"))
    if rename:
        documents = [Document(f"{document.doc_id}.md", document.text, document.source) for document in documents]
    index = prepare_index(documents, settings)

    def spans(question: str, budget: int) -> list[tuple[str, int, int]]:
        return trace_spans(ask(question, index, budget, settings))

    scores = measure(spans, index, load_questions(), BUDGETS)
    return {budget: [score.recall for score in scores if score.budget == budget] for budget in BUDGETS}


def main() -> None:
    """One row a pipeline and budget: recall, its interval, and the paired difference from flat BM25."""
    found = {
        "article": recalls(PRESETS["article"](), rename=True),
        FLAT: recalls(flat_settings()),
        "default": recalls(PRESETS["default"]()),
    }
    rows = [
        {
            "pipeline": name,
            "budget": budget,
            "recall": sum(values) / len(values),
            "interval": bootstrap_interval(values),
            "above": None if name == FLAT else paired_difference(values, found[FLAT][budget]),
        }
        for name, by_budget in found.items()
        for budget, values in by_budget.items()
    ]
    print(json.dumps({"questions": len(found[FLAT][BUDGETS[0]]), "rows": rows}))


if __name__ == "__main__":
    main()
