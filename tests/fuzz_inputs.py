"""Random inputs for the fuzz run: folders of files as people have them, and as nobody should.

An input follows from its seed alone, whatever the machine. It can be made smaller.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from texts import GAPS, LINES, PROSE

ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "UTF-8": str.encode,
    "UTF-8 after a byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-8 cut inside a character": lambda text: text.encode() + b"\xe6\xbc",
    "UTF-16 cut inside a character": lambda text: text.encode("utf-16")[:-1],
    "Latin-1": lambda text: text.encode("latin-1", "replace"),
}
NAMES = ["a.md", "b.txt", "c.markdown", "d/e.MD", "d/\u6f6e \u0644.txt", "f.rst", "g-chunk-001.md", "h & 'i'.txt"]
SCRIPTS = [  # first and last of what stands together
    *[(" ", "~"), ("\x80", "\u024f"), ("\u0300", "\u036f"), ("\u0400", "\u04ff"), ("\u0590", "\u07ff")],
    *[("\u0900", "\u0dff"), ("\u0e00", "\u0eff"), ("\u1100", "\u11ff"), ("\u2000", "\u206f"), ("\u2190", "\u27bf")],
    *[("\u3000", "\u30ff"), ("\u4e00", "\u4fff"), ("\uac00", "\uacff"), ("\ufb00", "\ufeff"), ("\uff00", "\uffef")],
    *[("\U0001d400", "\U0001d7ff"), ("\U0001f1e6", "\U0001f1ff"), ("\U0001f300", "\U0001faff")],
    *[("\U00020000", "\U000200ff"), ("\U000e0000", "\U000e01ef"), ("\U0010ff00", "\U0010ffff")],
]
REPEATED = [
    *[
        *" \n\t\r#`|*_[=>(<&\\!.-~:\"'\u3002\u0301\u200d\u200b\u00ad\u2028\x85\U0001f1eb",
        "](",
        "> ",
        "- ",
        "1. ",
        "a ",
        "a\n",
    ],
    *[
        "a.\n",
        ". ",
        "\n\n",
        " \n",
        "\r\n",
        "![",
        "[a](b",
        "**a ",
        "<a ",
        "``` ",
        "\U0001f469\u200d\U0001f527",
        "e\u0301",
    ],
    *[
        "\u0644\u0627 ",
        "\u6f6e\u3002",
        "A. ",
        "a!b?",
        "(a",
        "a, ",
        '"a',
        "== ",
        "|a",
        "\\|",
        "&amp;",
        "# a\n",
        "```\n",
        "a\t",
    ],
]
BLANKS = " \n\t\r\x0b\x0c\x1c\x85\xa0\u2003\u2028\u2029\u202f\u3000"
CODE = [
    "def rust(x):",
    "    if x == 1:",
    "        return {'a': [1, 2]}",
    ">>> x = y",
    "/* a */ int i = 0;",
    "# no heading",
]


class File(NamedTuple):
    """A file of the folder: its path, its text, and how the text became bytes."""

    name: str
    text: str
    encoding: str


@dataclass(frozen=True)
class Case:
    """One input: the files of a folder, a question, and the seed that settings are drawn with."""

    seed: int
    files: tuple[File, ...]
    question: str

    @property
    def size(self) -> int:
        """Characters of all texts and the question."""
        return sum(len(file.text) for file in self.files) + len(self.question)


def length(choose: random.Random, most: float) -> int:
    """A whole number from 1 to `most`, small ones as likely as large ones."""
    return int(most ** choose.random())


def _lines(choose: random.Random) -> str:
    return "\n".join(choose.choices(LINES + PROSE, k=length(choose, 40)))


def _table(choose: random.Random) -> str:
    rows = [" | ".join(choose.choices(PROSE, k=3)) for _ in range(length(choose, 60))]
    return "\n".join(f"| {row} |" for row in [rows[0], "---|---|---", *rows[1:]])


def _fence(choose: random.Random) -> str:
    marks = choose.choice(["```", "~~~", "````", "   ```"])
    code = "\n".join(choose.choices(CODE, k=length(choose, 80)))
    return f"{marks}{choose.choice(['', 'py', ' sh '])}\n{code}\n{choose.choice([marks, '', '```'])}"


def _front(choose: random.Random) -> str:
    return "---\n" + "title: Tides\n" * length(choose, 5) + choose.choice(["---\n", "--- \n", "", "...\n"])


def _characters(choose: random.Random) -> str:
    """Of some scripts, or of all planes."""
    if choose.random() < 0.3:
        return "".join(chr(choose.choice([*range(1, 0xD800, 97), *range(0xE000, 0x110000, 911)])) for _ in range(40))
    ranges = choose.choices(SCRIPTS, k=choose.choice([1, 1, 2, 4]))
    found = (
        chr(choose.randint(ord(first), ord(last))) for first, last in choose.choices(ranges, k=length(choose, 400))
    )
    return "".join(found)


def _repeated(choose: random.Random) -> str:
    unit = "".join(choose.choices(REPEATED, k=choose.choice([1, 1, 1, 2, 3])))
    return unit * length(choose, 6000)


SEGMENTS: list[Callable[[random.Random], str]] = [
    lambda choose: "".join(p + choose.choice(GAPS) for p in choose.choices(PROSE, k=length(choose, 80))),
    lambda choose: " ".join(choose.choices(PROSE, k=length(choose, 3000))),  # one huge line
    lambda choose: "".join(choose.choices(BLANKS, k=length(choose, 60))),
    *[_lines, _lines, _table, _fence, _front, _characters, _characters, _repeated, _repeated],
]


def random_text(choose: random.Random) -> str:
    """A text of a few parts of any kinds, its line ends mixed at times."""
    parts = [choose.choice(SEGMENTS)(choose) for _ in range(choose.choice([0, 1, 1, 2, 3, 6]))]
    text = "".join(part + choose.choice(["", " ", "\n", "\n\n", "\n \n"]) for part in parts)
    if choose.random() < 0.2:
        text = "".join(choose.choice(["\n", "\r\n", "\r"]) if sign == "\n" else sign for sign in text)
    return text


def random_case(seed: int) -> Case:
    """The input of a seed."""
    choose = random.Random(seed)
    files, texts = [], [""]
    for name in choose.sample(NAMES, choose.choice([0, 1, 1, 2, 3, 5])):
        text = choose.choice(texts) if choose.random() < 0.1 else random_text(choose)  # at times a copy
        encoding = choose.choice(["UTF-8", "UTF-8", "UTF-8", *ENCODINGS])
        texts.append(text)
        files.append(File(name, text, encoding))
    words = choose.choice(texts)[:5000].split() + choose.choices(PROSE, k=2)
    asked = " ".join(choose.choices(words, k=length(choose, 30))) if choose.random() < 0.8 else random_text(choose)
    return Case(seed, tuple(files), asked[:3000])


def smaller(case: Case) -> Iterator[Case]:
    """The input with something taken away: files first, then shorter and shorter pieces of the texts."""
    for i in range(len(case.files)):
        yield replace(case, files=case.files[:i] + case.files[i + 1 :])
    for i, file in enumerate(case.files):
        for text in _shorter(file.text):
            yield replace(case, files=(*case.files[:i], file._replace(text=text), *case.files[i + 1 :]))
        if file.encoding != "UTF-8":
            yield replace(case, files=(*case.files[:i], file._replace(encoding="UTF-8"), *case.files[i + 1 :]))
    for question in _shorter(case.question):
        yield replace(case, question=question)


def _shorter(text: str) -> Iterator[str]:
    size = len(text)
    while size:
        for at in range(0, min(len(text), 64 * size), size):
            yield text[:at] + text[at + size :]
        size //= 2
