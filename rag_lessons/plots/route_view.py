"""What there is to see on one question's route, and where it stands in a picture.

`routes.py` and `routes_html.py` draw the same boxes, so that the figure and the page cannot differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag_lessons.chunking import Span
from rag_lessons.evaluation import evidence_found, lost_at
from rag_lessons.index import ChunkRecord, HierarchicalIndex
from rag_lessons.plots.budget import short_name
from rag_lessons.routing import HardRoute, Route, SoftRoute
from rag_lessons.scoring import rank

WIDTH = 800
ROW, TOP = 20, 24
HARD_HEADS = ((0, "documents, by summary"), (290, "chunks, by summary"), (560, "raw candidates"))
SOFT_HEADS = ((0, "documents, as a hint"), (290, "raw candidates by rank, down the columns"))
_GAP = 5


@dataclass(frozen=True, slots=True)
class Box:
    """A document or chunk on a route.

    name, note: what is written in it, left and right. state: "taken", "beside" (came along with a
    hit, or is no more than a hint) or "left out". gold: it holds evidence. parent: place in the
    column before of what it was reached from, -1 for nothing. x, y, width: see `place_boxes`.
    """

    name: str
    note: str
    state: str
    gold: bool
    parent: int = -1
    x: float = 0
    y: float = 0
    width: float = 0


@dataclass(frozen=True, slots=True)
class RouteView:
    """What a picture of a route shows: boxes in columns, and in words what came of the evidence."""

    name: str
    heads: tuple[tuple[int, str], ...]
    documents: tuple[Box, ...]
    chunks: tuple[Box, ...]
    candidates: tuple[Box, ...]
    verdict: str


def route_view(
    question: str, index: HierarchicalIndex, route: HardRoute | SoftRoute, evidence: Sequence[tuple[str, Span]] = ()
) -> RouteView:
    """Say what there is to see on one question's route.

    evidence: (document id, span) pairs, as `find_evidence` returns them.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust."), Document("b.txt", "Birds nest.")])
    >>> route_view("Which birds nest?", index, HardRoute(), [("b.txt", (0, 5))]).verdict
    'found: all of the evidence is among 1 candidate'
    """
    found = route(question, index)
    hard = isinstance(route, HardRoute)
    gold = {d for d, _ in evidence}
    scores = index.scorer(route.scorer, "document summary").scores(question)
    ids = sorted(index.records)
    order = [ids[i] for i in rank(scores)]
    shown = [hit.id for hit in found.documents]
    state = "taken" if hard else "beside"
    documents = [Box(_stem(hit.id), f"{hit.score:.1f}", state, hit.id in gold) for hit in found.documents]
    rest = [d for d in order[len(shown) : 5] if hard] + sorted(gold - set(order[:5] if hard else shown))
    for doc_id in [d for d in rest if d not in shown]:
        note = f"rank {order.index(doc_id) + 1}" if doc_id in order else "no word shared"
        documents.append(Box(_stem(doc_id), note, "left out" if hard else "beside", doc_id in gold))
        shown.append(doc_id)
    chunks = _chunk_boxes(question, index, route, found, shown, evidence) if hard else ()
    candidates = _near_hits(found, evidence) if hard else _ranked(found, evidence)
    heads, verdict = HARD_HEADS if hard else SOFT_HEADS, _verdict(found, index, evidence, hard)
    return RouteView(route.name, heads, tuple(documents), tuple(chunks), tuple(candidates), verdict)


def _near_hits(found: Route, evidence) -> list[Box]:
    """The candidates of a hard route, each with the hit that it came with."""
    hits = [hit.id for hit in found.chunks]
    boxes = []
    for candidate in found.candidates:
        chunk = candidate.chunk
        word, _, source = candidate.reason.partition(" of ")
        number = short_name(chunk.chunk_id).rpartition(" ")[2]
        name = f"{number} {word}" if source else number
        parent = hits.index(source or chunk.chunk_id)
        boxes.append(Box(name, "", "beside" if source else "taken", _holds(chunk, evidence), parent))
    return boxes


def _ranked(found: Route, evidence) -> list[Box]:
    return [
        Box(
            f"{n}. {short_name(c.chunk.chunk_id)}",
            f"{c.score:.1f}",
            "taken" if c.reason == "hit" else "beside",
            _holds(c.chunk, evidence),
        )
        for n, c in enumerate(found.candidates, start=1)
    ]


def _chunk_boxes(question, index, route, found: Route, shown: list[str], evidence) -> list[Box]:
    """The hits of a hard route, and after them the chunks with evidence that it passed over."""
    scores = index.scorer(route.scorer, "chunk summary").scores(question)
    boxes, hits = [], {hit.id: hit.score for hit in found.chunks}
    missed = []
    for parent, hit in enumerate(found.documents):
        places = index.place(hit.id)
        order = rank(scores[places.start : places.stop])
        for i in order[: route.k_chunks]:
            chunk = index.chunks[places.start + i]
            boxes.append(
                Box(short_name(chunk.chunk_id), f"{hits[chunk.chunk_id]:.1f}", "taken", _holds(chunk, evidence), parent)
            )
        for i, chunk in enumerate(index.records[hit.id].chunks):
            if _holds(chunk, evidence) and chunk.chunk_id not in hits:
                note = f"rank {order.index(i) + 1}" if i in order else "no word shared"
                missed.append(Box(short_name(chunk.chunk_id), note, "left out", True, parent))
    return boxes + missed


def _holds(chunk: ChunkRecord, evidence: Sequence[tuple[str, Span]]) -> bool:
    return any(d == chunk.doc_id and s < chunk.end and chunk.start < e for d, (s, e) in evidence)


def _stem(doc_id: str) -> str:
    return doc_id.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _verdict(found: Route, index: HierarchicalIndex, evidence, hard: bool) -> str:
    n = len(found.candidates)
    among = f"among {n} candidate" + ("" if n == 1 else "s")
    if not evidence:
        return f"no evidence to look for {among}"
    share = evidence_found(found.candidates, index, evidence)
    if share == 1:
        return f"found: all of the evidence is {among}"
    part = f"{share:.0%} of the evidence is" if share else "none of the evidence is"
    level = f"lost at the {lost_at(found, index, evidence)}s" if hard else "not ranked high enough"
    return f"{level}: {part} {among}"


def place_boxes(view: RouteView) -> tuple[list[Box], list[tuple[float, float, float, float]], int]:
    """Where everything stands, in pixels from the top left: boxes, lines between them, and the height.

    >>> place_boxes(RouteView("hard", HARD_HEADS, (Box("a", "1.0", "taken", False),), (), (), ""))[2]
    49
    """
    documents = [_at(box, 0, i, 240) for i, box in enumerate(view.documents)]
    chunks = [_at(box, 290, i, 235) for i, box in enumerate(view.chunks)]
    candidates: list[Box] = []
    lines = [_line(documents[box.parent], box) for box in chunks]
    rows = max(1, -(-len(view.candidates) // 2))  # of two columns, where candidates are a plain queue
    for i, box in enumerate(view.candidates):
        if box.parent < 0:
            candidates.append(_at(box, 290 + i // rows * 255, i % rows, 245))
            continue
        beside = sum(before.parent == box.parent for before in candidates)
        candidates.append(_at(box, 560 + 82 * beside, box.parent, 76))
        if not beside:
            lines.append(_line(chunks[box.parent], candidates[-1]))
    boxes = documents + chunks + candidates
    return boxes, lines, int(max([TOP, *(box.y + ROW + _GAP for box in boxes)]))


def _at(box: Box, x: float, row: int, width: float) -> Box:
    return replace(box, x=x, y=TOP + row * (ROW + _GAP), width=width)


def _line(start: Box, end: Box) -> tuple[float, float, float, float]:
    return start.x + start.width, start.y + ROW / 2, end.x, end.y + ROW / 2
