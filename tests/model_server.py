"""A server on this machine that replies as it is told, to test what the client makes of it."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Reply:
    """A status, a body (a dict goes out as JSON), headers, and seconds to wait first."""

    def __init__(self, body, status=200, headers=(), wait=0.0, cut=None):
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers, self.wait, self.cut = status, dict(headers), wait, cut


def answer(text):
    return Reply({
        "id": "1", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
    })  # fmt: skip


def refusal(status, message, headers=(), **more):
    """An error as OpenAI and llama.cpp word it: {"error": {"message": ..., "type": ..., "code": ...}}."""
    return Reply({"error": {"message": message, **more}}, status, headers)


def streamed(*parts, end=True):
    """Server-sent events; without `end`, the connection closes after the last part."""
    rows = [{"choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}]} for part in parts]
    if end:
        rows.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    head = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    lines = [f"data: {json.dumps(head | row)}\n\n" for row in rows] + ["data: [DONE]\n\n"] * end
    return Reply("".join(lines).encode(), headers={"Content-Type": "text/event-stream"})


@contextmanager
def serve(*replies, models=("m",)):
    """Start a server; yields its address and the list of the requests' bodies. The last reply goes on for ever."""
    asked, left = [], list(replies)
    done = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self._send(Reply({"object": "list", "data": [{"id": name, "object": "model"} for name in models]}))

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(json.loads(body) | {"_key": self.headers["Authorization"], "_path": self.path})
            reply = left.pop(0) if len(left) > 1 else left[0]
            self._send(reply(asked[-1]) if callable(reply) else reply)

        def _send(self, reply):
            done.wait(reply.wait)
            self.send_response(reply.status)
            headers = {"Content-Type": "application/json", "Connection": "close"} | reply.headers
            if headers["Content-Type"] != "text/event-stream":
                headers["Content-Length"] = str(len(reply.body))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body[: reply.cut])

        def handle(self):
            try:
                super().handle()
            except ConnectionError:
                self.close_connection = True  # the client did not wait

        def log_message(self, *arguments):
            self.log_date_time_string()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        done.set()
        server.shutdown()
        thread.join()
        server.server_close()
