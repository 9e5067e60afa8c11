"""Made-up text of any size, always the same for one seed: what is measured on it grows with size alone.

Words follow Zipf's law, and every document has some that it uses much more often than others do.
"""

import random
from collections.abc import Iterator
from itertools import accumulate

SYLLABLES = "ba den fir gol hum jat kel lor mis nup pra quo ras stel tum ver wix yol zan chi".split()
WORDS = 60_000
FREQUENT = 5  # words left out before the first; so chosen that questions find as much as in real text, see README.md
OWN, EVERY = 300, 7  # a document's own words, and how often one stands among the others


def made_up_texts(characters: int, each: int, seed: int = 1) -> Iterator[str]:
    """Texts of `each` characters or a little more, one by one, until they hold so many together."""
    draw = random.Random(seed)
    drawn = ("".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(WORDS))
    words = list(dict.fromkeys(drawn))
    draw.shuffle(words)
    weights = list(accumulate(1 / (place + FREQUENT) for place in range(1, len(words) + 1)))
    while characters > 0:
        own = draw.sample(words, OWN)
        paragraphs, length = [], 0
        while length < each:
            paragraph = " ".join(_sentence(draw, words, weights, own) for _ in range(draw.randint(1, 7)))
            paragraphs.append(paragraph)
            length += len(paragraph) + 2
        yield "\n\n".join(paragraphs)
        characters -= length


def _sentence(draw: random.Random, words: list[str], weights: list[float], own: list[str]) -> str:
    found = draw.choices(words, cum_weights=weights, k=draw.randint(6, 20))
    found[::EVERY] = draw.choices(own, k=len(found[::EVERY]))
    return " ".join(found).capitalize() + "."
