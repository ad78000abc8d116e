import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 300
# A shorter key is no secret of the gateway's.
FEWEST_KEY_BYTES = 16


def verify_webhook(secret, body, headers, now=None):
    """The event of a webhook that the gateway has signed (Standard Webhooks).

    ``body`` is the raw body, bytes or str. Raises ``ValueError`` for one that is not signed with the secret, or whose time
    is more than five minutes off; also for a secret that is not the gateway's, such as an empty one.
    """
    key = _key(secret)
    given = {name.lower(): value for name, value in headers.items()}
    text = body.decode("utf-8") if isinstance(body, bytes) else body
    try:
        sent_at, message_id = int(given["webhook-timestamp"]), given["webhook-id"]
        signatures = given["webhook-signature"].split(" ")
    except (KeyError, ValueError) as error:
        raise ValueError("The webhook's headers are missing.") from error
    if abs((time.time() if now is None else now) - sent_at) > TOLERANCE_SECONDS:
        raise ValueError("The webhook's time is too far off.")
    signed = f"{message_id}.{sent_at}.{text}".encode("utf-8")
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode("ascii")
    for signature in signatures:
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(value.encode("utf-8"), wanted.encode("ascii")):
            return json.loads(text)
    raise ValueError("The webhook is not signed with this secret.")


def _key(secret):
    bare = secret.strip()  # a file that holds it ends with a line end
    encoded = bare[len("whsec_") :] if bare.startswith("whsec_") else bare
    try:
        key = base64.b64decode(encoded, validate=True)
    except ValueError:
        key = b""
    if len(key) < FEWEST_KEY_BYTES:
        raise ValueError("The webhook's secret is none: it is `whsec_` and base64 of 16 bytes or more.")
    return key
