"""Keep vectors on disk, so that no text is embedded twice, today or tomorrow.

One SQLite file holds the vectors of any number of models; a row is found by the model's name and a
hash of the text, so texts themselves are not stored. Several processes may use it at once.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path
from tqdm.auto import tqdm

from rag_lessons.embedding import Embedder, embed

_STEP = 64  # texts between two writes: what an interruption can cost
_ASKED = 500  # keys in one query


def cache_path() -> Path:
    """Where vectors are kept if nothing is said: in the user's folder for caches.

    >>> cache_path().name
    'vectors.sqlite'
    """
    return user_cache_path("rag_lessons") / "vectors.sqlite"


@dataclass(frozen=True)
class CachedEmbedder:
    """An embedder that asks another one only for texts that it has not seen.

    embedder: whose vectors are kept, under its name. path: of the file; `cache_path()` if None. progress:
    show a bar on stderr while many texts are embedded. Texts are embedded in order of their length, which
    fills batches evenly, and kept after every 64. Raises ValueError for a file that cannot be used as one.

    >>> import tempfile
    >>> from rag_lessons.embedding import Letters
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     CachedEmbedder(Letters("ab"), Path(folder, "vectors.sqlite"))(["a", "b"]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    embedder: Embedder
    path: Path | None = None
    progress: bool = False

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.embedder.name

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return one vector a text, shape (n, d), float32."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        path = Path(self.path or cache_path())
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(path, timeout=60)) as file:
                file.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (model TEXT, text BLOB, vector BLOB, PRIMARY KEY (model, text))"
                )
                found = self._read(file, keys)
                new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
                found |= self._make(file, new)
        except sqlite3.DatabaseError as error:
            raise ValueError(
                f"{path} cannot be used as a file of vectors ({error}); delete it, or name another"
            ) from error
        return np.stack([np.frombuffer(found[key], "<f4") for key in keys]) if keys else np.zeros((0, 0), np.float32)

    def _read(self, file: sqlite3.Connection, keys: list[bytes]) -> dict[bytes, bytes]:
        found = {}
        for i in range(0, len(keys), _ASKED):
            some = keys[i : i + _ASKED]
            query = f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({','.join('?' * len(some))})"
            found |= dict(file.execute(query, [self.name, *some]))
        return found

    def _make(self, file: sqlite3.Connection, new: dict[bytes, str]) -> dict[bytes, bytes]:
        keys = sorted(new, key=lambda key: (len(new[key]), key))
        made: dict[bytes, bytes] = {}
        with tqdm(total=len(keys), desc="embed", unit="text", disable=not self.progress or len(keys) <= _STEP) as bar:
            for i in range(0, len(keys), _STEP):
                some = keys[i : i + _STEP]
                vectors = embed(self.embedder, [new[key] for key in some]).astype("<f4")
                rows = {key: row.tobytes() for key, row in zip(some, vectors, strict=True)}
                with file:
                    file.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", [(self.name, *row) for row in rows.items()]
                    )
                made |= rows
                bar.update(len(some))
        return made
