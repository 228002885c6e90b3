"""The client: the operations of the API, and methods that take more than one call."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence, TypeVar

from ._errors import ConflictError, GenerationError, X12Error
from ._events import follow_events
from ._operations import Operations
from ._transport import UNSET, Transport
from ._upload import Source, name_of, opened, send_parts

if TYPE_CHECKING:
    from . import types as t

T = TypeVar("T", bound="t.GenerationResponse | t.BatchDto")

FIRST_POLL = 0.25
LONGEST_POLL = 3.0
END_STATES = ("succeeded", "failed", "canceled", "ended")


class X12(Operations):
    """A client of the service at `base_url`; threads may share one.

    The arguments default to the variables X12_URL and X12_TOKEN of the environment; a `token` of ""
    sends none. `timeout` is the number of seconds in which a response has to begin, and go on.
    `max_retries` is for calls that got 429, 503 or no response. `cookies` keeps those of the
    service, for a guest of a share link. Every call may raise an X12Error.
    """

    def __init__(
        self,
        base_url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        cookies: bool = False,
    ) -> None:
        base_url = base_url or os.environ.get("X12_URL")
        if not base_url:
            raise ValueError("give base_url or set X12_URL, such as https://x12.example.com")
        given = os.environ.get("X12_TOKEN", "") if token is None else token
        super().__init__(Transport(base_url, given.strip(), timeout, max_retries, cookies))

    def __enter__(self) -> X12:
        return self

    def __exit__(self, *_: object) -> None:
        """Has nothing to release: each connection ends with its call."""

    def upload(
        self,
        source: Source,
        *,
        filename: str | None = None,
        persona_id: int | None = None,
        temporary: bool = False,
        idempotency_key: str | None = None,
        on_progress: Callable[[int, int], object] | None = None,
    ) -> t.FinalizedUploadResponse:
        """Uploads a file and saves it.

        `source` is the path of a file, bytes, or a file that is open in binary mode. `filename`
        defaults to the name of the file, `persona_id` to the caller's first persona. A `temporary`
        file is deleted after some hours. `on_progress` gets the number of sent bytes and of all
        bytes, after each part.
        """
        with opened(source) as content:
            ticket = self.uploads.create(
                filename=name_of(filename or content.name, temporary),
                pid=UNSET if persona_id is None else persona_id,
                parts=UNSET if content.parts == 1 else content.parts,
                idempotency_key=idempotency_key,
            )
            if idempotency_key is not None:
                # An earlier call with the key may have sent everything.
                with suppress(ConflictError):
                    return self.uploads.finalize(url=ticket["final_url"])
            send_parts(self._transport, content, ticket, on_progress)
            return self.uploads.finalize(url=ticket["final_url"])

    def download(self, url: str, path: str | os.PathLike[str]) -> None:
        """Writes what a URL has to a file. After an error the file is as before."""
        part = f"{os.fspath(path)}.part"
        try:
            with open(part, "wb") as file:
                self._transport.save(url, file)
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.remove(part)
            raise

    def generate(
        self, *, model: str, idempotency_key: str | None = None, **inputs: Any
    ) -> t.GenerateResponse:
        """Starts a generation. `inputs` are the fields of `generations.create`."""
        started: t.GenerateResponse = self.generations.create(
            model=model, idempotency_key=idempotency_key, **inputs
        )
        return started

    def wait_for(
        self,
        id: int,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.GenerationResponse], object] | None = None,
    ) -> t.GenerationResponse:
        """Returns the generation when it has ended, in any end state.

        While the service cannot be reached or is overloaded, it goes on asking. Raises a
        TimeoutError after `timeout` seconds; the generation then still runs.
        """
        return _until_end(lambda: self.generations.get(id=id), timeout, on_progress)

    def run(
        self,
        *,
        model: str,
        timeout: float | None = None,
        on_progress: Callable[[t.GenerationResponse], object] | None = None,
        idempotency_key: str | None = None,
        **inputs: Any,
    ) -> t.GenerationResponse:
        """Uploads the files among the inputs, generates, and waits for the end.

        Files are paths (`pathlib.Path`) and files that are open; a string is a URL. A call with an
        `idempotency_key` that an earlier call had, also of another process, waits for the same
        generation. Raises a GenerationError unless it succeeded, and as `wait_for`.
        """
        for name, value in inputs.items():
            if isinstance(value, os.PathLike) or hasattr(value, "read"):
                key = None if idempotency_key is None else f"{idempotency_key}-{name}"
                inputs[name] = self.upload(value, temporary=True, idempotency_key=key)["url"]
        started = self.generate(model=model, idempotency_key=idempotency_key, **inputs)
        generation = self.wait_for(
            started["generation_id"], timeout=timeout, on_progress=on_progress
        )
        if generation["state"] != "succeeded":
            raise GenerationError(generation)
        return generation

    def wait_for_batch(
        self,
        id: int,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.BatchDto], object] | None = None,
    ) -> t.BatchDto:
        """As `wait_for`, for a batch. Some of its cells may have failed."""
        return _until_end(lambda: self.batches.get(id=id, limit=1)["batch"], timeout, on_progress)

    def cells(self, id: int) -> Iterator[t.CellDto]:
        """The cells of a batch in their order."""
        return self._transport.pages("/v2/batches/{id}", "cells", path={"id": id})

    def follow_events(
        self,
        *,
        types: Sequence[str] | None = None,
        subject: str | None = None,
        after: int | None = None,
    ) -> Iterator[t.EventDto]:
        """The events of the workspace as they happen, without an end.

        `after` is the number of the last known event; by default it begins with the next one
        after this call.
        A broken connection is opened again: no event is missed.
        """
        if after is None:
            newest = self.events.list(order="newest", limit=1)["events"]
            after = newest[0]["number"] if newest else 0
        return follow_events(self._transport, types, subject, after)


def _until_end(
    read: Callable[[], T],
    timeout: float | None,
    on_progress: Callable[[T], object] | None,
) -> T:
    deadline = float("inf") if timeout is None else time.monotonic() + timeout
    delay = FIRST_POLL
    while True:
        try:
            state = read()
        except X12Error as error:
            if not error.is_transient:
                raise
        else:
            if state["state"] in END_STATES:
                return state
            if on_progress:
                on_progress(state)
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"it has not ended after {timeout} seconds, and goes on")
        time.sleep(min(delay, left))
        delay = min(delay * 1.25, LONGEST_POLL)
