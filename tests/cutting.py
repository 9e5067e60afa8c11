"""What the tests of truncation share: every way to cut, what each of them promises, and brute force."""

import regex
from hypothesis import strategies as st
from texts import COUNTERS, assert_whole_graphemes

from rag_lessons.runs import units
from rag_lessons.sentences import sentence_spans, trim
from rag_lessons.tokens import quarter_length
from rag_lessons.truncation import best_window, head, middle, sliding_window, tail, windows

BLIND = {"head": head, "tail": tail, "middle": middle}
SEEING = {"sliding": sliding_window, "best": best_window, "windows": windows}
COUNTS = [*COUNTERS.values(), quarter_length]
MARKERS = ["", "[...]", "\u2026", "[ text was cut here ]"]
ODD = [
    *["\r\n", "e\u0301" * 3, " \u0301x", "\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1ea", "\u05e9\u05dc\u05d5\u05dd."],
    *[
        "\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645",
        "\uac00\u11a8",
        "\u6f6e\u6c50\u8868\u3002\u6e2f\u53e3\u3002",
    ],
]
APART = regex.compile(r"[\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")  # or written without
counts = st.sampled_from(COUNTS)
markers = st.sampled_from(MARKERS)


def cut_by(name, text, question, budget, counter, **named):
    """Cut a text the way that is named, with the question where it is looked at."""
    if name in BLIND:
        return BLIND[name](text, budget, counter, **named)
    return SEEING[name](text, question, budget, counter, **named)


def written(text, spans, marker):
    """The spans put down one after the other, with the marker wherever ink is left out."""
    if not marker:
        return "\n".join(text[start:end] for start, end in spans)
    parts = [f" {marker} ".join(text[start:end] for start, end in spans)]
    if text[: spans[0][0]].strip():
        parts.insert(0, marker)
    if text[spans[-1][1] :].strip():
        parts.append(marker)
    return " ".join(parts)


def assert_cut(text, kept, budget, counter, marker=""):
    """Whole visible characters of the source in order, at most the budget as written, or the text as it was."""
    assert kept.tokens == (counter(kept.text) if kept.text else 0) <= budget
    if not text or (budget and counter(text) <= budget):
        assert kept == (text, ((0, len(text)),) if text else (), kept.tokens, False, "")
        return
    assert kept.truncated
    assert bool(kept.text) == bool(kept.spans) and (kept.text or kept.note or not text.strip() or not budget)
    if not kept.spans:
        return
    edges = [edge for span in kept.spans for edge in span]
    assert edges == sorted(set(edges)) and 0 <= edges[0] and edges[-1] <= len(text)
    assert all(text[start:end].strip() for start, end in kept.spans)
    assert all(text[end:start].strip() for (_, end), (start, _) in zip(kept.spans, kept.spans[1:], strict=False))
    assert_whole_graphemes(text, kept.spans)
    assert kept.text in {written(text, kept.spans, marker), written(text, kept.spans, "")}


def places(text, ends):
    """Where a cut of a kind may fall, in order: behind each visible character, each word, or each sentence."""
    if ends == "sentence":
        return [0, *(edge for span in sentence_spans(text) for edge in span), len(text)]
    found = [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]
    if ends == "word":
        found = [at for at in found if at in (0, len(text)) or APART.search(text[at - 1 : at + 1])]
    return found


def assert_full(text, kept, budget, counter, ends, marker=""):
    """At neither open end would the next unit fit."""
    mark = marker if kept.text == written(text, kept.spans, marker) else ""
    (start, last), (first, end) = kept.spans[-1], kept.spans[0]
    cuts = places(text, ends)
    after = next((at for at in cuts if at > last and text[last:at].strip()), None)
    before = next((at for at in reversed(cuts) if at < first and text[at:first].strip()), None)
    longer = []
    if after is not None:
        longer.append([*kept.spans[:-1], trim(text, start, after)])
    if before is not None:
        longer.append([trim(text, before, end), *kept.spans[1:]])
    assert [spans for spans in longer if counter(written(text, spans, mark)) <= budget] == []


def best_worth(text, question, budget, counter):
    """The units of a text, what each is worth, and the highest worth of a run of them that fits, by trying all."""
    found, values = units(text, question, budget, counter)
    best = 0.0
    for i, (start, _) in enumerate(found):
        for j in range(i, len(found)):
            if counter(text[start : found[j][1]]) <= budget:
                best = max(best, float(values[i : j + 1].sum()))
    return found, values, best


def worth_of(kept, found, values):
    """What the units that were kept whole are worth."""
    return sum(
        value
        for (start, end), value in zip(found, values, strict=True)
        if any(first <= start and end <= last for first, last in kept.spans)
    )
