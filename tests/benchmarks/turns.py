"""Let contestants take turns in one process, and compare their processor times round by round."""

import statistics
import time
from collections.abc import Callable
from importlib.metadata import version


def interleave(contestants: dict[str, Callable[[], object]], rounds: int, repeats: int = 1) -> dict[str, list[float]]:
    """Processor seconds of each contestant in each round, after one round unmeasured.

    Processor time, not the clock's: what else the machine does stays out of it, and all of them
    work in one thread, without waiting. repeats: how often a contestant works in one turn.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds + 1):
        for name, run in contestants.items():
            started = time.process_time()
            for _ in range(repeats):
                run()
            seconds[name].append(time.process_time() - started)
    return {name: times[1:] for name, times in seconds.items()}


def label(name: str, package: str) -> str:
    """How the tables call a peer: its name, its package and that package's version.

    >>> label("pip", "pip").startswith("pip (pip ")
    True
    """
    return f"{name} ({package} {version(package)})"


def compare(what: str, seconds: dict[str, list[float]], peers: dict[str, tuple[str, float | None]]) -> list[dict]:
    """One row a peer: how many times as fast "ours" is, round by round. peers: name -> label, least ratio or None."""
    rows = []
    for name, (peer, goal) in peers.items():
        ratios = [theirs / ours for theirs, ours in zip(seconds[name], seconds["ours"], strict=True)]
        ratio = statistics.median(ratios)
        rows.append({
            "what": what,
            "peer": peer,
            "ratio": ratio,
            "low": min(ratios),
            "high": max(ratios),
            "goal": goal,
            "met": None if goal is None else ratio >= goal,
        })
    return rows
