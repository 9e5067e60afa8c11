"""Calls: their order, their attempts and pauses, how many at once, and that none is left behind."""

import asyncio
import random
import weakref

import pytest

from rag_lessons import calling
from rag_lessons.calling import Caller, Request


def requests(count):
    return [Request("map", f"part {n}", lambda n=n: f"prompt {n}") for n in range(count)]


class Flaky:
    """Fails as often as it is told for a prompt, then answers."""

    def __init__(self, failures):
        self.failures, self.seen = dict(failures), []

    def __call__(self, prompt):
        self.seen.append(prompt)
        if self.failures.get(prompt, 0) > 0:
            self.failures[prompt] -= 1
            raise ConnectionError("no line")
        return f"answer to {prompt}"


@pytest.fixture
def pauses(monkeypatch):
    found = []
    monkeypatch.setattr(calling.time, "sleep", found.append)
    return found


def test_calls_are_made_in_order_and_counted(pauses):
    calls = Caller(str.upper, len).run(requests(3))
    assert [call.answer for call in calls] == ["PROMPT 0", "PROMPT 1", "PROMPT 2"]
    assert {(call.stage, call.attempts, call.tokens_in, call.tokens_out, call.error) for call in calls} == {
        ("map", 1, 8, 8, "")
    }
    assert all(0 <= call.start <= call.end for call in calls) and set(pauses) == {0.0}


def test_a_failure_is_tried_again_after_pauses_that_double(pauses):
    model = Flaky({"prompt 1": 2, "prompt 2": 9})
    calls = Caller(model, len, retries=3, backoff=0.5).run(requests(3))
    assert [(call.attempts, call.answer is not None) for call in calls] == [(1, True), (3, True), (4, False)]
    assert pauses == [0, 0, 0.5, 1.0, 0, 0.5, 1.0, 2.0]
    assert (calls[2].error, calls[2].label, calls[2].tokens_in) == ("ConnectionError: no line", "part 2", 4 * 8)
    assert calls[1].error == ""


def test_without_retries_one_failure_is_final(pauses):
    calls = Caller(Flaky({"prompt 0": 1}), retries=0).run(requests(2))
    assert [call.answer for call in calls] == [None, "answer to prompt 1"]


@pytest.mark.parametrize("answer", [None, 7, b"bytes", "", " \n"])
def test_an_answer_that_is_no_text_is_a_failure(pauses, answer):
    (call,) = Caller(lambda prompt: answer, retries=1).run(requests(1))
    assert (call.answer, call.attempts) == (None, 2) and "return" in call.error


def test_what_ends_a_program_is_no_failure_of_a_call(pauses):
    def stop(prompt):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Caller(stop).run(requests(2))


class Slow:
    """An asynchronous model that takes a random while, and knows how many calls were under way at most."""

    def __init__(self):
        self.now = self.most = 0
        self.draw = random.Random(3)

    async def __call__(self, prompt):
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.draw.random() / 200)
        finally:
            self.now -= 1
        return prompt


@pytest.mark.parametrize("concurrency", [1, 3, 50])
def test_order_is_kept_and_no_more_calls_run_than_may(concurrency):
    model = Slow()
    calls = asyncio.run(Caller(model, concurrency=concurrency).run_async(requests(20)))
    assert [call.answer for call in calls] == [f"prompt {n}" for n in range(20)]
    assert model.most == min(concurrency, 20)


def test_a_prompt_is_written_when_its_turn_comes():
    written = []
    model = Slow()

    async def look(prompt):
        assert len(written) - len(done) <= 2
        done.append(await model(prompt))
        return prompt

    done = []
    asked = [Request("map", str(n), lambda n=n: written.append(n) or str(n)) for n in range(12)]
    calls = asyncio.run(Caller(look, concurrency=2, retries=0).run_async(asked))
    assert all(call.error == "" for call in calls) and len(written) == 12


def test_a_model_that_is_not_asynchronous_runs_in_threads():
    model = Flaky({"prompt 1": 1})
    calls = asyncio.run(Caller(model, backoff=0).run_async(requests(4)))
    assert [call.attempts for call in calls] == [1, 2, 1, 1]
    with pytest.raises(TypeError, match="await the asynchronous function"):
        Caller(Slow()).run(requests(1))


def test_a_function_that_hands_on_a_coroutine_is_told_apart():
    async def model(prompt):
        return prompt.upper()

    caller = Caller(lambda prompt: model(prompt), retries=0)
    assert asyncio.run(caller.run_async(requests(1)))[0].answer == "PROMPT 0"
    with pytest.raises(TypeError, match="await the asynchronous function"):
        caller.run(requests(1))


def test_cancelling_leaves_no_task_behind():
    async def forever(prompt):
        await asyncio.sleep(3600)

    async def main():
        run = asyncio.create_task(Caller(forever, concurrency=4).run_async(requests(30)))
        await asyncio.sleep(0.02)
        assert len(asyncio.all_tasks()) == 1 + 1 + 4
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(main()) == set()


def test_asynchronous_pauses_double_too(monkeypatch):
    found, sleep = [], asyncio.sleep
    monkeypatch.setattr(calling.asyncio, "sleep", lambda seconds: found.append(seconds) or sleep(0))
    (call,) = asyncio.run(Caller(Flaky({"prompt 0": 9}), retries=3, backoff=0.5).run_async(requests(1)))
    assert (found, call.attempts) == ([0, 0.5, 1.0, 2.0], 4)


def test_what_a_model_cancels_itself_is_a_failure_of_its_call():
    async def model(prompt):
        if prompt == "prompt 1":
            raise asyncio.CancelledError("gave up")
        return prompt

    calls = asyncio.run(Caller(model, retries=1, backoff=0).run_async(requests(3)))
    assert [call.answer for call in calls] == ["prompt 0", None, "prompt 2"]
    assert (calls[1].error, calls[1].attempts) == ("CancelledError: gave up", 2)


class Prompt(str):
    """A text that can be referred to weakly, so that one can tell whether it is still there."""


@pytest.mark.parametrize("concurrency", [1, 4])
def test_prompts_are_not_kept(pauses, concurrency):
    alive, most = weakref.WeakSet(), []

    def write(n):
        prompt = Prompt(f"prompt {n}")
        alive.add(prompt)
        return prompt

    async def model(prompt):
        await asyncio.sleep(0)
        most.append(len(alive))
        return "yes"

    asked = [Request("map", str(n), lambda n=n: write(n)) for n in range(40)]
    asyncio.run(Caller(model, concurrency=concurrency).run_async(asked))
    assert len(most) == 40 and max(most) <= concurrency + 1
    most.clear()
    Caller(lambda prompt: most.append(len(alive)) or "yes").run(asked)
    assert len(most) == 40 and max(most) <= 2


def test_no_requests_are_no_calls(pauses):
    assert Caller(str.upper).run([]) == [] == asyncio.run(Caller(str.upper).run_async([]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "gpt"}, "model must be a function from a prompt to an answer; got 'gpt'"),
        ({"retries": -1}, "retries must be a whole number of attempts, 0 or more; got -1"),
        ({"backoff": float("inf")}, "backoff must be a number, 0 or more; got inf"),
        ({"concurrency": 0}, "concurrency must be a whole number of calls, 1 or more; got 0"),
    ],
)
def test_bad_settings_are_named(settings, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Caller(**{"model": str.upper, **settings})


def test_the_bar_goes_to_stderr(capsys, pauses):
    Caller(str.upper, progress=True).run(requests(2))
    out, err = capsys.readouterr()
    assert out == "" and "map" in err
