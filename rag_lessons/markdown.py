"""Read the structure of a Markdown text: front matter, headings, blocks; chunk along them.

The library markdown-it-py decides what is a heading, a fence or a table. Rendering is not done,
and front matter is read line by line as `key: value`, not as YAML.
"""

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag_lessons.chunking import Span, group_spans, split_span
from rag_lessons.documents import check_text
from rag_lessons.sentences import fold, trim
from rag_lessons.tokens import check_count, grapheme_cut

# The first line is a key, and no prose follows a blank line: else it is a text between two rules.
_FRONT = re.compile(
    r"---[^\S\n]*\n"
    r"(?P<fields>(?:(?:#.*\n)*+[^\s#:][^:\n]*:.*\n"
    r"(?:[^\S\n]*\S.*\n|(?:[^\S\n]*\n)++(?=[\w.-]+:\s|[ \t]|---|\.\.\.))*?)?)"
    r"(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)"
)
_RULE = re.compile(r"[\r\n][ ]{0,3}(?:=+|-+)\Z")  # below a heading
_FENCE_LINE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})(.*)$", re.MULTILINE)
_LINE_END = re.compile(r"\r\n?|\n")
_OPENING = re.compile(r"[\s>*+\-\d.)]*(?:```|~~~)")  # of a fence, in a list or a quotation too
_LINED = ("table", "code")
_KINDS = {"table_open": "table", "fence": "code", "code_block": "code", "heading_open": "heading"}


class Block(NamedTuple):
    """A top-level block: its span, its kind (heading, table, code, text) and a heading's level."""

    start: int
    end: int
    kind: str
    level: int


class MarkdownChunk(NamedTuple):
    """A chunk with the headings above it, and what its first line needs to be understood.

    lead: the header lines of a table or the opening line of a fence that was cut before here;
    empty elsewhere. It is not part of the span.
    """

    start: int
    end: int
    path: tuple[str, ...]
    lead: str


def front_matter(text: str) -> tuple[dict[str, str], int]:
    """Read the `key: value` lines between two `---` lines at the top of a text.

    Returns the fields and the offset at which the body begins: ({}, 0) where there is no front
    matter or it is never closed.

    >>> front_matter("---\\ntitle: Pump\\n---\\nbody")
    ({'title': 'Pump'}, 20)
    """
    match = _FRONT.match(text)
    if not match:
        return {}, 0
    pairs = (line.partition(":") for line in match["fields"].split("\n"))
    return {key.strip(): value.strip() for key, colon, value in pairs if colon}, match.end()


def markdown_blocks(text: str) -> list[Block]:
    """Find the top-level blocks of a Markdown text after its front matter, in order.

    >>> [block.kind for block in markdown_blocks("# A\\n\\ntext\\n\\n```\\n# no\\n```")]
    ['heading', 'text', 'code']
    """
    return _blocks(text, front_matter(text)[1], len(text), lambda token: token.level == 0)


