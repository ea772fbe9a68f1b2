"""Uses Tocsin through the Python SDK as its documentation says: one scenario per run, whose findings are printed as JSON."""

import json
import os
import sys
import tempfile
import time
import urllib.request
from datetime import timedelta

import opsgenie_sdk
from opsgenie_sdk import exceptions


def client(key=None):
    configuration = opsgenie_sdk.configuration.Configuration()
    configuration.host = os.environ["TOCSIN_URL"]
    # One configuration is a flat copy of another: they share the dictionary that each begins with.
    configuration.api_key = {"Authorization": key or os.environ["TOCSIN_KEY"]}
    configuration.retry_enabled = False
    return opsgenie_sdk.ApiClient(configuration=configuration)


alerts = opsgenie_sdk.AlertApi(api_client=client())


def settled(response):
    """The outcome of a write, for which the SDK polls; an outcome that is no success is polled for long, so it is an error."""
    status = response.retrieve_result()
    assert status.data.is_success, status
    assert response.id == status.data.alert_id, (response.id, status)
    assert status.data.processed_at.utcoffset() is not None, status
    return [status.data.action, status.data.status]


def create(**fields):
    payload = opsgenie_sdk.CreateAlertPayload(**fields)
    response = alerts.create_alert(create_alert_payload=payload)
    outcome = settled(response)
    return response.id, outcome


