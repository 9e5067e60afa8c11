"""Checks for lesson 11: a reduce that keeps conflicting findings apart, and a marker that is told from text."""

from collections.abc import Callable

from rag_lessons.exercises.feedback import Feedback, gentle

_NUMBERS = [("manual.md", "The seal lasts 12 months."), ("log.txt", "The seal lasts 9 months.")]
_QUALIFIED = [
    ("a.md", "OX-14 reads 0.2 mg/L too high."),
    ("b.md", "OX-14 reads 0.2 mg/L too high, only above 15 degrees."),
]
_FINDINGS = (
    ([], "", "no findings at all"),
    ([("a.md", "Gates rust.")], "a.md: Gates rust.", "a single finding"),
    (_NUMBERS, "manual.md: The seal lasts 12 months.\nlog.txt: The seal lasts 9 months.", "two numbers in conflict"),
    (
        _QUALIFIED,
        "a.md: OX-14 reads 0.2 mg/L too high.\nb.md: OX-14 reads 0.2 mg/L too high, only above 15 degrees.",
        "one finding with a qualifier that the other lacks",
    ),
    (
        [("b.md", "Gates rust."), ("a.md", "gates  rust.\n"), ("c.md", "Terns nest.")],
        "b.md, a.md: Gates rust.\nc.md: Terns nest.",
        "the same text with other capitals and white space",
    ),
    ([("a.md", "Gates rust."), ("a.md", "Gates rust.")], "a.md: Gates rust.", "one source that says it twice"),
    (
        [("a.md", "Yes."), ("b.md", "No."), ("c.md", "Yes.")],
        "a.md, c.md: Yes.\nb.md: No.",
        "a source that agrees with one further up",
    ),
)
_ANSWERS = (
    ("NO_RELEVANT_INFO", True, "the marker alone"),
    ("  no_relevant_info.\n", True, "small letters, a full stop and white space"),
    ("**NO_RELEVANT_INFO**", True, "asterisks round it"),
    ("\n`No_Relevant_Info`\nThe text is about gates.", True, "an explanation on the next line"),
    ('The assistant wrote "NO_RELEVANT_INFO" at nine.', False, "a finding that quotes the marker"),
    ("NO_RELEVANT_INFO about gates, but the seal lasts 12 months.", False, "a finding that begins with it"),
    ("NO_RELEVANT_INFO_2", False, "another marker"),
    ("The seal lasts 12 months.\nNO_RELEVANT_INFO", False, "a finding, with the marker on its second line"),
    ("", False, "an empty answer"),
)


@gentle
def check_reduce(function: Callable[[list[tuple[str, str]]], str]) -> Feedback:
    """Check a function that writes findings down with their sources, equal ones once.

    >>> check_reduce(lambda findings: "").ok
    False
    """
    for findings, wanted, what in _FINDINGS:
        given = list(findings)
        result = function(given)
        if result is None:
            return Feedback(False, "your function returns None; return the text for the last prompt.")
        if not isinstance(result, str):
            return Feedback(False, f"return one text, its lines joined by line ends; got {result!r:.60}.")
        if given != findings:
            return Feedback(False, "your function changes the list that it is given; build a new one.")
        if result.strip("\n") != wanted:
            return Feedback(False, f"for {what} the text should be {wanted!r}; yours is {result!r:.160}.")
    return Feedback(True, "what differs stands apart, what is equal stands once, and each line names its sources.")


@gentle
def check_nothing(function: Callable[[str], bool]) -> Feedback:
    """Check a function that tells whether an answer says that there is nothing.

    >>> check_nothing(lambda answer: "NO_RELEVANT_INFO" in answer).ok
    False
    """
    for answer, wanted, what in _ANSWERS:
        result = function(answer)
        if result is None:
            return Feedback(False, "your function returns None; return True or False.")
        if bool(result) != wanted:
            said = "says nothing" if wanted else "is a finding, or no marker"
            return Feedback(False, f"{what} ({answer!r:.60}) {said}; yours returns {result!r}.")
    return Feedback(True, "a marker is told from a text that speaks of it.")
