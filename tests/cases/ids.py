"""The cases: faults once reported of other libraries that do this job, by id, and the mark of their tests."""

import pytest

# Two letters for a kind of fault, and the numbers of its cases.
CASES = [
    f"{kind}-{number}"
    for kind, numbers in {
        "OV": "01 03 04 05 07",  # overlap and progress
        "CS": "01 03 04 05 07 08 09 11",  # chunk size
        "OF": "01 03 04 05",  # offsets
        "UN": "01 03 05 06 07",  # Unicode
        "TK": "01 03 05 06",  # token counters
        "SE": "01 03 04 05 07 09 11",  # sentences
        "MD": "01 03 04 05 07 09 10 11 13",  # Markdown
        "LE": "01 03 05 06 07 09",  # encodings of files
        "LF": "01 03 04 05 07 09",  # folders of files
        "SU": "01 03 05 06 07 09",  # summaries
        "RE": "01 03 05 06 07",  # reduction
        "IX": "01 03 04 05 07",  # the index
        "RK": "01 03 04 05 07 09",  # ranking
        "PK": "01 03 05 07 08",  # packing
        "TR": "01 03 04 05 07 09 11",  # truncation
        "ST": "01 03 04 05 07",  # the choice of a strategy
        "PS": "01 03 04",  # prompt safety
        "WP": "01 03 05 07 08 09",  # widgets and plots
        "NB": "01 03 04 05 07 09 10",  # notebooks and CI
        "CL": "01 03 05",  # the command line
        "RS": "01 03 05 07 08",  # the REST service
    }.items()
    for number in numbers.split()
]

# Cases without a test, and the stage that they wait for.
WAITING = {
    **dict.fromkeys(["RS-01", "RS-03", "RS-05", "RS-07", "RS-08"], "service"),
}

# Cases that are tested as far as the package goes: what their test leaves to a stage to come.
LEFT: dict[str, str] = {}


def case(*ids):
    """Mark a test as the one of a case, such as "OV-01", or of several; `pytest -m case` runs them all."""
    return pytest.mark.case(*ids)