def notified(identifier):
    """Which users were notified of an alert, once one was."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        recipients = alerts.list_recipients(identifier=identifier).data
        if any(recipient.state == "active" for recipient in recipients):
            return [[recipient.user.username, recipient.method] for recipient in recipients]
        time.sleep(0.05)
    raise AssertionError(recipients)


def life(alias):
    """From the create to the delete of an alert."""
    identifier, created = create(
        message="Disk full",
        alias=alias,
        description="sda is full",
        responders=[{"type": "user", "username": os.environ["TOCSIN_USER"]}],
        visible_to=[{"type": "team", "name": os.environ["TOCSIN_TEAM"]}],
        actions=["Grow"],
        tags=["storage", "page"],
        details={"device": "sda"},
        entity="db1",
        priority="P1",
        user="Ada",
        source="cron",
        note="again",
    )
    by_id = alerts.get_alert(identifier=identifier).data
    by_tiny = alerts.get_alert(identifier=by_id.tiny_id, identifier_type="tiny").data
    by_alias = alerts.get_alert(identifier=alias, identifier_type="alias").data
    assert by_id == by_tiny == by_alias, (by_id, by_tiny, by_alias)
    opened = {name: getattr(by_id, name) for name in ("message", "description", "status", "tags", "details", "priority")}
    responders = [responder.type for responder in by_id.responders]
    recipients = notified(identifier)

    acknowledged = settled(
        alerts.acknowledge_alert(
            identifier=alias,
            identifier_type="alias",
            acknowledge_alert_payload=opsgenie_sdk.AcknowledgeAlertPayload(user="Ada", note="mine", source="shell"),
        )
    )
    noted = settled(
        alerts.add_note(
            identifier=identifier,
            add_note_to_alert_payload=opsgenie_sdk.AddNoteToAlertPayload(user="Ada", note="grown", source="shell"),
        )
    )
    query = 'status=open AND acknowledged: true AND alias: "%s"' % alias
    listed = alerts.list_alerts(query=query, sort="createdAt", order="desc", limit=10, offset=0)
    assert [alert.id for alert in listed.data] == [identifier], listed
    assert listed.paging.first.startswith(os.environ["TOCSIN_URL"] + "/v2/alerts?"), listed.paging
    count = alerts.count_alerts(query=query).data.count
    notes = [note.note for note in alerts.list_notes(identifier=identifier, limit=100, order="asc").data]
    logs = alerts.list_logs(identifier=identifier, limit=100, order="asc", direction="next").data
    assert all(log.log and log.offset and log.created_at for log in logs), logs

    closed = settled(alerts.close_alert(identifier=alias, identifier_type="alias"))
    after = alerts.get_alert(identifier=identifier).data
    report = [after.report.acknowledged_by, after.report.closed_by]
    assert after.report.ack_time <= after.report.close_time, after
    deleted = settled(alerts.delete_alert(identifier=identifier, user="Ada", source="shell"))
    return {
        "opened": opened,
        "responders": responders,
        "outcomes": [created, acknowledged, noted, closed, deleted],
        "count": count,
        "notes": notes,
        "recipients": recipients,
        "closed": after.status,
        "report": report,
        "gone": refusal(lambda: alerts.get_alert(identifier=identifier)),
    }


def changes(alias):
    """Every other write to an alert."""
    identifier, _ = create(message="Disk full", alias=alias, actions=["Grow"], tags=["storage"])
    schedule = {"type": "schedule", "name": os.environ["TOCSIN_SCHEDULE"]}
    tomorrow = alerts.get_alert(identifier=identifier).data.created_at + timedelta(days=1)
    payload = {"user": "Ada", "note": "by the SDK", "source": "shell"}
    sdk = opsgenie_sdk
    outcomes = [
        settled(response)
        for response in (
            alerts.add_tags(identifier, sdk.AddTagsToAlertPayload(tags=["hot", "cold"], **payload)),
            alerts.remove_tags(identifier, ["cold", "storage"], **payload),
            alerts.add_details(identifier, sdk.AddDetailsToAlertPayload(details={"rack": "b2", "row": "7"}, **payload)),
            alerts.remove_details(identifier, ["row"], **payload),
            alerts.update_alert_message(identifier, sdk.UpdateAlertMessagePayload(message="Fan")),
            alerts.update_alert_description(identifier, sdk.UpdateAlertDescriptionPayload(description="of db1")),
            alerts.update_alert_priority(identifier, sdk.UpdateAlertPriorityPayload(priority="P2")),
            alerts.add_responder(identifier, sdk.AddResponderToAlertPayload(responder=schedule, **payload)),
            alerts.add_team(identifier, sdk.AddTeamToAlertPayload(team={"name": os.environ["TOCSIN_TEAM"]}, **payload)),
            alerts.assign_alert(identifier, sdk.AssignAlertPayload(owner={"username": os.environ["TOCSIN_USER"]}, **payload)),
            alerts.acknowledge_alert(identifier),
            alerts.un_acknowledge_alert(identifier, un_acknowledge_alert_payload=sdk.UnAcknowledgeAlertPayload(**payload)),
            alerts.escalate_alert(
                identifier, sdk.EscalateAlertToNextPayload(escalation={"name": os.environ["TOCSIN_ESCALATION"]}, **payload)
            ),
            alerts.snooze_alert(identifier, sdk.SnoozeAlertPayload(end_time=tomorrow, **payload)),
            alerts.execute_custom_alert_action(
                identifier, "Grow", execute_custom_alert_action_payload=sdk.ExecuteCustomAlertActionPayload(**payload)
            ),
        )
    ]
    after = alerts.get_alert(identifier=identifier).data
    assert after.snoozed and after.snoozed_until == tomorrow, after
    settled(alerts.close_alert(identifier))
    names = ("message", "description", "priority", "tags", "details", "owner")
    return {"outcomes": outcomes, "after": {name: getattr(after, name) for name in names}}


def attachments(alias):
    """The life of a file of an alert."""
    identifier, _ = create(message="Disk full", alias=alias)
    content = bytes(range(256)) * 1000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "disk usage.bin")
        with open(path, "wb") as file:
            file.write(content)
        added = alerts.add_attachment(identifier=alias, alert_identifier_type="alias", file=path, user="Ada", index_file="")
    listed = alerts.list_attachments(identifier=identifier).data
    got = alerts.get_attachment(identifier=identifier, attachment_id=added.data.id).data
    with urllib.request.urlopen(got.url) as response:
        same = response.read() == content
    removed = alerts.remove_attachment(identifier=identifier, attachment_id=added.data.id, user="Ada")
    left = alerts.list_attachments(identifier=identifier).data
    settled(alerts.close_alert(identifier))
    return {
        "listed": [[file.id == added.data.id, file.name] for file in listed],
        "got": [got.name, same],
        "results": [added.result, removed.result],
        "left": left,
        "gone": refusal(lambda: alerts.get_attachment(identifier=identifier, attachment_id=added.data.id)),
    }


def saved_searches(name):
    """The life of a saved search, and a list by it."""
    identifier, _ = create(message="Disk full", alias=name)
    owner = {"username": os.environ["TOCSIN_USER"]}
    teams = [{"name": os.environ["TOCSIN_TEAM"]}]
    payload = opsgenie_sdk.CreateSavedSearchPayload(
        name=name, query='alias: "%s"' % name, owner=owner, teams=teams, description="of a test"
    )
    made = alerts.create_saved_searches(create_saved_search_payload=payload).data
    assert made.id in [search.id for search in alerts.list_saved_searches().data]
    read = alerts.get_saved_search(identifier=name, identifier_type="name").data
    listed = alerts.list_alerts(search_identifier=name, search_identifier_type="name").data
    counted = alerts.count_alerts(search_identifier=made.id, search_identifier_type="id").data.count
    change = opsgenie_sdk.UpdateSavedSearchPayload(name=name + " 2", query="status: open", owner=owner)
    alerts.update_saved_search(identifier=made.id, update_saved_search_payload=change)
    changed = alerts.get_saved_search(identifier=made.id).data
    alerts.delete_saved_search(identifier=name + " 2", identifier_type="name")
    settled(alerts.close_alert(identifier))
    return {
        "made": made.name == name,
        "read": [read.query, read.description, len(read.teams), read.owner.id is not None],
        "listed": [alert.id == identifier for alert in listed],
        "counted": counted,
        "changed": [changed.name, changed.query],
        "gone": refusal(lambda: alerts.get_saved_search(identifier=made.id)),
    }


def refusals(alias):
    """The exceptions that the SDK makes of what Tocsin refuses."""
    payload = opsgenie_sdk.CreateAlertPayload(message=alias)
    unknown = opsgenie_sdk.AlertApi(api_client=client("0c4c6f4e-7b8a-4c8e-9d64-7f6d2e3b1a00"))
    shapeless = opsgenie_sdk.AlertApi(api_client=client("secret"))
    return {
        "unknown key": refusal(lambda: unknown.create_alert(create_alert_payload=payload)),
        "key of another form": refusal(lambda: shapeless.create_alert(create_alert_payload=payload)),
        "message too long": refusal(
            lambda: alerts.create_alert(create_alert_payload=opsgenie_sdk.CreateAlertPayload(message="x" * 131))
        ),
        "no such request": refusal(lambda: alerts.get_request_status("5f1d0a52-6d2b-4e0f-9d3f-2f6f3c1f5a11")),
        "query": refusal(lambda: alerts.list_alerts(query="status: (open")),
    }


def account(_):
    """Who this installation is of."""
    info = opsgenie_sdk.AccountApi(api_client=client()).get_info().data
    return {"name": info.name, "users": info.user_count, "plan": info.plan.name}


def heartbeats(name):
    """The life of a heartbeat."""
    api = opsgenie_sdk.HeartbeatApi(api_client=client())
    payload = opsgenie_sdk.CreateHeartbeatPayload(
        name=name,
        description="nightly",
        interval=10,
        interval_unit="minutes",
        enabled=False,
        owner_team={"name": os.environ["TOCSIN_TEAM"]},
        alert_message="Backup is missing",
        alert_tags=["db"],
        alert_priority="P2",
    )
    created = api.create_heartbeat(create_heartbeat_payload=payload).data
    early = api.ping(name=name).result
    enabled = api.enable_heartbeat(name=name).data
    ponged = api.ping(name=name).result
    change = opsgenie_sdk.UpdateHeartbeatPayload(description="daily", interval=2, interval_unit="days", enabled=True)
    updated = api.update_heartbeat(name=name, update_heartbeat_payload=change).data
    read = api.get_heartbeat(name=name).data
    assert read.last_ping_time.utcoffset() is not None, read
    listed = [heartbeat.name for heartbeat in api.list_heart_beats().data.heartbeats]
    disabled = api.disable_heartbeat(name=name).data
    deleted = api.delete_heartbeat(name=name).result
    return {
        "created": [created.name, created.interval, created.interval_unit, created.enabled, created.expired],
        "results": [early, ponged, deleted],
        "switched": [[each.enabled, each.expired] for each in (enabled, updated, disabled)],
        "read": [read.description, read.interval, read.interval_unit, read.enabled],
        "listed": listed,
        "unknown": api.ping(name=name).result,
        "gone": refusal(lambda: api.get_heartbeat(name=name)),
    }


def throttled(alias):
    """Creates over the rate of the key, with the retries that the SDK makes by default."""
    patient = client()
    patient.configuration.retry_enabled = True
    api = opsgenie_sdk.AlertApi(api_client=patient)
    tries = []
    for number in range(4):
        api.create_alert(create_alert_payload={"message": "Disk full", "alias": f"{alias} {number}"})
        tries.append(patient.retrying.statistics["attempt_number"])
    return {"accepted": len(tries), "came_again": max(tries) > 1}


def refusal(call):
    """The name of the exception that a call ends with."""
    try:
        call()
    except exceptions.OpenApiException as error:
        assert json.loads(error.body)["message"], error
        return [type(error).__name__, error.status]
    return "done"


SCENARIOS = {scenario.__name__: scenario for scenario in (life, changes, attachments, saved_searches, heartbeats, throttled, refusals, account)}
print(json.dumps(SCENARIOS[sys.argv[1]](sys.argv[2])))
