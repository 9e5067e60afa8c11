"""The part of the command line that lets a model answer: the packaged one, or one on a server."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace

from rag_lessons.answering import ChatModel
from rag_lessons.chat import OpenAIChat
from rag_lessons.context import cited_layout
from rag_lessons.gate import EvidenceGate
from rag_lessons.generation import GroundedAnswer, generate, small_prompt
from rag_lessons.index import HierarchicalIndex
from rag_lessons.local import local_model
from rag_lessons.minilm import MiniLM
from rag_lessons.presets import Settings, default_settings
from rag_lessons.trace import Trace
from rag_lessons.vector_cache import CachedEmbedder

LOCAL = "local"


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser which models can answer."""
    what = "let a model answer: 'local' for the small packaged one, or a name on --base-url; search by meaning too"
    parser.add_argument("--model", metavar="NAME", help=f"{what} (needs the extra models)")
    where = "a server that speaks OpenAI's protocol, with /v1; the key comes from OPENAI_API_KEY only"
    parser.add_argument("--base-url", metavar="URL", help=where)


def check_model_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Leave with status 2 where a model is half named, or named for what no model does."""
    if options.base_url is not None and options.model in (None, LOCAL):
        parser.error("--base-url needs --model: the name of a model on that server")
    if options.model is not None and options.cut:
        parser.error("--cut prints what is kept, and asks no model: leave --model out")
    if options.model == "":
        parser.error("--model must be 'local' or the name of a model on a server; got ''")


def with_model(settings: Settings) -> Settings:
    """Settings whose chunks have names to cite; the default ones search by meaning as well.

    >>> with_model(default_settings()).layout.__name__
    'cited_layout'
    """
    if settings.route == default_settings().route:
        found = default_settings(CachedEmbedder(MiniLM(), progress=True))
        settings = replace(settings, name=found.name, route=found.route, passages=found.passages)
    return replace(settings, layout=cited_layout)


@contextmanager
def open_model(options: argparse.Namespace) -> Iterator[ChatModel | None]:
    """The model that the options name, until the end of the block; None if they name none."""
    if options.model is None:
        yield None
    elif options.model == LOCAL:
        with local_model() as model:
            yield model
    else:
        model = OpenAIChat(options.model, options.base_url)
        try:
            yield model
        finally:
            model.close()


def answer_with(model: ChatModel, trace: Trace, index: HierarchicalIndex, local: bool) -> GroundedAnswer:
    """Let a model answer a trace, unless the evidence is too thin; the small local one gets a short prompt."""
    gate = EvidenceGate(CachedEmbedder(MiniLM()))
    return generate(trace, index, model, gate, write=small_prompt if local else None)


def answer_lines(answer: GroundedAnswer, name: str) -> str:
    """An answer as it is printed below a trace.

    >>> print(answer_lines(GroundedAnswer("They rust.", 0.7, cited=("a-1",)), "m"))
    Model m: They rust.
      evidence: 0.70
      cites: a-1
    """
    lines = [f"Model {name}: {answer.text}"]
    lines += [f"  evidence: {answer.evidence:.2f}"] if answer.evidence is not None else []
    lines += [f"  cites: {', '.join(answer.cited)}"] if answer.cited else []
    lines += [f"  names no chunk of the context: {', '.join(answer.invented)}"] if answer.invented else []
    return "\n".join(lines)


def answer_dict(answer: GroundedAnswer, name: str) -> dict:
    """An answer as JSON holds it.

    >>> answer_dict(GroundedAnswer("They rust.", 0.7), "m")["name"]
    'm'
    """
    found = {"name": name, "answer": answer.text, **asdict(replace(answer, call=None))}
    del found["text"], found["call"]
    if answer.call:
        found |= {"tokens_in": answer.call.tokens_in, "tokens_out": answer.call.tokens_out, "error": answer.call.error}
    return found
