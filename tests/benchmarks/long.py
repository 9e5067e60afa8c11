"""Map over many parts with a model that waits, and analyse long documents; print JSON.

Usage: python long.py MEGABYTES ... `run.py` starts it.
"""

import asyncio
import json
import sys
import time
import tracemalloc
from statistics import median

from corpus import made_up_texts
from turns import interleave

from rag_lessons import Document
from rag_lessons.analysis import analyse, section_scores
from rag_lessons.calling import Caller, Request

CALLS, LATENCY, CONCURRENCY = 250, 0.05, 5
QUESTION = "How often is the seal of the pump replaced after a storm?"
MOST, SECONDS, FLAT = 1.15, 2.0, 1.2
HEADING = 3_000  # characters of a section


async def _answer(prompt: str) -> str:
    await asyncio.sleep(LATENCY)
    return "NO_RELEVANT_INFO"


def mapped() -> dict:
    """Seconds by the clock in proportion to the ideal, and the most memory that prompts took, in prompts."""
    prompt = "x" * 8_000
    requests = [Request("map", str(n), lambda n=n: f"{n} {prompt}") for n in range(CALLS)]
    caller = Caller(_answer, counter=len, concurrency=CONCURRENCY)
    asyncio.run(caller.run_async(requests[:CONCURRENCY]))
    times = []
    for _ in range(3):
        started = time.perf_counter()
        asyncio.run(caller.run_async(requests))
        times.append(time.perf_counter() - started)
    tracemalloc.start()
    asyncio.run(caller.run_async(requests))
    peak = tracemalloc.get_traced_memory()[1] / len(prompt)
    tracemalloc.stop()  # it would slow down what follows
    ideal = CALLS / CONCURRENCY * LATENCY
    ratio = median(times) / ideal
    return {"calls": CALLS, "ratio": ratio, "prompts": peak, "goal": MOST, "met": ratio <= MOST}


def analysed(sizes: list[int]) -> list[dict]:
    """Processor seconds of analysis and section scoring, by megabytes, a heading every few paragraphs."""
    text = next(made_up_texts(1, max(sizes) * 1_000_000))
    found = []
    for size in sizes:
        parts = [text[at : at + HEADING] for at in range(0, size * 1_000_000, HEADING)]
        document = Document(
            "long.md", "\n\n".join(f"## Section {n}\n\n{part}" for n, part in enumerate(parts, start=1))
        )

        def both(document: Document = document) -> list[float]:
            return section_scores(analyse(document).sections, {"long.md": document.text}, QUESTION)

        seconds = median(interleave({"analysis": both}, rounds=3)["analysis"])
        pace = seconds / len(document.text)
        flat = pace <= FLAT * found[0]["pace"] if found else True
        goal = SECONDS if size == 10 else None
        found.append({
            "megabytes": size, "seconds": seconds, "pace": pace, "goal": goal,
            "met": None if goal is None else flat and seconds <= goal,
        })  # fmt: skip
    return found


if __name__ == "__main__":
    print(json.dumps({"map": mapped(), "analysis": analysed(list(map(int, sys.argv[1:])))}))
