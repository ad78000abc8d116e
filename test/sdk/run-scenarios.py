"""Runs the shared scenarios with the Python client; a JSON line each."""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])
from ocr_router import OcrError, OcrRouter, verify_webhook  # noqa: E402

job = json.load(sys.stdin)
for scenario in job["scenarios"]:
    client = OcrRouter(url=job["urls"][scenario.get("through", "direct")], api_key=job["apiKey"])
    before = client.usage()["total_spent_usd"]
    try:
        if scenario["call"] == "engines":
            answer = {"result": client.engines()}
        else:
            path = os.path.join(job["folder"], scenario["document"])
            call = getattr(client, scenario["call"])
            answer = {"result": call(path, all_pages=scenario.get("allPages", False), **scenario["options"])}
    except OcrError as error:
        answer = {"error": {"code": error.code, "status": error.status}}
    answer["costs"] = round(client.usage()["total_spent_usd"] - before, 9)
    print(json.dumps({"name": scenario["name"], **answer}))

hook = job["webhook"]
event = verify_webhook(hook["secret"], hook["body"].encode("utf-8"), hook["headers"])
try:
    verify_webhook(hook["secret"], hook["body"] + " ", hook["headers"])
    refused = False
except ValueError:
    refused = True
print(json.dumps({"name": "webhook", "result": event, "refused": refused}))
