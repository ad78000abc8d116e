"""Makes calls with the Python client, one after the other; how they ended, as JSON."""

import json
import sys

sys.path.insert(0, sys.argv[1])
from ocr_router import OcrError, OcrRouter  # noqa: E402

OWN_NAMES = {"allPages": "all_pages", "idempotencyKey": "idempotency_key"}


def call(client, method, source="", options={}):
    if method == "engines":
        return client.engines()
    return client.read(source, **{OWN_NAMES.get(name, name): value for name, value in options.items()})


def ending(job, wish):
    retries, pauses = [], []
    told = {"on_retry": lambda *retry: retries.append(retry), "sleep": pauses.append}
    client = OcrRouter(url=job["url"], api_key=job["apiKey"], **told)
    try:
        end = {"result": call(client, **wish)}
    except OcrError as error:
        end = {"error": {"code": error.code, "status": error.status, "message": str(error)}}
    except Exception as error:
        end = {"error": {"code": None, "status": None, "message": f"{type(error).__name__}: {error}"}}
    return {**end, "retries": len(retries), "pauses": pauses}


job = json.load(sys.stdin)
print(json.dumps([ending(job, wish) for wish in job["calls"]]))
