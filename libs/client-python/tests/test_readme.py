"""The examples of the README, one after the other, against the service at X12_URL."""

import contextlib
import io
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@unittest.skipUnless("X12_URL" in os.environ, "X12_URL is missing")
class Readme(unittest.TestCase):
    def test_has_examples_that_run(self) -> None:
        names: dict[str, object] = {}
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            shutil.copy(os.environ["X12_PICTURE"], "photo.png")
            with contextlib.redirect_stdout(printed):
                for example in EXAMPLE.findall(README.read_text(encoding="utf-8")):
                    exec(compile(example, str(README), "exec"), names)
            self.assertEqual(sorted(os.listdir()), ["lake.webp", "photo.png"])
        for text in ("Landscapes", "validation_failed", "\n12\n", "1 succeeded\n2 succeeded\n"):
            self.assertIn(text, printed.getvalue())
