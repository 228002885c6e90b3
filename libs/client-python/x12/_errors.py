"""Errors of calls, by the code that the service gave."""

from __future__ import annotations

import json
from email.message import Message
from email.utils import parsedate_to_datetime
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Mapping, Sequence

if TYPE_CHECKING:
    from .types import GenerationResponse


class X12Error(Exception):
    """A failed call.

    `code` is one of the API, or `network_error`, `timeout` or `unexpected_response`. `status` is
    that of HTTP, 0 without a response. `message` says what to do, `errors` has the messages of each
    field, and `request_id` finds the request in the log of the service.
    """

    def __init__(
        self,
        code: str,
        message: str,
        status: int = 0,
        errors: Mapping[str, Sequence[str]] | None = None,
        request_id: str | None = None,
        challenge: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        # All arguments: an exception is pickled by them.
        super().__init__(code, message, status, errors, request_id, challenge, retry_after)
        self.code = code
        self.message = message
        self.status = status
        self.errors = errors or {}
        self.request_id = request_id
        self.challenge = challenge
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"

    @property
    def is_transient(self) -> bool:
        """True if the same call may succeed later."""
        return self.status in (0, 429) or self.status >= 500


class BadRequestError(X12Error):
    """400: a field is missing, malformed or out of range."""


class AuthenticationError(X12Error):
    """401: the token is missing, unknown, expired or revoked."""


class CreditsError(X12Error):
    """402: too few credits, or a budget or quota is used up."""


class PermissionDeniedError(X12Error):
    """403: the role, plan or scope does not allow the call."""


class NotFoundError(X12Error):
    """404: unknown in this workspace."""


class ConflictError(X12Error):
    """409: the state forbids the call."""


class RateLimitError(X12Error):
    """429: too many calls; `retry_after` has the seconds to wait."""


class ServiceError(X12Error):
    """500 and above: the service failed or is not available."""


class NetworkError(X12Error):
    """No response: the service cannot be reached, or it took too long."""


class GenerationError(Exception):
    """A generation that failed or was canceled. Its credits were released."""

    def __init__(self, generation: GenerationResponse) -> None:
        super().__init__(generation)
        error = generation["error"]
        self.code = error["code"] if error else generation["state"]
        self.message = error["message"] if error else "the generation was canceled"
        self.generation = generation

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


_BY_STATUS: dict[int, type[X12Error]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: CreditsError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def error_of(status: int, headers: Message, raw: bytes) -> X12Error:
    """The error of a response."""
    kind = _BY_STATUS.get(status, ServiceError if status >= 500 else X12Error)
    retry_after = _seconds(headers["Retry-After"])
    body = _object(raw)
    if "code" in body and "message" in body:
        errors, request_id, challenge = (
            body.get(key) for key in ("errors", "request_id", "challenge")
        )
        return kind(
            body["code"], body["message"], status, errors, request_id, challenge, retry_after
        )
    message = f"a response with status {status} did not come from the service"
    if headers["Location"]:
        message = f"redirected to {headers['Location']}: give the final address as base_url"
    request_id = headers["X-Request-Id"]
    return kind("unexpected_response", message, status, None, request_id, None, retry_after)


def _object(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _seconds(retry_after: str | None) -> float | None:
    """Seconds of a `Retry-After`, which has a number or a date."""
    if retry_after is None:
        return None
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        date = parsedate_to_datetime(retry_after)
        return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
