import io
import json
import os
import pickle
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any
from unittest import mock

from .fake_service import DROP, FakeService, Received, Reply, error

from x12 import (
    X12,
    BadRequestError,
    ConflictError,
    NetworkError,
    NotFoundError,
    RateLimitError,
    X12Error,
    _upload,
)

BOARDS = Reply(body={"boards": [{"id": 1}], "next_cursor": None})
CREATED = Reply(status=201, body={"board": {"id": 1}})
BUSY = Reply(**error(503, "unavailable"))


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        sleep = mock.patch("time.sleep")
        self.sleep = sleep.start()
        self.addCleanup(sleep.stop)

    def start(self, *replies: Any, **options: Any) -> tuple[X12, FakeService]:
        service = FakeService(self, *replies)
        return X12(service.url, "x12_secret", **options), service

    def slept(self) -> list[float]:
        return [call.args[0] for call in self.sleep.call_args_list]


class Requests(ClientTest):
    def test_send_null_for_none_and_leave_out_what_is_not_given(self) -> None:
        x12, service = self.start(CREATED)
        x12.boards.folders.update(board_id=3, id=4, parent_id=None)
        [request] = service.requests
        self.assertEqual(
            (request.path, request.body), ("/boards/3/folders/4", b'{"parent_id": null}')
        )
        self.assertEqual(request.headers["Authorization"], "Bearer x12_secret")

    def test_have_lists_and_booleans_in_the_query_as_the_service_reads_them(self) -> None:
        x12, service = self.start(Reply(body={"items": []}))
        x12.library.list(kind=["image", "video"], q="a & b")
        x12.inbox.list(unread=True)
        self.assertEqual(
            [each.path for each in service.requests],
            ["/v2/library?q=a+%26+b&kind=image%2Cvideo", "/v2/inbox?unread=true"],
        )

    def test_quote_the_fields_of_the_path(self) -> None:
        x12, service = self.start(Reply(body={}))
        x12.customers.update(customer="a/b?c")
        self.assertEqual(service.requests[0].path, "/v2/customers/a%2Fb%3Fc")

    def test_of_threads_that_share_a_client_get_their_own_responses(self) -> None:
        x12, _ = self.start(
            lambda request: Reply(body={"board": {"id": int(request.path.rsplit("/", 1)[1])}})
        )
        with ThreadPoolExecutor(8) as threads:
            ids = list(threads.map(lambda id: x12.boards.get(id=id)["board"]["id"], range(1, 101)))
        self.assertEqual(ids, list(range(1, 101)))

    def test_take_address_and_token_from_the_environment(self) -> None:
        service = FakeService(self, BOARDS)
        with mock.patch.dict(
            os.environ, X12_URL=f"{service.url}/", X12_TOKEN="x12_env\n"
        ), X12() as x12:
            x12.boards.list()
        self.assertEqual(service.requests[0].headers["Authorization"], "Bearer x12_env")
        with mock.patch.dict(os.environ, clear=True), self.assertRaisesRegex(ValueError, "X12_URL"):
            X12()

    def test_go_through_all_pages(self) -> None:
        pages = [
            Reply(body={"boards": [{"id": id}], "next_cursor": next})
            for id, next in ((1, "b="), (2, None))
        ]
        x12, service = self.start(*pages)
        self.assertEqual([board["id"] for board in x12.boards.iterate(q="a")], [1, 2])
        self.assertEqual(
            [each.path for each in service.requests],
            ["/boards?limit=100&q=a", "/boards?limit=100&q=a&cursor=b%3D"],
        )


