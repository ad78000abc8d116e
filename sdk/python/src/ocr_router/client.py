import base64
import hashlib
import json
import os
import time
from urllib.parse import quote

from .errors import OcrError
from .transport import Transport

# A body has 10 MB at most, a little of which is not the document.
MOST_BYTES = 7_800_000
POLL_SECONDS = 1


class OcrRouter:
    """A client of ocr-router. Results are dictionaries in the contract's words."""

    def __init__(self, url=None, api_key=None, retries=5, timeout_seconds=240):
        url = url or os.environ.get("OCR_ROUTER_URL", "http://127.0.0.1:8080")
        api_key = api_key or os.environ.get("OCR_ROUTER_API_KEY", "")
        self._transport = Transport(url, api_key, retries, timeout_seconds)

    def read(self, source, engine="tesseract", all_pages=False, idempotency_key=None, **options):
        """Reads a document and waits for its outcome, whichever way it is sent.

        ``source`` is a path, a ``http(s)://`` address, bytes, or a file that is open for reading bytes; ``options`` are
        fields of the contract (``page_count``, ``settings``, ``mode``, ``max_cost_usd``). The same key and request run and
        cost once; without a key one is made of the document and the options. A refusal by an engine is a result
        (``status``); what kept the request from running raises ``OcrError``.
        """
        document, sha256 = _open(source)
        request = {"engine": engine, **options, "input": document}
        if all_pages:
            request["page_count"] = self._estimate(request)["pages_total"]
        wish = json.dumps([sha256, {**request, "input": None}], sort_keys=True)
        key = idempotency_key or hashlib.sha256(wish.encode("utf-8")).hexdigest()
        result = self._transport.call("POST", "/v1/ocr", request, {"Idempotency-Key": key})
        return self.wait(result["request_id"]) if _is_under_way(result) else result

    def estimate(self, source, engine="tesseract", all_pages=False, **options):
        """What reading a document would cost. Nothing is read, reserved or charged."""
        request = {"engine": engine, **options, "input": _open(source)[0]}
        first = self._estimate(request)
        if not all_pages or first["billed_pages"] == first["pages_total"]:
            return first
        return self._estimate({**request, "page_count": first["pages_total"]})

    def get(self, request_id):
        """A request as it stands."""
        return self._transport.call("GET", f"/v1/ocr/{quote(request_id, safe='')}")

    def wait(self, request_id):
        """Waits for the outcome of a request."""
        while True:
            result = self.get(request_id)
            if not _is_under_way(result):
                return result
            time.sleep(POLL_SECONDS)

    def cancel(self, request_id):
        """Ends a request that nobody waits for any more. What has been read of it by then is charged."""
        return self._transport.call("POST", f"/v1/ocr/{quote(request_id, safe='')}/cancel")

    def engines(self):
        return self._transport.call("GET", "/v1/engines")["data"]

    def usage(self):
        return self._transport.call("GET", "/v1/usage")

    def _estimate(self, request):
        return self._transport.call("POST", "/v1/ocr/estimate", request)


def _is_under_way(result):
    return result["status"] in ("queued", "processing")


def _open(source):
    """The document as the contract takes it, and what it is known by."""
    if isinstance(source, str) and source.lower().startswith(("http://", "https://")):
        return {"type": "url", "url": source}, hashlib.sha256(source.encode("utf-8")).hexdigest()
    if isinstance(source, (bytes, bytearray)):
        data = bytes(source)
    elif hasattr(source, "read"):
        data = source.read(MOST_BYTES + 1)
    else:
        with open(source, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        message = f"The document has more than {MOST_BYTES} bytes. Send the address of the document instead."
        raise OcrError(message, "payload_too_large", 413)
    document = {"type": "base64", "data_base64": base64.b64encode(data).decode("ascii")}
    if str(source).lower().endswith(".pdf"):
        document["mime_type"] = "application/pdf"
    return document, hashlib.sha256(data).hexdigest()
