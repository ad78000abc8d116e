import base64
import hashlib
import itertools
import json
import os
import time
from urllib.parse import quote, urlencode

from .errors import OcrError
from .transport import Transport

# A body has 10 MB at most, a little of which is not the document.
MOST_BYTES = 7_800_000
# Of a document that is sent as it is: more than any gateway takes.
MOST_RAW_BYTES = 1_000_000_000
# Before each further look at a request; then the last one. A key may call no more than so often, also for others.
POLL_PAUSES_SECONDS = (0.5, 1, 2, 4, 8, 15)
LONGEST_POLL_PAUSE_SECONDS = 60


class OcrRouter:
    """A client of ocr-router. Results are dictionaries in the contract's words.

    ``on_retry(error, pause_seconds, elapsed_seconds)`` is called before a call is sent again; what it raises ends the call.
    ``sleep(seconds)`` waits between calls.
    """

    def __init__(self, url=None, api_key=None, retries=5, timeout_seconds=240, on_retry=None, sleep=time.sleep):
        url = (url or os.environ.get("OCR_ROUTER_URL") or "http://127.0.0.1:8080").strip()
        api_key = (api_key or os.environ.get("OCR_ROUTER_API_KEY", "")).strip()
        self._sleep = sleep
        self._transport = Transport(url, api_key, retries, timeout_seconds, on_retry, sleep)

    def read(self, source, engine="tesseract", all_pages=False, idempotency_key=None, **options):
        """Reads a document and waits for its outcome, whichever way it is sent.

        ``source`` is a path, a ``http(s)://`` address, bytes, or a file that is open for reading bytes; ``options`` are
        fields of the contract (``page_count``, ``settings``, ``mode``, ``max_cost_usd``). The same key and request run and
        cost once; without a key one is made of the document and the options. A refusal by an engine is a result
        (``status``); what kept the request from running raises ``OcrError``.
        """
        if options.get("output_format") not in (None, "json"):
            message = "output_format: a read has its result as JSON; `output` has it as a file, in other formats, too."
            raise OcrError(message, "invalid_request", 400)
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
        """Waits for the outcome of a request: looks at it again after half a second, then less and less often, to every 15 s."""
        for look in itertools.count():
            result, asked = self._transport.look(f"/v1/ocr/{quote(request_id, safe='')}")
            if not _is_under_way(result):
                return result
            own = POLL_PAUSES_SECONDS[min(look, len(POLL_PAUSES_SECONDS) - 1)]
            self._sleep(min(LONGEST_POLL_PAUSE_SECONDS, max(own, asked or 0)))

    def pages(self, request_id, include=None, per_page=100):
        """The pages of a request, in order, asked for part by part: a generator.

        ``include`` lists what each carries beside its text (``["words"]``), as far as the request has asked for it.
        """
        part = 1
        while True:
            answer = self.list_pages(request_id, include=include, part=part, per_page=per_page)
            yield from answer["data"]
            if not answer["data"] or part * answer["per_page"] >= answer["total"]:
                return
            part += 1

    def list_pages(self, request_id, include=None, part=1, per_page=100):
        """One part of the pages of a request; they are counted from 1."""
        query = _query(include=",".join(include) if include else None, page=part, per_page=per_page)
        return self._transport.call("GET", f"/v1/ocr/{quote(request_id, safe='')}/pages?{query}")

    def output(self, request_id, format, document=None, page=None, table=None, text_layer=None):
        """A result as a file, in bytes: ``text``, ``markdown``, ``csv``, ``hocr``, ``alto`` or ``pdf``.

        ``hocr``, ``alto`` and ``pdf`` need positions: read with ``include=["words"]``. A ``pdf`` is the document with an
        invisible text layer, and needs the document once more: a path, bytes, or a file that is open for reading bytes.
        """
        query = _query(format=format, page=page, table=table, text_layer=text_layer)
        path = f"/v1/ocr/{quote(request_id, safe='')}/output?{query}"
        if document is None:
            return self._transport.file("GET", path)
        if _is_address(document):
            raise OcrError("The document itself is needed, not its address.", "invalid_request", 400)
        return self._transport.file("POST", path, _bytes(document, MOST_RAW_BYTES))

    def pdf(self, request_id, document, page=None, text_layer=None):
        """The document of a request, which it needs once more, as a searchable PDF: ``output`` with the format ``pdf``."""
        return self.output(request_id, "pdf", document=document, page=page, text_layer=text_layer)

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


def _query(**values):
    return urlencode({name: value for name, value in values.items() if value is not None})


def _is_address(source):
    return isinstance(source, str) and source.lower().startswith(("http://", "https://"))


def _open(source):
    """The document as the contract takes it, and what it is known by."""
    if _is_address(source):
        return {"type": "url", "url": source}, hashlib.sha256(source.encode("utf-8")).hexdigest()
    data = _bytes(source, MOST_BYTES)
    document = {"type": "base64", "data_base64": base64.b64encode(data).decode("ascii")}
    if str(source).lower().endswith(".pdf"):
        document["mime_type"] = "application/pdf"
    return document, hashlib.sha256(data).hexdigest()


def _bytes(source, most):
    if isinstance(source, (bytes, bytearray)):
        data = bytes(source)
    elif hasattr(source, "read"):
        data = _read(source, most + 1)
    else:
        with open(source, "rb") as file:
            data = _read(file, most + 1)
    if len(data) > most:
        message = f"The document has more than {most} bytes. Send the address of the document instead."
        raise OcrError(message, "payload_too_large", 413)
    return data


def _read(file, most):
    """What a file has, up to so many bytes. One of a pipe or a connection may give less at a time than it is asked for."""
    parts = []
    left = most
    while left > 0:
        part = file.read(left)
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
