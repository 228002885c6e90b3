"""A server whose responses a test gives, and which keeps the requests that it got."""

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Union
from unittest import TestCase


@dataclass
class Received:
    method: str
    path: str
    headers: Message
    body: bytes


@dataclass
class Reply:
    """A response. `cut` ends the connection after the body, whatever Content-Length says, and
    `hold` keeps it open until the event."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    hold: threading.Event | None = None


DROP = Reply(status=0)
"""The connection ends without a response."""

Responder = Callable[[Received], Reply]


class FakeService:
    def __init__(self, test: TestCase, *replies: Union[Reply, Responder]) -> None:
        """Gives the replies in turn, and the last one again and again. Runs until the test ends."""
        self.requests: list[Received] = []
        self._replies = list(replies)
        self._lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                service._handle(self)

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        test.addCleanup(self._server.server_close)
        test.addCleanup(self._server.shutdown)

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        received = Received(handler.command, handler.path, handler.headers, body)
        with self._lock:
            self.requests.append(received)
            given = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        reply = given if isinstance(given, Reply) else given(received)
        if reply is DROP:
            return
        raw = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        handler.send_response(reply.status)
        headers = reply.headers if reply.cut else {"Content-Length": str(len(raw)), **reply.headers}
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        with suppress(BrokenPipeError):
            handler.wfile.write(raw)
        if reply.hold:
            reply.hold.wait()


def error(status: int, code: str, **more: Any) -> dict[str, Any]:
    """The status and body of a response with an error of the API."""
    body = {"status": False, "code": code, "message": "do this", "request_id": "r-1", **more}
    return {"status": status, "body": body}
