"""The default pipeline with one part taken away or put back, each as a function for the yardstick.

For example `--pack tests.benchmarks.ablation:no_windows`; the names are the keys of `VARIANTS`.
"""

from collections.abc import Callable
from dataclasses import replace

from rag_lessons import default_settings
from rag_lessons.index import default_recipe
from rag_lessons.passages import Passages
from rag_lessons.routing import HardRoute, SoftRoute
from tests.benchmarks.evidence import packer

DEFAULT = default_settings()
FLAT = SoftRoute(summary=0, document=0, neighbours=0)
VARIANTS = {
    "no_windows": replace(DEFAULT, passages=Passages(windows=())),
    "no_chunk_share": replace(DEFAULT, passages=Passages(chunk=0)),
    "plain_rarity": replace(DEFAULT, passages=Passages(power=1)),
    "whole_chunks": replace(DEFAULT, policy="first-fit"),
    "no_summaries": replace(DEFAULT, route=SoftRoute(summary=0)),
    "no_document": replace(DEFAULT, route=SoftRoute(document=0)),
    "no_neighbours": replace(DEFAULT, route=SoftRoute(neighbours=0)),
    "flat_route": replace(DEFAULT, route=FLAT),
    "hard_route": replace(DEFAULT, route=HardRoute()),
    "flat_whole_chunks": replace(DEFAULT, route=FLAT, policy="first-fit"),
    "chunks_of_800": replace(DEFAULT, recipe=default_recipe(800)),
}


def __getattr__(name: str) -> Callable:
    if name in VARIANTS:
        return packer(VARIANTS[name])
    raise AttributeError(f"no variant {name!r}; there are {', '.join(VARIANTS)}")
