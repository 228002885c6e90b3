"""Requests to the service, with retries; to other hosts without its token."""

from __future__ import annotations

import json
import random
import secrets
import ssl
import time
from enum import Enum
from functools import cache
from http.client import HTTPException, HTTPResponse
from typing import IO, Any, Callable, Collection, Final, Iterable, Iterator, Mapping, TypeVar
from urllib.parse import quote, urlencode, urljoin, urlsplit
from urllib.request import (
    HTTPCookieProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from ._errors import NetworkError, X12Error, error_of
from ._version import __version__

T = TypeVar("T")

FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
# A longer `Retry-After` is not followed: the service's own limits last a minute at most.
LONGEST_RETRY_AFTER = 60.0
# Three heartbeats of an event stream.
STREAM_TIMEOUT = 45.0
PAGE = 100
# Bytes that are in memory of a download.
BLOCK = 2**18
MAX_REDIRECTS = 5
BUSY: Final = frozenset({0, 429, 503})
STORAGE_FAILED: Final = frozenset({0, 408, 429, 500, 502, 503, 504})
REDIRECTED: Final = frozenset({301, 302, 303, 307, 308})


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"


UNSET: Final = Unset.UNSET
"""The value of an argument that is not sent. `None` is sent as null."""


class Transport:
    """Sends requests. Safe for threads: requests share neither connections nor state."""

    def __init__(
        self, base_url: str, token: str, timeout: float, max_retries: int, cookies: bool
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._max_retries = max_retries
        self._service = _opener(HTTPCookieProcessor()) if cookies else _opener()
        self._others = _opener()

    def call(
        self,
        method: str,
        url: str,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Calls an operation and returns the body of its response."""
        headers = {"Accept": "application/json", **self._authorization()}
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or secrets.token_hex(16)
        timeout = self._timeout
        data = None
        if body is not None:
            fields = _given(body)
            data = json.dumps(fields).encode()
            headers["Content-Type"] = "application/json"
            # A generation responds only after this time.
            timeout += fields.get("wait") or 0
        address = self._address(url, path, query)

        def attempt() -> Any:
            request = Request(address, data, headers, method=method)
            with _checked(_send(self._service, request, timeout)) as response:
                return _json(response)

        return self.retrying(attempt)

    def pages(
        self,
        url: str,
        field: str,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> Iterator[Any]:
        """The entries of all pages of a list, each page read when it is needed."""
        cursor: object = UNSET
        while cursor is not None:
            page_query = {"limit": PAGE, **(query or {}), "cursor": cursor}
            page = self.call("GET", url, path=path, query=page_query)
            yield from page[field]
            cursor = page.get("next_cursor")

    def stream(self, url: str, query: Mapping[str, object], last_id: int) -> HTTPResponse:
        """Opens an event stream after an event."""
        headers = {
            "Accept": "text/event-stream",
            "Last-Event-ID": str(last_id),
            **self._authorization(),
        }
        request = Request(self._address(url, None, query), headers=headers)
        return _checked(_send(self._service, request, max(self._timeout, STREAM_TIMEOUT)))

    def fetch(self, url: str) -> HTTPResponse:
        """Opens what a URL has. Redirects are followed; only the service gets the token."""
        address = urljoin(f"{self._base_url}/", url)
        if urlsplit(address).scheme not in ("http", "https"):
            raise ValueError(f"{url} is no URL of http or https")
        return self.retrying(lambda: self._following(address))

    def save(self, url: str, file: IO[bytes]) -> None:
        """Writes what a URL has to a file."""
        with self.fetch(url) as response:
            file.writelines(_blocks(response))

    def put(self, url: str, headers: Mapping[str, str], blocks: Iterable[bytes], size: int) -> None:
        """Sends bytes to a signed URL of the storage, once."""
        sent = {**headers, "Content-Length": str(size)}
        request = Request(url, blocks, sent, method="PUT")
        with _send(self._others, request, self._timeout) as response:
            status = response.status
        if not 200 <= status < 300:
            message = f"the storage refused the bytes with {status}: upload the file again"
            raise X12Error("unexpected_response", message, status)

    def retrying(self, attempt: Callable[[], T], statuses: Collection[int] = BUSY) -> T:
        """The result of the first attempt that succeeds, or that fails for good."""
        retries = 0
        while True:
            try:
                return attempt()
            except X12Error as error:
                # An earlier attempt or call with the key still runs: a later one gets its response.
                may_retry = error.status in statuses or error.code == "idempotency_in_progress"
                delay = _delay(error, retries)
                if not may_retry or retries >= self._max_retries or delay > LONGEST_RETRY_AFTER:
                    raise
            time.sleep(delay)
            retries += 1

    def _following(self, url: str) -> HTTPResponse:
        for _ in range(MAX_REDIRECTS):
            is_ours = _origin(url) == _origin(self._base_url)
            request = Request(url, headers=self._authorization() if is_ours else {})
            response = _send(self._others, request, self._timeout)
            location = response.headers["Location"]
            if response.status not in REDIRECTED or location is None:
                return _checked(response)
            response.close()
            url = urljoin(url, location)
        raise X12Error("unexpected_response", f"more than {MAX_REDIRECTS} redirects")

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    def _address(
        self, url: str, path: Mapping[str, object] | None, query: Mapping[str, object] | None
    ) -> str:
        filled = url.format_map(
            {name: quote(str(value), safe="") for name, value in (path or {}).items()}
        )
        given = {name: _text(value) for name, value in _given(query or {}).items()}
        return f"{self._base_url}{filled}{'?' if given else ''}{urlencode(given)}"


@cache
def _tls() -> ssl.SSLContext:
    """Shared, because it takes longer than a request to read the certificates."""
    return ssl.create_default_context()


def _opener(*more: HTTPCookieProcessor) -> OpenerDirector:
    """Opens http and https alone, through the proxies of the environment; follows no redirects."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(context=_tls()),
        UnknownHandler(),
        *more,
    ):
        opener.add_handler(handler)
    return opener


def _send(opener: OpenerDirector, request: Request, timeout: float) -> HTTPResponse:
    """The response to a request, whatever its status. Raises a NetworkError without one."""
    request.add_header("User-Agent", f"x12-python/{__version__}")
    try:
        response: HTTPResponse = opener.open(request, timeout=timeout)
    except (OSError, HTTPException) as error:
        raise network_error(error) from error
    return response


def _checked(response: HTTPResponse) -> HTTPResponse:
    """The same response. Raises an X12Error unless it succeeded."""
    if 200 <= response.status < 300:
        return response
    with response:
        raise error_of(response.status, response.headers, _whole(response))


def _whole(response: HTTPResponse) -> bytes:
    try:
        return response.read()
    except (OSError, HTTPException) as error:
        raise network_error(error) from error


def _blocks(response: HTTPResponse) -> Iterator[bytes]:
    """The body in blocks. Raises a NetworkError if the connection ends before."""
    try:
        while block := response.read(BLOCK):
            yield block
    except (OSError, HTTPException) as error:
        raise network_error(error) from error
    # Reads in blocks end silently with the connection.
    if response.length:
        raise NetworkError("network_error", f"{response.length} bytes are missing: try again")


def _json(response: HTTPResponse) -> Any:
    raw = _whole(response)
    try:
        return json.loads(raw) if raw else None
    except ValueError as error:
        raise error_of(response.status, response.headers, raw) from error


def network_error(error: Exception) -> NetworkError:
    """The error of a request without a whole response."""
    # urllib wraps errors of connecting and sending.
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return NetworkError("timeout", "the service did not respond in time: try again")
    return NetworkError(
        "network_error", f"no response, check the address and the network: {reason!r}"
    )


def _delay(error: X12Error, retries: int) -> float:
    """Seconds until the next attempt."""
    if error.retry_after is not None:
        return error.retry_after
    return min(FIRST_DELAY * 2.0**retries, LONGEST_DELAY) * random.uniform(0.5, 1)


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not UNSET}


def _text(value: object) -> str:
    """A value in a query: lists have commas."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(_text(each) for each in value)
    return str(value)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    default = 443 if parts.scheme == "https" else 80
    return parts.scheme, parts.hostname, parts.port or default
