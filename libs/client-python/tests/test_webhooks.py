import time
import unittest
from unittest import mock

from x12 import WebhookVerificationError, verify_event, verify_webhook

# The example of https://www.standardwebhooks.com.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
BODY = b'{"test": 2432232314}'
SENT = 1614265330
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "WEBHOOK-TIMESTAMP": str(SENT),
    "webhook-signature": f"v1,bm9uZQ== {SIGNATURE}",
}


class Webhooks(unittest.TestCase):
    def at(self, seconds: float) -> None:
        clock = mock.patch.object(time, "time", return_value=SENT + seconds)
        clock.start()
        self.addCleanup(clock.stop)

    def test_are_read_within_five_minutes_either_way(self) -> None:
        for seconds in (-300, 0, 300):
            self.at(seconds)
            self.assertEqual(verify_webhook(BODY, HEADERS, SECRET), {"test": 2432232314})
            self.assertEqual(verify_event(BODY.decode(), HEADERS, SECRET), {"test": 2432232314})

    def test_are_refused_outside_of_five_minutes(self) -> None:
        for seconds in (-301, 301):
            self.at(seconds)
            with self.assertRaisesRegex(WebhookVerificationError, "five minutes"):
                verify_webhook(BODY, HEADERS, SECRET)

    def test_are_refused_when_anything_differs(self) -> None:
        self.at(0)
        others = [(name, "other") for name in HEADERS] + [
            ("webhook-signature", "v1,é"),
            ("webhook-id", "msg_other"),
        ]
        for name, value in [*others, ("WEBHOOK-TIMESTAMP", str(SENT + 1))]:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(BODY, {**HEADERS, name: value}, SECRET)
        for call in (
            lambda: verify_webhook(BODY + b" ", HEADERS, SECRET),
            lambda: verify_webhook(BODY, {}, SECRET),
            lambda: verify_webhook(BODY, HEADERS, "whsec_AAAA"),
        ):
            self.assertRaises(WebhookVerificationError, call)

    def test_need_a_secret_of_the_service(self) -> None:
        self.at(0)
        with self.assertRaisesRegex(ValueError, "whsec_"):
            verify_webhook(BODY, HEADERS, "not a secret!")


if __name__ == "__main__":
    unittest.main()