def _blocks(text: str, at: int, stop: int, wanted: Callable[[Token], bool]) -> list[Block]:
    """The blocks that are wanted in a part of a text, and as text what stands between them."""
    lines = [at, *(match.end() for match in _LINE_END.finditer(text, at, stop)), stop + 1]
    blocks: list[Block] = []
    with _no_collecting():
        for token in MarkdownIt("commonmark").enable("table").disable("inline").parse(text[at:stop]):
            if token.map is None or token.nesting < 0 or not wanted(token):
                continue
            start, end = lines[token.map[0]], lines[min(token.map[1], len(lines) - 1)] - 1
            end = start + len(text[start:end].rstrip())
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            if end > start:
                blocks += _between(text, at, start)
                blocks.append(Block(start, end, _KINDS.get(token.type, "text"), level))
                at = end
    return blocks + _between(text, at, stop)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """No pauses to collect garbage: among a large text's many tokens they take longer than the parser."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _between(text: str, start: int, end: int) -> list[Block]:
    """What the parser makes no block of: link and footnote definitions."""
    start, end = trim(text, start, end)
    return [Block(start, end, "text", 0)] if end > start else []


def open_fence(text: str) -> tuple[str, str]:
    """The line that opens a code fence still open at the end of a text, and its marks; else "" twice.

    >>> open_fence("so:\\n```sh\\nls")
    ('```sh', '```')
    """
    line = marks = ""
    if "```" not in text and "~~~" not in text:
        return line, marks
    for match in _FENCE_LINE.finditer(text):
        if not marks:
            line, marks = match[0], match[1]
        elif match[1].startswith(marks) and not match[2].strip():
            line = marks = ""
    return line, marks


def headings(text: str) -> list[tuple[int, str]]:
    """List the headings of a Markdown text as (level, title); comments in code are none.

    >>> headings("# Top\\n\\n## Next\\n")
    [(1, 'Top'), (2, 'Next')]
    """
    return [(b.level, heading_title(text, b)) for b in markdown_blocks(text) if b.kind == "heading"]


def heading_title(text: str, block: Block) -> str:
    """A heading without its marks.

    >>> heading_title("## Next ##", markdown_blocks("## Next ##")[0])
    'Next'
    """
    line = text[block.start : block.end].strip()
    if re.match(r"#{1,6}(?!\S)", line):
        return re.sub(r"\A#{1,6}\s*|\s+#*\Z", "", line).strip()
    return fold(_RULE.sub("", line))


def chunk_markdown(text: str, target: int = 420) -> list[MarkdownChunk]:
    """Cut a Markdown text by section; within a section, group blocks while they fit.

    target: the cap in characters. A table or a fence over it is cut between lines, and the pieces
    after the first carry its header or opening line as `lead`; a single line over it is cut by
    word. A heading is carried along up to the target, a lead over it is not. Front matter is left out.

    Returns `MarkdownChunk`s whose spans hold every other character that is not white space, once.

    >>> [chunk.path for chunk in chunk_markdown("# A\\n\\none\\n\\n## B\\n\\ntwo")]
    [('A',), ('A', 'B')]
    """
    check_count("target", target, least=1, unit="characters")
    check_text("text", text)
    chunks: list[MarkdownChunk] = []
    stack: list[tuple[int, str]] = []
    section: list[tuple[Span, str]] = []

    def close() -> None:
        leads = {span[0]: lead for span, lead in section}
        path = tuple(filter(None, (title[: grapheme_cut(title, target)] for _, title in stack)))
        for start, end in group_spans([span for span, _ in section], target):
            chunks.append(MarkdownChunk(start, end, path, leads[start]))
        section.clear()

    for block in markdown_blocks(text):
        if block.kind == "heading":
            close()
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            stack.append((block.level, heading_title(text, block)))
        section.extend(_pieces(text, block, target))
    close()
    return chunks


def _pieces(text: str, block: Block, target: int) -> list[tuple[Span, str]]:
    """A block as spans within the target, each with its lead: lines for tables and code."""
    if block.end - block.start <= target:
        return [((block.start, block.end), "")]
    parts = [block]
    if block.kind == "text":  # a list or a quotation may hold tables and code
        parts = _blocks(text, block.start, block.end, lambda token: _KINDS.get(token.type) in _LINED)
    pieces = []
    for part in parts:
        if part.kind in _LINED:
            pieces += _lines(text, part, target)
        else:
            pieces += [(span, "") for span in split_span(text, part.start, part.end, target)]
    return pieces


def _lines(text: str, block: Block, target: int) -> list[tuple[Span, str]]:
    """A table or code as groups of whole lines, the later ones with its header or opening line."""
    edges = [block.start, *(match.end() for match in _LINE_END.finditer(text, block.start, block.end)), block.end]
    lines = [(start, start + len(text[start:end].rstrip("\r\n"))) for start, end in pairwise(edges)]
    spans = [span for start, end in lines if text[start:end].strip() for span in split_span(text, start, end, target)]
    head = [text[start:end] for start, end in lines[: 2 if block.kind == "table" else 1]]
    lead = "\n".join(head) if block.kind == "table" or _OPENING.match(head[0]) else ""
    lead = lead if len(lead) <= target else ""  # or a long one, repeated, would make the work quadratic
    return [(span, lead if i else "") for i, span in enumerate(group_spans(spans, target))]
