"""Client of ocr-router: reads documents, waits for outcomes, sends again by the contract's own rules."""

from .client import OcrRouter
from .errors import OcrError
from .webhook import verify_webhook

__all__ = ["OcrError", "OcrRouter", "verify_webhook"]
