"""Uploads of files, in parts if they are large, without reading them into memory."""

from __future__ import annotations

import io
import os
import shutil
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, TYPE_CHECKING, Callable, Iterator, Union

from ._errors import ConflictError
from ._operations import Uploads
from ._transport import STORAGE_FAILED, UNSET, Transport

if TYPE_CHECKING:
    from . import types as t

Source = Union[str, "os.PathLike[str]", bytes, IO[bytes]]
"""The path of a file, bytes, or a file that is open in binary mode."""
UploadProgress = Callable[[int, int], object]
"""Called with the number of sent bytes and of all bytes, after each part."""

MIB = 2**20
# Larger files are sent in parts.
WHOLE_UP_TO = 16 * MIB
MIN_PART = 8 * MIB
MAX_PARTS = 1000
AT_ONCE = 4
BLOCK = MIB // 4
TEMPORARY = "x12tmp-"


@dataclass
class Content:
    """The bytes of a file from a position to its end, read by several threads."""

    file: IO[bytes]
    name: str | None
    start: int = 0
    size: int = 0
    lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.start = self.file.tell()
        self.size = self.file.seek(0, os.SEEK_END) - self.start

    def blocks(self, begin: int, end: int) -> Iterator[bytes]:
        """The bytes between two positions, block by block."""
        while begin < end:
            with self.lock:
                self.file.seek(self.start + begin)
                block = self.file.read(min(BLOCK, end - begin))
            if not block:
                raise EOFError("the file has become shorter while it is sent")
            begin += len(block)
            yield block


def upload(
    transport: Transport,
    source: Source,
    filename: str | None,
    persona_id: int | None,
    temporary: bool,
    idempotency_key: str | None,
    on_progress: UploadProgress | None,
) -> t.FinalizedUploadResponse:
    """Allocates an upload, sends the bytes and finalizes it."""
    uploads = Uploads(transport)
    with _opened(source) as content:
        name = _name(filename or content.name, temporary)
        part_size = max(MIN_PART, -(-content.size // MAX_PARTS))
        count = 1 if content.size <= WHOLE_UP_TO else -(-content.size // part_size)
        ticket = uploads.create(
            filename=name,
            pid=UNSET if persona_id is None else persona_id,
            parts=UNSET if count == 1 else count,
            idempotency_key=idempotency_key,
        )
        if idempotency_key is not None:
            # An earlier call with the key may have sent everything.
            try:
                return uploads.finalize(url=ticket["final_url"])
            except ConflictError as error:
                if error.code != "not_uploaded":
                    raise
        _send_parts(transport, content, ticket, part_size, on_progress)
    return uploads.finalize(url=ticket["final_url"])


@contextmanager
def _opened(source: Source) -> Iterator[Content]:
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield Content(file, os.path.basename(source))
    elif isinstance(source, bytes):
        yield Content(io.BytesIO(source), None)
    elif isinstance(source, io.TextIOBase):
        raise TypeError("open the file in binary mode")
    else:
        name = getattr(source, "name", None)
        basename = os.path.basename(name) if isinstance(name, str) else None
        if source.seekable():
            yield Content(source, basename)
        else:
            with TemporaryFile() as copy:
                shutil.copyfileobj(source, copy)
                copy.seek(0)
                yield Content(copy, basename)


def _name(name: str | None, temporary: bool) -> str:
    if not name:
        raise TypeError("give a filename with the extension of the type, such as photo.jpg")
    return TEMPORARY + name if temporary and not name.startswith(TEMPORARY) else name


def _send_parts(
    transport: Transport,
    content: Content,
    ticket: t.UploadResponse,
    part_size: int,
    on_progress: UploadProgress | None,
) -> None:
    """Sends all parts, several at once. The first failure ends it."""
    if ticket["signed_url"] is not None:
        urls, part_size = [ticket["signed_url"]], content.size
    else:
        urls = [part["signed_url"] for part in ticket["parts"]]

    def send(index: int) -> int:
        begin = index * part_size
        end = min(begin + part_size, content.size)

        def attempt() -> None:
            blocks = content.blocks(begin, end)
            transport.put(urls[index], ticket["headers"], blocks, end - begin)

        transport.retrying(attempt, STORAGE_FAILED)
        return end - begin

    with ThreadPoolExecutor(AT_ONCE) as threads:
        sending = [threads.submit(send, index) for index in range(len(urls))]
        sent = 0
        try:
            for part in as_completed(sending):
                sent += part.result()
                if on_progress:
                    on_progress(sent, content.size)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise
