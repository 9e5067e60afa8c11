"""What must hold for any input of the strategies and of map and reduce; raises where it does not."""

import random
from functools import partial

from fuzz_stages import COUNTS, Run
from texts import assert_whole_graphemes

from rag_lessons import LongContext
from rag_lessons.analysis import analyse
from rag_lessons.extractive import read_prompt
from rag_lessons.map_reduce import map_reduce
from rag_lessons.strategies import STRATEGIES, choose, full_document, hybrid, smart_selection

WINDOWS = [200, 400, 1000, 5000]


def long(run: Run, choose_from: random.Random) -> None:
    """Every strategy keeps the room and tells what it left out; a prompt can be read back; the window holds it."""
    question, size, counter = run.case.question, run.case.size, choose_from.choice(COUNTS)
    room = choose_from.choice([0, 1, 7, 40, 300, 10**6])
    context = LongContext(choose_from.choice(WINDOWS), reserve=20)
    run.call(size, context.add, run.documents)
    analysis = run.call(size, analyse, run.documents, counter)
    assert run.call(size, choose, analysis, room, question).strategy in STRATEGIES
    for strategy in (full_document, smart_selection, hybrid):
        more = (context.index,) if strategy is hybrid else ()
        found = run.call(size, strategy, run.documents, question, room, *more, counter)
        assert found.tokens <= room, "over the room"
        for document in run.documents:
            spans = [(start, end) for doc_id, start, end in found.spans if doc_id == document.doc_id]
            assert all(0 <= start < end <= len(document.text) for start, end in spans), "a span of nothing"
            assert_whole_graphemes(document.text, spans)
        inside = {(doc_id, i) for doc_id, start, end in found.spans for i in range(start, end)}
        missing = [
            (document.doc_id, i)
            for document in run.documents
            for section in analysis.sections
            if section.doc_id == document.doc_id
            for i in range(section.start, section.end)
            if (document.doc_id, i) not in inside and not document.text[i].isspace()
        ]
        assert bool(missing) is found.truncated is (found.dropped_tokens > 0), "what is left out is not told"
        run.call(size, repr, found)
    if room:
        part = choose_from.choice([40, 400, 2000])
        mapped = partial(map_reduce, size=part, overlap=part // 10, counter=counter)
        found = run.call(size, mapped, run.documents, question, room)
        assert found.tokens <= room and not found.failed, "over the room, or a call that failed"
        run.call(size, repr, found)
    try:
        context.plan(question)
    except ValueError as error:
        assert "nothing is left for documents" in str(error)
        return
    try:
        answer = run.call(size, context.ask, question, None, choose_from.choice([None, *STRATEGIES]))
    except ValueError as error:
        assert "has no room for map-reduce" in str(error)
        return
    assert read_prompt(answer.prompt).question == question
    run.call(size, repr, answer)
