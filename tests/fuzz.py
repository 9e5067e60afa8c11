"""Take random folders through every stage for some minutes, and make what fails as small as can be.

Usage: python run.py fuzz [--minutes N] [--seed S] [--jobs J]

    --minutes N   how long to look for a fault (default 2; 0 for one input)
    --seed S      the first input's number; the others follow (default 0)
    --jobs J      processes that look at once (default 1); the second begins at S + 1,000,000

Prints a line a minute. Exit code 1 where something failed: the smallest input found that fails in
the same way is printed, and the command that repeats it. `fuzz_stages.py`,
`fuzz_asking.py` and `fuzz_long.py` say what must hold.
"""

import argparse
import multiprocessing
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty
from typing import NamedTuple

from fuzz_asking import asking, changes
from fuzz_inputs import Case, random_case, smaller
from fuzz_long import long
from fuzz_stages import Run, chunks, load, summaries, truncation, windows
from texts import silently

STAGES = {stage.__name__: stage for stage in (load, chunks, windows, summaries, truncation, asking, changes, long)}
APART = 1_000_000  # seeds between two processes
STUCK = 120  # seconds on one input after which a process is taken to hang
SHRINKING = 60  # seconds


class Failure(NamedTuple):
    """How an input failed: in which stage, the kind and place of the error, and the whole of it."""

    stage: str
    kind: str
    trace: str


def check(case: Case, name: str) -> None:
    """Take an input through one stage, after `load`; raises where something does not hold."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(case, Path(folder))
        for stage in dict.fromkeys([load, STAGES[name]]):
            # Settings are drawn for each stage by itself, so that one alone meets the same ones.
            silently(stage, run, random.Random(f"{stage.__name__} {case.seed}"))


def failure(case: Case, names: Sequence[str] = tuple(STAGES)) -> Failure | None:
    """How an input fails, or None."""
    for name in names:
        try:
            check(case, name)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            return Failure(name, f"{type(error).__name__} in {last.name}: {last.line}", traceback.format_exc(limit=-4))
    return None


def shrink(case: Case, found: Failure, seconds: float = SHRINKING) -> tuple[Case, Failure]:
    """The smallest input met that fails in the same stage and place: takes away while it still fails."""
    give_up = time.monotonic() + seconds
    tried = True
    while tried:
        tried = False
        for other in smaller(case):
            if time.monotonic() > give_up:
                return case, found
            if (again := failure(other, [found.stage])) and again.kind == found.kind:
                case, found, tried = other, again, True
                break
    return case, found


def report(case: Case, found: Failure) -> str:
    """What failed, with the smallest input, and how to repeat it."""
    small, last = shrink(case, found)
    shown = [f"  {name} ({encoding}): {text!a:.1500}" for name, text, encoding in small.files]
    return "\n".join([
        f"Seed {case.seed} fails in the stage {found.stage}, with {case.size} characters:",
        last.trace,
        f"The smallest input that fails so, of {small.size} characters:",
        *(shown or ["  no files"]),
        f"  question: {small.question!a:.500}",
        repeat(case.seed),
    ])


def repeat(seed: int) -> str:
    """The command that takes one input through the stages again."""
    return f"Repeat it: python3 run.py fuzz --seed {seed} --minutes 0"


def work(first: int, seconds: float, state: Sequence, reports) -> None:
    """Check one input after the other until the time is over or one fails.

    state: seed, inputs and characters so far, for the process that watches.
    """
    until = time.monotonic() + seconds
    for seed in range(first, first + APART):
        state[0] = seed
        case = random_case(seed)
        found = failure(case)
        # What was too slow once may have shared a core: it counts if it is too slow again.
        if found and (not found.kind.startswith("TooSlow") or failure(case, [found.stage])):
            state[0] = -1  # shrinking is no hang
            reports.put(report(case, found))
            return
        state[1] += 1
        state[2] += case.size
        if time.monotonic() >= until:
            return


def watch(jobs: int, minutes: float, seed: int, say: Callable[[str], None] = print) -> int:
    """Run the processes, say how far they are, and return the exit code."""
    context = multiprocessing.get_context("spawn")
    reports, started = context.Queue(), time.monotonic()
    states = [context.Array("q", [seed, 0, 0], lock=False) for _ in range(jobs)]
    workers = [
        context.Process(target=work, args=(seed + job * APART, minutes * 60, state, reports), daemon=True)
        for job, state in enumerate(states)
    ]
    for worker in workers:
        worker.start()
    since, lines, fault = [(started, seed)] * jobs, 0, ""
    while not fault:
        alive = [worker.is_alive() for worker in workers]  # asked first: what they found is in the queue by then
        try:
            fault = reports.get(timeout=0.5)
            break
        except Empty:
            if not any(alive):
                break
        now = time.monotonic()
        for job, state in enumerate(states):
            since[job] = since[job] if since[job][1] == state[0] else (now, state[0])
            if alive[job] and state[0] >= 0 and now - since[job][0] > STUCK:
                fault = f"Seed {state[0]} hangs: no end after {STUCK} s; Ctrl-C shows where. {repeat(state[0])}"
        if now - started >= 60 * (lines + 1):
            lines += 1
            say(f"{lines} min: {progress(states)}")
    for worker in workers:
        if fault:
            worker.terminate()
        worker.join()
    crashed = [state[0] for worker, state in zip(workers, states, strict=True) if not fault and worker.exitcode]
    if crashed:
        fault = f"A process died on seed {crashed[0]}. {repeat(crashed[0])}"
    say(fault or f"No fault in {progress(states)}")
    return 1 if fault else 0


def progress(states: Sequence[Sequence[int]]) -> str:
    """How much was checked."""
    return f"{sum(s[1] for s in states):,} inputs, {sum(s[2] for s in states):,} characters"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and look for faults."""
    parser = argparse.ArgumentParser(prog="python3 run.py fuzz", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=2, help="how long (default: 2; 0 for one input)")
    parser.add_argument("--seed", type=int, default=0, help="the first input's number (default: 0)")
    parser.add_argument("--jobs", type=int, choices=range(1, 65), metavar="J", default=1, help="processes (default: 1)")
    options = parser.parse_args(arguments)
    if not 0 <= options.minutes < float("inf") or options.seed < 0:
        parser.error(f"minutes and seed must be numbers, 0 or more; got {options.minutes:g} and {options.seed}")
    try:
        return watch(options.jobs, options.minutes, options.seed)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
