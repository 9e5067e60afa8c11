"""Call a model many times, one call after the other or several at once, and keep account of each call.

A call that fails is tried again after a pause that doubles; one that fails for good is an entry
with its error, so the others are not lost. The order of the results is that of the requests. What
to ask, and what to make of the answers, is `map_reduce.py`'s work.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable, iscoroutinefunction
from typing import NamedTuple

from tqdm.auto import tqdm

from rag_lessons.tokens import TokenCounter, check_count, check_weight, estimate_tokens

ASYNCHRONOUS = "the model is asynchronous: await the asynchronous function of the same name instead"


class Request(NamedTuple):
    """One call to come: its stage, such as "map", what it is about, and how to write its prompt when its turn comes."""

    stage: str
    label: str
    prompt: Callable[[], str]


class Call(NamedTuple):
    """One call that was made. answer: None if it failed for good, with the error in words.

    attempts: 1 or more. tokens_in: of all attempts' prompts; tokens_out: of the answer. start, end: seconds
    since the first call of the run, pauses included.
    """

    stage: str
    label: str
    answer: str | None
    error: str
    attempts: int
    tokens_in: int
    tokens_out: int
    start: float
    end: float


@dataclass(frozen=True)
class Caller:
    """How a model is called.

    model: prompt -> answer, a `ChatModel` or an asynchronous one. retries: further attempts after a failure.
    backoff: seconds before the first of them, doubled before each next one. concurrency: calls under
    way at once in `run_async`. Raises TypeError or ValueError for a bad setting.

    >>> caller = Caller(lambda prompt: prompt.upper())
    >>> [call.answer for call in caller.run([Request("map", "a", lambda: "gates")])]
    ['GATES']
    """

    model: Callable
    counter: TokenCounter = estimate_tokens
    retries: int = 2
    backoff: float = 0.5
    concurrency: int = 5
    progress: bool = False

    def __post_init__(self) -> None:
        if not callable(self.model):
            raise TypeError(f"model must be a function from a prompt to an answer; got {self.model!r:.60}")
        check_count("retries", self.retries, unit="attempts")
        check_weight("backoff", self.backoff)
        check_count("concurrency", self.concurrency, least=1, unit="calls")

    @property
    def asynchronous(self) -> bool:
        """Whether the model has to be awaited."""
        return iscoroutinefunction(self.model) or iscoroutinefunction(type(self.model).__call__)

    def run(self, requests: Sequence[Request], began: float | None = None) -> list[Call]:
        """Make the calls one after the other. Raises TypeError for an asynchronous model.

        began: when the run began, by `time.perf_counter`; now, if None.
        """
        if self.asynchronous:
            raise TypeError(ASYNCHRONOUS)
        began, calls = time.perf_counter() if began is None else began, []
        for request in self._bar(requests):
            attempts = _Attempts(self, request, began)
            while attempts.pause is not None:
                time.sleep(attempts.pause)
                try:
                    answer = self.model(attempts.prompt)
                    if not isawaitable(answer):
                        attempts.succeed(answer)
                except Exception as error:  # whatever a model raises is its answer's fate, not the run's end
                    attempts.fail(error)
                else:
                    if isawaitable(answer):
                        getattr(answer, "close", str)()
                        raise TypeError(ASYNCHRONOUS)
            calls.append(attempts.call())
        return calls

    async def run_async(self, requests: Sequence[Request], began: float | None = None) -> list[Call]:
        """Make the calls with at most `concurrency` under way; a model that is not asynchronous runs in threads.

        Cancelling it cancels the calls; it returns when none is left.
        """
        began, gate = time.perf_counter() if began is None else began, asyncio.Semaphore(self.concurrency)
        calls: list[Call | None] = [None] * len(requests)

        async def one(i: int, request: Request) -> None:
            try:
                calls[i] = await self._call(request, began)
            finally:
                gate.release()

        async with asyncio.TaskGroup() as group:
            for i, request in enumerate(self._bar(requests)):
                await gate.acquire()  # before the task, so that what waits its turn takes no memory
                group.create_task(one(i, request))
        return calls

    async def _call(self, request: Request, began: float) -> Call:
        attempts = _Attempts(self, request, began)
        while attempts.pause is not None:
            await asyncio.sleep(attempts.pause)
            try:
                if self.asynchronous:
                    answer = self.model(attempts.prompt)
                else:
                    answer = await asyncio.to_thread(self.model, attempts.prompt)
                attempts.succeed(await answer if isawaitable(answer) else answer)
            except asyncio.CancelledError as error:
                if asyncio.current_task().cancelling():
                    raise
                attempts.fail(error)  # the model gave up something of its own
            except Exception as error:  # as above
                attempts.fail(error)
        return attempts.call()

    def _bar(self, requests: Sequence[Request]):
        stage = requests[0].stage if requests else ""
        return tqdm(requests, desc=stage, unit="call", disable=not self.progress)


class _Attempts:
    """The attempts of one call: the pause before the next one in seconds, None when there is none."""

    def __init__(self, caller: Caller, request: Request, began: float) -> None:
        self.caller, self.request, self.began = caller, request, began
        self.prompt = request.prompt()
        self.start, self.pause, self.made = time.perf_counter(), 0.0, 0
        self.answer, self.error = None, ""

    def succeed(self, answer: object) -> None:
        if not isinstance(answer, str):
            raise TypeError(f"the model must return a text; got {answer!r:.60}")
        if not answer.strip():
            raise ValueError("the model returned an empty text")
        self.made, self.pause, self.answer, self.error = self.made + 1, None, answer, ""

    def fail(self, error: Exception) -> None:
        self.made += 1
        self.error = f"{type(error).__name__}: {error}"
        self.pause = self.caller.backoff * 2 ** (self.made - 1) if self.made <= self.caller.retries else None

    def call(self) -> Call:
        count, answer = self.caller.counter, self.answer
        return Call(
            self.request.stage,
            self.request.label,
            answer,
            self.error,
            self.made,
            self.made * count(self.prompt),
            count(answer) if answer else 0,
            self.start - self.began,
            time.perf_counter() - self.began,
        )
