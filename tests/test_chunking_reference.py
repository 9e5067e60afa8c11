"""`chunk_paragraphs` against the plainest way to write its rules down, on texts of plain letters."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from rag_lessons.chunking import chunk_paragraphs, paragraph_spans

WORDS = st.sampled_from(["a", "of", "the", "Gate", "rusts.", "Why?", "(see", "5.)", "no!", '"Yes."', "seawater"])
PARAGRAPHS = st.lists(st.lists(WORDS, min_size=1, max_size=14).map(" ".join), min_size=1, max_size=8)


def plain_chunks(text, target):
    """Whole paragraphs while they fit; one that is over the target is cut by sentence, else by word, else anywhere."""
    paragraphs = paragraph_spans(text)
    sentences = [match.end() for match in re.finditer(r"[.!?][\"')]*(?=\s+[^\sa-z])", text)]
    spaces = [i for i, sign in enumerate(text) if sign.isspace()]
    at, stop, chunks = paragraphs[0][0], paragraphs[-1][1], []

    def last(places, start, end):
        return max((place for place in places if start < place <= end), default=None)

    while stop - at > target:
        limit = at + target
        end = last([end for _, end in paragraphs], at, limit)
        if end is None:
            end = last(sentences, at, limit) or last(spaces, at, limit) or limit
        else:
            start, after = next(span for span in paragraphs if span[0] >= end)
            # A paragraph that no chunk can hold begins here, if one of its sentences fits.
            if after - start > target and start < limit:
                end = last(sentences, start, limit) or end
        chunks.append((at, end))
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return [*chunks, (at, stop)]


@given(paragraphs=PARAGRAPHS, target=st.integers(1, 70), gaps=st.sampled_from(["\n\n", "\n\n\n", "\n\n\n\n\n"]))
@example(["the Gate rusts.", "a of. No. " + "seawater " * 9], 40, "\n\n")
@example(["a", "b"], 1, "\n\n")
@example(["a of", "the"], 4, "\n\n")
@example(["a of", "the"], 3, "\n\n\n")
def test_chunks_follow_the_rules_written_plainly(paragraphs, target, gaps):
    text = gaps.join(paragraphs)
    assert chunk_paragraphs(text, target) == plain_chunks(text, target)
