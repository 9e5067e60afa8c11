"""Keep an index in one file, so that a corpus is cut and summarized once.

The file is JSON in UTF-8: any program can read it, and opening it runs nothing. A recipe is made
of functions, which no file holds; it is given again on loading, and its name is compared. Scorers
are not kept: the first question fits them, as it does after a build.
"""

import hashlib
import json
import os
import secrets
import stat
from operator import index as whole_number
from pathlib import Path

from rag_lessons.documents import Document, check_text
from rag_lessons.index import ChunkRecord, DocumentRecord, HierarchicalIndex, Recipe
from rag_lessons.presets import Settings, check_settings, default_settings
from rag_lessons.tokens import check_count

FORMAT, VERSION = "rag_lessons index", 1
_HEAD = f'{{"format":"{FORMAT}","version":'.encode()


def save_index(index: HierarchicalIndex, path: str | os.PathLike[str]) -> Path:
    """Write an index to a file, whole or not at all: a save that fails leaves what was there before.

    Returns the path. Raises TypeError for what is no index, ValueError for an index that could not
    be loaded again, OSError where nothing can be written (on Windows, that is also while another
    program has the file open).

    >>> from tempfile import TemporaryDirectory
    >>> from rag_lessons.index import build_index
    >>> with TemporaryDirectory() as folder:
    ...     path = save_index(build_index([Document("a.txt", "Gates rust.")]), Path(folder, "a.json"))
    ...     load_index(path).chunks[0].summary
    'Gates rust.'
    """
    if not isinstance(index, HierarchicalIndex):
        raise TypeError(f"index must come from prepare_index(documents); got {index!r:.60}")
    entries = [_entry(document, index.records[doc_id]) for doc_id, document in index.documents.items()]
    content = {"recipe": index.recipe.name, "documents": entries}
    _fill(HierarchicalIndex(index.recipe), content)  # what could not be loaded is not saved
    body, checksum = _dump(content)
    data = _HEAD + f'{VERSION},"sha256":"{checksum}","index":{body}}}\n'.encode()
    target = Path(os.path.realpath(path))  # through a link, as any other writing goes
    spare = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with open(spare, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(spare, stat.S_IMODE(target.stat().st_mode))
        os.replace(spare, target)  # after the file is closed: Windows renames no open one
    except OSError as error:
        why = f"cannot save the index to {str(path)!r}: {error.strerror or error}"
        raise OSError(error.errno, f"{why}; what was there before still is; check the path and the disk") from error
    finally:
        spare.unlink(missing_ok=True)
    return Path(path)


def load_index(path: str | os.PathLike[str], settings: Settings | Recipe | None = None) -> HierarchicalIndex:
    """Read an index that `save_index` wrote; `ask` finds in it what it found in the one that was saved.

    settings: those, or the recipe, that the index was built with; `default_settings()` if None.

    Raises FileNotFoundError or IsADirectoryError, and ValueError for a file that is damaged, of a
    newer version or of another recipe (see `save_index` for an example).
    """
    recipe = settings if isinstance(settings, Recipe) else check_settings(settings or default_settings()).recipe
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{str(path)!r} is a folder; give the name of the file in it")
    if not path.exists():
        raise FileNotFoundError(f"no file {str(path)!r}; write one with save_index(index, path)")
    saved = _parse(path)
    if (version := saved.get("version")) != VERSION:
        what = f"it is of version {version!r:.20}, and this package reads version {VERSION}"
        raise _refusal(path, what, "update the package, or ")
    try:
        content = saved["index"]
        if saved["sha256"] != _dump(content)[1]:
            raise ValueError("its checksum does not match, so it was changed or damaged after it was saved")
        name, index = content["recipe"], _fill(HierarchicalIndex(recipe), content)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        what = f"it has no entry {error}" if isinstance(error, KeyError) else error
        raise _refusal(path, what) from error
    if name != recipe.name:
        what = f"the recipe {name!r:.80} built it, and the settings have {recipe.name!r:.80}"
        raise _refusal(path, what, "load it with the settings it was built with, or ")
    return index


def _entry(document: Document, record: DocumentRecord) -> dict:
    return {"id": document.doc_id, "source": document.source, "text": document.text, "summary": record.summary} | {
        "chunks": [[c.chunk_id, c.start, c.end, c.summary, c.path, c.lead] for c in record.chunks]
    }


def _fill(index: HierarchicalIndex, content: dict) -> HierarchicalIndex:
    """Put the documents and records of a file's content into an empty index."""
    for entry in content["documents"]:
        document = Document(entry["id"], entry["text"], entry["source"])
        if (doc_id := document.doc_id) in index.documents:
            raise ValueError(f"two documents have the id {doc_id!r}")
        summary = check_text(f"summary of {doc_id!r}", entry["summary"])
        chunks = tuple(_chunk(document, i, *values) for i, values in enumerate(entry["chunks"], start=1))
        index.documents[doc_id] = document
        index.records[doc_id] = DocumentRecord(doc_id, document.source, summary, chunks)
    if len({chunk.chunk_id for chunk in index.chunks}) < len(index.chunks):
        raise ValueError("two chunks have one id")
    return index


def _chunk(document: Document, position: int, chunk_id, start, end, summary, path, lead) -> ChunkRecord:
    for part in (chunk_id, summary, lead, *path):
        check_text(f"chunk {chunk_id!r}", part)
    size = len(document.text)
    if not check_count("start", start, unit="characters") <= check_count("end", end, unit="characters") <= size:
        raise ValueError(f"chunk {chunk_id!r} spans {start} to {end} of a document of {size} characters")
    return ChunkRecord(chunk_id, document.doc_id, position, start, end, summary, tuple(path), lead)


def _parse(path: Path) -> dict:
    """The JSON of a file, if it is an index."""
    data = path.read_bytes()
    try:
        saved = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        if data.startswith(_HEAD) or _HEAD.startswith(data):
            raise _refusal(path, "it is cut off or damaged") from error
        saved = None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise _refusal(path, "save_index did not write it", "check the path, or ")
    return saved


def _refusal(path: Path, what: object, instead: str = "") -> ValueError:
    return ValueError(f"cannot load the index {str(path)!r}: {what}; {instead}build the index again and save it")


def _dump(content: object) -> tuple[str, str]:
    """The content as JSON, and a checksum of that: white space between a file's entries does not count."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=whole_number)
    return body, hashlib.sha256(check_text("the index", body).encode()).hexdigest()
