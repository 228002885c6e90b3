"""The API of x12, a backend for AI images and videos."""

from ._client import X12
from ._errors import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    CreditsError,
    GenerationError,
    NetworkError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServiceError,
    X12Error,
)
from ._transport import UNSET, Unset
from ._version import __version__
from .webhooks import WebhookVerificationError, verify_event, verify_webhook

__all__ = [
    "UNSET",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "CreditsError",
    "GenerationError",
    "NetworkError",
    "NotFoundError",
    "PermissionDeniedError",
    "RateLimitError",
    "ServiceError",
    "Unset",
    "WebhookVerificationError",
    "X12",
    "X12Error",
    "__version__",
    "verify_event",
    "verify_webhook",
]
