import re
from urllib.parse import urlsplit

from .errors import OcrError

# What a header may have, as it is sent.
SENDABLE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


def check_call(url, api_key, headers):
    """Raises ``OcrError`` for what cannot be sent at all, which no repetition changes."""
    if not _is_address(url):
        raise OcrError(f"The gateway's url is no http(s) address: {url}", "connection", 0)
    if not SENDABLE.fullmatch(api_key):
        message = (
            "The API key cannot be sent: it has a character that no header may have,"
            " as the … of a key that is shown in part."
        )
        raise OcrError(message, "authentication_error", 401)
    for name, value in headers.items():
        if not SENDABLE.fullmatch(str(value)):
            message = f"The {name} cannot be sent: it has a character that no header may have."
            raise OcrError(message, "invalid_request", 400)


def _is_address(url):
    try:
        parts = urlsplit(url)
        parts.port  # raises ValueError for one that is no number
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
