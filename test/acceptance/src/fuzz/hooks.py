"""Puts existing things into the requests that schemathesis makes up, and asks each operation without a key that works."""

import json
import os
import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests
import schemathesis
from hypothesis import strategies
from schemathesis.core.parameters import ParameterLocation

with open(os.environ["TOCSIN_THINGS"], encoding="utf-8") as file:
    THINGS = json.load(file)

schemathesis.openapi.format(
    "iana-time-zone", strategies.sampled_from(["Europe/Rome", "America/New_York", "Asia/Kolkata", "Etc/GMT+5", "UTC"])
)


def parameters_of(path, method):
    """Those of the longest beginning of the path. What is deleted is a thing that nothing else asks for."""
    things = THINGS["deleted" if method == "DELETE" else "kept"]
    beginnings = [beginning for beginning in things if path == beginning or path.startswith(beginning + "/")]
    return things[max(beginnings, key=len)] if beginnings else {}


# The words of refusals for what a JSON schema can not say, by the operations that say them.
RELATIONS = {
    # Dates: one lies after the other, or in the future.
    r"(time\.|rotations\[\d+\]\.)?endDate: should be after startDate": ".*",
    r"endDate: should be in the future": "change-maintenance-end-date",
    r"endTime: should be in the future and at most 7 days ahead": "snooze-alert",
    r"(rotations\[\d+\]\.)?timeRestriction\.restrictions?(\[\d+\])?: should be longer: .*": "(create|update|import)-(schedule|rotation)",
    # A check of a move: each condition once, as many as are listed, and not of the future.
    r"conditions\[\d+\]\.name: should be unique in the list": "publish-move",
    r"conditions\[\d+\]\.missingCount: should be at least \d+, .*": "publish-move",
    r"checkedAt: should be at most 5 minutes ahead of the clock of Tocsin": "publish-move",
    r"from: should be a URL such as .*": "publish-move",
    # Other fields and other places: what stands either in the query or in the body, and whom a rule takes over from.
    r"(tags|keys): should name at least one": "remove-tags|remove-details",
    r"query: should have a parameter": "take-hook-.*",
    r"interval: should be at most \d+ \w+": "simulate-(override|rotation)",
    r"offset: and limit together should be below 20000": "list-alerts",
    r"toUser: should be another user than fromUser": "(create|update|import)-forwarding-rule",
    # A thing that there is: its type, its name, its state.
    r"type: of (a policy|an integration of type \[.*\]) can not be changed": "(update|import)-(policy|policy-v1|policy-v2|integration)",
    r"teamId: of a policy can not be changed": "import-policy",
    r"type: the integration of this key is not of type \[.*\]": "authenticate-integration.*",
    r"(actions\.)?(\w+\[\d+\]\.)?filter\.conditions\[\d+\]\.field: should be one of \[ .*, _payload, .* \]": "(create|replace)-integration-actions?|try-integration|import-integration",
    # The integration of the first start, which the answers about traffic name (K7).
    r"integrationId: \[.*\] can not be (deleted|disabled)\.": "(delete|disable)-integration.*",
    r"(enabled|allowReadAccess|allowWriteAccess|allowConfigurationAccess|ownerTeam): of the default integration can not be .*": "(update|import)-integration",
    # One of several fields, and fields that the product of the integration has or has not.
    r"onCall\[\d+\]: should have userGroup, topic or announce": "(create|update|import)-integration",
    r"onCall\[\d+\]\.schedule: should have id or name": "(create|update|import)-integration",
    # A request of a tool within the request.
    r"(raw|body|preset): .*": "try-integration",
    r"name: should be \[.*\]: a heartbeat keeps its name": "(update|import)-heartbeat.*",
    r"(rules\[\d+\]\.)?notificationTime: should be provided": "update-notification-rule|import-notification-rules",
    r"(rules\[\d+\]\.)?(steps\[\d+\]\.)?sendAfter: should be provided": "(create|update)-notification-(rule|step)|import-notification-rules",
    r"to: should be a country code, a hyphen and a number, such as 1-5551234567": "update-contact",
    r"to: is the topic of a device and stays: register the device anew": "update-contact",
    r"order: should be at most \d+": "change-(notification|routing)-rule-order",
    r"devices: The user has 5 devices already, which is the most\.": "register-device",
    r"browsers: The user has 5 devices already, which is the most\.": "register-browser",
    r"subscription\.endpoint: (is refused: .*|should begin with https://|should be the address of a push service)": "register-browser",
    r"subscription\.keys\.p256dh: should be a point of the curve P-256": "register-browser",
    r"replaces: should be the id of the contact of a browser of the user": "register-browser",
    r"contactId: Contact is verified already\.": "(send-contact-verification|confirm-contact)",
    r"maintenanceId: Only .* maintenance can be .*, and this one is \w+\..*": ".*-maintenance.*",
    # A language of its own.
    r"query: at character \d+: .*": "(list|count)-alerts|(create|update|import)-saved-search|list-users",
}


