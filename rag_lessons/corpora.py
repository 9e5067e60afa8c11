"""The corpora at hand: this project's notes and handbook, counted samples, and the topics that come with Python."""

import json
from pathlib import Path
from typing import NamedTuple

from rag_lessons.documents import Document


def load_pydoc_topics() -> tuple[Document, ...]:
    """Load the language topics that every Python ships, in order of name: real text at no cost.

    About 465,000 characters in 79 documents on Python 3.11; other versions differ a little.

    >>> load_pydoc_topics()[0].doc_id
    'assert.txt'
    """
    from pydoc_data.topics import topics  # 0.5 MB of text, wanted only here

    return tuple(Document(f"{name}.txt", topics[name], f"pydoc/{name}") for name in sorted(topics))


def data_folder(name: str) -> Path:
    """The path of a corpus of this project: "notes" or "handbook".

    Raises FileNotFoundError where the package was installed without its repository.

    >>> data_folder("notes").name
    'notes'
    """
    folder = Path(__file__).resolve().parent.parent / "data" / name
    if not folder.is_dir():
        raise FileNotFoundError(f"no corpus {name!r}: run from a clone of the repository, or give a folder of your own")
    return folder


class TokenSample(NamedTuple):
    """A short text of one kind, and its tokens in two vocabularies of OpenAI's models."""

    kind: str
    text: str
    o200k_base: int
    cl100k_base: int


def load_token_samples() -> tuple[TokenSample, ...]:
    """A text of each of twelve kinds with its exact counts, which a test makes anew where a tokenizer is installed.

    Raises FileNotFoundError where the package was installed without its repository.

    >>> load_token_samples()[0].kind
    'English prose'
    """
    path = data_folder("notes").parent / "token_samples.json"
    return tuple(TokenSample(**row) for row in json.loads(path.read_text(encoding="utf-8")))
