"""What must hold for any input from the index to the answer; each stage raises where it does not."""

import json
import math
import random
import re
from dataclasses import replace

from fuzz_inputs import length
from fuzz_stages import COUNTS, Run
from test_pipeline import Balance

from rag_lessons import PRESETS, Document, Trace, ask, prepare_index
from rag_lessons.budgeting import POLICIES
from rag_lessons.context import article_layout, cited_layout, labelled_layout
from rag_lessons.embedding import FusedScorer, Letters
from rag_lessons.index import HierarchicalIndex, build_index, default_recipe
from rag_lessons.passages import Passages
from rag_lessons.presets import Settings, article_words
from rag_lessons.routing import HardRoute, SoftRoute
from rag_lessons.saving import load_index, save_index
from rag_lessons.scoring import BM25, KeyTermCosine

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def random_settings(choose: random.Random) -> Settings:
    """Settings of either preset with parts exchanged at random."""
    bm25 = BM25(choose.choice([0.0, 1.2, 3.0]), choose.choice([0.0, 0.75, 1.0]))
    weights = [choose.choice([0.0, 0.1, 1.0, 50.0]) for _ in range(4)]
    letters = choose.choice([None, Letters("aeiou")])
    hard = choose.choice([bm25, KeyTermCosine(article_words, [(["rust"], 0.5)]), FusedScorer(Letters("rstl"))])
    parts = {
        "recipe": default_recipe(choose.choice([1, 5, 60, 420]), choose.randint(1, 3)),
        "route": choose.choice([
            HardRoute(hard, choose.randrange(4), choose.randrange(4), choose.random() < 0.5),
            SoftRoute(bm25, choose.choice([0, 1, 7, 64]), *weights[:3], choose.choice([0, 1, 32]), letters, weights[3]),
        ]),
        "passages": Passages(
            ((length(choose, 1e4), weights[3]),) * choose.randrange(3),
            *weights[:2],
            embedder=letters,
            near=length(choose, 1e4),
            meaning=weights[2],
        ),
        "layout": choose.choice([labelled_layout, article_layout, cited_layout]),
        "counter": choose.choice(COUNTS),
        "joiners": choose.random() < 0.7,
        "copies": choose.random() < 0.5,
    }
    kept = {name: part for name, part in parts.items() if choose.random() < 0.6}
    return replace(PRESETS[choose.choice(sorted(PRESETS))](), **kept)


def state(index: HierarchicalIndex) -> tuple:
    """All that an index holds."""
    return index.documents, index.records, index.chunks


def asking(run: Run, choose: random.Random) -> None:
    """What is built, saved and loaded answers the same; every trace keeps the budget and can be shown."""
    settings, question, size = random_settings(choose), run.case.question, run.case.size
    budget = choose.choice([0, 1, 10, 100, 250, 2000, 10**6])
    index = run.call(size, prepare_index, run.documents, settings)
    loaded = load_index(run.call(size, save_index, index, run.folder / "index.json"), settings)
    assert state(loaded) == state(index), "loaded is not what was saved"
    for policy in POLICIES:
        settings = replace(settings, policy=policy)
        trace = run.call(size, ask, question, index, budget, settings)
        check_trace(trace, budget, settings)
        assert ask(question, loaded, budget, settings) == trace, "another trace the second time"
        run.call(size, repr, trace)
        assert not CONTROL.search(str(trace)), "a control character in a printed trace"
        page = Balance()
        page.feed(trace._repr_html_())
        assert page.open == [], "HTML that is not balanced"
        assert json.loads(json.dumps(trace.to_dict(), allow_nan=False)) == trace.to_dict()


def check_trace(trace: Trace, budget: int, settings: Settings) -> None:
    """Candidates are included or skipped, once each, in order; the budget is kept; scores are numbers."""
    chosen, route = trace.selection, trace.route
    inside, outside = ([part.candidate for part in parts] for parts in (chosen.included, chosen.skipped))
    fates = {candidate.chunk.chunk_id: candidate in inside for candidate in route.candidates}
    assert len(fates) == len(route.candidates) == len(inside) + len(outside), "no partition"
    assert inside == [c for c in route.candidates if fates[c.chunk.chunk_id]]
    assert outside == [c for c in route.candidates if not fates[c.chunk.chunk_id]]
    assert all(part.reason for part in chosen.skipped) and chosen.tokens <= budget, "over the budget"
    assert chosen.context_tokens == (settings.counter(chosen.context) if inside else 0)
    assert not settings.joiners or chosen.tokens == chosen.context_tokens
    assert all(math.isfinite(hit.score) for hit in (*route.documents, *route.chunks, *route.candidates))
    assert chosen.context in trace.prompt and (inside or trace.notes)
    for doc_id, start, end in trace.answer.quotes:
        spans = [span for part in chosen.included if part.candidate.chunk.doc_id == doc_id for span in part.spans]
        assert any(s <= start < e for s, e in spans) and any(s < end <= e for s, e in spans), "a quote from elsewhere"


def changes(run: Run, choose: random.Random) -> None:
    """An index that is changed equals one that is built anew."""
    recipe = default_recipe(choose.choice([5, 60, 420]))
    index = build_index(run.documents, recipe)
    texts = {document.doc_id: document for document in run.documents}
    for name in choose.sample(["a.md", "b.txt", "new.md"], 3):
        if name in texts and choose.random() < 0.5:
            index.remove(name)
            del texts[name]
        else:
            texts[name] = Document(name, choose.choice(["", "Gates rust.", run.case.question]))
            run.call(run.case.size, index.update, texts[name])
        assert state(index) == state(build_index(texts.values(), recipe))