def is_relation(operation, refusal):
    """Whether each part of the refusal depends on what else there is, or what else was said, and on nothing in the description."""
    faults = refusal.get("errors") or {"": refusal.get("message", "")}
    said = [f"{field}: {words}" for field, words in faults.items()]
    return all(
        any(re.fullmatch(words, each, re.DOTALL) and re.fullmatch(of, operation) for words, of in RELATIONS.items())
        for each in said
    )


# 401 and 403: a made-up `apiKey`. 404, 409 and 428: what there is. None of them says anything about the data.
TAKEN = {401, 403, 404, 409, 428}


@schemathesis.check
def takes_what_is_described(ctx, response, case):
    """A request that is as described is refused with 422 only for a relation that the description can not say."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    status = response.status_code
    if 200 <= status < 300 or status in TAKEN:
        return
    operation = case.operation.definition.raw.get("operationId", "")
    is_allowed = status == 422 and is_relation(operation, response.json())
    assert is_allowed, f"{status} for what is as described, by {operation}: {response.text}"


def name_the_searched(case):
    """A type of identifier beside no identifier is not read, so that it is neither right nor wrong."""
    if case.query and "searchIdentifierType" in case.query and not case.query.get("searchIdentifier"):
        case.query["searchIdentifier"] = "Open kept"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Half of the requests with a path that is in order get one that exists; the rest asks for what does not."""
    meta = case.meta
    name_the_searched(case)
    if not case.path_parameters or meta is None or meta.is_negative_at(ParameterLocation.PATH):
        return
    if meta.phase.name.name == "STATEFUL" or len(json.dumps(case.path_parameters)) % 2 == 1:
        return
    known = parameters_of(case.operation.path, case.method.upper())
    case.path_parameters = {name: known.get(name, value) for name, value in case.path_parameters.items()}


UNKNOWN_KEY = "GenieKey 00000000-0000-4000-8000-000000000000"
ASKED_WITHOUT_A_KEY = set()


@schemathesis.check
def refuses_callers_without_a_key(ctx, response, case):
    """What succeeded is 401 without a key, and with one that is of the form of a key and works nowhere (E4)."""
    definition, label, sent = case.operation.definition.raw, case.operation.label, response.request
    if definition.get("security") == [] or label in ASKED_WITHOUT_A_KEY or sent.method != case.operation.method.upper():
        return
    if not 200 <= response.status_code < 300:
        return
    ASKED_WITHOUT_A_KEY.add(label)
    without = {name: value for name, value in sent.headers.items() if name.lower() != "authorization"}
    url = urlsplit(sent.url)
    query = urlencode([(name, value) for name, value in parse_qsl(url.query, True) if name != "apiKey"])
    # A key may be in the path (Q2).
    path = re.sub("^/hooks/[^/]+", "/hooks/-", url.path)
    for headers in (without, {**without, "Authorization": UNKNOWN_KEY}):
        answer = requests.request(sent.method, url._replace(path=path, query=query).geturl(), data=sent.body, headers=headers, timeout=30)
        assert answer.status_code == 401, f"{answer.status_code} without a key that works: {answer.text}"
