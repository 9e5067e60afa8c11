"""The article's algorithm in the plainest form, as a second opinion for the tests.

It is written from the description in lesson 05 alone, with the standard library,
so that it shares no code, and no mistake, with the package. It reads the Markdown
files that stand directly in one folder. It does not check its arguments, does not
answer the question, and is not fast.
"""

import math
import re
from collections import Counter
from pathlib import Path

STOP_WORDS = set(
    "a an and are as be because but by can for from if in is it of on or that the this to use with".split()
)
KEY_TERMS = set(
    "answer budget chunk chunks context embedding embeddings fail failure failures model prompt rag "
    "retrieval retrieves summary summaries window".split()
)
STRONG_TERMS = {"budget", "fail", "failure", "failures"}
TERM_BOOST = 0.15
STRONG_BOOST = 0.35
CHUNK_CHARACTERS = 420
BATCH_TOKENS = 90


def words(text):
    return [word for word in re.findall(r"[a-z0-9]{2,}", text.lower()) if word not in STOP_WORDS]


def tokens(text):
    return max(1, len(text) // 4)


def split_chunks(text):
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    groups = []
    for paragraph in paragraphs:
        if groups and sum(map(len, groups[-1])) + len(paragraph) <= CHUNK_CHARACTERS:
            groups[-1].append(paragraph)
        else:
            groups.append([paragraph])
    return ["\n\n".join(group) for group in groups]


def summarize(text, count):
    sentences = re.split(r"(?<=[.!?])\s+", " ".join(text.split()))
    scores = [3 * sum(word in KEY_TERMS for word in words(sentence)) for sentence in sentences]
    scores[0] += 1
    best = sorted(range(len(sentences)), key=lambda place: (-scores[place], place))[:count]
    return " ".join(sentences[place] for place in sorted(best))


def pack_batches(summaries):
    batches = []
    for summary in summaries:
        if batches and tokens(" ".join(batches[-1] + [summary])) <= BATCH_TOKENS:
            batches[-1].append(summary)
        else:
            batches.append([summary])
    if len(batches) == len(summaries):
        batches = [summaries[start : start + 2] for start in range(0, len(summaries), 2)]
    return batches


def summarize_document(summaries):
    while len(summaries) > 1:
        summaries = [summarize(" ".join(batch), 3) for batch in pack_batches(summaries)]
    return summarize(" ".join(summaries), 3)


def similarity(question, summary):
    left, right = Counter(words(question)), Counter(words(summary))
    dot = sum(count * right[word] for word, count in left.items())
    norms = math.sqrt(sum(n * n for n in left.values())) * math.sqrt(sum(n * n for n in right.values()))
    shared = KEY_TERMS & set(left) & set(right)
    cosine = dot / norms if norms else 0.0
    return cosine + TERM_BOOST * len(shared) + STRONG_BOOST * len(shared & STRONG_TERMS)


def best_two(question, records):
    """Return the (score, record) pairs of the two best records that score above 0."""
    scored = [(similarity(question, record["summary"]), record) for record in records]
    hits = [pair for pair in scored if pair[0] > 0]
    return sorted(hits, key=lambda pair: -pair[0])[:2]


def read_documents(folder):
    documents = []
    paths = sorted(
        (
            path
            for path in Path(folder).resolve().iterdir()
            if path.suffix.lower() == ".md" and not path.name.startswith(".")
        ),
        key=lambda path: path.name,
    )
    width = max(3, len(str(len(paths))))
    for number, path in enumerate(paths, start=1):
        doc_id = f"doc-{number:0{width}d}-{path.stem}"
        source = f"{path.parent.name}/{path.name}"
        # utf-8-sig, since a byte order mark is no part of the text.
        texts = split_chunks(path.read_text(encoding="utf-8-sig"))
        chunks = []
        for position, text in enumerate(texts, start=1):
            chunk_id = f"{doc_id}-chunk-{position:03d}"
            header = f"Source: {source}\nChunk ID: {chunk_id}\nChunk position: {position}"
            chunks.append({
                "id": chunk_id,
                "place": (source, position),
                "summary": f"Chunk {position} summary: {summarize(text, 2)}",
                "block": f"{header}\n\n{text}",
            })
        summary = summarize_document([chunk["summary"] for chunk in chunks])
        documents.append({"id": doc_id, "summary": summary, "chunks": chunks})
    return documents


def run(folder, question, budget):
    """Retrieve and pack by the article's rules.

    `folder` holds the Markdown files, `question` is text, `budget` is in tokens of
    four characters. Return a dict: `document_hits` and `chunk_hits` as (id, score,
    summary), `candidates` as (chunk id, tokens), `included` and `skipped` as chunk
    ids in candidate order, and `context`, the text that the model would see.
    """
    document_hits = best_two(question, read_documents(folder))
    chunk_hits, candidates = [], []
    for _, document in document_hits:
        chunks = document["chunks"]
        for score, chunk in best_two(question, chunks):
            chunk_hits.append((score, chunk))
            here = chunks.index(chunk)
            for place in (here, here + 1, here - 1):
                if 0 <= place < len(chunks) and chunks[place] not in candidates:
                    candidates.append(chunks[place])
    included, skipped, used = [], [], 0
    for chunk in candidates:
        if used + tokens(chunk["block"]) <= budget:
            included.append(chunk)
            used += tokens(chunk["block"])
        else:
            skipped.append(chunk)
    in_order = sorted(included, key=lambda chunk: chunk["place"])
    return {
        "document_hits": [(hit["id"], score, hit["summary"]) for score, hit in document_hits],
        "chunk_hits": [(hit["id"], score, hit["summary"]) for score, hit in chunk_hits],
        "candidates": [(chunk["id"], tokens(chunk["block"])) for chunk in candidates],
        "included": [chunk["id"] for chunk in included],
        "skipped": [chunk["id"] for chunk in skipped],
        "context": "\n\n---\n\n".join(chunk["block"] for chunk in in_order),
    }
