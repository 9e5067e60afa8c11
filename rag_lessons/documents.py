"""Read a folder into documents, and say what was read and what was left out.

A `Document` is the only place where raw text lives; every later stage points into it with
character offsets. Line ends, byte-order marks and hidden tag characters are dealt with here,
once, so that no later stage has to. Formats that need a parser (PDF, Word, HTML) are not read.
"""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = (".md", ".markdown", ".txt")
IGNORED_FOLDERS = frozenset({"node_modules", "__pycache__"})
# Tag characters, and variation selectors in a row, spell invisible text. A flag such as Wales's uses tags in good
# faith, for a region's code; a sign takes one selector.
TAGS = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)|[\U000e0000-\U000e007f]"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"
)
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # in a file's name


@dataclass(frozen=True, slots=True)
class Document:
    """One text with a name.

    doc_id: unique in a corpus, a POSIX path such as "manual/pumps.md".
    text: the whole text, with "\\n" as the only line end.
    source: the label shown in a prompt; the id if left empty.

    Raises ValueError for an empty id or a text that cannot be written as UTF-8.

    >>> Document("tides.md", "High water at six.").source
    'tides.md'
    """

    doc_id: str
    text: str
    source: str = ""

    def __post_init__(self) -> None:
        if not self.doc_id or not isinstance(self.doc_id, str):
            raise ValueError(f"doc_id must be a non-empty string; got {self.doc_id!r}")
        check_text("doc_id", self.doc_id)
        check_text(f"text of {self.doc_id!r}", self.text)
        check_text("source", self.source)
        if not self.source:
            object.__setattr__(self, "source", self.doc_id)


def check_text(name: str, value: object) -> str:
    """Return a text that can be written as UTF-8; raises TypeError or ValueError for anything else.

    >>> check_text("question", "Why?")
    'Why?'
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string; got {value!r:.80}")
    try:
        value.isascii() or value.encode("utf-16-le")  # the quickest that refuses half a character
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} holds half a character (U+{ord(value[error.start]):04X}) at offset {error.start}; "
            "decode its bytes with errors='replace' first"
        ) from None
    return value


def check_documents(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return documents as a tuple; raises TypeError where something among them is none.

    >>> check_documents([])
    ()
    """
    if not isinstance(documents, Iterable):
        raise TypeError(f"documents must be a list of Document objects; got {documents!r:.80}")
    found = tuple(documents)
    for value in found:
        if not isinstance(value, Document):
            unpack = "load_documents returns two things: documents, report = load_documents(folder)"
            raise TypeError(f"documents must be Document objects; got {value!r:.80} ({unpack})")
    return found


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What `load_documents` did: names loaded, and (name, reason) pairs skipped or changed."""

    folder: str
    loaded: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    changed: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        lines = [f"{len(self.loaded)} loaded, {len(self.skipped)} skipped from {self.folder}"]
        lines += [f"  skipped {name}: {reason}" for name, reason in self.skipped]
        lines += [f"  changed {name}: {reason}" for name, reason in self.changed]
        return "\n".join(lines)


def load_documents(
    folder: str | os.PathLike[str], *, suffixes: Sequence[str] = SUFFIXES, strict: bool = False
) -> tuple[tuple[Document, ...], LoadReport]:
    """Load every text file below a folder, in the order of their paths.

    folder: where to look; hidden folders, `node_modules` and links that lead outside are left out.
    suffixes: file name endings to read, in either case.
    strict: raise ValueError for the first file or folder that cannot be read, instead of reporting it.

    Returns the documents and a `LoadReport`. Raises FileNotFoundError or NotADirectoryError.

    >>> documents, report = load_documents(Path(__file__).parent.parent / "data" / "notes")
    >>> len(documents), report.skipped
    (4, ())
    """
    root = Path(folder)
    if not root.exists():
        raise FileNotFoundError(f"no folder {str(folder)!r}; check the path or the folder you start from")
    if not root.is_dir():
        raise NotADirectoryError(f"{str(folder)!r} is a file; give the folder that holds it")
    if isinstance(suffixes, str):
        raise TypeError(f"suffixes must be a list of file name endings, such as ['.md']; got {suffixes!r}")
    wanted = tuple(suffix.lower() for suffix in suffixes)
    base, name = root.resolve(), root.resolve().name
    paths, skipped = _files(root)
    if strict and skipped:
        raise ValueError("cannot read {}: {}".format(*skipped[0]))
    documents, changed = [], []
    for path in paths:
        doc_id = path.relative_to(root).as_posix()
        if not doc_id.lower().endswith(wanted):
            continue
        try:
            if not path.resolve().is_relative_to(base):
                raise ValueError("a link that leads outside the folder")
            if _UNFIT.search(doc_id):
                raise ValueError(
                    "its name holds bytes that are not UTF-8, a line end or a control character; rename it"
                )
            if path.exists() and not path.is_file():
                raise ValueError("not a regular file")
            text, notes = decode(path.read_bytes())
            document = Document(doc_id, text, f"{name}/{doc_id}")
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a link to itself
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            if strict:
                raise ValueError(f"cannot read {_printable(doc_id)}: {reason}") from error
            skipped.append((_printable(doc_id), reason))
        else:
            documents.append(document)
            if not text.strip():
                notes.append("empty")
            changed += [(doc_id, note) for note in notes]
    loaded = tuple(document.doc_id for document in documents)
    return tuple(documents), LoadReport(name, loaded, tuple(skipped), tuple(changed))


def _printable(name: str) -> str:
    """A file's name with what cannot be printed written as escapes, so that a report can be shown."""
    return _UNFIT.sub(lambda match: ascii(match[0])[1:-1], name)


def _files(root: Path) -> tuple[list[Path], list[tuple[str, str]]]:
    """The files below a folder in the order of their paths, and folders that were left out, with reasons."""
    found, errors, links = [], [], []
    for folder, folders, names in os.walk(root, onerror=errors.append):
        folders[:] = [f for f in folders if not f.startswith(".") and f not in IGNORED_FOLDERS]
        links += [Path(folder, f) for f in folders if Path(folder, f).is_symlink()]
        found += [Path(folder, name) for name in names if not name.startswith(".")]
    for error in errors:
        if Path(error.filename) == root:
            raise error
    skipped = [(link, "a link to a folder, not followed") for link in links]
    skipped += [(Path(error.filename), error.strerror) for error in errors]
    named = sorted((_printable(path.relative_to(root).as_posix()), reason) for path, reason in skipped)
    return sorted(found, key=lambda path: path.relative_to(root).as_posix()), named


def decode(data: bytes) -> tuple[str, list[str]]:
    """Turn a file's bytes into text with "\\n" line ends, and say what had to be changed.

    Raises ValueError with the reason where the bytes are not text.

    >>> decode(b"one\\r\\ntwo")
    ('one\\ntwo', [])
    """
    notes = []
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
        notes.append("decoded from UTF-16")
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        bad = data[error.start]
        raise ValueError(
            f"not {encoding.removesuffix('-sig').upper()}: byte 0x{bad:02x} at offset {error.start}; save it as UTF-8"
        ) from error
    if "\0" in text:
        raise ValueError(f"a binary file: it holds a NUL at offset {text.index(chr(0))}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if marks := text.count("\ufeff"):  # beside the first: files that were joined bring one each
        text = text.replace("\ufeff", "")
        notes.append(f"{marks} byte-order marks inside the text removed")
    if not text.isascii():
        kept = TAGS.sub(lambda match: match[1] or "", text)
        if len(kept) < len(text):
            notes.append(f"{len(text) - len(kept)} invisible characters removed")
        text = kept
    return text, notes
