"""The acceptance list of docs/reach.md, with the account of X12_TOKEN at the service X12_URL.

X12_PICTURE is the path of a picture of 96 x 64, X12_UNSUPPORTED that of a file that is refused, and
a POST to X12_FAIL_NEXT makes the next picture of the model `vendor-image` fail.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Callable, TypeVar
from urllib.request import Request, urlopen

from x12 import types as t
from x12 import X12, AuthenticationError, BadRequestError, GenerationError, X12Error

T = TypeVar("T")

ROOT = Path(__file__).parents[3]
ROW = re.compile(r"^\| (\d+)\. .+? \|(.+)\|$", re.MULTILINE)
COLUMN = 1
SMALL: dict[str, Any] = {"model": "local-image", "width": 64, "height": 64}
PICTURE = Path(os.environ.get("X12_PICTURE", ""))
# Runs in a process of its own, which is killed.
PROGRAM = "import json, sys; from x12 import X12; X12().run(**json.loads(sys.argv[1]))"


def bytes_at(url: str) -> bytes:
    with urlopen(url, timeout=30) as response:
        return bytes(response.read())


def eventually(read: Callable[[], T]) -> T:
    for _ in range(600):
        if result := read():
            return result
        time.sleep(0.1)
    raise AssertionError("it has not come about")


class Table(unittest.TestCase):
    def test_has_the_same_steps_as_this_suite(self) -> None:
        text = (ROOT / "docs" / "reach.md").read_text(encoding="utf-8")
        rows = [
            (int(number), cells.split("|")[COLUMN].strip()) for number, cells in ROW.findall(text)
        ]
        self.assertEqual([number for number, _ in rows], list(range(1, 21)))
        marked = {f"test_{number:02}" for number, cell in rows if cell != "–"}
        self.assertEqual({name for name in dir(Acceptance) if name.startswith("test_")}, marked)


@unittest.skipUnless(
    "X12_URL" in os.environ, "X12_URL is missing: test/e2e/reach-python.test.ts sets it"
)
class Acceptance(unittest.TestCase):
    def setUp(self) -> None:
        self.x12 = X12()

    def used(self) -> int:
        return self.x12.credits.get()["credits"]["used"]

    def test_01(self) -> None:
        with self.assertRaisesRegex(AuthenticationError, "Authorization: Bearer"):
            X12(token="x12_wrong").boards.list()

    def test_02(self) -> None:
        models = {model["id"]: model for model in self.x12.models.list()["models"]}
        self.assertEqual(
            (models["local-image"]["cost"], models["local-image"]["cost_per"]), (4, "output")
        )

    def test_03(self) -> None:
        generation = self.x12.run(model="gpt-image-1", prompt="a fox")
        self.assertEqual((generation["model"], len(generation["outputs"])), ("vendor-image", 1))

    def test_04(self) -> None:
        url = self.x12.upload(PICTURE)["url"]
        self.assertEqual(bytes_at(url), PICTURE.read_bytes())

    def test_05(self) -> None:
        with self.assertRaises(X12Error) as caught:
            self.x12.upload(os.environ["X12_UNSUPPORTED"])
        self.assertEqual(caught.exception.code, "unsupported_file_type")

    def test_06(self) -> None:
        persona = self.x12.personas.create(name="Ada")["persona"]
        photo = self.x12.upload(PICTURE, persona_id=persona["id"])["url"]
        self.x12.personas.slots.fill(persona_id=persona["id"], slot=1, photo=photo)
        generation = self.x12.run(**SMALL, pid=persona["id"], prompt="a lake in a style")
        self.assertEqual(generation["inputs"]["style_reference"], photo)

    def test_07(self) -> None:
        before = self.used()
        price = self.x12.generations.create(**SMALL, count=3, prompt="a lake", dry_run=True)
        self.assertEqual((price["cost"], self.used() - before), (12, 0))

    def test_08(self) -> None:
        before = self.used()
        [output] = self.x12.run(**SMALL, prompt="a lake")["outputs"]
        self.assertEqual((output["content_type"], output["width"]), ("image/webp", 64))
        self.assertEqual(self.used() - before, 4)

    def test_09(self) -> None:
        before = self.used()
        key = f"a-lake-twice-{os.getpid()}"
        first, second = (
            self.x12.run(**SMALL, image=PICTURE, idempotency_key=key) for _ in range(2)
        )
        self.assertEqual((first["id"], first["outputs"]), (second["id"], second["outputs"]))
        self.assertEqual(self.used() - before, 4)

    def test_10(self) -> None:
        before = self.used()
        prompt = f"a heron that is killed {os.getpid()}"
        call: dict[str, Any] = {
            "model": "vendor-image",
            "prompt": prompt,
            "idempotency_key": f"heron-{os.getpid()}",
        }

        def found() -> list[int]:
            all = self.x12.generations.iterate()
            return [generation["id"] for generation in all if generation["prompt"] == prompt]

        with subprocess.Popen([sys.executable, "-c", PROGRAM, json.dumps(call)]) as program:
            eventually(found)
            self.assertIsNone(program.poll())
            program.kill()
        generation = self.x12.run(**call)
        self.assertEqual(found(), [generation["id"]])
        self.assertEqual((len(generation["outputs"]), self.used() - before), (1, 3))

    def test_11(self) -> None:
        before = self.used()
        with self.assertRaises(BadRequestError) as caught:
            self.x12.run(model="local-image", width=1, prompt="a lake")
        self.assertIn("64", caught.exception.errors["width"][0])
        self.assertEqual(self.used(), before)

    def test_12(self) -> None:
        before = self.used()
        with urlopen(Request(os.environ["X12_FAIL_NEXT"], method="POST"), timeout=30):
            pass
        with self.assertRaises(GenerationError) as caught:
            self.x12.run(model="vendor-image", prompt="a bad fox")
        self.assertEqual((caught.exception.code, self.used()), ("content_rejected", before))

    def test_13(self) -> None:
        generation = self.x12.run(**SMALL, prompt="in oil", image=PICTURE)
        self.assertRegex(str(generation["inputs"]["image"]), "^http")
        self.assertEqual(len(generation["outputs"]), 1)

    def test_14(self) -> None:
        image = self.x12.upload(PICTURE)["url"]
        video: dict[str, Any] = {"model": "local-video", "duration": 2, "width": 128, "height": 128}
        started = self.x12.generate(**video, image=image)
        [output] = self.x12.wait_for(started["generation_id"])["outputs"]
        self.assertEqual(output["content_type"], "video/mp4")

    def test_15(self) -> None:
        [output] = self.x12.run(**SMALL, prompt=f"a quagga{os.getpid()} at noon")["outputs"]
        found = self.x12.library.iterate(q=f"quagga{os.getpid()}")
        self.assertEqual([item["url"] for item in found], [output["url"]])

    def test_16(self) -> None:
        [output] = self.x12.run(**SMALL, prompt="a lake to keep")["outputs"]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kept.webp"
            self.x12.download(output["url"], path)
            self.assertEqual(path.read_bytes(), bytes_at(output["url"]))
            self.assertEqual(os.listdir(folder), ["kept.webp"])

    def test_17(self) -> None:
        board = self.board_with_picture()

        def processed() -> list[t.MediaDto]:
            media = list(self.x12.boards.media.iterate(board_id=board))
            return media if all(each["state"] == "processed" for each in media) else []

        [picture] = eventually(processed)
        self.assertEqual((picture["content_type"], picture["width"]), ("image/png", 96))

    def test_18(self) -> None:
        share = self.x12.shares.create(board_id=self.board_with_picture())["share"]
        guest = X12(token="", cookies=True)
        token = str(share["url"]).rsplit("/", 1)[-1]
        guest.shared.enter(token=token)
        [picture] = eventually(lambda: list(guest.shared.media.iterate(token=token)))
        self.assertEqual((picture["width"], picture["height"]), (96, 64))

    def test_19(self) -> None:
        rows = [{**SMALL, "prompt": prompt} for prompt in ("a fox", "a hare", "an owl")]
        started = self.x12.batches.create(name="Animals", rows=rows)
        batch = self.x12.wait_for_batch(started["batch"]["id"])
        results = [
            (cell["cell"], cell["generation"]["state"]) for cell in self.x12.cells(batch["id"])
        ]
        self.assertEqual(results, [(cell, "succeeded") for cell in (1, 2, 3)])

    def test_20(self) -> None:
        started = self.x12.generate(**SMALL, prompt="a lake that tells")
        events = self.x12.follow_events(after=0)
        event = next(each for each in events if each["subject"]["id"] == started["generation_id"])
        self.assertEqual(event["type"], "generation.succeeded")

    def board_with_picture(self) -> int:
        board = self.x12.boards.create(name="Portraits")["board"]
        self.x12.boards.media.create(board_id=board["id"], url=self.x12.upload(PICTURE)["url"])
        return board["id"]


if __name__ == "__main__":
    unittest.main()
