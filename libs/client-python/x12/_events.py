"""The events of a workspace, through broken connections."""

from __future__ import annotations

import json
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, Iterable, Iterator, Sequence

from ._errors import X12Error
from ._transport import UNSET, Transport

if TYPE_CHECKING:
    from . import types as t

FIRST_DELAY = 0.5
LONGEST_DELAY = 10.0


def follow_events(
    transport: Transport, types: Sequence[str] | None, subject: str | None, after: int
) -> Iterator[t.EventDto]:
    """The events after a number, through broken streams: none is missed."""
    query = {"types": ",".join(types) if types else UNSET, "subject": subject or UNSET}
    delay = FIRST_DELAY
    has_opened = False
    while True:
        try:
            with transport.stream("/v2/events/stream", query, after) as stream:
                has_opened = True
                for event in _events(stream):
                    after = event["number"]
                    delay = FIRST_DELAY
                    yield event
        except X12Error as error:
            if not (has_opened and error.is_transient):
                raise
        except (OSError, HTTPException):
            pass  # The stream has broken.
        time.sleep(delay)
        delay = min(delay * 2, LONGEST_DELAY)


def _events(lines: Iterable[bytes]) -> Iterator[t.EventDto]:
    """Server-sent events: the service sends the data of each in one line, then a blank line."""
    data: bytes | None = None
    for line in lines:
        if line.startswith(b"data:"):
            data = line[len(b"data:") :]
        elif line == b"\n" and data is not None:
            yield json.loads(data)
            data = None
