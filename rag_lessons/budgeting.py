"""Choose which candidates go into the prompt under a budget of tokens, and say why not.

`pack` keeps one promise whatever the policy: what is written down costs at most the budget, and
every candidate is either included or skipped with a reason. Four policies: first-fit, stop at the
first that does not fit, best value (0/1 knapsack), and sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rag_lessons.chunking import Span
from rag_lessons.context import Piece, whole
from rag_lessons.passages import Unit
from rag_lessons.policies import Problem, best_sentences, best_value, first_fit
from rag_lessons.routing import Candidate
from rag_lessons.tokens import TokenCounter, check_count, estimate_tokens

POLICIES = ("first-fit", "stop at first", "best value", "sentences")
Render = Callable[[Sequence[Piece]], str]
Sentences = Callable[[Sequence[Candidate]], list[Unit]]


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """How many tokens of context a prompt may hold, and how they are counted.

    tokens: 0 or more; 0 lets nothing in. joiners: count the whole text, what stands between the
    blocks included; without it, only the blocks one by one, as the article does.

    >>> ContextBudget(250).tokens
    250
    """

    tokens: int
    counter: TokenCounter = estimate_tokens
    joiners: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", check_count("budget", self.tokens))
        if not callable(self.counter):
            raise TypeError(f"counter must be a function from text to tokens; got {self.counter!r:.60}")

    def cost(self, render: Render, pieces: Sequence[Piece]) -> int:
        """Tokens of some pieces together, 0 for none; never free, so that nothing fits into a budget of 0."""
        if not pieces:
            return 0
        texts = [render(pieces)] if self.joiners else [render([piece]) for piece in pieces]
        return sum(max(1, check_count("what the counter returns", self.counter(text))) for text in texts)


@dataclass(frozen=True, slots=True)
class Included:
    """A candidate that reaches the model, which spans of it do, and what pieces cost."""

    candidate: Candidate
    spans: tuple[Span, ...]
    cost: Callable[[Sequence[Piece]], int] = field(repr=False, compare=False)

    @property
    def tokens(self) -> int:
        """What the whole chunk costs alone."""
        return self.cost([whole(self.candidate.chunk)])

    @property
    def spent(self) -> int:
        """What its chosen spans cost alone."""
        return self.cost([Piece(self.candidate.chunk, self.spans)])


@dataclass(frozen=True, slots=True)
class Skipped:
    """A candidate that does not reach the model, why it is not there, and what pieces cost."""

    candidate: Candidate
    reason: str
    cost: Callable[[Sequence[Piece]], int] = field(repr=False, compare=False)

    @property
    def tokens(self) -> int:
        """What the whole chunk costs alone."""
        return self.cost([whole(self.candidate.chunk)])


@dataclass(frozen=True, slots=True)
class Selection:
    """What `pack` chose: included and skipped, both in rank order, and the context as written.

    tokens: what the budget was charged. context_tokens: what the whole context costs.
    """

    included: tuple[Included, ...]
    skipped: tuple[Skipped, ...]
    context: str
    tokens: int
    context_tokens: int

    @property
    def pieces(self) -> list[Piece]:
        """What is included, as pieces, in rank order."""
        return [Piece(included.candidate.chunk, included.spans) for included in self.included]


def pack(
    candidates: Sequence[Candidate],
    budget: ContextBudget,
    render: Render,
    policy: str = "first-fit",
    sentences: Sentences | None = None,
    copies: Mapping[int, int] | None = None,
) -> Selection:
    """Choose among candidates under a budget.

    candidates: in rank order. render: pieces -> the context. policy: one of `POLICIES`.
    sentences: for the policy of that name, candidates -> (score, place of the candidate, span).
    copies: place of a candidate -> place of an earlier one with the same text, to be left out.

    Raises ValueError for an unknown policy, or for the policy "sentences" without `sentences`.

    >>> pack([], ContextBudget(10), render=lambda pieces: "").included
    ()
    """
    if policy not in POLICIES:
        raise ValueError(f"policy must be one of {', '.join(POLICIES)}; got {policy!r}")
    if policy == "sentences" and sentences is None:
        raise ValueError("the policy 'sentences' needs sentences, a function that scores a candidate's; got None")
    problem = Problem(
        [whole(candidate.chunk) for candidate in candidates],
        [max(0.0, candidate.score) for candidate in candidates],
        budget.tokens,
        partial(budget.cost, render),
        copies or {},
    )
    if policy == "sentences":
        chosen, reasons = best_sentences(problem, sentences(candidates))
    elif policy == "best value":
        chosen, reasons = best_value(problem)
    else:
        chosen, reasons = first_fit(problem, stop=policy == "stop at first")
    pieces = [Piece(candidates[i].chunk, spans) for i, spans in sorted(chosen.items())]
    context = render(pieces) if pieces else ""
    context_tokens = budget.counter(context) if context else 0
    return Selection(
        tuple(Included(candidates[i], spans, problem.cost) for i, spans in sorted(chosen.items())),
        tuple(Skipped(candidates[i], reasons[i], problem.cost) for i in range(len(candidates)) if i not in chosen),
        context,
        context_tokens if budget.joiners else budget.cost(render, pieces),
        context_tokens,
    )
