import http.client
import json
import time
import urllib.error
import urllib.request

from .asked_pause import asked_pause
from .check_call import check_call
from .errors import OcrError

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 60
# No outcome: the same call may be sent again, a request with its key.
AGAIN = {0, 429, 500, 502, 503}


class Transport:
    """Calls by the contract's rules: what has no outcome is sent again, after the pause that the answer asks for."""

    def __init__(self, url, api_key, retries, timeout_seconds, on_retry=None, sleep=time.sleep):
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._retries = retries
        self._timeout_seconds = timeout_seconds
        self._on_retry = on_retry
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirects)

    def call(self, method, path, body=None, headers=None):
        """The body of the answer. Raises ``OcrError`` for one that is an error, also at the end of a slow response."""
        data = None if body is None else json.dumps(body).encode("utf-8")
        given = {"Content-Type": "application/json"} if data is not None else {}
        return self._repeated(method, path, data, {**given, **(headers or {})}, _outcome)

    def look(self, path):
        """The body of what is at a path now, and the pause in seconds that it asks for before the next look, or None."""
        return self._repeated("GET", path, None, {}, _sight)

    def file(self, method, path, document=None):
        """The bytes of an answer that is a file; ``document`` is sent as it is. Raises ``OcrError`` as ``call`` does."""
        headers = {"Content-Type": "application/octet-stream"} if document is not None else {}
        return self._repeated(method, path, document, headers, _file)

    def _repeated(self, method, path, data, headers, read):
        check_call(self._url, self._api_key, headers)
        began = time.monotonic()
        for attempt in range(self._retries + 1):
            try:
                return self._once(method, path, data, headers, read)
            except _Failure as failure:
                if attempt == self._retries or failure.error.status not in AGAIN:
                    raise failure.error from failure.__cause__
                asked = FIRST_PAUSE_SECONDS * 2**attempt if failure.pause is None else failure.pause
                pause = min(LONGEST_PAUSE_SECONDS, asked)
                if self._on_retry is not None:
                    self._on_retry(failure.error, pause, time.monotonic() - began)
                self._sleep(pause)
        raise AssertionError("unreachable")

    def _once(self, method, path, data, headers, read):
        request = urllib.request.Request(self._url + path, data=data, method=method)
        request.add_header("Authorization", f"Bearer {self._api_key}")
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            return self._answer(request, read)
        except (OSError, http.client.HTTPException) as cause:
            error = OcrError(f"No answer from {self._url}: {cause}", "connection", 0)
            raise _Failure(error, None) from cause

    def _answer(self, request, read):
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as answer:
                return read(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as answer:
            with answer:
                if 300 <= answer.code < 400:
                    raise _Failure(self._redirected(answer), None) from None
                return read(answer.code, answer.headers, answer.read())

    def _redirected(self, answer):
        place = answer.headers.get("Location", "nowhere")
        message = f"{self._url} redirects to {place}, which is not followed: the url has to be the gateway's own."
        return OcrError(message, "connection", answer.code, answer.headers.get("X-Request-Id"))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """No redirect is followed: the API key is for the gateway alone."""

    def redirect_request(self, *_):
        return None


class _Failure(Exception):
    def __init__(self, error, pause):
        super().__init__(str(error))
        self.error = error
        self.pause = pause


def _file(status, headers, data):
    return data if status < 400 else _outcome(status, headers, data)


def _sight(status, headers, text):
    body = _outcome(status, headers, text)
    return body, asked_pause(headers, body)


def _outcome(status, headers, text):
    try:
        body = json.loads(text)
    except ValueError:
        body = None
        if status < 300 and _is_cut_off(headers, text):
            error = OcrError(f"HTTP {status}, and its body was cut off.", "connection", 0, headers.get("X-Request-Id"))
            raise _Failure(error, asked_pause(headers, {})) from None
    envelope = body if isinstance(body, dict) else {}
    # A request that ran out of time (503) is an outcome, which its key repeats. A proxy's own 503 may be JSON, too.
    is_timeout = status == 503 and envelope.get("status") == "timeout"
    if isinstance(body, dict) and "error" not in body and (status < 400 or is_timeout):
        return body
    told = envelope.get("error")
    error = told if isinstance(told, dict) else {}
    message = error.get("message") or f"HTTP {status} without a body that can be read."
    code = error.get("code", "connection")
    known = envelope.get("http_status") or status
    raise _Failure(OcrError(message, code, known, headers.get("X-Request-Id")), asked_pause(headers, envelope))


def _is_cut_off(headers, text):
    """Whether a text that is no JSON was to become some: a proxy may end the body of a gateway that died as if whole."""
    return not text.strip() or headers.get_content_type() == "application/json"
