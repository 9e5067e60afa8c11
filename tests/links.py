"""Links in Markdown, and whether what they point to exists."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
from markdown_it import MarkdownIt

PARSER = MarkdownIt("commonmark").enable("table")


def markdown(path):
    """The Markdown of a file; of a notebook, its Markdown cells one after the other."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def tokens(text):
    """All tokens of a Markdown text, those inside paragraphs included."""
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def headings(text):
    """The headings of a Markdown text, in order, as (level, text)."""
    parsed = PARSER.parse(text)
    return [
        (int(token.tag[1]), "".join(child.content for child in parsed[i + 1].children))
        for i, token in enumerate(parsed)
        if token.type == "heading_open"
    ]


def anchors(text):
    """The anchors of a Markdown text's headings: GitHub's lower-case form and Jupyter's with capitals."""
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for _, heading in headings(text):
        found |= {heading.replace(" ", "-"), re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")}
    return found


def broken_links(path):
    """The relative links and pictures of a file that lead nowhere, as a list of the links."""
    text = markdown(path)
    links = [token.attrs.get("href") or token.attrs.get("src") for token in tokens(text)]
    return [link for link in filter(None, links) if not resolves(link, path)]


def resolves(link, path):
    """Whether a link in the file at `path` leads to a file and an anchor that exist; web links do."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = path.parent / Path(unquote(parts.path)) if parts.path else path
    if not target.exists():
        return False
    return not parts.fragment or unquote(parts.fragment) in anchors(markdown(target))
