"""Runs the shared scenarios with the Python client; a JSON line each."""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])
from ocr_router import OcrError, OcrRouter, verify_webhook  # noqa: E402


def describe_file(file, document):
    """How a file begins: with the document itself, or with which characters; and whether there is more than the document."""
    if len(file) > len(document) and file.startswith(document):
        return {"begins": "the document", "growth": "some"}
    return {"begins": file[:12].decode("latin-1"), "growth": "none"}


def call(client, scenario, folder):
    if scenario["call"] == "engines":
        return client.engines()
    path = os.path.join(folder, scenario["document"])
    options = {"all_pages": scenario.get("allPages", False), **scenario["options"]}
    if scenario["call"] in ("read", "estimate"):
        return getattr(client, scenario["call"])(path, **options)
    request_id = client.read(path, **options)["request_id"]
    if scenario["call"] == "pages":
        return list(client.pages(request_id, **scenario["pages"]))
    document = {"document": path} if scenario.get("withDocument") or scenario["call"] == "pdf" else {}
    file = getattr(client, scenario["call"])(request_id, **scenario["output"], **document)
    with open(path, "rb") as source:
        return describe_file(file, source.read())


job = json.load(sys.stdin)
for scenario in job["scenarios"]:
    retries = []
    url = job["urls"][scenario.get("through", "direct")]
    client = OcrRouter(url=url, api_key=job["apiKey"], on_retry=lambda *told: retries.append(told))
    before = client.usage()["total_spent_usd"]
    try:
        answer = {"result": call(client, scenario, job["folder"])}
    except OcrError as error:
        answer = {"error": {"code": error.code, "status": error.status}}
    answer["costs"] = round(client.usage()["total_spent_usd"] - before, 9)
    print(json.dumps({"name": scenario["name"], **answer, "retries": len(retries)}))

hook = job["webhook"]
event = verify_webhook(hook["secret"], hook["body"].encode("utf-8"), hook["headers"])
try:
    verify_webhook(hook["secret"], hook["body"] + " ", hook["headers"])
    refused = False
except ValueError:
    refused = True
print(json.dumps({"name": "webhook", "result": event, "refused": refused}))
