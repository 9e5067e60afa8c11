"""Plan a context window: what the prompt's frame and the answer take, and what is left for documents.

Counting is the counter's work; which documents go into the room that is left is `strategies.py`'s.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape

from rag_lessons.documents import check_text
from rag_lessons.tokens import TokenCounter, check_count, check_counter, check_weight, counter_name, estimate_tokens

PER_MESSAGE = 4  # tokens that mark a message's role and its end, in OpenAI's chat format
PER_CONVERSATION = 2  # and that open the answer
COLOURS = ("#999999", "#56B4E9", "#F0E442", "#CC79A7", "#E69F00", "#0072B2")  # of the parts, in order


def message_tokens(messages: Sequence[str], counter: TokenCounter = estimate_tokens) -> int:
    """Count a conversation: the texts of its messages, 4 tokens more for each, and 2 for the whole.

    Raises TypeError for one text in place of a list.

    >>> message_tokens(["Answer briefly.", "Why do gates rust?"])
    18
    """
    if isinstance(messages, str) or not isinstance(messages, Iterable):
        raise TypeError(f"messages must be a list of texts, such as [system, question]; got {messages!r:.80}")
    return sum(counter(check_text("message", text)) + PER_MESSAGE for text in messages) + PER_CONVERSATION


def share_of(whole: int, share: float) -> int:
    """A share of some tokens, rounded down, exact as the share is written: 0.29 of 100 is 29.

    >>> share_of(128_000, 0.9), int(100 * 0.29), share_of(100, 0.29)
    (115200, 28, 29)
    """
    return int(whole * Decimal(str(share)))


@dataclass(frozen=True, slots=True, repr=False)
class WindowPlan:
    """How a context window is divided; all in the counter's tokens.

    margin: the share of the window that may be used at all, since counts are estimates. reserve: for
    the answer. overhead: what marks messages. In Jupyter it shows itself as a bar.
    """

    window: int
    margin: float
    reserve: int
    system: int
    question: int
    overhead: int
    counter: str

    @property
    def room(self) -> int:
        """What is left for documents."""
        taken = self.reserve + self.system + self.question + self.overhead
        return share_of(self.window, self.margin) - taken

    @property
    def parts(self) -> dict[str, int]:
        """Name -> tokens of each part, which together are the window."""
        return {
            "safety margin": self.window - share_of(self.window, self.margin),
            "answer": self.reserve,
            "system prompt": self.system,
            "question": self.question,
            "overhead": self.overhead,
            "documents": self.room,
        }

    def __repr__(self) -> str:
        lines = [f"Window of {self.window:,} tokens ({self.counter})"]
        return "\n".join([*lines, *(f"{tokens:12,}  {name}" for name, tokens in self.parts.items())])

    def _repr_html_(self) -> str:
        left, bars, rows = 0.0, [], []
        for (name, tokens), colour in zip(self.parts.items(), COLOURS, strict=True):
            width = 100 * tokens / self.window
            swatch = f"<rect width='{width:.2f}%' height='24' x='{left:.2f}%' fill='{colour}' stroke='currentColor'/>"
            bars.append(swatch)
            box = f"<span style='color:{colour}' aria-hidden='true'>&#9632;</span>"
            rows.append(
                f"<tr><td style='text-align:left'>{box} {name}</td><td>{tokens:,}</td><td>{width:.1f} %</td></tr>"
            )
            left += width
        words = escape(f"A window of {self.window:,} tokens: " + ", ".join(f"{t:,} {n}" for n, t in self.parts.items()))
        return (
            f'<svg role="img" aria-label="{words}"'
            f" width='100%' height='24'>{''.join(bars)}</svg>"
            f"<table><thead><tr><th style='text-align:left'>{escape(self.counter)}</th><th>tokens</th><th>share</th>"
            f"</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )


def plan_window(
    window: int,
    *,
    margin: float = 0.9,
    reserve: int = 4096,
    system: str | int = "",
    question: str | int = "",
    overhead: int | None = None,
    counter: TokenCounter = estimate_tokens,
) -> WindowPlan:
    """Divide a context window, and find what is left for documents.

    window: of the model, in tokens, 1 or more. margin: the share of it to use, above 0, 1 at most.
    reserve: tokens kept free for the answer. system, question: texts, which are counted, or their
    tokens. overhead: tokens that mark the messages; if None, 4 for each message and 2 for all.

    Raises ValueError where less than nothing is left, and that or TypeError for a bad number.

    >>> plan_window(128_000, system=500, question=100, overhead=50).room
    110454
    """
    window, counter = check_count("window", window, least=1), check_counter(counter)
    check_weight("margin", margin, most=1)
    if not margin:
        raise ValueError("margin must be above 0, or nothing of the window may be used; got 0")
    reserve = check_count("reserve", reserve)
    sizes = {}
    for name, value in (("system", system), ("question", question)):
        sizes[name] = counter(value) if isinstance(value, str) else check_count(name, value)
    if overhead is None:
        overhead = message_tokens([""] * (1 + bool(sizes["system"])), counter=lambda text: 0)
    overhead = check_count("overhead", overhead)
    plan = WindowPlan(window, margin, reserve, sizes["system"], sizes["question"], overhead, counter_name(counter))
    if plan.room < 0:
        raise ValueError(
            f"nothing is left for documents: {share_of(window, margin)} tokens of the window of {window} may be used, "
            f"the prompt takes {plan.system + plan.question + overhead} (system {plan.system}, question "
            f"{plan.question}, overhead {overhead}) and the answer reserve {reserve}, so {plan.room} are left; "
            "take a larger window, or reserve less"
        )
    return plan