class Retries(ClientTest):
    def test_send_the_same_key_until_the_service_is_available(self) -> None:
        x12, service = self.start(BUSY, DROP, CREATED)
        x12.boards.create(name="Portraits")
        [key, *others] = [each.headers["Idempotency-Key"] for each in service.requests]
        self.assertEqual(others, [key, key])
        self.assertTrue(0.25 <= self.slept()[0] <= 0.5 <= self.slept()[1] <= 1)

    def test_send_the_given_key_and_another_one_with_each_call_without(self) -> None:
        x12, service = self.start(CREATED)
        x12.boards.create(name="Portraits", idempotency_key="mine")
        x12.boards.create(name="Portraits")
        x12.boards.create(name="Portraits")
        keys = [each.headers["Idempotency-Key"] for each in service.requests]
        self.assertEqual((keys[0], len(set(keys))), ("mine", 3))

    def test_end_after_two(self) -> None:
        x12, service = self.start(BUSY)
        with self.assertRaises(X12Error):
            x12.boards.list()
        self.assertEqual(len(service.requests), 3)

    def test_wait_as_long_as_the_service_says_and_a_minute_at_most(self) -> None:
        for seconds, calls in (("60", 2), ("61", 1), ("Thu, 01 Jan 2026 00:00:00 GMT", 2)):
            x12, service = self.start(
                Reply(**error(429, "rate_limited"), headers={"Retry-After": seconds}), BOARDS
            )
            try:
                x12.boards.list()
            except RateLimitError as limited:
                self.assertEqual(limited.retry_after, 61)
            self.assertEqual(len(service.requests), calls)
        self.assertEqual(self.slept(), [60, 0])

    def test_do_not_repeat_what_the_service_refuses(self) -> None:
        for status in (400, 404, 409, 500):
            x12, service = self.start(Reply(**error(status, "conflict")))
            with self.assertRaises(X12Error):
                x12.boards.list()
            self.assertEqual(len(service.requests), 1)

    def test_wait_for_a_call_with_the_key_that_still_runs(self) -> None:
        running = Reply(**error(409, "idempotency_in_progress"))
        for replies, key in (([running, CREATED], "mine"), ([DROP, running, CREATED], None)):
            x12, service = self.start(*replies)
            x12.boards.create(name="Portraits", idempotency_key=key)
            self.assertEqual(len(service.requests), len(replies))

    def test_end_when_nothing_listens(self) -> None:
        with self.assertRaises(NetworkError) as caught:
            X12("http://127.0.0.1:1").boards.list()
        self.assertEqual((caught.exception.code, len(self.slept())), ("network_error", 2))


class Errors(ClientTest):
    def test_have_what_the_service_said_and_are_pickled(self) -> None:
        x12, _ = self.start(
            Reply(**error(400, "validation_failed", errors={"name": ["is too long"]}))
        )
        with self.assertRaises(BadRequestError) as caught:
            x12.boards.create(name="Portraits")
        for each in (caught.exception, pickle.loads(pickle.dumps(caught.exception))):
            self.assertEqual(
                (each.code, each.status, each.message, each.request_id),
                ("validation_failed", 400, "do this", "r-1"),
            )
            self.assertEqual((each.errors, each.is_transient), ({"name": ["is too long"]}, False))

    def test_are_unexpected_responses_of_what_is_not_the_service(self) -> None:
        for reply in (
            Reply(body=b"<html>"),
            Reply(status=502, body=b"<html>"),
            Reply(status=404, body=[]),
        ):
            x12, _ = self.start(reply)
            with self.assertRaises(X12Error) as caught:
                x12.boards.list()
            self.assertEqual(
                (caught.exception.code, caught.exception.status),
                ("unexpected_response", reply.status),
            )

    def test_are_timeouts_when_no_response_begins(self) -> None:
        ended = Event()
        x12, _ = self.start(lambda _: Reply(body=ended.wait(5)), timeout=0.1, max_retries=0)
        with self.assertRaises(NetworkError) as caught:
            x12.boards.list()
        ended.set()
        self.assertEqual((caught.exception.code, caught.exception.is_transient), ("timeout", True))

    def test_are_those_of_the_network_when_a_response_ends_too_early(self) -> None:
        x12, _ = self.start(
            Reply(body=b'{"boards"', headers={"Content-Length": "99"}, cut=True), max_retries=0
        )
        with self.assertRaises(NetworkError):
            x12.boards.list()


class Token(ClientTest):
    def test_does_not_follow_a_redirect_of_a_call(self) -> None:
        other = FakeService(self, BOARDS)
        x12, _ = self.start(Reply(status=301, headers={"Location": f"{other.url}/boards"}))
        with self.assertRaisesRegex(X12Error, f"redirected to {other.url}/boards"):
            x12.boards.list()
        self.assertEqual(other.requests, [])

    def test_goes_to_no_other_host_with_a_download(self) -> None:
        storage = FakeService(self, Reply(body=b"picture"))
        x12, service = self.start(
            Reply(status=302, headers={"Location": f"{storage.url}/a.png?signature=1"})
        )
        with tempfile.TemporaryDirectory() as folder:
            x12.download("/files/a.png", f"{folder}/a.png")
            self.assertEqual(Path(folder, "a.png").read_bytes(), b"picture")
        self.assertEqual(service.requests[0].headers["Authorization"], "Bearer x12_secret")
        self.assertEqual(
            (storage.requests[0].path, "Authorization" in storage.requests[0].headers),
            ("/a.png?signature=1", False),
        )

    def test_and_cookies_of_the_service_stay_with_it(self) -> None:
        storage = FakeService(self, Reply(body=b"picture"))
        x12, service = self.start(
            Reply(body={}, headers={"Set-Cookie": "guest=1; Path=/"}), cookies=True
        )
        x12.shared.enter(token="t")
        x12.shared.get(token="t")
        with tempfile.TemporaryDirectory() as folder:
            x12.download(f"{storage.url}/a.png", f"{folder}/a.png")
        self.assertEqual(service.requests[1].headers["Cookie"], "guest=1")
        self.assertNotIn("Cookie", storage.requests[0].headers)


