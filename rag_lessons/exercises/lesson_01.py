"""Checks for lesson 01: sentence chunks with overlap, and a Markdown chunker that keeps a fence whole."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from rag_lessons.chunking import Span
from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.markdown import markdown_blocks
from rag_lessons.sentences import sentence_spans

SHORT = "Gates rust. Pumps leak. Wait! The tide turns at six. Then we sail. Who steers?"
LONG = f"One. {'A sentence with no end to it ' * 4}goes on. Two. Three."
TILDES = (
    "# Shell\n\nRun this.\n\n~~~sh\n```\ncd tide\n\n# not a heading\n```\n\nls -l tide pump gate log\n~~~\n\n"
    "Done, and so to bed.\n"
)


def _handbook(doc_id: str) -> str:
    documents, _ = load_documents(data_folder("handbook"))
    return next(document.text for document in documents if document.doc_id == doc_id)


def _wrong_spans(text: str, answer: object) -> Feedback | None:
    """Feedback for what is no list of (start, end) pairs inside a text, else None."""
    wrong = expect_list(answer, "(start, end) pairs")
    if wrong:
        return wrong
    for span in answer:
        pair = isinstance(span, (list, tuple)) and len(span) == 2 and all(isinstance(edge, int) for edge in span)
        if not pair or not 0 <= span[0] < span[1] <= len(text):
            inside = f"0 <= start < end <= {len(text)}"
            return Feedback(False, f"it returned {span!r:.60}; a chunk is a pair (start, end) with {inside}")
    return None


@gentle
def check_overlap(chunk: Callable[[str, int, int], Sequence[Span]]) -> Feedback:
    """Check sentence chunks: full ones, within the target, each opening with the last sentences of the one before.

    chunk: (text, target in characters, sentences to repeat) -> (start, end) pairs.
    """
    boatman = _handbook("recollections_boatman.txt")
    cases = [(SHORT, 30, 1), (SHORT, 30, 0), (LONG, 40, 1), ("", 30, 1)]
    cases += [(boatman, 420, 2), (boatman, 420, 0), (boatman, 300, 9)]
    for text, target, repeat in cases:
        answer = chunk(text, target, repeat)
        wrong = _wrong_spans(text, answer) or _wrong_sentences(text, target, repeat, [tuple(span) for span in answer])
        if wrong:
            where = f"{text[:24]!r}…, target {target}, repeat {repeat}"
            return Feedback(False, f"{wrong.text} ({where})")
    return Feedback(
        True, f"every sentence is in, and no chunk is over the target but a long sentence, in {len(cases)} cases"
    )


def _wrong_sentences(text: str, target: int, repeat: int, spans: list[Span]) -> Feedback | None:
    """Feedback for the first chunk that breaks the rules of the exercise, else None."""
    sentences = sentence_spans(text)
    starts, ends = [s for s, _ in sentences], [e for _, e in sentences]
    new = 0  # the first sentence that no chunk so far holds
    for place, (start, end) in enumerate(spans):
        if start not in starts or end not in ends:
            return Feedback(False, f"chunk {place} cuts a sentence; begin and end where `sentence_spans` does")
        first, last = starts.index(start), ends.index(end)
        if last < new:
            return Feedback(False, f"chunk {place} holds no sentence that is new; stop when all sentences are in")
        if first > new:
            return Feedback(False, f"sentence {new} is in no chunk")
        if end - start > target and first < last:
            return Feedback(
                False, f"chunk {place} has {end - start} characters; count from start to end, spaces included"
            )
        fitting = [k for k in range(min(repeat, new) + 1) if ends[new] - starts[new - k] <= target] if place else [0]
        due = max(fitting, default=0)
        if new - first != due:
            was = new - first
            return Feedback(False, f"chunk {place} repeats {was} of the last sentences of the one before, not {due}")
        if last + 1 < len(sentences) and ends[last + 1] - start <= target:
            return Feedback(False, f"chunk {place} ends early: the next sentence fits too")
        new = last + 1
    if new < len(sentences):
        return Feedback(False, f"sentence {new} is in no chunk")
    return None


@gentle
def check_whole_fences(chunk: Callable[[str, int], Sequence[Span]]) -> Feedback:
    """Check a Markdown chunker that never cuts a fence: nothing lost, nothing else over the target.

    chunk: (text, target in characters) -> (start, end) pairs.
    """
    readme = _handbook("readme_ulsay_tools.md")
    cases = [("the readme", readme, 420), ("the readme", readme, 200), ("a text with a ~~~ fence", TILDES, 40)]
    for name, text, target in cases:
        answer = chunk(text, target)
        wrong = _wrong_spans(text, answer) or _wrong_fences(text, target, [tuple(span) for span in answer])
        if wrong:
            return Feedback(False, f"{name}, target {target}: {wrong.text}")
    count = len(chunk(readme, 420))
    return Feedback(
        True, f"every fence is whole, nothing else is over the target; the readme has {count} chunks at 420"
    )


def _wrong_fences(text: str, target: int, spans: list[Span]) -> Feedback | None:
    """Feedback for a cut fence, lost text, a chunk over the target, or chunks that could be one; else None."""
    fences = [(block.start, block.end) for block in markdown_blocks(text) if block.kind == "code"]
    for fence in fences:
        if not any(start <= fence[0] and fence[1] <= end for start, end in spans):
            return Feedback(False, f"no chunk holds all of the fence that begins {text[fence[0] : fence[0] + 24]!r}")
    for start, end in spans:
        if end - start > target and (start, end) not in fences:
            begins = text[start : start + 24]
            return Feedback(False, f"the chunk {begins!r}… has {end - start} characters and is no single fence")
    if any(later < end for (_, end), (later, _) in pairwise(spans)):
        return Feedback(False, "chunks overlap or are out of order")
    if "".join("".join(text[start:end] for start, end in spans).split()) != "".join(text.split()):
        return Feedback(False, "some characters are in no chunk")
    units = len(markdown_blocks(text)) + len(text) // target
    if len(spans) > units:
        return Feedback(False, f"{len(spans)} chunks are too many; join neighbouring blocks while they fit")
    return None
