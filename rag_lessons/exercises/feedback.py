"""What a check says to a learner: right, or in words what is still wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps


@dataclass(frozen=True, slots=True)
class Feedback:
    """Whether an exercise is solved, and a sentence about it; a notebook shows the sentence."""

    ok: bool
    text: str

    def __repr__(self) -> str:
        return f"{'Right' if self.ok else 'Not yet'}: {self.text}"


def gentle(check: Callable[..., Feedback]) -> Callable[..., Feedback]:
    """Make a check say in words which error the learner's code raised, instead of a traceback.

    >>> gentle(lambda answer: Feedback(True, f"{1 / answer}"))(0)
    Not yet: your code raised ZeroDivisionError: division by zero
    """

    @wraps(check)
    def checked(*answers) -> Feedback:
        try:
            return check(*answers)
        except Exception as error:  # whatever a learner's code may raise
            return Feedback(False, f"your code raised {type(error).__name__}: {error}")

    return checked


def expect_list(answer: object, what: str) -> Feedback | None:
    """Feedback for an answer that is not a list or tuple, else None.

    >>> expect_list(None, "places")
    Not yet: it returned None; return a list of places
    """
    if isinstance(answer, (list, tuple)):
        return None
    return Feedback(False, f"it returned {answer!r:.60}; return a list of {what}")
