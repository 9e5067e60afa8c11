"""What there is to read and to ask: notes, a handbook, topics of Python, and small sets of samples and questions."""

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
    return tuple(TokenSample(**row) for row in _rows("token_samples.json"))


class Paraphrase(NamedTuple):
    """A question, the passage that answers it in other words, and two that use its words and do not answer it."""

    id: str
    question: str
    passage: str
    distractors: tuple[str, str]


def load_paraphrases() -> tuple[Paraphrase, ...]:
    """Forty questions that share at most one term with their answers: what a search by words must miss.

    Rank all 120 passages, those of the other questions too.

    Raises FileNotFoundError where the package was installed without its repository.

    >>> load_paraphrases()[0].question
    'How do I stop a dripping tap?'
    """
    rows = _rows("paraphrases.json")
    return tuple(Paraphrase(**{**row, "distractors": tuple(row["distractors"])}) for row in rows)


def load_phrases() -> dict[str, str]:
    """For thirty questions on the handbook, by id, words of the evidence that a right answer holds.

    They are whole words, so that "36" is not found in "1936"; capitals do not count. The questions are the first
    ten each of the head, middle and tail in English, one a document, without those that ask why or for yes or no.

    Raises FileNotFoundError where the package was installed without its repository.

    >>> load_phrases()["q001"]
    '9.4 square kilometres'
    """
    return {row["id"]: row["phrase"] for row in _rows("phrases.json")}


class Unanswerable(NamedTuple):
    """A question that the handbook does not answer: "off" its subject, or "missing" in it."""

    id: str
    question: str
    kind: str


def load_unanswerable() -> tuple[Unanswerable, ...]:
    """Forty questions without an answer: twenty of general knowledge, twenty on what the handbook never mentions.

    Raises FileNotFoundError where the package was installed without its repository.

    >>> load_unanswerable()[0].question
    'Who painted the Mona Lisa?'
    """
    return tuple(Unanswerable(**row) for row in _rows("unanswerable.json"))


def _rows(name: str) -> list[dict]:
    return json.loads((data_folder("notes").parent / name).read_text(encoding="utf-8"))
