"""Verification of webhooks, as Standard Webhooks describes it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Any, Mapping, Union

if TYPE_CHECKING:
    from . import types as t

__all__ = ["WebhookVerificationError", "verify_event", "verify_webhook"]

TOLERANCE = 300
PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """The service did not send this within the last five minutes, or not with this secret."""


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str
) -> Union[t.GenerationEvent, t.BatchEvent]:
    """Returns what the service POSTed to the `webhook` of a generation or a batch.

    `body` is the one before any parser, `secret` is `whsec_…` of `x12.webhooks.secret.get()`.
    A webhook may arrive twice, with the same `webhook-id`.
    """
    event: Union[t.GenerationEvent, t.BatchEvent] = _verified(body, headers, secret)
    return event


def verify_event(body: bytes | str, headers: Mapping[str, str], secret: str) -> t.EventDto:
    """Returns the event that a webhook endpoint got, with the secret of the endpoint."""
    event: t.EventDto = _verified(body, headers, secret)
    return event


def _verified(body: bytes | str, headers: Mapping[str, str], secret: str) -> Any:
    raw = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    try:
        id, timestamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split()
        age = time.time() - int(timestamp)
    except (KeyError, ValueError) as error:
        raise WebhookVerificationError("a header is missing or malformed") from error
    if abs(age) > TOLERANCE:
        raise WebhookVerificationError("the timestamp is not of the last five minutes")
    signed = f"{id}.{timestamp}.".encode() + raw
    digest = hmac.digest(_key(secret), signed, hashlib.sha256)
    expected = b"v1," + base64.b64encode(digest)
    if not any(hmac.compare_digest(expected, each.encode()) for each in signatures):
        raise WebhookVerificationError("no signature is of this secret and body")
    return json.loads(raw)


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("the secret is not whsec_… of the service") from error
