"""Uploads of files, in parts if they are large, without reading them into memory."""

from __future__ import annotations

import io
import os
import shutil
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from math import ceil
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, TYPE_CHECKING, Callable, Iterator, Union

from ._transport import STORAGE_FAILED, Transport

if TYPE_CHECKING:
    from . import types as t

Source = Union[str, "os.PathLike[str]", bytes, IO[bytes]]
"""The path of a file, bytes, or a file that is open in binary mode."""

MIB = 2**20
# Larger files are sent in parts.
WHOLE_UP_TO = 16 * MIB
MIN_PART = 8 * MIB
MAX_PARTS = 1000
AT_ONCE = 4
BLOCK = MIB // 4
TEMPORARY = "x12tmp-"


class Content:
    """The bytes of a file from its position to its end, read by several threads."""

    def __init__(self, file: IO[bytes], name: str | None) -> None:
        self.file = file
        self.name = name
        self.lock = Lock()
        self.start = self.file.tell()
        self.size = self.file.seek(0, os.SEEK_END) - self.start
        is_small = self.size <= WHOLE_UP_TO
        self.part_size = self.size if is_small else max(MIN_PART, ceil(self.size / MAX_PARTS))
        self.parts = 1 if is_small else ceil(self.size / self.part_size)

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


@contextmanager
def opened(source: Source) -> Iterator[Content]:
    """The content of a source. A stream is copied to a temporary file first."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield Content(file, os.path.basename(source))
    elif isinstance(source, (bytes, bytearray, memoryview)):
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


def name_of(name: str | None, temporary: bool) -> str:
    if not name:
        raise TypeError("give a filename with the extension of the type, such as photo.jpg")
    return TEMPORARY + name if temporary and not name.startswith(TEMPORARY) else name


def send_parts(
    transport: Transport,
    content: Content,
    ticket: t.UploadResponse,
    on_progress: Callable[[int, int], object] | None,
) -> None:
    """Sends all parts, several at once. The first failure ends it."""
    if ticket["signed_url"] is not None:
        urls = [ticket["signed_url"]]
    else:
        urls = [part["signed_url"] for part in ticket["parts"]]

    def send(index: int) -> int:
        begin = index * content.part_size
        end = min(begin + content.part_size, content.size)

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