class Downloads(ClientTest):
    def test_leave_the_file_as_it_was_unless_they_are_whole(self) -> None:
        x12, service = self.start(Reply(body=b"half", headers={"Content-Length": "8"}, cut=True))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.png")
            path.write_bytes(b"before")
            with self.assertRaises(NetworkError):
                x12.download(f"{service.url}/a.png", path)
            self.assertEqual((path.read_bytes(), os.listdir(folder)), (b"before", ["a.png"]))

    def test_are_of_http_alone_and_end_in_a_circle(self) -> None:
        x12, service = self.start(Reply(status=302, headers={"Location": "/again"}))
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(ValueError):
                x12.download("file:///etc/hostname", f"{folder}/a")
            with self.assertRaisesRegex(X12Error, "redirects"):
                x12.download("/a.png", f"{folder}/a")


class Storage:
    """A service and its storage, which keeps the bytes of each part."""

    def __init__(self, test: ClientTest, *failures: Reply, finalized: bool = False) -> None:
        self.stored: dict[str, bytes] = {}
        self.failures = list(failures)
        self.finalized = finalized
        self.storage = FakeService(test, self.store)
        self.x12, self.service = test.start(self.respond)
        self.parts: Any = None
        self.created: Any = None

    def store(self, request: Received) -> Reply:
        if self.failures:
            return self.failures.pop()
        self.stored[request.path] = request.body
        return Reply()

    def respond(self, request: Received) -> Reply:
        if request.method == "POST":
            self.created = json.loads(request.body)
            count = self.created.get("parts", 1)
            parts = [{"signed_url": f"{self.storage.url}/{index:03}"} for index in range(count)]
            whole = f"{self.storage.url}/000" if count == 1 else None
            return Reply(
                body={
                    "signed_url": whole,
                    "parts": parts,
                    "final_url": "f",
                    "headers": {"Content-Type": "image/png"},
                }
            )
        if self.stored or self.finalized:
            return Reply(body={"url": "http://files/a.png"})
        return Reply(**error(409, "not_uploaded"))

    @property
    def bytes(self) -> bytes:
        return b"".join(self.stored[path] for path in sorted(self.stored))


class Uploads(ClientTest):
    def test_send_a_small_file_whole_without_the_token(self) -> None:
        stage = Storage(self)
        self.assertEqual(
            stage.x12.upload(b"picture", filename="a.png", temporary=True)["url"],
            "http://files/a.png",
        )
        [request] = stage.storage.requests
        self.assertEqual((stage.bytes, stage.created), (b"picture", {"filename": "x12tmp-a.png"}))
        self.assertEqual(
            (request.headers["Content-Type"], request.headers["Content-Length"]), ("image/png", "7")
        )
        self.assertNotIn("Authorization", request.headers)
        self.assertNotIn("Transfer-Encoding", request.headers)

    def test_send_a_large_file_in_parts_and_a_part_again(self) -> None:
        data = os.urandom(2500)
        told: list[tuple[int, ...]] = []
        limits: dict[str, Any] = {"WHOLE_UP_TO": 1000, "MIN_PART": 1000, "BLOCK": 300}
        with mock.patch.multiple(_upload, **limits), tempfile.NamedTemporaryFile(
            suffix=".png"
        ) as file:
            file.write(data)
            file.flush()
            stage = Storage(self, Reply(status=503), DROP)
            stage.x12.upload(
                Path(file.name), persona_id=3, on_progress=lambda *sent: told.append(sent)
            )
            self.assertEqual(
                stage.created, {"filename": Path(file.name).name, "pid": 3, "parts": 3}
            )
        self.assertEqual((stage.bytes, len(stage.storage.requests)), (data, 5))
        self.assertEqual((told[-1], len(told)), ((2500, 2500), 3))

    def test_of_parts_read_a_file_by_one_thread_at_a_time(self) -> None:
        class SlowFile(io.BytesIO):
            def seek(self, *position: int) -> int:
                found = super().seek(*position)
                Event().wait(0.001)
                return found

        data = os.urandom(2500)
        stage = Storage(self)
        with mock.patch.multiple(_upload, WHOLE_UP_TO=1000, MIN_PART=1000, BLOCK=100):
            stage.x12.upload(SlowFile(data), filename="a.png")
        self.assertEqual(stage.bytes, data)

    def test_end_with_the_first_part_that_is_refused(self) -> None:
        stage = Storage(self, *[Reply(status=403)] * 9)
        with mock.patch.multiple(_upload, WHOLE_UP_TO=1, MIN_PART=1), self.assertRaises(
            X12Error
        ) as caught:
            stage.x12.upload(b"x" * 500, filename="a.png")
        self.assertRegex(str(caught.exception), "storage refused the bytes with 403")
        self.assertLess(len(stage.storage.requests), 100)

    def test_take_streams_and_files_from_their_position(self) -> None:
        read_end, write_end = os.pipe()
        os.write(write_end, b"piped")
        os.close(write_end)
        file = io.BytesIO(b"header picture")
        file.seek(7)
        with open(read_end, "rb") as pipe:
            for source, sent in ((pipe, b"piped"), (file, b"picture")):
                stage = Storage(self)
                stage.x12.upload(source, filename="a.png")
                self.assertEqual(stage.bytes, sent)

    def test_refuse_text_and_what_has_no_name(self) -> None:
        x12 = Storage(self).x12
        for source, message in ((io.StringIO("a"), "binary"), (b"a", "filename")):
            with self.assertRaisesRegex(TypeError, message):
                x12.upload(source)  # type: ignore[arg-type]

    def test_with_a_key_send_nothing_that_is_saved(self) -> None:
        for finalized, sent in ((True, 0), (False, 1)):
            stage = Storage(self, finalized=finalized)
            stage.x12.upload(b"picture", filename="a.png", idempotency_key="mine")
            self.assertEqual(len(stage.storage.requests), sent)
            self.assertEqual(stage.service.requests[0].headers["Idempotency-Key"], "mine")


