"""Count tokens without a model's tokenizer, and cut text where no visible character is split.

A counter is any function from text to a whole number. Two stand here: `estimate_tokens`, which
follows the way GPT tokenizers cut text into pieces, and `quarter_length`, the rule of thumb
`len // 4`. Neither is exact; real tokenizers plug in as another function. Special tokens such as
<|endoftext|> are plain text to both.
"""

import re
from math import inf
from operator import index
from typing import Protocol

import regex

_HAN = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"  # and kana, and the signs among them
_EAST = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
# Every match is one token; `_LONG`, `_HUMP` and `_RARE` find where one is not enough. What is
# common stands first: the order decides the speed, and that " é" is tried before " ". The {0,80} is a bound,
# since a run of spaces would else be read to its end again and again.
_PIECES = re.compile(
    r"[ ]?(?:[A-Za-z]+|[!-/:-@\[-`{-~]{1,4}|[0-9]{1,3})"
    r"|[ \t\r]{0,80}\n\s*"
    rf"|[ ]?[{_EAST}\u0780-\u1cff]"
    rf"|[ ]?[^\W\d_{_EAST}\u0780-\u1cff]{{1,2}}"
    r"|[^\S\n]{1,16}"
    r"|.",
    re.DOTALL,
)
_LONG = re.compile(r"[A-Za-z]{12,}")
_NO_WORD = 32  # letters; so many in a row are a code or a sequence, which cost about twice as much
_HUMP = re.compile(r"(?<=[a-z])[A-Z]")
# What opens a cluster, whatever is before: ASCII, Han and kana.
_SAFE = regex.compile(
    r"(?<!\p{GCB=Prepend})"
    r"[[\x00-\x7f\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]--[\r\n\p{GCB=Extend}\p{GCB=SpacingMark}]]",
    regex.VERSION1,
)
_FLAGS = regex.compile(r"(?r)\p{RI}{4,}")


def _frequent() -> str:
    """The Han characters and Korean syllables that the standards of China, Japan and Korea list as frequent."""
    levels = {"gb2312": range(0xB0, 0xD8), "euc_jp": range(0xB0, 0xD0), "euc_kr": range(0xB0, 0xC9)}
    pairs = ((name, bytes((a, b))) for name, leads in levels.items() for a in leads for b in range(0xA1, 0xFF))
    return "".join(pair.decode(name, "ignore") for name, pair in pairs)


# One token more: rare symbols and signs; a Chinese or Japanese mark, as a margin for words that no vocabulary
# holds; a space beside such text, which tokenizers join to Latin words only.
_MORE = re.compile(
    rf"[^\w\s\u0000-\u1fff{_EAST}]|[\u3001\u3002\uff0c\u3100-\u33ff\uff61-\uffef\U00020000-\U0003ffff]"
    rf"|[ ](?=[{_HAN}])|(?<=[{_HAN}])[ ](?=[0-9])"
)
# Two more: single letters of Korean, and characters that are not frequent, which are written in bytes.
_RARE = re.compile(
    r"[\u1100-\u11ff\u2e80-\u2fdf\uf900-\ufaff\U00020000-\U0003ffff]"
    rf"|(?![{_frequent()}])[\u3400-\u9fff\uac00-\ud7af]"
)


class TokenCounter(Protocol):
    """Anything that says how many tokens a text costs; its `__name__` goes into the trace."""

    def __call__(self, text: str) -> int:
        """Return the tokens of `text`, 0 or more."""


def estimate_tokens(text: str) -> int:
    """Estimate a text's tokens the way GPT tokenizers cut it: words, numbers, marks, line ends.

    text: any text. A word costs 1 token up to seven letters and 1 more for each five after; a
    Chinese, Japanese or Korean character 1, a mark between them 2, one that is not frequent 3; a letter
    of the scripts of South Asia, South-East Asia and Ethiopia 1; other scripts 1 for two letters;
    rare symbols 2.

    Returns a whole number; 0 for an empty text.

    >>> estimate_tokens("The pump fails at low pressure.")
    7
    """
    total = len(_PIECES.findall(text)) + len(_HUMP.findall(text))
    total += sum((len(word) - 7) // 5 + max(0, len(word) - _NO_WORD) // 4 for word in _LONG.findall(text))
    if text.isascii():
        return total
    lines = "".join(line for line in text.splitlines(keepends=True) if not line.isascii())
    return total + len(_MORE.findall(lines)) + 2 * len(_RARE.findall(lines))


def quarter_length(text: str) -> int:
    """Count a quarter of the characters, at least 1: quick, and far too low for CJK and tables.

    >>> quarter_length("four"), quarter_length("漢字文章")
    (1, 1)
    """
    return max(1, len(text) // 4)


def grapheme_cut(text: str, position: int, start: int = 0) -> int:
    """Find the last place at or before `position` where no visible character is cut in two.

    position: the place wanted, in characters. start: a place known to be a boundary, not after
    `position`; the nearer, the faster.

    Returns a place between `start` and `position`.

    >>> grapheme_cut("cafe\\u0301 au lait", 4)
    3
    """
    if position >= len(text):
        return len(text)
    if text.isascii():
        return position - (0 < position and text[position - 1 : position + 1] == "\r\n")
    back = position
    if flags := _FLAGS.match(text, start, position):  # two letters each, counted from the first; \X looks back for each
        start = max(start, position - len(flags[0]) % 2 - 2)
    while back > start and not _SAFE.match(text, back):
        back -= 1
    last = back
    for match in regex.finditer(r"\X", text[back : position + 1]):  # in all of the text, each flag looks far back
        if back + match.end() > position:
            return back + match.start()
        last = back + match.end()
    return last


def check_counter(counter: TokenCounter) -> TokenCounter:
    """Return a counter of the same name that checks what it returns: a whole number, 0 or more.

    Raises TypeError for what is no function.

    >>> check_counter(quarter_length)("four")
    1
    """
    if not callable(counter):
        raise TypeError(f"counter must be a function from text to tokens; got {counter!r:.60}")

    def checked(text: str) -> int:
        return check_count("what the counter returns", counter(text))

    checked.__name__ = counter_name(counter)
    return checked


def counter_name(counter: TokenCounter) -> str:
    """What a trace calls a counter: its name, or its type's where it has none.

    >>> counter_name(quarter_length)
    'quarter_length'
    """
    return getattr(counter, "__name__", type(counter).__name__)


def check_count(name: str, value: object, *, least: int = 0, unit: str = "tokens") -> int:
    """Return a setting that must be a whole number, or say what is wrong with it.

    Raises TypeError for another type (booleans too), ValueError below `least`.

    >>> check_count("budget", 250)
    250
    """
    if type(value) is int and value >= least:  # as a rule; the message takes longer than the check
        return value
    message = f"{name} must be a whole number of {unit}, {least} or more; got {value!r}"
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(message)
    if number < least:
        raise ValueError(message)
    return number


def check_weight(name: str, value: object, most: float = inf) -> None:
    """Raise TypeError or ValueError for a setting that is no finite number from 0 to `most`.

    >>> check_weight("b", 0.75, most=1)
    """
    message = f"{name} must be a number, 0 {'or more' if most == inf else f'to {most:g}'}; got {value!r}"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(message)
    if not 0 <= value <= most or value == inf:
        raise ValueError(message)