class Waiting(ClientTest):
    def test_goes_on_while_the_service_fails_and_ends_with_the_generation(self) -> None:
        running, ended = (
            {"state": state, "finished_at": at}
            for state, at in (("running", None), ("failed", "2026"))
        )
        x12, _ = self.start(
            Reply(**error(500, "internal_error")),
            DROP,
            Reply(body=running),
            Reply(body=ended),
            max_retries=0,
        )
        told: list[str] = []
        self.assertEqual(
            x12.wait_for(3, on_progress=lambda each: told.append(each["state"]))["state"], "failed"
        )
        self.assertEqual(told, ["running"])

    def test_ends_with_an_error_that_stays_and_with_its_time(self) -> None:
        x12, _ = self.start(Reply(**error(404, "not_found")))
        with self.assertRaises(NotFoundError):
            x12.wait_for(3)
        x12, _ = self.start(Reply(body={"state": "running", "finished_at": None}))
        with self.assertRaisesRegex(TimeoutError, "after 0 seconds"):
            x12.wait_for(3, timeout=0)


class Events(ClientTest):
    @staticmethod
    def stream(*numbers: int) -> Reply:
        text = "".join(
            f': \n\nevent: test\nid: {number}\ndata: {{"number": {number}}}\n\n'
            for number in numbers
        )
        return Reply(body=f"{text}data: {{".encode(), cut=True)

    def test_begin_after_the_newest_and_go_on_where_a_stream_broke(self) -> None:
        newest = Reply(body={"events": [{"number": 6}]})
        x12, service = self.start(
            newest, self.stream(7, 8), BUSY, DROP, DROP, self.stream(9), max_retries=0
        )
        events = x12.follow_events(types=["test", "batch.ended"])
        self.assertEqual(len(service.requests), 1)
        self.assertEqual([next(events)["number"] for _ in range(3)], [7, 8, 9])
        self.assertEqual(
            [each.headers.get("Last-Event-ID") for each in service.requests],
            [None, "6", "8", "8", "8", "8"],
        )
        self.assertEqual(service.requests[1].path, "/v2/events/stream?types=test%2Cbatch.ended")

    def test_go_on_when_a_stream_is_silent(self) -> None:
        ended = Event()
        silent = self.stream(1)
        silent.hold = ended
        self.addCleanup(ended.set)
        x12, _ = self.start(silent, self.stream(2), timeout=0.1)
        with mock.patch("x12._transport.STREAM_TIMEOUT", 0.1):
            events = x12.follow_events(after=0)
            self.assertEqual([next(events)["number"] for _ in range(2)], [1, 2])

    def test_end_with_an_error_that_stays_and_when_they_never_began(self) -> None:
        for replies, kind in (
            ([self.stream(1), Reply(**error(409, "conflict"))], ConflictError),
            ([DROP], NetworkError),
        ):
            x12, _ = self.start(*replies)
            with self.assertRaises(kind):
                list(x12.follow_events(after=0))


if __name__ == "__main__":
    unittest.main()
